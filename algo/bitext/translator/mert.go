package translator

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/numeric/parallel"
)

// candidate is a translation of a held-out sentence.
type candidate struct {
	h     [features]float64
	stats []float32 // of BLEU
}

// pool is the candidates of held-out sentences.
type pool struct {
	list  [][]candidate
	known []map[string]bool
}

// restarts are the points drawn at random that a search begins from, besides the weights at hand.
const restarts = 6

// tune trains the weights: the held-out pairs are translated, weights are searched under which BLEU of the best of all
// candidates so far is highest, and again, until no round brings new candidates or a better score.
func (m *model) tune(ctx context.Context, t *kind.Training, begun time.Time) error {
	lm, err := m.language(t.Resources)
	if err != nil {
		return err
	}
	var sources, targets [][]string
	err = m.pairs(ctx, t.Validate, func(a, b []string) error {
		if len(a) <= longest {
			sources, targets = append(sources, a), append(targets, b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		t.Notice("there are no held-out pairs to train weights on; they stay as they begin")
		return nil
	}
	p := &pool{list: make([][]candidate, len(sources)), known: make([]map[string]bool, len(sources))}
	rng := rand.New(rand.NewPCG(t.Seed, 1))
	best, score := m.weights, -1.0
	for round := 1; round <= m.opt.rounds; round++ {
		list := make([][]found, len(sources))
		err := parallel.For(ctx, t.Workers, len(sources), func(_, i int) (err error) {
			list[i], err = m.best(ctx, lm, sources[i], m.opt.nbest)
			return err
		})
		if err != nil {
			return err
		}
		bleu := first(list, targets)
		if bleu > score {
			best, score = m.weights, bleu
		}
		t.Report(kind.Progress{Step: round, Of: m.opt.rounds, Objective: math.NaN(), HeldOut: bleu, Metric: "bleu",
			Seconds: time.Since(begun).Seconds(), Note: fmt.Sprintf("weights %.3g", m.weights[:])})
		if p.add(list, targets) == 0 {
			break
		}
		next := p.search(m.weights, rng)
		if next == m.weights {
			break
		}
		m.weights = next
	}
	m.weights = best
	return ctx.Err()
}

// first is BLEU of the first of each list.
func first(list [][]found, targets [][]string) float64 {
	sums := make([]float64, 0)
	for i, l := range list {
		sums = plus(sums, metrics.BLEUStatistics(l[0].words, targets[i]), 1)
	}
	return metrics.BLEU.Of(sums)
}

// plus adds n times the statistics.
func plus(sums []float64, stats []float32, times float64) []float64 {
	for len(sums) < len(stats) {
		sums = append(sums, 0)
	}
	for k, x := range stats {
		sums[k] += times * float64(x)
	}
	return sums
}

// add takes the translations that are new and returns their number.
func (p *pool) add(list [][]found, targets [][]string) (n int) {
	for i, l := range list {
		if p.known[i] == nil {
			p.known[i] = map[string]bool{}
		}
		for _, f := range l {
			k := fmt.Sprint(strings.Join(f.words, " "), f.h)
			if !p.known[i][k] {
				p.known[i][k] = true
				p.list[i] = append(p.list[i], candidate{f.h, metrics.BLEUStatistics(f.words, targets[i])})
				n++
			}
		}
	}
	return n
}

// search is the best weights that are reached from some points by changing one weight at a time.
func (p *pool) search(from vector, rng *rand.Rand) vector {
	best, score := from, p.bleu(&from)
	for k := 0; k <= restarts; k++ {
		at := from
		for i := range at {
			if k > 0 {
				at[i] += rng.NormFloat64() * .3
			}
		}
		if w, s := p.climb(at); s > score+1e-6 {
			best, score = w, s
		}
	}
	size := 0.0 // scores of equal translations keep their order under a factor
	for _, x := range best {
		size += math.Abs(x)
	}
	for i := range best {
		best[i] *= 3 / size
	}
	return best
}

func (p *pool) climb(w vector) (vector, float64) {
	score := p.bleu(&w)
	for {
		along, most, step := -1, score+1e-6, 0.0
		for k := range w {
			if s, x := p.line(&w, k); s > most {
				along, most, step = k, s, x
			}
		}
		if along < 0 {
			return w, score
		}
		w[along] += step
		score = p.bleu(&w)
		if score < most-1e-3 {
			return w, score
		}
	}
}

// bleu is that of the best candidates under weights; of equal ones the first counts.
func (p *pool) bleu(w *vector) float64 {
	var sums []float64
	for _, l := range p.list {
		at, top := 0, math.Inf(-1)
		for i := range l {
			if s := w.dot(&l[i].h); s > top {
				at, top = i, s
			}
		}
		sums = plus(sums, l[at].stats, 1)
	}
	return metrics.BLEU.Of(sums)
}

// cross is where, along a weight, the best candidate of a sentence changes.
type cross struct {
	x        float64
	from, to []float32
}

// line finds the change x of one weight with the highest BLEU. Along it the score of each candidate is a line
// a + b x; the best of a sentence are the upper envelope of its lines, and BLEU changes where they cross (Och 2003,
// sec. 4).
func (p *pool) line(w *vector, k int) (best, x float64) {
	var sums []float64
	var all []cross
	for _, l := range p.list {
		first, list := envelope(w, k, l)
		sums = plus(sums, first, 1)
		all = append(all, list...)
	}
	slices.SortStableFunc(all, func(a, b cross) int { return cmp.Compare(a.x, b.x) })
	best, x = -1, 0
	for i := 0; i <= len(all); i++ {
		low, high := math.Inf(-1), math.Inf(1)
		if i > 0 {
			low = all[i-1].x
			sums = plus(plus(sums, all[i-1].from, -1), all[i-1].to, 1)
		}
		if i < len(all) {
			high = all[i].x
		}
		if high-low < 1e-9 {
			continue
		}
		mid := middle(low, high)
		if s := metrics.BLEU.Of(sums); s > best+1e-9 || s > best-1e-9 && math.Abs(mid) < math.Abs(x) {
			best, x = max(s, best), mid
		}
	}
	return best, x
}

// middle is a point between two.
func middle(low, high float64) float64 {
	switch {
	case math.IsInf(low, -1) && math.IsInf(high, 1):
		return 0
	case math.IsInf(low, -1):
		return high - .1
	case math.IsInf(high, 1):
		return low + .1
	}
	return (low + high) / 2
}

// envelope is the statistics of the best candidate far to the left, and where it changes.
func envelope(w *vector, k int, l []candidate) (first []float32, out []cross) {
	type ray struct {
		a, b  float64
		stats []float32
	}
	rays := make([]ray, len(l))
	for i := range l {
		rays[i] = ray{w.dot(&l[i].h), l[i].h[k], l[i].stats}
	}
	slices.SortStableFunc(rays, func(x, y ray) int { return cmp.Or(cmp.Compare(x.b, y.b), -cmp.Compare(x.a, y.a)) })
	var top []ray
	var at []float64 // where each begins
	for _, r := range rays {
		if len(top) > 0 && top[len(top)-1].b == r.b {
			continue
		}
		x := math.Inf(-1)
		for len(top) > 0 {
			last := top[len(top)-1]
			x = (last.a - r.a) / (r.b - last.b)
			if x > at[len(at)-1] {
				break
			}
			top, at = top[:len(top)-1], at[:len(at)-1]
			x = math.Inf(-1)
		}
		top, at = append(top, r), append(at, x)
	}
	for i := 1; i < len(top); i++ {
		out = append(out, cross{at[i], top[i-1].stats, top[i].stats})
	}
	return top[0].stats, out
}
