package verbentailment

import (
	"context"
	"math"
	"math/rand/v2"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
)

// measures are the values of the option; all but random are computed from shared nouns.
var measures = []string{"score", "score_base", "score_trick", "lin", "precision", "recall", "binc", "dirt", "random"}

// scorer has what all pairs are computed from.
type scorer struct {
	m *model
	c *template.Counts
	w *template.Weights
	// beside the cells of Counts.Columns: P(r|f), and the weight of the noun in the template
	prob, weight []float64
}

func (m *model) newScorer() *scorer {
	s := &scorer{m: m, c: m.counts, w: m.weights}
	rows, columns := m.counts.Rows, m.counts.Columns
	s.prob, s.weight = make([]float64, len(columns.IDs)), make([]float64, len(columns.IDs))
	next := make([]int, columns.Len())
	copy(next, columns.Start)
	for t := range rows.Len() { // columns list their templates in this order
		for k := rows.Start[t]; k < rows.Start[t+1]; k++ {
			f := rows.IDs[k]
			s.prob[next[f]] = rows.Counts[k] / m.counts.OfColumn[f]
			s.weight[next[f]] = m.weights.W[k]
			next[f]++
		}
	}
	return s
}

// sums are what a template has in common with each other one: of walks the sum, the largest term and the number, of
// weights the sums on both sides.
type sums struct {
	base, most, left, right []float64
	shared                  []uint32
	touched                 []uint32
}

func newSums(n int) *sums {
	return &sums{base: make([]float64, n), most: make([]float64, n), left: make([]float64, n),
		right: make([]float64, n), shared: make([]uint32, n)}
}

func (x *sums) clear() {
	for _, r := range x.touched {
		x.base[r], x.most[r], x.left[r], x.right[r], x.shared[r] = 0, 0, 0, 0, 0
	}
	x.touched = x.touched[:0]
}

// gather sums over the nouns of template l, in their order.
func (s *scorer) gather(l int, x *sums) {
	x.clear()
	rows, columns := s.c.Rows, s.c.Columns
	for k := rows.Start[l]; k < rows.Start[l+1]; k++ {
		f := rows.IDs[k]
		from, to := columns.Start[f], columns.Start[f+1]
		if m := s.m.opt.maxDegree; m > 0 && to-from > m {
			continue
		}
		p, w := rows.Counts[k]/s.c.OfRow[l], s.w.W[k]
		for j := from; j < to; j++ {
			r := columns.IDs[j]
			if x.shared[r] == 0 {
				x.touched = append(x.touched, r)
			}
			term := p * s.prob[j]
			x.base[r] += term
			x.most[r] = max(x.most[r], term)
			x.shared[r]++
			if w > 0 && s.weight[j] > 0 {
				x.left[r] += w
				x.right[r] += s.weight[j]
			}
		}
	}
}

// trick is base without its largest term, 0 exactly where there is one alone.
func (x *sums) trick(r int) float64 {
	if x.shared[r] < 2 {
		return 0
	}
	return max(x.base[r]-x.most[r], 0)
}

// of is a measure of l with r.
func (s *scorer) of(measure string, l, r int, x *sums) float64 {
	switch measure {
	case "score":
		return x.base[r] * x.trick(r)
	case "score_base":
		return x.base[r]
	case "score_trick":
		return x.trick(r)
	case "precision":
		return s.w.PrecisionOf(l, x.left[r])
	case "recall":
		return s.w.PrecisionOf(r, x.right[r])
	case "binc":
		return math.Sqrt(s.w.LinOf(l, r, x.left[r], x.right[r]) * s.w.PrecisionOf(l, x.left[r]))
	}
	return s.w.LinOf(l, r, x.left[r], x.right[r])
}

// shardTemplates is how many templates are scored at once.
const shardTemplates = 64

// rank fills the lists of the model.
func (m *model) rank(ctx context.Context, t *kind.Training) error {
	templates, verbs := m.lists()
	if m.opt.measure == "random" {
		m.random(t.Seed, templates, verbs)
	} else if err := m.all(ctx, t, templates, verbs); err != nil {
		return err
	}
	templates.cut()
	verbs.cut()
	m.pairs, m.verbPairs = templates.list, verbs.list
	return ctx.Err()
}

// all scores every template with every one that it shares a noun with.
func (m *model) all(ctx context.Context, t *kind.Training, templates, verbs *best) error {
	s := m.newScorer()
	n := len(m.counts.Templates)
	type found struct{ templates, verbs *best }
	shards := parallel.Blocks(n, shardTemplates)
	results := make([]found, shards)
	workers := max(t.Workers, 1)
	first, second := make([]*sums, workers), make([]*sums, workers)
	return parallel.Reduce(ctx, workers, shards, func(worker, i int) error {
		if first[worker] == nil {
			first[worker], second[worker] = newSums(n), newSums(n)
		}
		one, two := m.lists()
		results[i] = found{one, two}
		from, to := parallel.Block(i, n, shardTemplates)
		for l := from; l < to; l++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			emit := func(r int, score float64) {
				if score > 0 && m.verb[l] != m.verb[r] {
					p := pair{uint32(l), uint32(r), score}
					one.add(p)
					two.add(p)
				}
			}
			if m.opt.measure == "dirt" {
				s.dirt(l, first[worker], second[worker], emit)
			} else {
				s.plain(l, first[worker], emit)
			}
		}
		one.cut()
		two.cut()
		return nil
	}, func(i int) {
		for _, p := range results[i].templates.list {
			templates.add(p)
		}
		for _, p := range results[i].verbs.list {
			verbs.add(p)
		}
		results[i] = found{}
	})
}

func (s *scorer) plain(l int, x *sums, emit func(r int, score float64)) {
	s.gather(l, x)
	for _, r := range x.touched {
		if s.m.opt.sameSlot && s.c.Templates[l].Slot != s.c.Templates[r].Slot || s.m.opt.direction == "ledir" &&
			!s.entails(l, int(r), x.shared[r]) {
			continue
		}
		emit(int(r), s.of(s.m.opt.measure, l, int(r), x))
	}
}

// dirt compares verbs by two slots at once: sqrt(Lin(X slots)·Lin(Y slots)), X the subject and Y the object.
func (s *scorer) dirt(l int, x, y *sums, emit func(r int, score float64)) {
	if s.c.Templates[l].Slot != "nsubj" {
		return
	}
	object, ok := s.c.Find(template.Template{Predicate: s.c.Templates[l].Predicate, Slot: "obj"})
	if !ok {
		return
	}
	s.gather(l, x)
	s.gather(object, y)
	for _, r := range x.touched {
		if s.c.Templates[r].Slot != "nsubj" {
			continue
		}
		other, ok := s.c.Find(template.Template{Predicate: s.c.Templates[r].Predicate, Slot: "obj"})
		if ok && y.shared[other] > 0 && (s.m.opt.direction != "ledir" || s.entails(l, int(r), x.shared[r])) {
			emit(int(r), math.Sqrt(s.of("lin", l, int(r), x)*s.of("lin", object, other, y)))
		}
	}
}

// entails is the direction of LEDIR (Bhagat, Pantel and Hovy 2007): of two templates that share enough nouns the one
// with many more nouns is entailed; of those with about as many each entails the other.
func (s *scorer) entails(l, r int, shared uint32) bool {
	a, b := float64(s.c.Rows.Width(l)), float64(s.c.Rows.Width(r))
	if float64(shared)/min(a, b) < s.m.opt.alpha {
		return false
	}
	return a/b < s.m.opt.beta
}

// random draws ordered pairs of templates, each with a score that says nothing.
func (m *model) random(seed uint64, templates, verbs *best) {
	rng := rand.New(rand.NewPCG(seed, 33))
	n := len(m.counts.Templates)
	for range min(4*m.opt.nbest, 4*n*n) {
		p := pair{uint32(rng.IntN(n)), uint32(rng.IntN(n)), rng.Float64()}
		if m.verb[p.l] != m.verb[p.r] {
			templates.add(p)
			verbs.add(p)
		}
	}
}
