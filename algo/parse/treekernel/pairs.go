package treekernel

import "math/bits"

// Pairs is a set of pairs of n trees, each with itself among them. It takes n² bits.
type Pairs struct {
	n    int
	row  int // words of a row
	bits []uint64
}

// NewPairs returns the pairs of each of n trees with itself.
func NewPairs(n int) *Pairs {
	p := &Pairs{n: n, row: (n + 63) / 64}
	p.bits = make([]uint64, n*p.row)
	for i := range int32(n) {
		p.add(i, i)
	}
	return p
}

func (p *Pairs) add(i, j int32) {
	p.bits[int(i)*p.row+int(j>>6)] |= 1 << (j & 63)
	p.bits[int(j)*p.row+int(i>>6)] |= 1 << (i & 63)
}

// Has tells whether a pair is in the set.
func (p *Pairs) Has(i, j int32) bool { return p.bits[int(i)*p.row+int(j>>6)]>>(j&63)&1 == 1 }

// rank is how many trees before j are in a pair with tree i.
func (p *Pairs) rank(i, j int) (n int) {
	row := p.bits[i*p.row : (i+1)*p.row]
	for _, w := range row[:j>>6] {
		n += bits.OnesCount64(w)
	}
	return n + bits.OnesCount64(row[j>>6]&(1<<(j&63)-1))
}

// addAll adds all pairs of some trees.
func (p *Pairs) addAll(trees []int32) {
	for k, i := range trees {
		for _, j := range trees[:k] {
			p.add(i, j)
		}
	}
}

// hasAll tells whether all pairs of some trees are in the set.
func (p *Pairs) hasAll(trees []int32) bool {
	for k, i := range trees {
		for _, j := range trees[:k] {
			if !p.Has(i, j) {
				return false
			}
		}
	}
	return true
}

// fill adds all pairs.
func (p *Pairs) fill() {
	for i := range p.bits {
		p.bits[i] = ^uint64(0)
	}
	if last := p.n & 63; last != 0 { // there are no trees from n on
		for end := p.row; end <= len(p.bits); end += p.row {
			p.bits[end-1] = 1<<last - 1
		}
	}
}

// each calls do with the trees that are in a pair with tree i, in order.
func (p *Pairs) each(i int, do func(j int)) {
	for k, w := range p.bits[i*p.row : (i+1)*p.row] {
		for ; w != 0; w &= w - 1 {
			do(64*k + bits.TrailingZeros64(w))
		}
	}
}

// Rate is the share of the pairs of two different trees that are in the set.
func (p *Pairs) Rate() float64 {
	if p.n < 2 {
		return 0
	}
	count := -p.n
	for _, w := range p.bits {
		count += bits.OnesCount64(w)
	}
	return float64(count) / float64(p.n) / float64(p.n-1)
}
