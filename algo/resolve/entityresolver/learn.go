package entityresolver

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/mcmc"
	"parlance/algo/engine/partition"
	"parlance/algo/kind"
	"parlance/algo/numeric/optimize"
	"parlance/algo/resolve/record"
)

// learn sets weights and bias, unless they are given.
func (in *input) learn(ctx context.Context, t *kind.Training) error {
	switch in.m.opt.weights {
	case "logistic":
		return in.logistic(ctx, t)
	case "samplerank":
		return in.samplerank(ctx, t)
	}
	return nil
}

// known are pairs with answers: of links, and of records whose entity is known and that share a block.
type known struct {
	a, b int32
	same bool
}

// pairs draws pairs of blocks whose entities are known, half of them of one entity where there are as many.
func (in *input) pairs(ctx context.Context, seed uint64) ([]known, error) {
	var out []known
	for _, s := range in.said {
		out = append(out, known(s))
	}
	most := in.m.opt.pairs
	r := mcmc.NewRand(seed, 77)
	var kept [2][]known
	seen := [2]int{}
	for _, b := range in.blocks {
		var labelled []int32
		for _, i := range b.Items {
			if in.gold[i] >= 0 {
				labelled = append(labelled, i)
			}
		}
		for i, x := range labelled {
			if i%64 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, y := range labelled[:i] {
				same := in.gold[x] == in.gold[y]
				k := 0
				if same {
					k = 1
				}
				// a sample of each kind without replacement (Vitter 1985)
				seen[k]++
				if len(kept[k]) < most/2 {
					kept[k] = append(kept[k], known{y, x, same})
				} else if j := r.Intn(seen[k]); j < len(kept[k]) {
					kept[k][j] = known{y, x, same}
				}
			}
		}
	}
	return append(append(out, kept[0]...), kept[1]...), nil
}

// logistic fits weights to pairs:
//
//	P(one entity) = 1 / (1 + exp(−(w·features − bias)))
func (in *input) logistic(ctx context.Context, t *kind.Training) error {
	list, err := in.pairs(ctx, t.Seed)
	if err != nil {
		return err
	}
	if n := count(list); n == 0 || n == len(list) {
		return fmt.Errorf("%w: weights = logistic learns from pairs of records of one entity and of different ones, "+
			"and there are %d and %d; "+
			"give a column entity, or pairs AS links", kind.ErrNoData, n, len(list)-n)
	}
	z := in.store.Products()
	d := len(in.m.weights)
	x := make([]float64, 0, len(list)*d)
	for _, p := range list {
		x = z.Features(x, p.a, p.b)
	}
	w, err := fit(ctx, t, list, x, d, in.m.opt.l2)
	if err != nil {
		return err
	}
	in.m.weights, in.m.Info.Bias = clamp(w[:d]), -w[d]
	return nil
}

func count(list []known) (n int) {
	for _, p := range list {
		if p.same {
			n++
		}
	}
	return n
}

// fit minimises the loss over pairs by L-BFGS; the last weight is the constant, which is not penalised.
//
//	Σ log(1 + exp(−y·w·x)) + ½ l2 |w|²
func fit(ctx context.Context, t *kind.Training, list []known, x []float64, d int, l2 float64) ([]float64, error) {
	loss := func(ctx context.Context, w, grad []float64) (float64, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		total := 0.0
		clear(grad)
		for i, p := range list {
			row, s := x[i*d:(i+1)*d], w[d]
			for k, v := range row {
				s += w[k] * v
			}
			y := -1.0
			if p.same {
				y = 1
			}
			total += math.Max(0, -y*s) + math.Log1p(math.Exp(-math.Abs(s)))
			g := -y / (1 + math.Exp(y*s))
			for k, v := range row {
				grad[k] += g * v
			}
			grad[d] += g
		}
		for k := range d {
			total += l2 / 2 * w[k] * w[k]
			grad[k] += l2 * w[k]
		}
		return total, nil
	}
	w := make([]float64, d+1)
	o := optimize.LBFGS{Iterations: 200, Epsilon: 1e-5}
	if _, err := o.Minimize(ctx, w, loss, nil); err != nil {
		return nil, err
	}
	t.Report(kind.Progress{Objective: math.NaN(), HeldOut: math.NaN(), Aside: true,
		Note: fmt.Sprintf("weights of %s learned from %s", plural(d, "feature"), plural(len(list), "pair"))})
	return w, nil
}

// clamp keeps weights in their range.
func clamp(w []float64) []float64 {
	for i := range w {
		w[i] = math.Max(-50, math.Min(50, w[i]))
	}
	return w
}

var errNoGold = fmt.Errorf("%w: weights = samplerank learns from records whose entity is known, several in a block; "+
	"give a column entity", kind.ErrNoData)

// ranker learns weights while it samples the labelled records of blocks.
type ranker struct {
	in      *input
	learner *mcmc.SampleRank
	z       *record.Products
	row     []float64 // features of a change
	pair    []float64 // of a pair
	delta   []mcmc.Feature
	r       *mcmc.Rand
}

// samplerank learns from proposals: of two states the one is preferred that has more pairs of one entity together, and
// fewer of different ones. The last weight is that of the number of pairs, −bias.
func (in *input) samplerank(ctx context.Context, t *kind.Training) error {
	d := len(in.m.weights)
	k := &ranker{in: in, row: make([]float64, d+1), learner: mcmc.NewSampleRank(d+1, in.m.opt.rate, in.m.opt.margin),
		z: in.store.Products(), r: mcmc.NewRand(t.Seed, 78)}
	var blocks [][]int32
	for _, b := range in.blocks {
		var labelled []int32
		for _, i := range b.Items {
			if in.gold[i] >= 0 {
				labelled = append(labelled, i)
			}
		}
		if len(labelled) > 1 {
			blocks = append(blocks, labelled)
		}
	}
	if len(blocks) == 0 {
		return errNoGold
	}
	states := make([]*partition.Partition, len(blocks))
	for i, b := range blocks {
		states[i] = partition.New(len(b))
	}
	for epoch := range in.m.opt.epochs {
		before := k.learner.Updates
		for i, b := range blocks {
			if err := k.sweep(ctx, b, states[i]); err != nil {
				return err
			}
		}
		t.Report(kind.Progress{Objective: math.NaN(), HeldOut: math.NaN(), Aside: true,
			Note: fmt.Sprintf("SampleRank, sweep %d of %d: %d updates", epoch+1, in.m.opt.epochs,
				k.learner.Updates-before)})
	}
	w := k.learner.Average()
	in.m.weights, in.m.Info.Bias = clamp(w[:d]), math.Max(-50, math.Min(50, -w[d]))
	return nil
}

// sweep proposes a move for each record of a block, learns from it and accepts it by the model.
func (k *ranker) sweep(ctx context.Context, items []int32, state *partition.Partition) error {
	for n := range items {
		if n%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		m, x := k.r.Intn(len(items)), k.r.Intn(len(items))
		if m == x {
			continue
		}
		from, to := state.Cluster(m), state.Cluster(x)
		clear(k.row)
		preference := 0.0
		for _, o := range state.Members(from) {
			if int(o) != m {
				preference += k.add(items[m], items[o], -1)
			}
		}
		if to != from {
			for _, o := range state.Members(to) {
				preference += k.add(items[m], items[o], 1)
			}
		}
		k.delta = k.delta[:0]
		for id, v := range k.row {
			k.delta = append(k.delta, mcmc.Feature{ID: int32(id), Value: v})
		}
		k.learner.Learn(k.delta, preference)
		if mcmc.Metropolis(k.learner.Score(k.delta), k.r) {
			if to == from {
				state.Isolate(m)
			} else {
				state.Move(m, to)
			}
		}
	}
	return nil
}

// add adds the features of a pair that comes together or is parted, and returns the change of the preference.
func (k *ranker) add(a, b int32, sign float64) float64 {
	k.pair = k.z.Features(k.pair[:0], a, b)
	f := k.pair
	for i, v := range f {
		k.row[i] += sign * v
	}
	k.row[len(f)] += sign
	if k.in.gold[a] == k.in.gold[b] {
		return sign
	}
	return -sign
}
