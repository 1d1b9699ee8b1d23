package lookahead

import (
	"math"
	"slices"

	"parlance/algo/engine/chain"
	"parlance/algo/engine/online"
)

// weights are those of pairs of attribute and label with their averages over the decisions seen,
// kept lazily (Collins 2002). With c decisions before an update by δ,
//
//	w += δ,  u += c·δ,  average after T decisions = w − u/T
//
// Only pairs that were ever updated take memory: 16 bytes each, where package online takes as much for every pair.
type weights struct {
	labels int
	rows   []row // by attribute
	cells  []cell
	sums   []float64 // u, parallel to cells
}

// row is where the pairs of an attribute lie among the cells.
type row struct {
	at      uint32
	n, room uint16
}

// cell is one pair. Updates are by whole numbers, so sums of weights are exact.
type cell struct {
	w     float32
	label uint16
}

func newWeights(attributes, labels int) *weights {
	return &weights{labels: labels, rows: make([]row, attributes)}
}

// score adds the weights of attributes to out, by label.
func (w *weights) score(attrs []uint32, out []float64) {
	for _, a := range attrs {
		w.addRow(a, out)
	}
}

// addRow adds the weights of an attribute to out, by label.
func (w *weights) addRow(attr uint32, out []float64) {
	r := w.rows[attr]
	for _, c := range w.cells[r.at : r.at+uint32(r.n)] {
		out[c.label] += float64(c.w)
	}
}

// add updates pairs of attributes and a label after so many decisions.
func (w *weights) add(attrs []uint32, label int, delta, decisions float64) {
	for _, a := range attrs {
		w.addOne(a, label, delta, decisions)
	}
}

// addOne updates the pair of an attribute and a label after so many decisions.
func (w *weights) addOne(attr uint32, label int, delta, decisions float64) {
	k := w.cell(attr, uint16(label))
	w.cells[k].w += float32(delta)
	w.sums[k] += decisions * delta
}

// cell finds or makes the cell of a pair.
func (w *weights) cell(attr uint32, label uint16) uint32 {
	r := &w.rows[attr]
	for k := r.at; k < r.at+uint32(r.n); k++ {
		if w.cells[k].label == label {
			return k
		}
	}
	if r.n == r.room {
		w.grow(r)
	}
	k := r.at + uint32(r.n)
	r.n++
	w.cells[k].label = label
	return k
}

// grow doubles the room of a row, at the end of the cells unless it lies there already.
func (w *weights) grow(r *row) {
	room := min(max(2, 2*int(r.room)), w.labels)
	if int(r.at)+int(r.room) == len(w.cells) {
		more := room - int(r.room)
		w.cells, w.sums = append(w.cells, make([]cell, more)...), append(w.sums, make([]float64, more)...)
		r.room = uint16(room)
		return
	}
	at := uint32(len(w.cells))
	w.cells, w.sums = append(w.cells, make([]cell, room)...), append(w.sums, make([]float64, room)...)
	copy(w.cells[at:], w.cells[r.at:r.at+uint32(r.n)])
	copy(w.sums[at:], w.sums[r.at:r.at+uint32(r.n)])
	r.at, r.room = at, uint16(room)
}

// average appends the averages after so many decisions to the parts of a model, labels rising.
func (w *weights) average(p *chain.Parts, decisions float64) {
	p.Labels, p.Attributes = w.labels, len(w.rows)
	p.AttrStart = make([]uint32, 1, len(w.rows)+1)
	type pair struct {
		label  uint16
		weight float64
	}
	var list []pair
	for _, r := range w.rows {
		list = list[:0]
		for k := r.at; k < r.at+uint32(r.n); k++ {
			if x := dyadic(float64(w.cells[k].w) - w.sums[k]/decisions); x != 0 {
				list = append(list, pair{w.cells[k].label, x})
			}
		}
		slices.SortFunc(list, func(a, b pair) int { return int(a.label) - int(b.label) })
		for _, x := range list {
			p.PairLabel, p.Weights = append(p.PairLabel, x.label), append(p.Weights, x.weight)
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	}
}

// dyadic rounds to a multiple of 2⁻²⁰. Sums of such numbers are exact, so that no order of
// summing, and thus no way to search, gives another decision.
func dyadic(x float64) float64 { return math.RoundToEven(x*(1<<20)) / (1 << 20) }

// dense are the weights of label histories: of every combination of labels, the last one varying
// fastest.
type dense struct {
	*online.Weights
	width  int
	maxima []float64 // largest of each row
}

func newDense(n, width int) *dense {
	return &dense{Weights: online.NewWeights(n, true), width: width, maxima: make([]float64, n/width)}
}

// add updates a weight after so many decisions.
func (d *dense) add(k int, delta, decisions float64) {
	i := k / d.width
	old := d.W[k]
	d.Steps = decisions
	d.Add(k, delta)
	switch {
	case d.W[k] > d.maxima[i]:
		d.maxima[i] = d.W[k]
	case old == d.maxima[i]:
		d.maxima[i], _ = highest(d.W[i*d.width:][:d.width])
	}
}

// average returns the averages after so many decisions.
func (d *dense) average(decisions float64) []float64 {
	d.Steps = decisions
	out := d.Mean()
	for k, w := range out {
		if out[k] = dyadic(w); math.IsInf(w, -1) { // forbidden
			out[k] = 0
		}
	}
	return out
}
