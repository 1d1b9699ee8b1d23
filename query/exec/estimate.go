package exec

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// Selectivities: the share of rows that a condition is thought to leave.
const (
	equalSelectivity = 0.05
	OtherSelectivity = 0.4
)

// lineBytes is how long a line of a file is thought to be.
const lineBytes = 100

// Estimate guesses how many rows a node yields, from the sizes that storage knows. It reads no data.
func (r *Execution) Estimate(n plan.Node) float64 {
	switch n := n.(type) {
	case *plan.Layer:
		if n.Corpus == nil {
			return 100
		}
		if n.Call != nil {
			return r.EstimateDocuments(n) * OtherSelectivity
		}
		rows := float64(r.Snapshot.LayerRows(n.Corpus, n.Name))
		return rows * r.EstimateDocuments(n) / float64(max(1, r.Snapshot.LayerRows(n.Corpus, "")))
	case *plan.Table:
		rows := float64(r.Snapshot.TableCount(n.Object))
		switch u := n.Index(); {
		case u == nil:
			return rows
		case len(u.Equal) > 0:
			return min(rows, 10*float64(u.Equal[0].Count()))
		}
		return rows * OtherSelectivity
	case *plan.File:
		if n := n.Table.Rows(); n >= 0 {
			return float64(n)
		}
		return float64(n.Table.Size()) / lineBytes
	case *plan.Filter:
		return r.Estimate(n.Input) * selectivity(expr.Conjuncts(n.Cond))
	case *plan.Join:
		return max(r.Estimate(n.Left), r.Estimate(n.Right))
	case *plan.Aggregate:
		return max(1, r.Estimate(n.Input)/10)
	case *plan.WorkTable:
		if w := r.WorkTables[n]; w != nil && w.Rows != nil {
			return float64(w.Rows.Rows)
		}
	case *plan.Union:
		sum := 0.0
		for _, p := range n.Parts {
			sum += r.Estimate(p)
		}
		return sum
	}
	if inputs := n.Inputs(); len(inputs) > 0 {
		return r.Estimate(inputs[0])
	}
	return 1000
}

// EstimateDocuments guesses how many documents of its corpus a node reads.
func (r *Execution) EstimateDocuments(n *plan.Layer) float64 {
	all := float64(r.Snapshot.LayerRows(n.Corpus, ""))
	if h, ok, err := r.searchHits(n, n.DocFilter); ok && err == nil {
		return min(all, float64(len(h.List))) * selectivity(n.OtherConditions())
	}
	if count, ok := r.indexCount(n); ok && count < countLimit {
		return float64(count)
	}
	return all * selectivity(n.DocFilter)
}

// selectivity is the share of rows that conditions together are thought to leave.
func selectivity(conds []expr.Expr) float64 {
	s := 1.0
	for _, c := range conds {
		if cmp, ok := c.(*expr.Compare); ok && cmp.Op == "=" {
			s *= equalSelectivity
		} else {
			s *= OtherSelectivity
		}
	}
	return s
}
