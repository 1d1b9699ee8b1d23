package optimise

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// filterBySearch notes at a layer a search among conditions on its rows, so that only documents with hits are read. The
// condition is still checked above, row by row.
func filterBySearch(n *plan.Layer, conds []expr.Expr) {
	for _, c := range conds {
		s, ok := c.(*expr.Search)
		if !ok || !s.Indexed || len(n.Models) > 0 || n.RowSearch != nil {
			continue
		}
		if len(s.Unit) > 1 && s.Corpus == n.Corpus.Name && s.Layer == n.Name {
			n.RowSearch = s
		}
	}
}

// searchRule lets the full-text index give only the hits with the highest scores, where a limit takes the rows that a
// search finds in the order of its scores.
func searchRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		l, ok := n.(*plan.Limit)
		if !ok || l.Bound() == 0 {
			return
		}
		sorted, ok := l.Input.(*plan.Sort)
		if !ok || !sorted.Keys[0].Desc {
			return
		}
		p, ok := sorted.Input.(*plan.Project)
		if !ok {
			return
		}
		score, ok := p.Exprs[sorted.Keys[0].Col].(*expr.Search)
		if !ok || !score.Score {
			return
		}
		if below := searchedLayer(p.Input, score); below != nil {
			below.Top = l.Bound()
		}
	})
}

// searchedLayer returns the layer below n if the rows of n are the hits of the search in it, possibly fewer for other
// conditions of the layer; nil if they are not.
func searchedLayer(n plan.Node, score *expr.Search) *plan.Layer {
	match := *score
	match.Score = false
	switch n := n.(type) {
	case *plan.Layer:
		if n.Def == nil && n.Search() != nil && expr.Equal(n.Search(), &match) {
			return n
		}
	case *plan.Filter:
		if l, ok := n.Input.(*plan.Layer); ok && l.RowSearch != nil && len(l.DocFilter) == 0 &&
			expr.Equal(n.Cond, l.RowSearch) && expr.Equal(n.Cond, &match) {
			return l
		}
	}
	return nil
}
