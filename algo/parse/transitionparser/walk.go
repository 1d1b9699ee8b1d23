package transitionparser

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/transition"
)

// walk goes over the arcs of a tree from the root down, those of a head from left to right, so that the
// labels of the head and of the dependent before are known.
type walk struct {
	first     []int32 // by 1 + head, where its dependents begin in below
	below     []int32 // dependents by head, rising
	queue     []int32 // heads, whose dependents are due
	at        int     // in queue
	k         int     // in below
	dependent int32
	previous  int32 // the dependent of its head before it, 0 for none
	rows      []uint32
	values    []float32 // scores of the labels
}

func (w *walk) init(s *shape, labels int) {
	w.rows, w.values = make([]uint32, s.arcs.Rows()), make([]float32, rounded(labels))
}

// begin goes to the tree of a state: tokens without a head are roots.
func (w *walk) begin(s *transition.State) {
	n := s.Len()
	w.first, w.below = buffer.Zeros(w.first, n+3), buffer.Zeros(w.below, n)
	for d := int32(1); d <= int32(n); d++ {
		w.first[max(0, s.Head(d))+1]++
	}
	for h := range n + 1 {
		w.first[h+1] += w.first[h]
	}
	for d := int32(n); d > 0; d-- { // from the end of each range, which begins there afterwards
		h := max(0, s.Head(d))
		w.first[h+1]--
		w.below[w.first[h+1]] = d
	}
	w.first[n+2] = int32(n)
	w.queue = append(w.queue[:0], 0)
	w.at, w.k, w.previous, w.dependent = 0, 0, 0, 0
}

// next goes to the next arc, false at the end.
func (w *walk) next() bool {
	w.previous = w.dependent
	for w.k == int(w.first[w.queue[w.at]+2]) {
		if w.at++; w.at == len(w.queue) {
			return false
		}
		w.k, w.previous = int(w.first[w.queue[w.at]+1]), 0
	}
	w.dependent = w.below[w.k]
	w.k++
	w.queue = append(w.queue, w.dependent)
	return true
}

// end is 0 at an arc from the root, 1 at others.
func (w *walk) end() int { return min(1, w.at) }

// best returns the best of some labels, the first of equals; 0 if there are none.
func (w *walk) best(of []uint32) (top int) {
	for _, y := range of {
		if top == 0 || w.values[y] > w.values[top] {
			top = int(y)
		}
	}
	return top
}

// bestBut returns the best of some labels other than one.
func (w *walk) bestBut(of []uint32, other int) (top int) {
	for _, y := range of {
		if int(y) != other && (top == 0 || w.values[y] > w.values[top]) {
			top = int(y)
		}
	}
	return top
}

// share is the probability of a label among some, as that of moves.
func (w *walk) share(of []uint32, y int, unit float64) float64 {
	sum := 0.0
	for _, z := range of {
		sum += math.Exp(float64(w.values[z]-w.values[y]) / unit)
	}
	return 1 / max(1, sum)
}
