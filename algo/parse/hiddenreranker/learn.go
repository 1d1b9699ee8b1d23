package hiddenreranker

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/numeric/optimize"
	"parlance/algo/parse/candidates"
)

// count finds the features that occur in least sentences, and numbers them by their hashes.
func (m *member) count(ctx context.Context, x *reader, list []*kept, labels *candidates.Labels, least int) error {
	singles, pairs := map[uint64]int32{}, map[uint64]int32{}
	var seen [2][]uint64
	for i, k := range list {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := k.sentence(labels)
		seen[0], seen[1] = seen[0][:0], seen[1][:0]
		done := map[uint64]bool{}
		for _, c := range s.List {
			m.count1(m.read(x, c.Tree, s), done, &seen)
		}
		for n, into := range []map[uint64]int32{singles, pairs} {
			slices.Sort(seen[n])
			for _, h := range slices.Compact(seen[n]) {
				into[h]++
			}
		}
	}
	m.singles, m.pairs = frequent(singles, least), frequent(pairs, least)
	return nil
}

// count1 adds the features of a tree whose words and edges are not done.
func (m *member) count1(list []classified, done map[uint64]bool, seen *[2][]uint64) {
	for i := range list {
		v := &list[i]
		if key := mix(v.variable.sign, v.sign); !done[key] {
			done[key] = true
			for _, c := range v.classes {
				for _, f := range v.word {
					seen[0] = append(seen[0], single(f, c))
				}
			}
		}
		if v.parent < 0 {
			continue
		}
		u := &list[v.parent]
		if key := mix(v.edge.sign(), mix(u.sign, v.sign)); !done[key] {
			done[key] = true
			for _, cu := range u.classes {
				for _, cv := range v.classes {
					for _, f := range v.edge {
						seen[1] = append(seen[1], pair(f, cu, cv))
					}
				}
			}
		}
	}
}

// frequent numbers the hashes with a count of least or more, rising.
func frequent(counts map[uint64]int32, least int) map[uint64]int32 {
	var list []uint64
	for h, n := range counts {
		if int(n) >= least {
			list = append(list, h)
		}
	}
	slices.Sort(list)
	return numbered(list)
}

func numbered(list []uint64) map[uint64]int32 {
	out := make(map[uint64]int32, len(list))
	for i, h := range list {
		out[h] = int32(i)
	}
	return out
}

// rates are the settings of learning.
type rates struct {
	optimizer        string
	epochs           int
	eta, decay, l2   float64
	deviation        float64 // of the weights at the start
	report           func(epoch int, loss, heldOut float64)
	learn, heldOut   []*problem
	best             float64 // F1 of held-out sentences with the weights kept
	patience, failed int
	kept             []float64
}

// fit learns the weights; those of the best epoch by held-out F1 are kept, rounded to 32 bits.
func (m *member) fit(ctx context.Context, r *rates, rng *rand.Rand) error {
	m.theta = make([]float64, m.size())
	for i := range m.theta {
		m.theta[i] = r.deviation * rng.NormFloat64()
	}
	var err error
	if r.optimizer == "lbfgs" {
		err = m.batch(ctx, r)
	} else {
		err = m.descend(ctx, r, rng)
	}
	if err != nil {
		return err
	}
	if r.kept != nil {
		m.theta = r.kept
	}
	for i, t := range m.theta {
		m.theta[i] = float64(float32(t))
	}
	return nil
}

// epoch reports one, keeps its weights if they are best, and tells whether to go on.
func (m *member) epoch(r *rates, n int, loss float64, theta []float64, scale float64) bool {
	held := math.NaN()
	if len(r.heldOut) > 0 {
		held = m.f1(r.heldOut, theta, scale)
		if r.failed++; r.kept == nil || held > r.best {
			r.best, r.failed = held, 0
			r.kept = append(r.kept[:0], theta...)
			for i := range r.kept {
				r.kept[i] *= scale
			}
		}
	}
	r.report(n, loss, held)
	return len(r.heldOut) == 0 || r.failed < r.patience
}

// f1 is that of the likeliest candidates.
func (m *member) f1(list []*problem, theta []float64, scale float64) float64 {
	s := m.scorer()
	var c candidates.Counts
	for _, p := range list {
		s.sum(p, theta, scale)
		c.Add(&p.Tally, first(s.logZ), 1)
	}
	return c.F1()
}

// first is the place of the highest number, the first of equal ones.
func first(list []float64) int {
	best := 0
	for i, x := range list {
		if x > list[best] {
			best = i
		}
	}
	return best
}

// descend is stochastic gradient descent: after each sentence θ ← (1 − ηλ)·θ − η·∂L_i/∂θ, with
// η = η₀/(1 + e·decay) after e epochs. θ is scale·v, so that a step costs what its sentence costs.
func (m *member) descend(ctx context.Context, r *rates, rng *rand.Rand) error {
	s, v, scale := m.scorer(), m.theta, 1.0
	order := make([]int, len(r.learn))
	for i := range order {
		order[i] = i
	}
	for e := range r.epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		loss := 0.0
		for n, i := range order {
			if n%16 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			eta := r.eta / (1 + r.decay*(float64(e)+float64(n)/float64(len(order))))
			s.sum(r.learn[i], v, scale)
			loss += s.loss(true)
			scale *= 1 - eta*r.l2
			by := eta / scale
			s.each(func(at int, g []float64) {
				for x, d := range g {
					v[at+x] -= by * d
				}
			})
			if scale < 1e-6 {
				for i := range v {
					v[i] *= scale
				}
				scale = 1
			}
		}
		if !m.epoch(r, e+1, loss, v, scale) {
			break
		}
	}
	for i := range v {
		v[i] *= scale
	}
	return nil
}

// batch is L-BFGS on the loss of all sentences, with λ·n/2·|θ|² for n sentences, which is what the descent has.
func (m *member) batch(ctx context.Context, r *rates) error {
	s, penalty := m.scorer(), r.l2*float64(len(r.learn))
	f := func(ctx context.Context, x, grad []float64) (float64, error) {
		return m.objective(ctx, s, r.learn, penalty, x, grad)
	}
	o := optimize.LBFGS{Iterations: r.epochs, Epsilon: 1e-6}
	_, err := o.Minimize(ctx, m.theta, f, func(it optimize.Iteration) bool {
		return !m.epoch(r, it.Step, it.Objective, it.State.X, 1)
	})
	return err
}

// objective is the loss of some sentences with penalty/2·|θ|².
func (m *member) objective(ctx context.Context, s *scorer, list []*problem, penalty float64, x,
	grad []float64) (float64,
	error) {
	sum := 0.0
	for i, t := range x {
		sum += penalty / 2 * t * t
		grad[i] = penalty * t
	}
	for n, p := range list {
		if n%16 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		s.sum(p, x, 1)
		sum += s.loss(true)
		s.each(func(at int, g []float64) {
			for k, d := range g {
				grad[at+k] += d
			}
		})
	}
	return sum, nil
}
