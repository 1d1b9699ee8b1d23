package whyqa

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
)

// Limits of training.
const (
	epsilon = 0.01
	passes  = 300
	bias    = 1 // of single passages; pairs have none, for it alone would satisfy each
)

// learn fits the ranker to judged passages.
func (m *model) learn(ctx context.Context, t *kind.Training, in kind.Input) error {
	list, err := judgements(ctx, in)
	if err != nil {
		return err
	}
	x, err := m.extractor(t.Resources)
	if err != nil {
		return err
	}
	vectors, err := x.vectors(ctx, list)
	if err != nil {
		return err
	}
	m.hashes = frequent(vectors, m.opt.minCount)
	data := &samples{hashes: m.hashes, rows: solver.Rows{Width: denseCount + len(m.hashes), Offsets: []uint32{0},
		Values: []float32{}}}
	for i, j := range list {
		if m.opt.ranker == rankPairs {
			data.addPairs(vectors[i], j.right)
		} else {
			data.addPassages(vectors[i], j.right)
		}
	}
	if !slices.Contains(data.y, 1) || !slices.Contains(data.y, -1) {
		return fmt.Errorf("%w: the ranker needs questions with a right and a wrong passage", kind.ErrNoData)
	}
	o := solver.Linear{C: m.opt.c, Epsilon: epsilon, Iterations: passes, Shrinking: true, Seed: t.Seed}
	if m.opt.ranker == rankPassages {
		o.Bias = bias
	}
	r, err := o.Binary(ctx, &data.rows, data.y, solver.NewColumnMap(data.rows.Width))
	if err != nil {
		return err
	}
	m.ranked, m.dense = true, r.Weights[:denseCount:denseCount]
	m.keep(r.Weights[denseCount : denseCount+len(m.hashes)])
	t.Report(kind.Progress{Step: r.Iterations, Of: r.Iterations, Objective: r.Dual, HeldOut: math.NaN(),
		Note: fmt.Sprintf("%d samples of %d questions, %d n-grams with a weight", len(data.y), len(list),
			len(m.hashes))})
	return nil
}

// keep keeps the weights that are not 0.
func (m *model) keep(weights []float64) {
	n := 0
	for i, w := range weights {
		if w != 0 {
			m.hashes[n], weights[n] = m.hashes[i], w
			n++
		}
	}
	m.hashes, m.weights = slices.Clip(m.hashes[:n]), slices.Clip(weights[:n])
}

// vectors makes the features of judged passages; none for questions without a content word.
func (x *engine) vectors(ctx context.Context, list []*judgement) ([][]vector, error) {
	out := make([][]vector, len(list))
	for i, j := range list {
		q := j.read()
		if q == nil {
			continue
		}
		list := x.ranked(q, j)
		out[i] = make([]vector, len(list))
		for k, p := range list {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			out[i][p.place] = x.of(q, p.words, k+1)
		}
	}
	return out, nil
}

// frequent are the n-grams of at least n passages, rising.
func frequent(list [][]vector, least int) (out []uint64) {
	counts := map[uint64]int{}
	for _, l := range list {
		for _, v := range l {
			for _, h := range v.hashes {
				if counts[h]++; counts[h] == least {
					out = append(out, h)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// samples are what a machine learns from.
type samples struct {
	hashes []uint64 // of columns, after the dense ones
	rows   solver.Rows
	y      []int8
}

func (s *samples) put(column int, value float64) {
	if value != 0 {
		s.rows.Columns, s.rows.Values = append(s.rows.Columns, uint32(column)), append(s.rows.Values, float32(value))
	}
}

func (s *samples) end(y int8) {
	s.rows.Offsets, s.y = append(s.rows.Offsets, uint32(len(s.rows.Columns))), append(s.y, y)
}

// columns are those of n-grams that were kept, rising.
func (s *samples) columns(v vector) (out []int) {
	for _, h := range v.hashes {
		if k, ok := slices.BinarySearch(s.hashes, h); ok {
			out = append(out, denseCount+k)
		}
	}
	return out
}

// addPassages adds each passage by itself.
func (s *samples) addPassages(list []vector, right []bool) {
	for i, v := range list {
		for k, x := range v.dense {
			s.put(k, x)
		}
		for _, c := range s.columns(v) {
			s.put(c, 1)
		}
		y := int8(-1)
		if right[i] {
			y = 1
		}
		s.end(y)
	}
}

// addPairs adds the difference of each right and each wrong passage of a question. Every other one is turned round, so
// that there are two classes.
func (s *samples) addPairs(list []vector, right []bool) {
	columns := make([][]int, len(list))
	for i, v := range list {
		columns[i] = s.columns(v)
	}
	for i := range list {
		for j := range list {
			if !right[i] || right[j] {
				continue
			}
			sign := float64(1 - 2*(len(s.y)%2))
			for k := range list[i].dense {
				s.put(k, sign*(list[i].dense[k]-list[j].dense[k]))
			}
			s.difference(columns[i], columns[j], sign)
			s.end(int8(sign))
		}
	}
}

// difference adds sign for columns of a alone and -sign for those of b alone; both rise.
func (s *samples) difference(a, b []int, sign float64) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			s.put(a[0], sign)
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			s.put(b[0], -sign)
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
}

// score is that of the ranker: w·φ.
func (m *model) score(v vector) (sum float64) {
	for k, w := range m.dense {
		sum += w * v.dense[k]
	}
	for _, h := range v.hashes {
		sum += m.weight(h)
	}
	return sum
}

func (m *model) weight(h uint64) float64 {
	if k, ok := slices.BinarySearch(m.hashes, h); ok {
		return m.weights[k]
	}
	return 0
}
