package lattice

import (
	"fmt"
	"math"

	"parlance/algo/numeric/buffer"
)

// Lattice answers questions about one sentence after the other: Load first, then any of the other methods. Buffers are
// used again: results that are slices hold until the next call of the same method. A lattice belongs to one goroutine.
type Lattice struct {
	trans *Transitions
	n     int
	spans []Span

	filter filter
	nodes  [2]nodes // endings, beginnings
	kept   []int32  // spans of some path perhaps, in the order given

	// Pairs of the beginning node s are a column of the table where rows says so, else those from pairFirst[s] to
	// pairFirst[s+1].
	rows      []row
	pairFirst []int32
	pairFrom  []int32 // ending node
	pairScore []float64
	from      []int32   // pairs of a column, listed
	scores    []float64 // and their scores

	marks   marks
	labels  []int32 // of the endings at a position that a beginning may follow
	classes []int32 // of the endings
	class   marks   // first ending at the position with a class
	sameAs  []int32 // next ending with the same class, −1 for none
	viterbi viterbi
	sums    sums
	nbest   nbest
}

// nodes are the states at the positions: what ends there, or begins there.
type nodes struct {
	first []int32 // nodes of position p are first[p] to first[p+1]
	state []int32
	spans []int32 // spans by node, in the order given
	span0 []int32 // spans of node v are spans[span0[v]] to spans[span0[v+1]]
	of    []int32 // node of each span, −1 for those that are left out
	count []int32
	order []int32
}

// row is how the pairs of a beginning node are held.
type row uint8

const (
	listed row = iota
	dense      // listed, with all endings at the position in their order
	column     // all endings at the position, scored by the table
)

// Sides of a span, by which the nodes are numbered.
const (
	ending = iota
	beginning
)

// marks maps small numbers to others and forgets them all at once.
type marks struct {
	stamp []int32
	value []int32
	now   int32
}

func (m *marks) reset(n int) {
	if len(m.stamp) != n || m.now == math.MaxInt32 {
		m.stamp, m.value, m.now = make([]int32, n), make([]int32, n), 0
	}
	m.now++
}

func (m *marks) get(i int32) (int32, bool) { return m.value[i], m.stamp[i] == m.now }

func (m *marks) set(i, v int32) { m.stamp[i], m.value[i] = m.now, v }

// New returns a lattice for spans whose neighbours score as the transitions say; nil for Markov order 0 over labels
// from 0 to math.MaxInt32−1.
func New(t *Transitions) *Lattice {
	if t == nil {
		t = &Transitions{Scores: Scores{Labels: math.MaxInt32}, states: 1, single: true}
	}
	l := &Lattice{trans: t}
	l.clear()
	return l
}

// Use replaces the transitions, keeping memory, and forgets the sentence.
func (l *Lattice) Use(t *Transitions) {
	l.trans = t
	l.clear()
}

// clear makes an empty sentence that has no path.
func (l *Lattice) clear() {
	l.n, l.spans, l.kept = 0, nil, l.kept[:0]
	l.viterbi.done, l.sums.done, l.nbest.done = false, false, false
	for side := range l.nodes {
		l.number(side, 0, nil)
	}
	l.rows, l.pairFirst = append(l.rows[:0], listed), append(l.pairFirst[:0], 0, 0)
	l.pairFrom, l.pairScore = l.pairFrom[:0], l.pairScore[:0]
}

// Load takes the spans of a sentence of n units, which must not change until the next Load. Results name spans by their
// place in it. c may be nil. After an error there is no path.
func (l *Lattice) Load(n int, spans []Span, c *Constraints) error {
	l.clear()
	if err := l.keep(n, spans, c); err != nil {
		l.clear()
		return err
	}
	for side := range l.nodes {
		l.number(side, n, spans)
	}
	if err := l.join(n); err != nil {
		l.clear()
		return err
	}
	l.n, l.spans = n, spans
	return nil
}

// Len returns the number of units loaded.
func (l *Lattice) Len() int { return l.n }

// keep lists the spans that scores and constraints allow.
func (l *Lattice) keep(n int, spans []Span, c *Constraints) error {
	if n < 0 || n > MaxLength || len(spans) > math.MaxInt32 {
		return fmt.Errorf("%w: %d spans over %d units", ErrInvalid, len(spans), n)
	}
	if c != nil {
		if err := l.filter.set(n, c); err != nil {
			return err
		}
	}
	l.kept = buffer.Resize(l.kept, len(spans))[:0]
	for k, s := range spans {
		if s.Start < 0 || s.End <= s.Start || int(s.End) > n || s.Label < 0 || int(s.Label) >= l.trans.Labels {
			return fmt.Errorf("%w: span of label %d from %d to %d of %d", ErrInvalid, s.Label, s.Start, s.End, n)
		}
		if !validScore(s.Score) {
			return fmt.Errorf("%w: score %g of a span, want a finite number or −Inf", ErrInvalid, s.Score)
		}
		if !math.IsInf(s.Score, -1) && (c == nil || l.filter.allows(s)) {
			l.kept = append(l.kept, int32(k))
		}
	}
	return nil
}

// number finds the nodes of one side and lists the spans of each. The start of the sentence is the one ending at 0, its
// end the one beginning at n.
func (l *Lattice) number(side, n int, spans []Span) {
	d := &l.nodes[side]
	position := func(k int32) int32 {
		if side == ending {
			return spans[k].End
		}
		return spans[k].Start
	}
	border := n
	if side == ending {
		border = 0
	}
	d.first, d.count = buffer.Resize(d.first, n+2), buffer.Zeros(d.count, n+2)
	d.order, d.of = buffer.Resize(d.order, len(l.kept)), buffer.Resize(d.of, len(spans))
	for k := range d.of {
		d.of[k] = -1
	}
	for _, k := range l.kept {
		d.count[position(k)+1]++
	}
	for p := range n + 1 {
		d.count[p+1] += d.count[p]
	}
	for _, k := range l.kept {
		p := position(k)
		d.order[d.count[p]] = k
		d.count[p]++ // at last the end of p, which is the start of p+1
	}
	d.state, d.span0 = d.state[:0], append(d.span0[:0], 0)
	d.spans = buffer.Resize(d.spans, len(l.kept))
	lo := int32(0)
	for p := range n + 1 {
		hi := d.count[p]
		d.first[p] = int32(len(d.state))
		if p == border { // no span begins at n or ends at 0
			d.state, d.span0 = append(d.state, -1), append(d.span0, lo)
		} else {
			l.group(d, spans, lo, hi)
		}
		lo = hi
	}
	d.first[n+1] = int32(len(d.state))
}

// group makes nodes of the spans order[lo:hi], which share a position.
func (l *Lattice) group(d *nodes, spans []Span, lo, hi int32) {
	first := int32(len(d.state))
	l.marks.reset(l.trans.states)
	for _, k := range d.order[lo:hi] {
		s := l.trans.stateOf(spans[k].Label)
		v, ok := l.marks.get(s)
		if !ok {
			v = int32(len(d.state))
			l.marks.set(s, v)
			d.state, d.span0 = append(d.state, s), append(d.span0, 0)
		}
		d.of[k] = v
		d.span0[v+1]++
	}
	for v := int(first); v < len(d.state); v++ {
		d.span0[v+1] += d.span0[v]
	}
	for i := hi - 1; i >= lo; i-- {
		k := d.order[i]
		v := d.of[k]
		d.span0[v+1]--
		d.spans[d.span0[v+1]] = k
	}
	// Each span0[v+1] is now the start of v; shift them to where v ends.
	for v := int(first); v+1 < len(d.state); v++ {
		d.span0[v+1] = d.span0[v+2]
	}
	if int(first) < len(d.state) {
		d.span0[len(d.state)] = hi
	}
}

// join scores the pairs of ending and beginning nodes at each position.
func (l *Lattice) join(n int) error {
	e, b := &l.nodes[ending], &l.nodes[beginning]
	l.pairFirst = append(l.pairFirst[:0], 0)
	l.pairFrom, l.pairScore = l.pairFrom[:0], l.pairScore[:0]
	l.rows = buffer.Resize(l.rows, len(b.state))
	l.sameAs, l.classes = buffer.Resize(l.sameAs, len(e.state)), buffer.Resize(l.classes, len(e.state))
	for p := range n + 1 {
		lo, hi := e.first[p], e.first[p+1]
		l.listClasses(lo, hi)
		for s := b.first[p]; s < b.first[p+1]; s++ {
			from, to := len(l.pairFrom), b.state[s]
			l.rows[s] = l.list(lo, hi, to)
			if l.trans.asks(to) && len(l.pairFrom) > from {
				if err := l.addMore(p, from, lo, to); err != nil {
					return err
				}
			}
			if len(l.pairFrom) > math.MaxInt32 {
				return fmt.Errorf("%w: more than %d pairs", ErrInvalid, math.MaxInt32)
			}
			l.pairFirst = append(l.pairFirst, int32(len(l.pairFrom)))
			if l.rows[s] == dense && len(l.pairFrom)-from != int(hi-lo) {
				l.rows[s] = listed
			}
		}
	}
	return nil
}

// listClasses sets the classes of the endings lo to hi−1 at a position, and chains those of each class.
func (l *Lattice) listClasses(lo, hi int32) {
	for v := lo; v < hi; v++ {
		l.classes[v] = l.trans.classOf(l.nodes[ending].state[v])
	}
	if l.trans.into == nil || lo == hi || l.classes[lo] < 0 {
		return
	}
	l.class.reset(l.trans.Classes)
	for v := hi - 1; v >= lo; v-- {
		l.sameAs[v] = -1
		if next, ok := l.class.get(l.classes[v]); ok {
			l.sameAs[v] = next
		}
		l.class.set(l.classes[v], v)
	}
}

// list appends the pairs of the endings lo to hi−1 with a beginning that the tables allow, unless they are a column.
func (l *Lattice) list(lo, hi, state int32) row {
	t := l.trans
	to := t.classOf(state)
	if lo == hi || to < 0 || l.classes[lo] < 0 || t.Pair == nil {
		for v := lo; v < hi; v++ {
			if w := t.pair(l.classes[v], to); !math.IsInf(w, -1) {
				l.pairFrom, l.pairScore = append(l.pairFrom, v), append(l.pairScore, w)
			}
		}
		return dense
	}
	weights := t.columnOf(to)
	if list := t.into[to]; list != nil {
		for _, c := range list {
			v, ok := l.class.get(c)
			for ; ok && v >= 0; v = l.sameAs[v] {
				l.pairFrom, l.pairScore = append(l.pairFrom, v), append(l.pairScore, weights[c])
			}
		}
		return listed
	}
	if !t.asks(state) {
		return column
	}
	for i, c := range l.classes[lo:hi] {
		if w := weights[c]; !math.IsInf(w, -1) {
			l.pairFrom, l.pairScore = append(l.pairFrom, lo+int32(i)), append(l.pairScore, w)
		}
	}
	return dense
}

// addMore lets the function add to the scores of the pairs first on, and takes out what it forbids.
func (l *Lattice) addMore(p, first int, lo, to int32) error {
	from, scores := l.pairFrom[first:], l.pairScore[first:]
	labels := l.nodes[ending].state[lo:]
	if labels = labels[:min(len(from), len(labels))]; from[0] != lo || from[len(from)-1] != lo+int32(len(from))-1 {
		l.labels = l.labels[:0]
		for _, v := range from {
			l.labels = append(l.labels, l.nodes[ending].state[v])
		}
		labels = l.labels
	}
	l.trans.More(p, labels, to, scores)
	kept := 0
	for i, w := range scores {
		if !validScore(w) {
			return fmt.Errorf("%w: score %g of a pair at position %d, want a finite number or −Inf", ErrInvalid, w, p)
		}
		from[kept], scores[kept] = from[i], w
		if !math.IsInf(w, -1) {
			kept++
		}
	}
	l.pairFrom, l.pairScore = l.pairFrom[:first+kept], l.pairScore[:first+kept]
	return nil
}

// before returns the pairs of a beginning node at a position, until the next call.
func (l *Lattice) before(p int, s int32) (from []int32, scores []float64) {
	if l.rows[s] != column {
		lo, hi := l.pairFirst[s], l.pairFirst[s+1]
		return l.pairFrom[lo:hi], l.pairScore[lo:hi]
	}
	e := &l.nodes[ending]
	weights := l.trans.columnOf(l.trans.classOf(l.nodes[beginning].state[s]))
	l.from, l.scores = l.from[:0], l.scores[:0]
	for v := e.first[p]; v < e.first[p+1]; v++ {
		l.from, l.scores = append(l.from, v), append(l.scores, weights[l.classes[v]])
	}
	return l.from, l.scores
}

// pairAt returns the pair of a beginning node that before lists at a place.
func (l *Lattice) pairAt(s, place int32) (from int32, score float64) {
	if l.rows[s] != column {
		at := l.pairFirst[s] + place
		return l.pairFrom[at], l.pairScore[at]
	}
	b := &l.nodes[beginning]
	from = l.nodes[ending].first[l.spans[b.at(s)[0]].Start] + place
	return from, l.trans.columnOf(l.trans.classOf(b.state[s]))[l.classes[from]]
}

// at returns the spans of a node.
func (d *nodes) at(v int32) []int32 { return d.spans[d.span0[v]:d.span0[v+1]] }

// last returns the node where paths end.
func (l *Lattice) last() int32 { return int32(len(l.nodes[beginning].state)) - 1 }
