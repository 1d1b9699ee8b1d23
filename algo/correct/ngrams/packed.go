package ngrams

import (
	"iter"
	"math/bits"
	"slices"
)

// packed is integers of equal width, side by side.
type packed struct {
	width uint
	n     int
	bits  []uint64 // with a spare word at the end
}

// packedWords is the length of the bits of n integers.
func packedWords(n int, width uint) int { return n*int(width)/64 + 2 }

func newPacked(n int, largest uint64) packed {
	w := uint(bits.Len64(largest))
	return packed{w, n, make([]uint64, packedWords(n, w))}
}

// set writes integer i, which is 0 before.
func (p *packed) set(i int, v uint64) {
	at := uint(i) * p.width
	p.bits[at>>6] |= v << (at & 63)
	if at&63+p.width > 64 {
		p.bits[at>>6+1] |= v >> (64 - at&63)
	}
}

func (p *packed) get(i int) uint64 {
	at := uint(i) * p.width
	v := p.bits[at>>6]>>(at&63) | p.bits[at>>6+1]<<1<<(63-at&63)
	return v & (1<<p.width - 1)
}

// exceeds reports whether an integer is above a limit.
func (p *packed) exceeds(limit uint64) bool {
	mask := uint64(1)<<p.width - 1
	if limit >= mask {
		return false
	}
	at := uint(0)
	for range p.n {
		if v := p.bits[at>>6]>>(at&63) | p.bits[at>>6+1]<<1<<(63-at&63); v&mask > limit {
			return true
		}
		at += p.width
	}
	return false
}

// near is how many integers find reads one after the other: about what lies in one or two lines of the cache.
const near = 16

// find is the place of v among the integers from one place to below another, which rise and are below 2^width; −1 if it
// is not there. It looks where v would lie if they rose evenly, as words that follow a word nearly do, and halves the
// rest where they do not. The ends are not read first: each place that is read is a wait for memory.
func (p *packed) find(from, to int, v uint64) int {
	low, high := uint64(0), uint64(1)<<p.width-1 // at most what stands at from, at least what stands before to
	for steps := 0; to-from > near; steps++ {
		at := from + (to-from)/2
		if steps&1 == 0 && low <= v && v <= high && low < high {
			part := float64(v-low) / float64(high-low)
			at = min(from+int(part*float64(to-from)), to-1)
		}
		switch x := p.get(at); {
		case x == v:
			return at
		case x < v:
			from, low = at+1, x
		default:
			to, high = at, x
		}
	}
	for ; from < to; from++ {
		if x := p.get(from); x >= v {
			if x == v {
				return from
			}
			return -1
		}
	}
	return -1
}

// bitmap is bits with the number of ones before each word.
type bitmap struct {
	words []uint64
	ranks []uint32
}

func (b *bitmap) set(i int)      { b.words[i>>6] |= 1 << (i & 63) }
func (b *bitmap) get(i int) bool { return b.words[i>>6]>>(i&63)&1 == 1 }

// index makes the ranks and returns the number of ones.
func (b *bitmap) index() int {
	b.ranks = make([]uint32, len(b.words))
	n := uint32(0)
	for i, w := range b.words {
		b.ranks[i] = n
		n += uint32(bits.OnesCount64(w))
	}
	return int(n)
}

// rank is the number of ones before i.
func (b *bitmap) rank(i int) int {
	return int(b.ranks[i>>6]) + bits.OnesCount64(b.words[i>>6]&(1<<(i&63)-1))
}

// rising is integers that do not fall, in the form of Elias (1974) and Fano (1971): the low bits of each are packed,
// the high ones stand in a bitmap where one i is at high(i) + i.
type rising struct {
	low  packed
	high []uint64
	at   []uint32 // word of every sampled one
}

// sampled ones are found at once, the others by counting from there.
const sampled = 32

func newRising(values []uint32) rising {
	largest := uint64(0)
	if len(values) > 0 {
		largest = uint64(values[len(values)-1])
	}
	r := rising{low: newPacked(len(values), 1<<lowWidth(len(values), largest)-1)}
	r.high = make([]uint64, highWords(len(values), largest))
	for i, v := range values {
		r.low.set(i, uint64(v)&(1<<r.low.width-1))
		at := int(v>>r.low.width) + i
		r.high[at>>6] |= 1 << (at & 63)
	}
	r.index()
	return r
}

func lowWidth(n int, largest uint64) uint {
	return uint(max(0, bits.Len64(largest/uint64(max(n, 1)))-1))
}

func highWords(n int, largest uint64) int {
	return (int(largest>>lowWidth(n, largest))+n)/64 + 1
}

// index finds the sampled ones and returns the number of all.
func (r *rising) index() int {
	r.at = r.at[:0]
	n := 0
	for i, w := range r.high {
		next := n + bits.OnesCount64(w)
		for len(r.at)*sampled < next {
			r.at = append(r.at, uint32(i)<<6|uint32(selected(w, len(r.at)*sampled-n)))
		}
		n = next
	}
	return n
}

// selected is the place of one i of a word.
func selected(w uint64, i int) int {
	for ; i > 0; i-- {
		w &= w - 1
	}
	return bits.TrailingZeros64(w)
}

// pair is integers i and i+1.
func (r *rising) pair(i int) (a, b int) {
	at := int(r.at[i/sampled])
	word, left := at>>6, i%sampled
	w := r.high[word] & (^uint64(0) << (at & 63))
	for n := bits.OnesCount64(w); left >= n; n = bits.OnesCount64(w) {
		left -= n
		word++
		w = r.high[word]
	}
	for ; left > 0; left-- {
		w &= w - 1
	}
	a = (word<<6+bits.TrailingZeros64(w)-i)<<r.low.width | int(r.low.get(i))
	for w &= w - 1; w == 0; w = r.high[word] {
		word++
	}
	return a, (word<<6+bits.TrailingZeros64(w)-i-1)<<r.low.width | int(r.low.get(i+1))
}

// all yields the integers in their order.
func (r *rising) all() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		i := 0
		for k, w := range r.high {
			for ; w != 0; w &= w - 1 {
				if !yield(i, (k<<6+bits.TrailingZeros64(w)-i)<<r.low.width|int(r.low.get(i))) {
					return
				}
				i++
			}
		}
	}
}

// counts is numbers of which most are the least: a bitmap of the others, with their places in the list of values.
type counts struct {
	values []uint64 // that occur, rising
	above  bitmap   // those that are not values[0]
	index  packed   // of those, their place in values, less 1
}

// newCounts takes n numbers, which are read three times.
func newCounts(n int, all iter.Seq[uint64]) counts {
	seen := map[uint64]int{}
	for n := range all {
		seen[n] = 0
	}
	c := counts{above: bitmap{words: make([]uint64, n/64+1)}}
	for n := range seen {
		c.values = append(c.values, n)
	}
	slices.Sort(c.values)
	for i, n := range c.values {
		seen[n] = i
	}
	i := 0
	for n := range all {
		if n != c.values[0] {
			c.above.set(i)
		}
		i++
	}
	c.index = newPacked(c.above.index(), uint64(max(len(c.values)-2, 0)))
	k := 0
	for n := range all {
		if n != c.values[0] {
			c.index.set(k, uint64(seen[n]-1))
			k++
		}
	}
	return c
}

func (c *counts) get(i int) uint64 {
	if !c.above.get(i) {
		return c.values[0]
	}
	return c.values[1+c.index.get(c.above.rank(i))]
}

// reals is numbers as they are, or as codes of bins.
type reals struct {
	exact []float32
	bins  []float32
	codes packed
}

// newReals takes the numbers, in 2^width bins of equal width unless width is 0, each with the mean of its members for
// a value.
func newReals(v []float32, width int) reals {
	if width == 0 || len(v) == 0 {
		return reals{exact: v}
	}
	low, high := slices.Min(v), slices.Max(v)
	last := 1<<width - 1
	scale := 0.0
	if high > low {
		scale = float64(last) / (float64(high) - float64(low))
	}
	r := reals{bins: make([]float32, last+1), codes: newPacked(len(v), uint64(last))}
	sums, sizes := make([]float64, last+1), make([]int, last+1)
	for i, x := range v {
		k := min(last, int((float64(x)-float64(low))*scale+0.5))
		r.codes.set(i, uint64(k))
		sums[k] += float64(x)
		sizes[k]++
	}
	for k, n := range sizes {
		if n > 0 {
			r.bins[k] = float32(sums[k] / float64(n))
		}
	}
	return r
}

func (r *reals) get(i int) float64 {
	if r.bins == nil {
		return float64(r.exact[i])
	}
	return float64(r.bins[r.codes.get(i)])
}
