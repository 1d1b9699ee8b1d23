package pcfg

import (
	"context"
	"math"

	"parlance/algo/engine/hypergraph"
	"parlance/algo/parse/constituent"
)

// found is a tree with what is known of it.
type found struct {
	tree  *constituent.Node
	score float64 // ln of its probability together with the words, NaN of a flat one
	prob  float64 // its share
}

// parser parses sentences. It belongs to one goroutine.
type parser struct {
	m        *model
	tags     [][]tagged
	pass     coarsePass
	chart    chart
	brackets map[bracket]float64
	list     []found
	search   string
	root     int32 // of the chart, where the tree is not flat
	forms    []string
}

// How many tokens a sentence may have so that all is tried where pruning leaves no tree.
const unprunedLength = 25

// parse finds the k best trees of a sentence, forms with their tags ("" for those that are not given), into list. sums
// asks for the probabilities of phrases and trees. The caller asks the context for its error, and does not use what was
// found if there is one.
func (p *parser) parse(ctx context.Context, forms, tags []string, k int, sums bool) {
	p.list, p.search, p.brackets = p.list[:0], "pruned", nil
	if n := len(forms); n > p.m.opt.maxLength {
		p.pieces(ctx, forms, tags, sums)
		return
	}
	for len(p.tags) < len(forms) {
		p.tags = append(p.tags, nil)
	}
	own := p.tags[:len(forms)]
	for i, f := range forms {
		own[i] = p.m.Words.look(f, tags[i], own[i][:0])
	}
	p.pass.ended = func() bool { return ctx.Err() != nil }
	if p.pass.run(&p.m.Coarse, p.m.Coarse.Of, own) {
		for _, threshold := range p.thresholds(len(forms)) {
			p.pass.allow(threshold)
			root := p.chart.build(p.m.grammar, own, &p.pass)
			if p.pass.ended() { // the chart is half filled
				break
			}
			if root != hypergraph.Impossible && p.read(root, k, sums) {
				return
			}
			p.search = "widened"
		}
	}
	p.flat(tags)
}

// thresholds are those that are tried in turn.
func (p *parser) thresholds(n int) []float64 {
	out := []float64{p.m.opt.coarse}
	if t := p.m.opt.coarse; t > 0 {
		out = append(out, t/100)
		if n <= unprunedLength {
			out = append(out, 0)
		}
	}
	return out
}

// flat is the answer where there is no tree.
func (p *parser) flat(tags []string) {
	p.search = "flat"
	p.list = append(p.list, found{tree: constituent.Flat(tags), score: math.NaN(), prob: math.NaN()})
}

// read takes trees from the chart, false if the context ended before it could choose them.
func (p *parser) read(root int32, k int, sums bool) bool {
	p.root = root
	g := &p.chart.graph
	brackets := p.m.opt.decoder == "brackets"
	z := math.NaN()
	if sums || brackets || k > 1 {
		z = p.sum(root)
		p.brackets = p.chart.brackets()
	}
	if k > 1 {
		p.best(root, k, z)
		return len(p.list) > 0
	}
	var choose chooser
	choose = func(v int32) (*hypergraph.Edge, chooser, chooser) { return g.Chosen(v), choose, choose }
	if brackets {
		g.Best(p.gains())
	} else {
		g.Best(nil)
	}
	if p.pass.ended() { // some nodes have no edge chosen
		return false
	}
	x := found{tree: p.chart.tree(root, choose)}
	x.score = p.score(root)
	x.prob = math.Exp(min(0, x.score-z))
	p.list = append(p.list, x)
	return true
}

// sum sums the chart. Its last node is not always the root: symbols beside it over the whole sentence have no mass.
func (p *parser) sum(root int32) float64 {
	g := &p.chart.graph
	if int(root) != g.Nodes()-1 {
		g.Add(root, hypergraph.Empty, 0, noChain)
		g.Node()
		p.chart.places = append(p.chart.places, place{})
	}
	return g.Marginals()
}

// score adds up the weights of the chosen derivation.
func (p *parser) score(v int32) float64 {
	if v == hypergraph.Empty {
		return 0
	}
	e := p.chart.graph.Chosen(v)
	return e.Weight + p.score(e.Tail[0]) + p.score(e.Tail[1])
}

// gains are weights of edges by which the best derivation has the most right phrases to be expected, less those that
// cost precision: each counts its probability less a half of what makes F1 best on trees of few right ones.
func (p *parser) gains() func(edge int32) float64 {
	g := &p.chart.graph
	var labels []string
	gain := make([]float64, len(g.Edges))
	for v := int32(1); int(v) < g.Nodes(); v++ {
		at := p.chart.places[v]
		for e, to := g.Of(v); e < to; e++ {
			edge := &g.Edges[e]
			gain[e] = 1e-6 * math.Max(-50, edge.Weight) // of equal ones the likelier
			if edge.Label == noChain {
				continue
			}
			labels = p.chart.labels(edge, labels[:0])
			for _, l := range labels {
				gain[e] += p.brackets[bracket{l, at.i, at.j}] - p.m.opt.cost
			}
		}
	}
	return func(e int32) float64 { return gain[e] }
}

// best lists the k best trees. Trees that differ in tags alone are one.
func (p *parser) best(root int32, k int, z float64) {
	l := hypergraph.NewLister(&p.chart.graph)
	seen := map[string]bool{}
	for i := int32(0); len(p.list) < k && int(i) < 4*k+16 && l.Find(root, i); i++ {
		x := found{tree: p.chart.tree(root, listed(l, i)), score: l.At(root, i).Score}
		key := untagged(x.tree)
		if seen[key] {
			continue
		}
		seen[key] = true
		x.prob = math.Exp(min(0, x.score-z))
		p.list = append(p.list, x)
	}
}

// untagged is a tree with its tags left out, as text.
func untagged(n *constituent.Node) string {
	out := &constituent.Node{}
	var copied func(from, to *constituent.Node)
	copied = func(from, to *constituent.Node) {
		if to.Token = from.Token; !from.Leaf() {
			to.Label = from.Label
		}
		for _, c := range from.Children {
			x := &constituent.Node{}
			copied(c, x)
			to.Children = append(to.Children, x)
		}
	}
	copied(n, out)
	return out.String()
}

// listed chooses the edges of the i-th derivation of a node.
func listed(l *hypergraph.Lister, i int32) chooser {
	return func(v int32) (*hypergraph.Edge, chooser, chooser) {
		d := l.At(v, i)
		return l.Edge(d.Edge), listed(l, d.At[0]), listed(l, d.At[1])
	}
}

// pieces parses a long sentence in parts of maxLength tokens at most, under one root.
func (p *parser) pieces(ctx context.Context, forms, tags []string, sums bool) {
	root := &constituent.Node{Label: constituent.Root}
	all := map[bracket]float64{}
	for from := 0; from < len(forms); from += p.m.opt.maxLength {
		to := min(len(forms), from+p.m.opt.maxLength)
		p.parse(ctx, forms[from:to], tags[from:to], 1, sums)
		for b, x := range p.brackets {
			all[bracket{b.label, b.i + int16(from), b.j + int16(from)}] = x
		}
		part := p.list[0].tree
		for _, leaf := range part.Leaves(nil) {
			leaf.Token += from
		}
		root.Children = append(root.Children, part.Children...)
	}
	p.list = append(p.list[:0], found{tree: root, score: math.NaN(), prob: math.NaN()})
	p.search, p.brackets = "pieces", all
}
