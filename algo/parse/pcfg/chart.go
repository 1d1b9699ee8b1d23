package pcfg

import (
	"parlance/algo/engine/hypergraph"
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/constituent"
)

// Labels of edges that are no chains, which have their number from 0.
const noChain = -1

// place tells what a node of the chart is.
type place struct {
	symbol int32
	i, j   int16
	top    bool // at the top of a chain
}

// chart is the hypergraph of the trees over a sentence that the coarse grammar allows.
type chart struct {
	g      *grammar
	graph  hypergraph.Graph
	places []place // by node
	n      cells
	rows   [][]int32 // of spans that have nodes at the top, their nodes by symbol, 0 for none
	active [][]int32 // their symbols
	free   [][]int32 // rows to be used again
	at     []int32   // of the span at hand: the first of the edges of each symbol, 1-based
	next   []int32
	found  []int32 // symbols that have edges
	edges  []hypergraph.Edge
}

// build makes the chart and returns its last node, hypergraph.Impossible if there is no tree.
func (c *chart) build(g *grammar, tags [][]tagged, p *coarsePass) int32 {
	c.g, c.n = g, p.n
	c.graph.Reset(p.ended)
	c.places = append(c.places[:0], place{})
	c.clear()
	n := int(c.n)
	for i := range n {
		for _, t := range tags[i] {
			c.edge(t.symbol, 0, 0, t.weight)
		}
		c.span(i, i+1, p)
	}
	for w := 2; w <= n; w++ {
		if p.ended() {
			return hypergraph.Impossible
		}
		for i := 0; i+w <= n; i++ {
			if cell := c.n.at(i, i+w); p.anyTop[cell] {
				c.binary(i, i+w, p.bottomAllowed[cell*p.g.Size:(cell+1)*p.g.Size])
				c.span(i, i+w, p)
			}
		}
	}
	row := c.rows[c.n.at(0, n)]
	if row == nil || row[g.Root] == 0 {
		return hypergraph.Impossible
	}
	return row[g.Root]
}

// clear gives the rows of the chart before back.
func (c *chart) clear() {
	for cell, row := range c.rows {
		if row == nil {
			continue
		}
		for _, s := range c.active[cell] {
			row[s] = 0
		}
		c.free = append(c.free, row)
		c.rows[cell] = nil
	}
	c.rows, c.active = buffer.Resize(c.rows, c.n.size()), buffer.Resize(c.active, c.n.size())
	clear(c.rows)
	for i := range c.active {
		c.active[i] = c.active[i][:0]
	}
	if len(c.at) < len(c.g.Symbols) {
		c.at, c.free = make([]int32, len(c.g.Symbols)), nil
	}
}

// edge notes a way to make a symbol at the bottom of the span at hand.
func (c *chart) edge(s, left, right int32, weight float64) {
	c.edges = append(c.edges, hypergraph.Edge{Tail: [2]int32{left, right}, Weight: weight})
	if c.at[s] == 0 {
		c.found = append(c.found, s)
	}
	c.next = append(c.next, c.at[s])
	c.at[s] = int32(len(c.edges))
}

// binary notes what two neighbours make.
func (c *chart) binary(i, j int, allowed []bool) {
	of := c.g.Coarse.Of
	for k := i + 1; k < j; k++ {
		a := c.n.at(i, k)
		left, right := c.rows[a], c.rows[c.n.at(k, j)]
		if left == nil || right == nil {
			continue
		}
		for _, l := range c.active[a] {
			x := left[l]
			for ri := c.g.first[l]; ri < c.g.first[l+1]; ri++ {
				r := &c.g.Rules[ri]
				if y := right[r.Right]; y != 0 && allowed[of[r.Parent]] {
					c.edge(r.Parent, x, y, r.Weight)
				}
			}
		}
	}
}

// span makes nodes of the edges that were noted, and the chains above them.
func (c *chart) span(i, j int, p *coarsePass) {
	cell := c.n.at(i, j)
	allowed := p.topAllowed[cell*p.g.Size : (cell+1)*p.g.Size]
	bottom := len(c.places)
	for _, s := range c.found {
		for e := c.at[s]; e != 0; e = c.next[e-1] {
			x := &c.edges[e-1]
			c.graph.Add(x.Tail[0], x.Tail[1], x.Weight, noChain)
		}
		c.at[s] = 0
		c.node(place{s, int16(i), int16(j), c.g.Symbols[s].Partial})
	}
	c.found, c.edges, c.next = c.found[:0], c.edges[:0], c.next[:0]
	for v := bottom; v < len(c.places); v++ {
		s := c.places[v].symbol
		if c.g.Symbols[s].Partial {
			c.put(cell, s, int32(v))
			continue
		}
		for k := c.g.firstChain[s]; k < c.g.firstChain[s+1]; k++ {
			x := &c.g.Chains[k]
			if !allowed[c.g.Coarse.Of[x.Top]] {
				continue
			}
			c.edge(x.Top, int32(v), 0, x.Weight)
			c.edges[len(c.edges)-1].Label = k
		}
	}
	for _, s := range c.found {
		for e := c.at[s]; e != 0; e = c.next[e-1] {
			x := &c.edges[e-1]
			c.graph.Add(x.Tail[0], x.Tail[1], x.Weight, x.Label)
		}
		c.at[s] = 0
		c.put(cell, s, c.node(place{s, int16(i), int16(j), true}))
	}
	c.found, c.edges, c.next = c.found[:0], c.edges[:0], c.next[:0]
}

// node ends a node.
func (c *chart) node(p place) int32 {
	v := c.graph.Node()
	c.places = append(c.places, p)
	return v
}

// put makes a node known as one at the top of its span.
func (c *chart) put(cell int, s, v int32) {
	if c.rows[cell] == nil {
		if k := len(c.free); k > 0 {
			c.rows[cell], c.free = c.free[k-1], c.free[:k-1]
		} else {
			c.rows[cell] = make([]int32, len(c.g.Symbols))
		}
	}
	c.rows[cell][s] = v
	c.active[cell] = append(c.active[cell], s)
}

// bracket is a phrase over the tokens [i, j), from 0.
type bracket struct {
	label string
	i, j  int16
}

// brackets are the probabilities of phrases. The sums of the chart must be there.
func (c *chart) brackets() map[bracket]float64 {
	out := map[bracket]float64{}
	var labels []string
	for v := int32(1); int(v) < c.graph.Nodes(); v++ {
		mass, p := c.graph.Mass[v], c.places[v]
		if mass == 0 || !p.top {
			continue
		}
		for e, to := c.graph.Of(v); e < to; e++ {
			if c.graph.Edges[e].Label == noChain {
				continue
			}
			labels = c.labels(&c.graph.Edges[e], labels[:0])
			for _, l := range labels {
				out[bracket{l, p.i, p.j}] += mass * c.graph.Share[e]
			}
		}
	}
	return out
}

// labels appends the labels of the phrases that a chain puts over its span, each once; tags are none.
func (c *chart) labels(e *hypergraph.Edge, dst []string) []string {
	x := &c.g.Chains[e.Label]
	from := len(dst)
	dst = c.g.phrases(x, dst)
	if b := c.places[e.Tail[0]]; b.j == b.i+1 && c.leaf(e.Tail[0]) {
		dst = dst[:len(dst)-1] // the tag
	}
	k := from
	for i := from; i < len(dst); i++ {
		seen := false
		for _, y := range dst[from:k] {
			seen = seen || y == dst[i]
		}
		if !seen {
			dst[k] = dst[i]
			k++
		}
	}
	return dst[:k]
}

// leaf tells whether a node at the bottom is a tag.
func (c *chart) leaf(v int32) bool {
	e, _ := c.graph.Of(v)
	return c.graph.Edges[e].Tail[0] == hypergraph.Empty
}

// chooser gives the edge of a node in a derivation, and who chooses below it.
type chooser func(v int32) (*hypergraph.Edge, chooser, chooser)

// tree is the derivation of a node at the top.
func (c *chart) tree(v int32, choose chooser) *constituent.Node {
	return c.binaryTree(v, choose).Tree()
}

func (c *chart) binaryTree(v int32, choose chooser) *constituent.Binary {
	e, left, right := choose(v)
	out := &constituent.Binary{Symbol: c.g.Symbols[c.places[v].symbol]}
	switch {
	case e.Label != noChain:
		x := &c.g.Chains[e.Label]
		at := out
		for _, s := range x.Between {
			at.Left = &constituent.Binary{Symbol: c.g.Symbols[s]}
			at = at.Left
		}
		below := c.binaryTree(e.Tail[0], left)
		if x.Top == x.Bottom && len(x.Between) == 0 {
			return below
		}
		at.Left = below
	case e.Tail[0] == hypergraph.Empty:
		out.Token = int(c.places[v].j)
	default:
		out.Left, out.Right = c.binaryTree(e.Tail[0], left), c.binaryTree(e.Tail[1], right)
	}
	return out
}
