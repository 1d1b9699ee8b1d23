package chart

import "parlance/algo/parse/tree"

// Numbers returns how many numbers of 8 bytes Best keeps for parts, besides their scores: 0 for factorizations without
// a chart. Marginals and KBest keep more.
func Numbers(f tree.Factorization, p *tree.Parts) int {
	w, arcs := p.N+1, p.Arcs.Len()
	switch f {
	case tree.Sibling:
		return 2*w*w + arcs + w
	case tree.Carreras:
		return arcs*w + 2*arcs + 3*w
	case tree.Model0, tree.Model1, tree.Model2:
		var c places
		return c.place(p) + (arcs+1)*w + arcs + w + 2*c.siblings()
	}
	return 0
}
