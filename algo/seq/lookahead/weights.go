package lookahead

import (
	"math"
	"slices"

	"parlance/algo/engine/chain"
	"parlance/algo/engine/online"
)

// weights are those of pairs of attribute and label with their averages over the decisions seen, kept lazily (Collins
// 2002). Updates are by whole numbers, so sums of weights are exact.
type weights struct{ online.Rows }

func newWeights(attributes, labels int) *weights {
	return &weights{*online.NewRows(attributes, labels)}
}

// score adds the weights of attributes to out, by label.
func (w *weights) score(attrs []uint32, out []float64) {
	for _, a := range attrs {
		w.AddRow(a, out)
	}
}

// add updates pairs of attributes and a label after n decisions.
func (w *weights) add(attrs []uint32, label int, delta, decisions float64) {
	for _, a := range attrs {
		w.Move(a, uint16(label), delta, decisions)
	}
}

// average appends the averages after n decisions to the parts of a model, labels rising.
func (w *weights) average(p *chain.Parts, decisions float64) {
	p.Labels, p.Attributes = w.Columns, len(w.Spans)
	p.AttrStart = make([]uint32, 1, len(w.Spans)+1)
	type pair struct {
		label  uint16
		weight float64
	}
	var list []pair
	for _, r := range w.Spans {
		list = list[:0]
		for k := r.At; k < r.At+uint32(r.N); k++ {
			if x := dyadic(w.Mean(k, decisions)); x != 0 {
				list = append(list, pair{w.Cells[k].Column, x})
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

// add updates a weight after n decisions.
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

// average returns the averages after n decisions.
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
