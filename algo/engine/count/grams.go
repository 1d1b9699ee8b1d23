package count

import (
	"fmt"
	"math/bits"
)

// Grams packs windows of ids into tuples, to count n-grams of all orders up to Order at once. Each token gives one
// window: itself and those after it in its sentence. Id 0 is none: it pads windows at the end of a sentence, and sorts
// first, so that windows with a common beginning stand together. With c(w) the count of a window,
//
//	c(g) = Σ c(w) over the windows w that begin with g,
//
// for an n-gram g of any order. Counts fall from a beginning to its extensions.
type Grams struct {
	Order int // of the longest n-grams
	width int // bits of an id
}

// NewGrams packs ids up to the largest.
func NewGrams(order int, largest uint32) (Grams, error) {
	g := Grams{order, max(1, bits.Len32(largest))}
	if order < 1 || order*g.width > 128 {
		return g, fmt.Errorf("%d ids of %d bits do not fit a window of 128 bits", order, g.width)
	}
	return g, nil
}

// Windows yields the windows of a sentence, of ids above 0, the last one first.
func (g Grams) Windows(sentence []uint32, yield func(Tuple) error) error {
	keep := g.first(g.Order)
	var t Tuple
	for i := len(sentence) - 1; i >= 0; i-- {
		t.Lo = t.Lo>>g.width | t.Hi<<(64-g.width)
		t.Hi = t.Hi>>g.width | uint64(sentence[i])<<(64-g.width)
		t.Hi, t.Lo = t.Hi&keep.Hi, t.Lo&keep.Lo
		if err := yield(t); err != nil {
			return err
		}
	}
	return nil
}

// first is a mask of the first n ids.
func (g Grams) first(n int) Tuple {
	if b := n * g.width; b > 64 {
		return Tuple{^uint64(0), ^(^uint64(0) >> (b - 64))}
	}
	return Tuple{^(^uint64(0) >> (n * g.width)), 0}
}

// IDs appends the ids of an n-gram.
func (g Grams) IDs(dst []uint32, t Tuple) []uint32 {
	for t != (Tuple{}) {
		dst = append(dst, uint32(t.Hi>>(64-g.width)))
		t.Hi = t.Hi<<g.width | t.Lo>>(64-g.width)
		t.Lo <<= g.width
	}
	return dst
}

// Pack is the n-gram of ids above 0, at most Order of them.
func (g Grams) Pack(ids []uint32) (t Tuple) {
	_ = g.Windows(ids, func(w Tuple) error { t = w; return nil })
	return t
}

// Prefixes sums up windows that come by rising key. The n-grams of each order come by rising key, each after those
// that it begins.
type Prefixes struct {
	g      Grams
	yield  func(order int, gram Tuple, n uint64) error
	masks  []Tuple
	last   Tuple
	depth  int      // ids of last
	counts []uint64 // of the beginnings of last, by their number of ids
}

// Prefixes returns a sum of windows; Close yields what is left.
func (g Grams) Prefixes(yield func(order int, gram Tuple, n uint64) error) *Prefixes {
	p := &Prefixes{g: g, yield: yield, counts: make([]uint64, g.Order+1)}
	for n := range g.Order + 1 {
		p.masks = append(p.masks, g.first(n))
	}
	return p
}

// Add takes a window.
func (p *Prefixes) Add(t Tuple, n uint64) error {
	if err := p.close(p.shared(t)); err != nil {
		return err
	}
	p.last, p.depth = t, p.length(t)
	for k := 1; k <= p.depth; k++ {
		p.counts[k] += n
	}
	return nil
}

// shared is the number of ids that t and the last window begin with.
func (p *Prefixes) shared(t Tuple) int {
	zeros := bits.LeadingZeros64(t.Hi ^ p.last.Hi)
	if t.Hi == p.last.Hi {
		zeros = 64 + bits.LeadingZeros64(t.Lo^p.last.Lo)
	}
	return min(zeros/p.g.width, p.depth)
}

// length is the number of ids of a window: those up to its last bit.
func (p *Prefixes) length(t Tuple) int {
	used := 128 - bits.TrailingZeros64(t.Lo)
	if t.Lo == 0 {
		used = 64 - bits.TrailingZeros64(t.Hi)
	}
	return (used + p.g.width - 1) / p.g.width
}

// close yields the beginnings of the last window with more ids than left.
func (p *Prefixes) close(left int) error {
	for ; p.depth > left; p.depth-- {
		m := p.masks[p.depth]
		if err := p.yield(p.depth, Tuple{p.last.Hi & m.Hi, p.last.Lo & m.Lo}, p.counts[p.depth]); err != nil {
			return err
		}
		p.counts[p.depth] = 0
	}
	return nil
}

// Close yields the n-grams of the last window.
func (p *Prefixes) Close() error { return p.close(0) }
