package exec

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// Shares of rows that conditions are thought to leave.
const (
	equalShare = 0.05
	otherShare = 0.4
)

// estimate guesses how many rows a node yields, from the sizes that storage knows.
func (r *run) estimate(n plan.Node) float64 {
	switch n := n.(type) {
	case *plan.Layer:
		if n.Corpus == nil {
			return 100
		}
		if n.Call != nil {
			return r.documents(n) * otherShare
		}
		rows := float64(r.snap.LayerRows(n.Corpus, n.Name))
		return rows * r.documents(n) / float64(max(1, r.snap.LayerRows(n.Corpus, "")))
	case *plan.Table:
		rows := float64(r.snap.TableCount(n.Object))
		switch u := n.Index(); {
		case u == nil:
			return rows
		case len(u.Equal) > 0:
			return min(rows, 10*float64(u.Equal[0].Count()))
		}
		return rows * otherShare
	case *plan.Filter:
		return r.estimate(n.Input) * share(expr.Conjuncts(n.Cond))
	case *plan.Join:
		return max(r.estimate(n.Left), r.estimate(n.Right))
	case *plan.Aggregate:
		return max(1, r.estimate(n.Input)/10)
	case *plan.Working:
		if w := r.last[n]; w != nil && w.rows != nil {
			return float64(w.rows.Rows)
		}
	case *plan.Union:
		sum := 0.0
		for _, p := range n.Parts {
			sum += r.estimate(p)
		}
		return sum
	}
	if inputs := n.Inputs(); len(inputs) > 0 {
		return r.estimate(inputs[0])
	}
	return 1000
}

// documents guesses how many documents of its corpus a node reads.
func (r *run) documents(n *plan.Layer) float64 {
	all := float64(r.snap.LayerRows(n.Corpus, ""))
	if h, ok, err := r.searchHits(n, n.DocFilter); ok && err == nil {
		return min(all, float64(len(h.List))) * share(n.OtherConditions())
	}
	if count, ok := r.indexed(n); ok && count < enoughDocuments {
		return float64(count)
	}
	return all * share(n.DocFilter)
}

// share is the part of the rows that conditions are thought to leave.
func share(conds []expr.Expr) float64 {
	s := 1.0
	for _, c := range conds {
		if cmp, ok := c.(*expr.Compare); ok && cmp.Op == "=" {
			s *= equalShare
		} else {
			s *= otherShare
		}
	}
	return s
}
