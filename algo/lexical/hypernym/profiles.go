package hypernym

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/lexical/cooccurrence"
	"parlance/algo/numeric/topk"
)

// profile is a distribution over contexts or classes: numbers, rising, with their probabilities.
type profile struct {
	IDs []uint32  `state:"contexts,rising,below=Columns"`
	P   []float64 `state:"probabilities,len=IDs,finite,from=0"`
}

// logProfile is P(f|n) in proportion to ln c(f,n) + 1, and the sum of these. Counts below 1 stay as they are.
func logProfile(ids []uint32, counts []float64) (profile, float64) {
	p, sum := profile{IDs: slices.Clone(ids), P: make([]float64, len(ids))}, 0.0
	for k, c := range counts {
		p.P[k] = c
		if c > 1 {
			p.P[k] = math.Log(c) + 1
		}
		sum += p.P[k]
	}
	for k := range p.P {
		p.P[k] /= sum
	}
	return p, sum
}

// entropic is x·log₂ x.
func entropic(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log2(x)
}

// shared is what a common context adds to the similarity, with a and b the entropic values of p and q:
//
//	sim = 1 − JS = ½ Σ over common f of (p+q)·log₂(p+q) − p·log₂ p − q·log₂ q
func shared(p, a, q, b float64) float64 { return (entropic(p+q) - a - b) / 2 }

// similarity is 1 minus the Jensen-Shannon divergence to base 2, from 0 to 1.
func similarity(p, q profile) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(p.IDs) && j < len(q.IDs); {
		switch {
		case p.IDs[i] < q.IDs[j]:
			i++
		case p.IDs[i] > q.IDs[j]:
			j++
		default:
			sum += shared(p.P[i], entropic(p.P[i]), q.P[j], entropic(q.P[j]))
			i++
			j++
		}
	}
	return bounded(sum)
}

func bounded(x float64) float64 { return min(1, max(0, x)) }

// index finds the profiles that are most similar to another one.
type index struct {
	n     int
	start []int // of each context its cells
	cells []indexed
}

type indexed struct {
	profile      uint32
	q, entropicQ float64
}

// newIndex indexes profiles over a number of contexts.
func newIndex(profiles []profile, columns int) *index {
	x := &index{n: len(profiles), start: make([]int, columns+1)}
	for _, p := range profiles {
		for _, f := range p.IDs {
			x.start[f+1]++
		}
	}
	for f := range columns {
		x.start[f+1] += x.start[f]
	}
	x.cells = make([]indexed, x.start[columns])
	next := slices.Clone(x.start[:columns])
	for i, p := range profiles {
		for k, f := range p.IDs {
			x.cells[next[f]] = indexed{uint32(i), p.P[k], entropic(p.P[k])}
			next[f]++
		}
	}
	return x
}

// search is the memory of one search at a time.
type search struct {
	sum     []float64
	touched []uint32
	best    topk.Best
}

// nearest returns the k most similar profiles of those with the least similarity at least, the best first; equal
// ones by number. without is left out, -1 for none. What it returns is valid until the next search. It takes the
// time of the cells of the contexts.
func (x *index) nearest(p profile, k int, least float64, without int, s *search) []topk.Item {
	if len(s.sum) < x.n {
		s.sum = make([]float64, x.n)
	}
	for i, f := range p.IDs {
		a := entropic(p.P[i])
		for _, c := range x.cells[x.start[f]:x.start[f+1]] {
			if s.sum[c.profile] == 0 {
				s.touched = append(s.touched, c.profile)
			}
			s.sum[c.profile] += shared(p.P[i], a, c.q, c.entropicQ)
		}
	}
	s.best.Reset(k)
	for _, i := range s.touched {
		if v := bounded(s.sum[i]); v >= least && v > 0 && int(i) != without {
			s.best.Add(i, v)
		}
		s.sum[i] = 0
	}
	s.touched = s.touched[:0]
	return s.best.Sorted()
}

// average is Σ P(·|h) P(h) / Σ P(h).
func average(list []profile, weights []float64) profile {
	sum, total := map[uint32]float64{}, 0.0
	for i, p := range list {
		for k, f := range p.IDs {
			sum[f] += weights[i] * p.P[k]
		}
		total += weights[i]
	}
	out := profile{}
	for f := range sum {
		out.IDs = append(out.IDs, f)
	}
	slices.Sort(out.IDs)
	for _, f := range out.IDs {
		out.P = append(out.P, sum[f]/total)
	}
	return out
}

// readClasses takes the classes of words in place of their contexts.
func (m *model) readClasses(ctx context.Context, in kind.Input) error {
	table, ok := in.Table(classTable.Name)
	if !ok {
		return fmt.Errorf("the input classes has no table %s", classTable.Name)
	}
	number := map[string]int{}
	for i, w := range m.Words {
		number[w] = i
		m.Profiles[i] = profile{}
	}
	names := cooccurrence.NewTexts()
	of := make([]map[uint32]float64, len(m.Words))
	n, known := 0, 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return err
		}
		if n++; row[0].IsNull() || row[1].IsNull() || row[2].IsNull() {
			return fmt.Errorf("row %d of the classes: word, class and prob may not be NULL", n)
		}
		p := row[2].Float()
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("row %d of the classes: prob is %v, a number from 0 to 1 is wanted", n, p)
		}
		class := names.Number(row[1].S)
		i, ok := number[row[0].S]
		if !ok || p == 0 {
			continue
		}
		if of[i] == nil {
			of[i] = map[uint32]float64{}
			known++
		}
		of[i][class] += p
	}
	if known == 0 {
		return fmt.Errorf("%w: no word of the counts has a class; were the classes made of other counts?",
			kind.ErrNoData)
	}
	m.Columns = len(names.List)
	for i, classes := range of {
		if classes != nil {
			m.Profiles[i] = normal(classes)
		}
	}
	return ctx.Err()
}

// normal makes the probabilities add up to one.
func normal(classes map[uint32]float64) (out profile) {
	for c := range classes {
		out.IDs = append(out.IDs, c)
	}
	slices.Sort(out.IDs)
	sum := 0.0
	for _, c := range out.IDs {
		sum += classes[c]
	}
	for _, c := range out.IDs {
		out.P = append(out.P, classes[c]/sum)
	}
	return out
}
