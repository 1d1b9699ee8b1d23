package parse

import "slices"

// opening is the set of tokens that a node may start with.
type opening struct {
	any   bool // the node matches without any token
	kinds uint32
	words []uint64 // bits by the numbers of literals
}

func (o *opening) has(k key) bool {
	if o.any || o.kinds>>k.kind&1 != 0 {
		return true
	}
	i := int(k.word >> 6)
	return k.word != 0 && i < len(o.words) && o.words[i]>>(k.word&63)&1 != 0
}

// add makes o the union of both.
func (o *opening) add(other opening) {
	o.any = o.any || other.any
	o.kinds |= other.kinds
	for len(o.words) < len(other.words) {
		o.words = append(o.words, 0)
	}
	for i, w := range other.words {
		o.words[i] |= w
	}
}

// opens returns what a node may start with. The grammar has no left recursion.
func opens(n node) (o opening) {
	switch n := n.(type) {
	case literal:
		o.words = make([]uint64, n>>6+1)
		o.words[n>>6] = 1 << (n & 63)
	case tokenType:
		o.kinds = 1 << n
	case sequence:
		o.any = true
		for i := 0; i < len(n) && o.any; i++ {
			o.any = false
			o.add(opens(n[i]))
		}
	case *alternatives:
		for _, a := range n.nodes {
			o.add(opens(a))
		}
	case *repetition:
		o = opens(n.node)
		o.any = o.any || n.least == 0
	case *ahead:
		o.any = true
	case *capture:
		return opens(n.node)
	case *production:
		if n.open.empty() {
			n.open = opens(n.node)
		}
		o = n.open
		o.words = slices.Clone(o.words)
	}
	return o
}

func (o *opening) empty() bool { return !o.any && o.kinds == 0 && o.words == nil }
