package pcfg

import (
	"cmp"
	"math"
	"slices"

	"parlance/algo/parse/constituent"
)

// grammar is rules over numbered symbols. Probabilities are logarithms.
type grammar struct {
	Symbols []constituent.Symbol `state:"symbols"`
	Rules   []rule               `state:"rules"`              // by left child
	Chains  []chain              `state:"chains"`             // by bottom
	Root    int32                `state:"root,below=Symbols"` // symbol of the root

	first      []int32 // rules with left child l are first[l] to first[l+1]
	firstChain []int32 // chains with bottom b are firstChain[b] to firstChain[b+1]
	Coarse     coarse  `state:"coarse"`
}

// rule makes a symbol of two.
type rule struct {
	Left   int32   `state:"left,below=Symbols"`
	Right  int32   `state:"right,below=Symbols"`
	Parent int32   `state:"parents,below=Symbols"`
	Weight float64 `state:"weights,from=-1e6,to=1e6"`
}

// chain puts phrases with one child each above a symbol. Without phrases, top and bottom are the same.
type chain struct {
	Top     int32   `state:"top,below=Symbols"`
	Bottom  int32   `state:"bottom,below=Symbols"`
	Between []int32 `state:"between,below=Symbols"` // symbols between, from the top down
	Weight  float64 `state:"weights,from=-1e6,to=1e6"`
}

// phrases appends the labels of the phrases that a chain stands for, its ends among them.
func (g *grammar) phrases(c *chain, dst []string) []string {
	dst = append(dst, g.Symbols[c.Top].Label)
	for _, s := range c.Between {
		dst = append(dst, g.Symbols[s].Label)
	}
	if len(c.Between) > 0 || c.Top != c.Bottom {
		dst = append(dst, g.Symbols[c.Bottom].Label)
	}
	return dst
}

// index sorts rules and chains and makes the coarse grammar. Both are told apart by their symbols.
func (g *grammar) index() {
	slices.SortFunc(g.Rules, func(a, b rule) int {
		return cmp.Or(cmp.Compare(a.Left, b.Left), cmp.Compare(a.Right, b.Right), cmp.Compare(a.Parent, b.Parent))
	})
	slices.SortFunc(g.Chains, func(a, b chain) int {
		return cmp.Or(cmp.Compare(a.Bottom, b.Bottom), cmp.Compare(a.Top, b.Top), slices.Compare(a.Between, b.Between))
	})
	n := len(g.Symbols)
	g.first, g.firstChain = make([]int32, n+1), make([]int32, n+1)
	for _, r := range g.Rules {
		g.first[r.Left+1]++
	}
	for _, c := range g.Chains {
		g.firstChain[c.Bottom+1]++
	}
	for i := range n {
		g.first[i+1] += g.first[i]
		g.firstChain[i+1] += g.firstChain[i]
	}
}

// coarse is the grammar of labels without context, in probabilities.
type coarse struct {
	Of     []int32 `state:"of,len=Symbols,below=Size"` // coarse symbol of each symbol
	Size   int     `state:"size,below=Symbols+1"`
	root   int32
	Rules  []coarseRule `state:"rules,sorted=Left"` // by left child
	first  []int32
	Chains []coarseChain `state:"chains"`
	Whole  []bool        `state:"whole,len=Size"` // not partial: what stands above by a chain only
}

type coarseRule struct {
	Left   int32   `state:"left,below=Size"`
	Right  int32   `state:"right,below=Size"`
	Parent int32   `state:"parents,below=Size"`
	P      float64 `state:"weights,from=-1e6,to=1e6"`
}

type coarseChain struct {
	Top    int32   `state:"top,below=Size"`
	Bottom int32   `state:"bottom,below=Size"`
	P      float64 `state:"weights,from=-1e6,to=1e6"`
}

// project makes the coarse grammar of the expected number of times that each symbol is a top and a bottom.
//
//	P(coarse rule | coarse symbol) = Σ n(s)·P(rule | s) / Σ n(s)  over its symbols s
func (g *grammar) project(tops, bottoms []float64) {
	c := &g.Coarse
	number := map[constituent.Symbol]int32{}
	c.Of = make([]int32, len(g.Symbols))
	for i, s := range g.Symbols {
		key := constituent.Symbol{Label: s.Label, Partial: s.Partial}
		k, ok := number[key]
		if !ok {
			k = int32(len(number))
			number[key] = k
			c.Whole = append(c.Whole, !s.Partial)
		}
		c.Of[i] = k
	}
	c.Size, c.root = len(number), c.Of[g.Root]
	c.sumRules(g, bottoms)
	c.sumChains(g, tops)
}

func (c *coarse) sumRules(g *grammar, bottoms []float64) {
	n, total := map[[3]int32]float64{}, make([]float64, c.Size)
	for i, x := range bottoms {
		total[c.Of[i]] += x
	}
	var keys [][3]int32
	for _, r := range g.Rules {
		k := [3]int32{c.Of[r.Left], c.Of[r.Right], c.Of[r.Parent]}
		if _, ok := n[k]; !ok {
			keys = append(keys, k)
		}
		n[k] += bottoms[r.Parent] * math.Exp(r.Weight)
	}
	slices.SortFunc(keys, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	c.first = make([]int32, c.Size+1)
	for _, k := range keys {
		c.Rules = append(c.Rules, coarseRule{k[0], k[1], k[2], n[k] / total[k[2]]})
		c.first[k[0]+1]++
	}
	for i := range c.Size {
		c.first[i+1] += c.first[i]
	}
}

func (c *coarse) sumChains(g *grammar, tops []float64) {
	n, total := map[[2]int32]float64{}, make([]float64, c.Size)
	for i, x := range tops {
		total[c.Of[i]] += x
	}
	var keys [][2]int32
	for _, x := range g.Chains {
		k := [2]int32{c.Of[x.Top], c.Of[x.Bottom]}
		if _, ok := n[k]; !ok {
			keys = append(keys, k)
		}
		n[k] += tops[x.Top] * math.Exp(x.Weight)
	}
	slices.SortFunc(keys, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		c.Chains = append(c.Chains, coarseChain{k[0], k[1], n[k] / total[k[0]]})
	}
}
