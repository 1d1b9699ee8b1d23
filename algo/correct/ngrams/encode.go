package ngrams

import (
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
)

// shape is what the sections hold.
type shape struct {
	Nodes     []int // of each order
	Discounts [][4]float64
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.trie == nil {
		return 0
	}
	n := int64(0)
	for _, w := range m.vocabulary.words {
		n += int64(2*len(w)) + 64
	}
	for k := range m.trie.levels {
		l := &m.trie.levels[k]
		for _, b := range [][]uint64{l.words.bits, l.starts.low.bits, l.starts.high, l.counts.values,
			l.counts.above.words, l.counts.index.bits,
			l.prob.codes.bits, l.back.codes.bits} {
			n += int64(8 * len(b))
		}
		n += int64(4 * (len(l.starts.at) + len(l.counts.above.ranks) + len(l.prob.exact) + len(l.back.exact)))
	}
	return n
}

// Encode writes words and levels.
func (m *model) Encode(w *kind.Writer) error {
	s := shape{Discounts: m.discounts}
	for k := range m.trie.levels {
		s.Nodes = append(s.Nodes, m.trie.levels[k].n)
	}
	if err := w.JSON("shape", s); err != nil {
		return err
	}
	if err := w.Strings("words", m.vocabulary.words); err != nil {
		return err
	}
	for k := range m.trie.levels {
		last, smoothed := k+1 == len(m.trie.levels), m.opt.smoothing == byKneserNey
		if err := m.trie.levels[k].encode(w, fmt.Sprintf("%d.", k+1), k > 0, last, smoothed); err != nil {
			return err
		}
	}
	return nil
}

func (l *level) encode(w *kind.Writer, at string, words, last, smoothed bool) error {
	out := encoder{w: w, at: at}
	if words {
		out.uint64s("words", l.words.bits)
	}
	if !last {
		out.uint64s("starts.low", l.starts.low.bits)
		out.uint64s("starts.high", l.starts.high)
	}
	out.uint64s("counts.values", l.counts.values)
	out.uint64s("counts.above", l.counts.above.words)
	out.uint64s("counts.index", l.counts.index.bits)
	if smoothed {
		out.reals("prob", &l.prob)
		if !last {
			out.reals("back", &l.back)
		}
	}
	return out.err
}

// encoder writes sections of a level; the first error stays.
type encoder struct {
	w   *kind.Writer
	at  string
	err error
}

func (e *encoder) uint64s(section string, v []uint64) {
	if e.err == nil {
		e.err = e.w.Uint64s(e.at+section, v)
	}
}

func (e *encoder) float32s(section string, v []float32) {
	if e.err == nil {
		e.err = e.w.Float32s(e.at+section, v)
	}
}

func (e *encoder) reals(section string, r *reals) {
	if r.bins == nil {
		e.float32s(section, r.exact)
		return
	}
	e.float32s(section+".bins", r.bins)
	e.uint64s(section+".codes", r.codes.bits)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	var s shape
	if err := r.JSON("shape", &s); err != nil {
		return err
	}
	words, err := r.Strings("words")
	if err != nil {
		return err
	}
	if len(words) > maxWords || !slices.IsSorted(words) {
		return kind.Corrupt("words", "is out of order")
	}
	if len(s.Nodes) != m.opt.orders || s.Nodes[0] != firstWord+len(words) {
		return kind.Corrupt("shape", "does not fit the words")
	}
	if m.vocabulary, err = newVocabulary(words); err != nil {
		return kind.Corrupt("words", err.Error())
	}
	m.discounts, m.trie = s.Discounts, &trie{levels: make([]level, len(s.Nodes))}
	for k, n := range s.Nodes {
		if n < 0 || n > maxNodes {
			return kind.Corrupt("shape", "has a wrong number of n-grams")
		}
		next := -1
		if k+1 < len(s.Nodes) {
			next = s.Nodes[k+1]
		}
		d := decoder{r: r, at: fmt.Sprintf("%d.", k+1), ids: m.vocabulary.size(), next: next,
			smoothed: m.opt.smoothing == byKneserNey, width: m.opt.bits}
		l := &m.trie.levels[k]
		if l.n = n; !d.level(l, k) {
			return d.err
		}
	}
	m.ready()
	return nil
}

// decoder reads a level; the first error stays.
type decoder struct {
	r         *kind.Reader
	at        string
	ids, next int // next is the number of nodes at the next level, −1 for none
	smoothed  bool
	width     int
	err       error
}

func (d *decoder) level(l *level, k int) bool {
	if k > 0 {
		l.words = d.packed("words", l.n, uint64(d.ids-1), uint64(d.ids-1))
	}
	if d.next >= 0 {
		l.starts = d.rising(l.n+1, d.next)
	}
	l.counts = d.counts(l.n)
	if d.smoothed {
		l.prob = d.reals("prob", l.n)
		if d.next >= 0 {
			l.back = d.reals("back", l.n)
		}
	}
	return d.err == nil
}

func (d *decoder) fail(section, what string) {
	if d.err == nil {
		d.err = kind.Corrupt(d.at+section, what)
	}
}

func (d *decoder) uint64s(section string, want int) []uint64 {
	if d.err != nil {
		return nil
	}
	v, err := d.r.Uint64s(d.at + section)
	if err != nil {
		d.err = err
		return nil
	}
	if want >= 0 && len(v) != want {
		d.fail(section, "has a wrong length")
	}
	return v
}

// packed reads n integers whose width is that of largest, and which are at most limit.
func (d *decoder) packed(section string, n int, largest, limit uint64) packed {
	p := newPacked(0, largest)
	p.n, p.bits = n, d.uint64s(section, packedWords(n, p.width))
	if d.err == nil && p.exceeds(limit) {
		d.fail(section, "has a number that is too large")
	}
	return p
}

func (d *decoder) rising(n, last int) (r rising) {
	largest := uint64(last)
	low := uint64(1)<<lowWidth(n, largest) - 1
	r.low = d.packed("starts.low", n, low, low)
	r.high = d.uint64s("starts.high", highWords(n, largest))
	if d.err == nil && r.index() != n {
		d.fail("starts.high", "has a wrong number of ones")
	}
	if d.err != nil {
		return r
	}
	before, rises := 0, true
	for i, v := range r.all() {
		rises = rises && before <= v && (i > 0 || v == 0) && (i+1 < n || v == last)
		before = v
	}
	if !rises {
		d.fail("starts.high", "is out of order")
	}
	return r
}

func (d *decoder) counts(n int) (c counts) {
	c.values = d.uint64s("counts.values", -1)
	c.above.words = d.uint64s("counts.above", n/64+1)
	if d.err != nil {
		return c
	}
	if n > 0 && len(c.values) == 0 || !slices.IsSorted(c.values) {
		d.fail("counts.values", "is empty or out of order")
		return c
	}
	ones := c.above.index()
	if ones > 0 && len(c.values) < 2 {
		d.fail("counts.above", "has ones without values")
		return c
	}
	limit := uint64(max(len(c.values)-2, 0))
	c.index = d.packed("counts.index", ones, limit, limit)
	return c
}

func (d *decoder) reals(section string, n int) (r reals) {
	if d.err != nil {
		return r
	}
	read := func(section string, want int) (v []float32) {
		if v, d.err = d.r.Float32s(d.at + section); d.err == nil && len(v) != want {
			d.fail(section, "has a wrong length")
		}
		if !finite(v) {
			d.fail(section, "is not finite")
		}
		return v
	}
	if d.width == 0 || n == 0 {
		r.exact = read(section, n)
		return r
	}
	last := uint64(1)<<d.width - 1
	if r.bins = read(section+".bins", int(last)+1); d.err == nil {
		r.codes = d.packed(section+".codes", n, last, last)
	}
	return r
}

// finite reports whether no number is NaN or infinite.
func finite(v []float32) bool {
	const exponent = 0x7f800000 // all ones in what is not finite
	for _, x := range v {
		if math.Float32bits(x)&exponent == exponent {
			return false
		}
	}
	return true
}
