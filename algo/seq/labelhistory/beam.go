package labelhistory

import (
	"cmp"
	"math"
	"slices"

	"parlance/algo/numeric/buffer"
)

// Beam keeps the width best labellings of the first tokens and extends them, equal ones in the
// order in which they came up. It returns the best labelling found, and its sum; with a width of
// at least L^order it is the best of all. It costs width calls of At a token.
func (d *Decoder) Beam(l Local, width int) ([]uint16, float64) {
	n, labels := l.Len(), l.Labels()
	d.path, d.row = buffer.Resize(d.path, n), buffer.Resize(d.row, labels)
	d.beam = append(d.beam[:0], partial{last: labels, second: labels, parent: -1})
	trail := make([]partial, 0, n*width)
	for t := range n {
		d.next = d.next[:0]
		for pass := 0; pass < 2 && len(d.next) == 0; pass++ {
			for _, b := range d.beam {
				d.extend(l, t, b, pass == 1)
			}
		}
		slices.SortStableFunc(d.next, func(a, b partial) int { return cmp.Compare(b.score, a.score) })
		d.merge(l.Order(), width)
		for i := range d.beam {
			trail = append(trail, d.beam[i])
			d.beam[i].parent = len(trail) - 1
		}
	}
	if n == 0 {
		return d.path, 0
	}
	at := d.beam[0].parent
	sum := d.beam[0].score
	for t := n - 1; t >= 0; t-- {
		d.path[t] = uint16(trail[at].last)
		at = trail[at].parent
	}
	return d.path, sum
}

// extend adds the labellings that go on from b; forced ones need not keep the rules.
func (d *Decoder) extend(l Local, t int, b partial, forced bool) {
	d.at(l, t, b.last, b.second, d.row)
	for y, s := range d.row {
		if (forced || d.allowed(l, t, b.last, y)) && !math.IsInf(s, -1) {
			d.next = append(d.next, partial{score: b.score + s, last: y, second: b.last, parent: b.parent})
		}
	}
}

// merge takes the best of what was extended into the beam, one for each of the labels that later
// scores depend on: the others can only lose.
func (d *Decoder) merge(order, width int) {
	d.beam = d.beam[:0]
	for _, p := range d.next {
		if len(d.beam) == width {
			return
		}
		same := func(q partial) bool {
			return p.last == q.last && (order < 2 || p.second == q.second)
		}
		if !slices.ContainsFunc(d.beam, same) {
			d.beam = append(d.beam, p)
		}
	}
}
