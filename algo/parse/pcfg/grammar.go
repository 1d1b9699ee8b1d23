package pcfg

import (
	"cmp"
	"math"
	"slices"

	"parlance/algo/parse/constituent"
)

// grammar is rules over numbered symbols. Probabilities are logarithms.
type grammar struct {
	symbols []constituent.Symbol
	rules   []rule  // by left child
	chains  []chain // by bottom
	root    int32   // symbol of the root

	first      []int32 // rules with left child l are first[l] to first[l+1]
	firstChain []int32 // chains with bottom b are firstChain[b] to firstChain[b+1]
	coarse     coarse
}

// rule makes a symbol of two.
type rule struct {
	left, right, parent int32
	weight              float64
}

// chain puts phrases with one child each above a symbol. Without phrases, top and bottom are the same.
type chain struct {
	top, bottom int32
	between     []int32 // symbols between, from the top down
	weight      float64
}

// phrases appends the labels of the phrases that a chain stands for, its ends among them.
func (g *grammar) phrases(c *chain, dst []string) []string {
	dst = append(dst, g.symbols[c.top].Label)
	for _, s := range c.between {
		dst = append(dst, g.symbols[s].Label)
	}
	if len(c.between) > 0 || c.top != c.bottom {
		dst = append(dst, g.symbols[c.bottom].Label)
	}
	return dst
}

// index sorts rules and chains and makes the coarse grammar. Both are told apart by their symbols.
func (g *grammar) index() {
	slices.SortFunc(g.rules, func(a, b rule) int {
		return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right), cmp.Compare(a.parent, b.parent))
	})
	slices.SortFunc(g.chains, func(a, b chain) int {
		return cmp.Or(cmp.Compare(a.bottom, b.bottom), cmp.Compare(a.top, b.top), slices.Compare(a.between, b.between))
	})
	n := len(g.symbols)
	g.first, g.firstChain = make([]int32, n+1), make([]int32, n+1)
	for _, r := range g.rules {
		g.first[r.left+1]++
	}
	for _, c := range g.chains {
		g.firstChain[c.bottom+1]++
	}
	for i := range n {
		g.first[i+1] += g.first[i]
		g.firstChain[i+1] += g.firstChain[i]
	}
}

// coarse is the grammar of labels without context, in probabilities.
type coarse struct {
	of     []int32 // coarse symbol of each symbol
	size   int
	root   int32
	rules  []coarseRule // by left child
	first  []int32
	chains []coarseChain
	whole  []bool // not partial: what stands above by a chain only
}

type coarseRule struct {
	left, right, parent int32
	p                   float64
}

type coarseChain struct {
	top, bottom int32
	p           float64
}

// project makes the coarse grammar of the expected number of times that each symbol is a top and a bottom.
//
//	P(coarse rule | coarse symbol) = Σ n(s)·P(rule | s) / Σ n(s)  over its symbols s
func (g *grammar) project(tops, bottoms []float64) {
	c := &g.coarse
	number := map[constituent.Symbol]int32{}
	c.of = make([]int32, len(g.symbols))
	for i, s := range g.symbols {
		key := constituent.Symbol{Label: s.Label, Partial: s.Partial}
		k, ok := number[key]
		if !ok {
			k = int32(len(number))
			number[key] = k
			c.whole = append(c.whole, !s.Partial)
		}
		c.of[i] = k
	}
	c.size, c.root = len(number), c.of[g.root]
	c.sumRules(g, bottoms)
	c.sumChains(g, tops)
}

func (c *coarse) sumRules(g *grammar, bottoms []float64) {
	n, total := map[[3]int32]float64{}, make([]float64, c.size)
	for i, x := range bottoms {
		total[c.of[i]] += x
	}
	var keys [][3]int32
	for _, r := range g.rules {
		k := [3]int32{c.of[r.left], c.of[r.right], c.of[r.parent]}
		if _, ok := n[k]; !ok {
			keys = append(keys, k)
		}
		n[k] += bottoms[r.parent] * math.Exp(r.weight)
	}
	slices.SortFunc(keys, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	c.first = make([]int32, c.size+1)
	for _, k := range keys {
		c.rules = append(c.rules, coarseRule{k[0], k[1], k[2], n[k] / total[k[2]]})
		c.first[k[0]+1]++
	}
	for i := range c.size {
		c.first[i+1] += c.first[i]
	}
}

func (c *coarse) sumChains(g *grammar, tops []float64) {
	n, total := map[[2]int32]float64{}, make([]float64, c.size)
	for i, x := range tops {
		total[c.of[i]] += x
	}
	var keys [][2]int32
	for _, x := range g.chains {
		k := [2]int32{c.of[x.top], c.of[x.bottom]}
		if _, ok := n[k]; !ok {
			keys = append(keys, k)
		}
		n[k] += tops[x.top] * math.Exp(x.weight)
	}
	slices.SortFunc(keys, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		c.chains = append(c.chains, coarseChain{k[0], k[1], n[k] / total[k[0]]})
	}
}
