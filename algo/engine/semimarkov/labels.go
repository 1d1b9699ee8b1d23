package semimarkov

import (
	"errors"
	"fmt"
	"math"
)

// ErrInvalid marks labels, data and weights that make no sense.
var ErrInvalid = errors.New("invalid semi-Markov model")

// MaxLabels is the largest number of labels.
const MaxLabels = 1 << 12

// Labels are the labels of segments, 0 to N−1, and what is allowed of them.
type Labels struct {
	N       int
	Parent  []int32 // label above each one, −1 for none; nil: no taxonomy
	Unit    []bool  // labels whose segments have one position; nil: none
	Forbid  []bool  // pairs from·N + to that may not be neighbours; nil: none
	NoStart []bool  // labels that no sequence begins with; nil: none
	NoEnd   []bool  // and that none ends with

	order []int32 // labels with a parent, those above first
}

// NewLabels checks the labels and keeps them.
func NewLabels(l Labels) (*Labels, error) {
	if l.N < 1 || l.N > MaxLabels {
		return nil, fmt.Errorf("%w: %d labels, want 1 to %d", ErrInvalid, l.N, MaxLabels)
	}
	wrong := func(marks []bool, n int) bool { return marks != nil && len(marks) != n }
	if l.Parent != nil && len(l.Parent) != l.N || wrong(l.Unit, l.N) || wrong(l.Forbid, l.N*l.N) ||
		wrong(l.NoStart, l.N) ||
		wrong(l.NoEnd, l.N) {
		return nil, fmt.Errorf("%w: one parent and mark a label and one mark a pair are wanted", ErrInvalid)
	}
	depth := make([]int, l.N)
	deepest := 0
	for y := range l.Parent {
		for z := l.Parent[y]; z >= 0; z = l.Parent[z] {
			if int(z) >= l.N {
				return nil, fmt.Errorf("%w: parent %d of label %d", ErrInvalid, z, y)
			}
			if depth[y]++; depth[y] > l.N {
				return nil, fmt.Errorf("%w: label %d is above itself", ErrInvalid, y)
			}
		}
		deepest = max(deepest, depth[y])
	}
	l.order = []int32{}
	for d := 1; d <= deepest; d++ {
		for y := range depth {
			if depth[y] == d {
				l.order = append(l.order, int32(y))
			}
		}
	}
	return &l, nil
}

// Above reports whether z is y or above it.
func (l *Labels) Above(z, y int) bool {
	for y >= 0 && y != z {
		y = int(l.above(int32(y)))
	}
	return y == z
}

// above returns the label above one, −1 for none.
func (l *Labels) above(y int32) int32 {
	if l.Parent == nil {
		return -1
	}
	return l.Parent[y]
}

// inherit adds to each label of a row of N what the labels above it have.
func (l *Labels) inherit(row []float64) {
	for _, y := range l.order {
		row[y] += row[l.Parent[y]]
	}
}

// gather adds to each label of a row of N what the labels below it have. It is the transpose of inherit.
func (l *Labels) gather(row []float64) {
	for i := len(l.order) - 1; i >= 0; i-- {
		y := l.order[i]
		row[l.Parent[y]] += row[y]
	}
}

// inheritPairs and gatherPairs do so on both sides of a matrix of pairs.
func (l *Labels) inheritPairs(m []float64) {
	for _, y := range l.order {
		addRow(m[int(y)*l.N:][:l.N], m[int(l.Parent[y])*l.N:][:l.N])
	}
	for y := range l.N {
		l.inherit(m[y*l.N:][:l.N])
	}
}

func (l *Labels) gatherPairs(m []float64) {
	for i := len(l.order) - 1; i >= 0; i-- {
		y := l.order[i]
		addRow(m[int(l.Parent[y])*l.N:][:l.N], m[int(y)*l.N:][:l.N])
	}
	for y := range l.N {
		l.gather(m[y*l.N:][:l.N])
	}
}

func addRow(dst, src []float64) {
	for i, v := range src {
		dst[i] += v
	}
}

func (l *Labels) unit(y int) bool { return l.Unit != nil && l.Unit[y] }

// barred returns scores of −Inf for the labels that are marked, nil for no marks.
func barred(marks []bool) []float64 {
	if marks == nil {
		return nil
	}
	out := make([]float64, len(marks))
	for y, m := range marks {
		if m {
			out[y] = math.Inf(-1)
		}
	}
	return out
}
