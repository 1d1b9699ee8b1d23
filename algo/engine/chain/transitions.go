package chain

import "math"

// denseLabels is the largest number of labels for which a full matrix is kept.
const denseLabels = 1024

// scoreSpan is the spread of scores, in nats, that scaled probabilities represent: with
// it no product of a forward value, a transition and a state factor underflows.
const scoreSpan = 600

// leastSparse is the lowest transition weight for the sparse form, where 1 + Σ p·(e−1)
// loses about e^−weight in precision.
const leastSparse = -12

// arc is a transition to or from a label.
type arc struct {
	coef  float64
	label uint32
}

// arcs is a transition matrix E with E[i,j] = base + coef of the arc (i,j).
type arcs struct {
	base              float64
	in, out           []arc // by target, by source
	inStart, outStart []uint32
}

// transitions holds the transition weights w of a model and e^w in the forms that the
// recursions want. Unlisted transitions weigh 0.
type transitions struct {
	labels   int
	from, to []uint16  // by (from, to)
	weight   []float64 // w
	factor   []float64 // e^w
	outStart []uint32  // by source
	inStart  []uint32  // by target
	inIndex  []uint32  // transitions by (to, from)
	span     float64   // largest minus smallest weight, 0 among them
	sparse   arcs      // base 1 and e^w − 1, or base 0 where all are listed
	dense    arcs      // base 0, all allowed transitions; made when needed
	active   *arcs     // nil: only log space is exact
	rules    *Constraints
	closed   bool // unlisted transitions are forbidden; not with rules
}

// masked tells whether any transition is forbidden.
func (t *transitions) masked() bool { return t.rules != nil || t.closed }

func newTransitions(labels int, from, to []uint16) *transitions {
	n := len(from)
	t := &transitions{labels: labels, from: from, to: to, weight: make([]float64, n), factor: make([]float64, n)}
	t.outStart = make([]uint32, labels+1)
	t.inStart = make([]uint32, labels+1)
	for k := range from {
		t.outStart[from[k]+1]++
		t.inStart[to[k]+1]++
	}
	for j := range labels {
		t.outStart[j+1] += t.outStart[j]
		t.inStart[j+1] += t.inStart[j]
	}
	t.inIndex = make([]uint32, n)
	next := append([]uint32(nil), t.inStart...)
	for k := range to {
		t.inIndex[next[to[k]]] = uint32(k)
		next[to[k]]++
	}
	t.sparse = arcs{inStart: t.inStart, outStart: t.outStart, in: make([]arc, n), out: make([]arc, n)}
	return t
}

// full reports whether every transition has a weight.
func (t *transitions) full() bool { return len(t.from) == t.labels*t.labels }

// set takes the weights over and chooses the form in which they are exact.
func (t *transitions) set(w []float64) { t.setScaled(w, 1) }

// setScaled is set for scale·w.
func (t *transitions) setScaled(w []float64, scale float64) {
	var lo, hi float64
	for k, v := range w {
		v *= scale
		t.weight[k] = v
		lo, hi = min(lo, v), max(hi, v)
		t.factor[k] = math.Exp(v)
	}
	t.span = hi - lo
	t.active = nil
	switch {
	case !(2*t.span < scoreSpan): // also for NaN
	case t.closed:
		t.fillSparse()
		t.active = &t.sparse
	case t.rules != nil || (!t.full() && lo < leastSparse):
		if t.labels <= denseLabels {
			t.fillDense()
			t.active = &t.dense
		}
	default:
		t.fillSparse()
		t.active = &t.sparse
	}
}

func (t *transitions) fillSparse() {
	t.sparse.base = 1
	if t.full() || t.closed {
		t.sparse.base = 0
	}
	for k, e := range t.factor {
		t.sparse.out[k] = arc{e - t.sparse.base, uint32(t.to[k])}
	}
	for i, k := range t.inIndex {
		t.sparse.in[i] = arc{t.sparse.out[k].coef, uint32(t.from[k])}
	}
}

func (t *transitions) fillDense() {
	l := t.labels
	d := &t.dense
	d.in, d.out = d.in[:0], d.out[:0]
	d.inStart, d.outStart = append(d.inStart[:0], 0), append(d.outStart[:0], 0)
	row := make([]float64, l)
	for i := range l {
		t.row(i, row)
		for j, w := range row {
			if !math.IsInf(w, -1) {
				d.out = append(d.out, arc{math.Exp(w), uint32(j)})
			}
		}
		d.outStart = append(d.outStart, uint32(len(d.out)))
	}
	for j := range l {
		t.column(j, row)
		for i, w := range row {
			if !math.IsInf(w, -1) {
				d.in = append(d.in, arc{math.Exp(w), uint32(i)})
			}
		}
		d.inStart = append(d.inStart, uint32(len(d.in)))
	}
}

// unlisted writes the weight of transitions that are not listed.
func (t *transitions) unlisted(dst []float64) {
	w := 0.0
	if t.closed {
		w = math.Inf(-1)
	}
	for i := range dst {
		dst[i] = w
	}
}

// row writes the weights from label i to all labels; forbidden ones are −Inf.
func (t *transitions) row(i int, dst []float64) {
	t.unlisted(dst)
	for k := t.outStart[i]; k < t.outStart[i+1]; k++ {
		dst[t.to[k]] = t.weight[k]
	}
	if t.rules == nil {
		return
	}
	for j := range dst {
		if !t.rules.Allowed(i, j) {
			dst[j] = math.Inf(-1)
		}
	}
}

// column writes the weights from all labels to label j; forbidden ones are −Inf.
func (t *transitions) column(j int, dst []float64) {
	t.unlisted(dst)
	for _, k := range t.inIndex[t.inStart[j]:t.inStart[j+1]] {
		dst[t.from[k]] = t.weight[k]
	}
	if t.rules == nil {
		return
	}
	for i := range dst {
		if !t.rules.Allowed(i, j) {
			dst[i] = math.Inf(-1)
		}
	}
}

// at returns the weight of a transition, −Inf if it is forbidden.
func (t *transitions) at(from, to int) float64 {
	if t.rules != nil && !t.rules.Allowed(from, to) {
		return math.Inf(-1)
	}
	if k := t.index(from, to); k >= 0 {
		return t.weight[k]
	}
	if t.closed {
		return math.Inf(-1)
	}
	return 0
}

// index returns the number of a listed transition, or −1.
func (t *transitions) index(from, to int) int {
	lo, hi := t.outStart[from], t.outStart[from+1]
	for lo < hi {
		mid := (lo + hi) / 2
		if int(t.to[mid]) < to {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < t.outStart[from+1] && int(t.to[lo]) == to {
		return int(lo)
	}
	return -1
}
