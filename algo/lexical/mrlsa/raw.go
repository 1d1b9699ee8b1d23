package mrlsa

import (
	"context"
	"math"

	"parlance/algo/numeric/lowrank"
)

// raw gives degrees without factors (eq. 5): degree(i, j, k) = cos(W[:,i,pivot], W[:,j,k]).
type raw struct {
	columns []*lowrank.Matrix // of each relation the words with their rows
	rows    []*lowrank.Matrix // their transposes
	lengths [][]float64       // of columns
	pivot   int
}

func newRaw(columns []*lowrank.Matrix, pivot int) *raw {
	r := &raw{columns: columns, pivot: pivot}
	for _, c := range columns {
		r.rows = append(r.rows, c.Transposed())
		lengths := make([]float64, c.Rows)
		for j := range lengths {
			_, values := c.Row(j)
			for _, x := range values {
				lengths[j] += x * x
			}
			lengths[j] = math.Sqrt(lengths[j])
		}
		r.lengths = append(r.lengths, lengths)
	}
	return r
}

func (r *raw) pair(i, j uint32, relation int) float64 {
	a, x := r.columns[r.pivot].Row(int(i))
	b, y := r.columns[relation].Row(int(j))
	sum := 0.0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a, x = a[1:], x[1:]
		case a[0] > b[0]:
			b, y = b[1:], y[1:]
		default:
			sum += x[0] * y[0]
			a, x, b, y = a[1:], x[1:], b[1:], y[1:]
		}
	}
	return cosine(sum, r.lengths[r.pivot][i], r.lengths[relation][j])
}

func (r *raw) every(ctx context.Context, _ int, i uint32, relation int, symmetric bool, out []float32) error {
	if err := r.spread(ctx, i, r.pivot, relation, out); err != nil || !symmetric {
		return err
	}
	back := make([]float32, len(out))
	err := r.spread(ctx, i, relation, r.pivot, back)
	average(out, back)
	return err
}

// spread sets out[j] to the cosine of column i of one slice and column j of another.
func (r *raw) spread(ctx context.Context, i uint32, from, to int, out []float32) error {
	sums := make([]float64, len(out))
	rows, values := r.columns[from].Row(int(i))
	for k, row := range rows {
		if k&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		words, weights := r.rows[to].Row(int(row))
		for n, j := range words {
			sums[j] += values[k] * weights[n]
		}
	}
	for j := range out {
		out[j] = float32(cosine(sums[j], r.lengths[from][i], r.lengths[to][j]))
	}
	return ctx.Err()
}

// listed gives degree 1 to what the input lists and no degree to anything else.
type listed struct {
	words  []*lowrank.Matrix // of each relation the words that are listed for a word
	turned []*lowrank.Matrix
}

func newListed(words []*lowrank.Matrix) *listed {
	l := &listed{words: words}
	for _, w := range words {
		l.turned = append(l.turned, w.Transposed())
	}
	return l
}

func (l *listed) pair(i, j uint32, relation int) float64 {
	words, _ := l.words[relation].Row(int(i))
	for _, w := range words {
		if w == j {
			return 1
		}
	}
	return none
}

func (l *listed) every(_ context.Context, _ int, i uint32, relation int, symmetric bool, out []float32) error {
	ones(l.words[relation], i, out)
	if symmetric {
		back := make([]float32, len(out))
		ones(l.turned[relation], i, back)
		average(out, back)
	}
	return nil
}

// ones sets out to 1 for the words of row i and to none for the others.
func ones(m *lowrank.Matrix, i uint32, out []float32) {
	for j := range out {
		out[j] = float32(none)
	}
	words, _ := m.Row(int(i))
	for _, j := range words {
		out[j] = 1
	}
}
