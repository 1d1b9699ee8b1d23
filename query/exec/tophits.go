package exec

import (
	"context"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage"
)

// topFactor is by how many times more hits are tried if too few of the best meet the other conditions.
const topFactor = 8

// topHits returns the hits with the n.Top highest scores among those whose documents meet the conditions besides the
// search. It reads documents of the best hits only, and of these what the conditions need.
func (r *Execution) topHits(
	n *plan.Layer, h *storage.Hits, search *expr.Search, conds []expr.Expr,
) (*storage.Hits, error) {
	var others []expr.Expr
	for _, c := range conds {
		if c != expr.Expr(search) {
			others = append(others, c)
		}
	}
	if len(others) == 0 {
		return h.Top(n.Top), nil
	}
	for k := 4 * n.Top; ; k *= topFactor {
		tried := h.Top(k)
		kept, err := r.filterHits(r.Env.Ctx, n, tried, others)
		if err != nil {
			return nil, err
		}
		if len(kept.List) >= n.Top || len(tried.List) == len(h.List) {
			return kept.Top(n.Top), nil
		}
	}
}

// filterHits returns the hits whose documents meet conditions.
func (r *Execution) filterHits(
	ctx context.Context, n *plan.Layer, h *storage.Hits, conds []expr.Expr,
) (*storage.Hits, error) {
	want := storage.Want{IDs: true}
	for _, i := range expr.Columns(expr.And(conds)) {
		switch name := n.Columns()[i].Name; {
		case n.Number(i) || name == "id":
		case name == "text":
			want.Text = true
		default:
			want.Fields = append(want.Fields, name)
		}
	}
	good := map[uint64]bool{}
	for _, id := range h.Segments {
		sg, err := r.Snapshot.Segment(ctx, n.Corpus, id, want)
		if err != nil {
			return nil, err
		}
		docs, err := r.filterDocuments(sg.Documents(), conds, n)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			good[d.Seq] = true
		}
	}
	return h.Keep(func(x *storage.Hit) bool { return good[x.Seq] }), nil
}
