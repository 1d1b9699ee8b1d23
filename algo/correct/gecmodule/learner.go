package gecmodule

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/numeric/optimize"
)

// weights are of features for labels.
type weights struct {
	labels int
	hashes []uint64 // of the features, ascending
	values []float32
	at     map[uint64]int32
}

func newWeights(labels int, hashes []uint64) *weights {
	w := &weights{labels: labels, hashes: hashes, values: make([]float32, labels*len(hashes))}
	w.ready()
	return w
}

func (w *weights) ready() {
	w.at = make(map[uint64]int32, len(w.hashes))
	for i, h := range w.hashes {
		w.at[h] = int32(i)
	}
}

// score sums the weights of features up by label, of hashes and one more.
func (w *weights) score(hashes []uint64, source uint64) []float64 {
	out := make([]float64, w.labels)
	add := func(h uint64) {
		if k, ok := w.at[h]; ok {
			for l, v := range w.values[int(k)*w.labels : int(k+1)*w.labels] {
				out[l] += float64(v)
			}
		}
	}
	for _, h := range hashes {
		add(h)
	}
	add(source)
	return out
}

// scoreNumbers is score for numbered features.
func (w *weights) scoreNumbers(out []float64, features []int32, source int32) {
	clear(out)
	add := func(k int32) {
		for l, v := range w.values[int(k)*w.labels : int(k+1)*w.labels] {
			out[l] += float64(v)
		}
	}
	for _, k := range features {
		add(k)
	}
	add(source)
}

// item is an example as a learner sees it.
type item struct {
	features []int32
	source   int // label of what was written
	gold     int
	labels   []int // that could stand in the slot, source and gold among them
}

// task is what a learner learns from: items, and the features that tell the source.
type task struct {
	labels  int
	hashes  []uint64
	sources []int32 // feature that tells a source, by label
	items   []item
}

// best is the label with the highest score among those of an item; ties go to the earlier one.
func (t *item) best(scores []float64) int {
	best := -1
	for _, l := range t.labels {
		if best < 0 || scores[l] > scores[best] || scores[l] == scores[best] && l < best {
			best = l
		}
	}
	return best
}

// inflated is the sources of items, where some of those that are right got an error that writers make.
func (t *task) inflated(k float64, rng *rand.Rand) []int {
	counts := make([][]float64, t.labels)
	for l := range counts {
		counts[l] = make([]float64, t.labels)
	}
	for i := range t.items {
		counts[t.items[i].gold][t.items[i].source]++
	}
	table := newInflation(counts, k)
	out := make([]int, len(t.items))
	for i := range t.items {
		x := &t.items[i]
		out[i] = x.source
		if u, v := rng.Float64(), rng.Float64(); x.source == x.gold {
			if s := table.draw(x.gold, u, v); slices.Contains(x.labels, s) {
				out[i] = s
			}
		}
	}
	return out
}

// averaging is weights on their way, with what their mean needs: w − u/steps, u = Σ (step−1)·Δ.
type averaging struct {
	w      *weights
	u      []float32
	steps  float32
	scores []float64
}

// see takes one step: where the best label is not the gold one, w_gold += x and w_best −= x.
func (a *averaging) see(x *item, source int32) {
	a.w.scoreNumbers(a.scores, x.features, source)
	if y := x.best(a.scores); y != x.gold {
		move := func(f int32) {
			g, b := int(f)*a.w.labels+x.gold, int(f)*a.w.labels+y
			a.w.values[g]++
			a.w.values[b]--
			a.u[g] += a.steps
			a.u[b] -= a.steps
		}
		for _, f := range x.features {
			move(f)
		}
		move(source)
	}
	a.steps++
}

// mean makes the weights their mean after each step.
func (a *averaging) mean() *weights {
	for i := range a.w.values {
		if a.steps > 0 {
			a.w.values[i] -= a.u[i] / a.steps
		}
	}
	return a.w
}

func newAveraging(t *task) *averaging {
	w := newWeights(t.labels, t.hashes)
	return &averaging{w: w, u: make([]float32, len(w.values)), scores: make([]float64, t.labels)}
}

// perceptron learns averaged weights.
func (t *task) perceptron(ctx context.Context, epochs int, k float64, seed uint64) (*weights, error) {
	a := newAveraging(t)
	rng := rand.New(rand.NewPCG(seed, 7))
	sources := t.inflated(k, rng)
	order := make([]int, len(t.items))
	for i := range order {
		order[i] = i
	}
	for range epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for n, i := range order {
			if n&1023 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			a.see(&t.items[i], t.sources[sources[i]])
		}
	}
	return a.mean(), nil
}

// regression learns −Σ log p(gold|x) + l1·Σ|w|, p(l|x) ∝ exp(w_l·x) over the labels of an item.
func (t *task) regression(ctx context.Context, l1, k float64, seed uint64) (*weights, error) {
	w := newWeights(t.labels, t.hashes)
	sources := t.inflated(k, rand.New(rand.NewPCG(seed, 7)))
	x := make([]float64, len(w.values))
	fit := optimize.LBFGS{Iterations: 60, Past: 5, Delta: 1e-4, L1: l1}
	_, err := fit.Minimize(ctx, x, func(ctx context.Context, x, grad []float64) (float64, error) {
		return t.loss(ctx, x, grad, sources)
	}, func(optimize.Iteration) bool { return false })
	for i, v := range x {
		w.values[i] = float32(v)
	}
	return w, err
}

// loss is −Σ log p(gold|x), and its gradient.
func (t *task) loss(ctx context.Context, x, grad []float64, sources []int) (float64, error) {
	clear(grad)
	sum := 0.0
	scores := make([]float64, t.labels)
	for i := range t.items {
		if i&1023 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		it := &t.items[i]
		each := func(do func(at int)) {
			for _, f := range it.features {
				do(int(f) * t.labels)
			}
			do(int(t.sources[sources[i]]) * t.labels)
		}
		clear(scores)
		each(func(at int) {
			for _, l := range it.labels {
				scores[l] += x[at+l]
			}
		})
		most, z := math.Inf(-1), 0.0
		for _, l := range it.labels {
			most = max(most, scores[l])
		}
		for _, l := range it.labels {
			z += math.Exp(scores[l] - most)
		}
		sum += most + math.Log(z) - scores[it.gold]
		for _, l := range it.labels {
			scores[l] = math.Exp(scores[l]-most) / z
		}
		scores[it.gold]--
		each(func(at int) {
			for _, l := range it.labels {
				grad[at+l] += scores[l]
			}
		})
	}
	return sum, nil
}

// shrunk leaves features out whose weights are all 0.
func (w *weights) shrunk() *weights {
	out := &weights{labels: w.labels}
	for i, h := range w.hashes {
		row := w.values[i*w.labels : (i+1)*w.labels]
		if slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
			out.hashes, out.values = append(out.hashes, h), append(out.values, row...)
		}
	}
	out.ready()
	return out
}
