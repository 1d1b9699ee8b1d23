package optimise

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// rowSearch notes a search among conditions on rows, so that only documents with such rows are
// read. The condition stays.
func rowSearch(n *plan.Layer, conds []expr.Expr) {
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

// searchRule reads the rows with the highest scores only, where a search chooses and its score
// orders them.
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
		if below := searched(p.Input, score); below != nil {
			below.Top = l.Bound()
		}
	})
}

// searched returns the layer whose rows at n are the hits of a search, but those of documents
// that other conditions of the layer refuse; nil if there is none.
func searched(n plan.Node, score *expr.Search) *plan.Layer {
	match := *score
	match.Score = false
	switch n := n.(type) {
	case *plan.Layer:
		if n.Def == nil && n.Search() != nil && expr.Equal(n.Search(), &match) {
			return n
		}
	case *plan.Filter:
		if l, ok := n.Input.(*plan.Layer); ok && l.RowSearch != nil && len(l.DocFilter) == 0 && expr.Equal(n.Cond, l.RowSearch) && expr.Equal(n.Cond, &match) {
			return l
		}
	}
	return nil
}
