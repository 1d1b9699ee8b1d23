package exec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// Selection returns the documents that a node reads: those whose ids a condition names, those that an index or a
// full-text index finds, else all. They may not meet all conditions yet.
func (r *Execution) Selection(ctx context.Context, n *plan.Layer, conds []expr.Expr) ([]documents.Window, error) {
	for _, c := range conds {
		ids, ok, err := r.namedIDs(n, c)
		if err != nil {
			return nil, err
		}
		if ok {
			return r.SelectIDs(n.Corpus, ids)
		}
	}
	if u := n.IndexFor(conds); u != nil {
		ranges, ok, err := r.keyRanges(n.Corpus, u)
		if err != nil {
			return nil, err
		}
		if ok {
			return r.Snapshot.Select(ctx, n.Corpus, u.Columns, ranges)
		}
	}
	h, ok, err := r.searchHits(n, conds)
	if err != nil {
		return nil, err
	}
	if ok {
		return r.windowsOf(n.Corpus, h.Segments), nil
	}
	return r.SelectAll(n.Corpus), nil
}

// namedIDs returns the values that a condition lets the id of a document have, sorted; ok is false if it says nothing
// of ids, or leaves them enough that reading all documents is as quick.
func (r *Execution) namedIDs(n *plan.Layer, c expr.Expr) (ids []value.Value, ok bool, err error) {
	v := n.NamedIDs(c)
	if !v.Known() {
		return nil, false, nil
	}
	ids, ok, err = r.lookupValues(n.Corpus, value.Text, v)
	slices.SortFunc(ids, func(x, y value.Value) int { return strings.Compare(x.S, y.S) })
	return slices.Compact(ids), ok, err
}

// SelectIDs selects the documents that have the ids, in the order of documents.
func (r *Execution) SelectIDs(o *catalog.Object, ids []value.Value) ([]documents.Window, error) {
	of := map[documents.SegmentID][]int{}
	for _, id := range ids {
		sg, ordinal, found, err := r.Snapshot.SegmentOf(o, id.S)
		if err != nil {
			return nil, err
		}
		if found {
			of[sg] = append(of[sg], ordinal)
		}
	}
	out := make([]documents.Selection, 0, len(of))
	for sg, docs := range of {
		slices.Sort(docs)
		out = append(out, documents.Selection{Segment: sg, Docs: slices.Compact(docs)})
	}
	return r.Snapshot.InOrder(o, out), nil
}

// windowsOf selects all documents of segments.
func (r *Execution) windowsOf(o *catalog.Object, ids []documents.SegmentID) []documents.Window {
	list := make([]documents.Selection, len(ids))
	for i, id := range ids {
		list[i].Segment = id
	}
	return r.Snapshot.InOrder(o, list)
}

// SelectAll selects all documents of a corpus.
func (r *Execution) SelectAll(o *catalog.Object) []documents.Window { return r.Snapshot.Windows(o) }

// keyRanges computes the ranges of an index that hold the rows which its conditions let through; ok is false if there
// are too many, or if a value has a type that is compared in another way than keys are.
func (r *Execution) keyRanges(o *catalog.Object, u *plan.IndexUse) (out []catalog.KeyRange, ok bool, err error) {
	out = []catalog.KeyRange{{}}
	for i, v := range u.Equal {
		values, ok, err := r.lookupValues(o, o.Columns[o.Column(u.Columns[i])].Type, v)
		if err != nil || !ok || len(out)*len(values) > plan.MaxAlternatives {
			return nil, false, err
		}
		var next []catalog.KeyRange
		for _, k := range out {
			for _, v := range values {
				next = append(next, catalog.KeyRange{Equal: append(k.Equal[:i:i], v)})
			}
		}
		out = next
	}
	for k, x := range []expr.Expr{u.Low, u.High} {
		if x == nil {
			continue
		}
		v, ok, err := r.keyValue(o.Columns[o.Column(u.Columns[len(u.Equal)])].Type, x)
		if err != nil || !ok {
			return nil, false, err
		}
		if v.IsNull() {
			return nil, true, nil
		}
		for i := range out {
			if k == 0 {
				out[i].Low, out[i].LowOpen = &v, u.LowOpen
			} else {
				out[i].High, out[i].HighOpen = &v, u.HighOpen
			}
		}
	}
	return out, true, nil
}

// countLimit is where counting the documents that an index finds stops.
const countLimit = 20000

// indexCount counts the documents that ids or an index find for a node, about countLimit at most; ok is false if
// neither is used, or if the values are known only when the query runs.
func (r *Execution) indexCount(n *plan.Layer) (count int, ok bool) {
	for _, c := range n.DocFilter {
		if v := n.NamedIDs(c); v.Known() && v.Fixed() {
			ids, ok, err := r.namedIDs(n, c)
			return len(ids), ok && err == nil
		}
	}
	u := n.IndexFor(n.DocFilter)
	if u == nil || !u.Fixed() {
		return 0, false
	}
	ranges, ok, err := r.keyRanges(n.Corpus, u)
	if err != nil || !ok {
		return 0, false
	}
	count, err = r.Snapshot.Estimate(r.Context(), n.Corpus, u.Columns, ranges, countLimit)
	return count, err == nil
}

// IndexNote is what EXPLAIN adds to the line of a node whose documents an index finds.
func (r *Execution) IndexNote(n plan.Node) string {
	l, ok := n.(*plan.Layer)
	if !ok || len(l.Models) > 0 {
		return ""
	}
	count, ok := r.indexCount(l)
	switch {
	case !ok:
		return ""
	case count >= countLimit:
		return fmt.Sprintf("  estimated documents>=%d", countLimit)
	}
	return fmt.Sprintf("  estimated documents=%d", count)
}
