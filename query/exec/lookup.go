package exec

import (
	"context"
	"fmt"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// selection returns the documents that a node reads: the one whose id a condition names, those
// that an index finds, else all.
func (r *run) selection(ctx context.Context, n *plan.Layer, conds []expr.Expr) ([]storage.Selection, error) {
	for _, c := range conds {
		x := n.NamedID(c)
		if x == nil {
			continue
		}
		v, err := r.scalar(x)
		if err != nil {
			return nil, err
		}
		if v.T != value.Text {
			continue
		}
		sg, ordinal, found, err := r.snap.SegmentOf(n.Corpus, v.S)
		if err != nil || !found {
			return nil, err
		}
		return []storage.Selection{{Segment: sg, Docs: []int{ordinal}}}, nil
	}
	if u := n.IndexFor(conds); u != nil {
		ranges, ok, err := r.keyRanges(n.Corpus, u)
		if err != nil {
			return nil, err
		}
		if ok {
			return r.snap.Select(ctx, n.Corpus, u.Columns, ranges)
		}
	}
	h, ok, err := r.searchHits(n, conds)
	if err != nil {
		return nil, err
	}
	if ok {
		return segments(h.Segments), nil
	}
	return r.everything(n.Corpus), nil
}

// segments selects all documents of segments.
func segments(ids []storage.SegmentID) []storage.Selection {
	out := make([]storage.Selection, len(ids))
	for i, id := range ids {
		out[i].Segment = id
	}
	return out
}

// everything selects all documents of a corpus.
func (r *run) everything(o *storage.Object) []storage.Selection {
	return segments(r.snap.Segments(o))
}

// keyRanges computes the ranges of an index that a statement reads; ok is false where a
// parameter has a type whose values are compared in another way than keys.
func (r *run) keyRanges(o *storage.Object, u *plan.IndexUse) (out []storage.KeyRange, ok bool, err error) {
	if u.Members != nil {
		return r.memberRanges(o, u)
	}
	out = []storage.KeyRange{{}}
	for i, list := range u.Equal {
		var values []value.Value
		for _, x := range list {
			v, ok, err := r.keyValue(o, u.Columns[i], x)
			if err != nil || !ok {
				return nil, false, err
			}
			if !v.IsNull() { // equal to nothing
				values = append(values, v)
			}
		}
		var next []storage.KeyRange
		for _, k := range out {
			for _, v := range values {
				next = append(next, storage.KeyRange{Equal: append(k.Equal[:i:i], v)})
			}
		}
		out = next
	}
	for k, x := range []expr.Expr{u.Low, u.High} {
		if x == nil {
			continue
		}
		v, ok, err := r.keyValue(o, u.Columns[len(u.Equal)], x)
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

// memberRanges are the ranges of the values that a subselect gives; ok is false where it seems to have more rows than
// the table, or gives more values than are worth looking up.
func (r *run) memberRanges(o *storage.Object, u *plan.IndexUse) (out []storage.KeyRange, ok bool, err error) {
	count := r.Store.TableCount(o)
	if r.estimate(plan.Subselect(u.Members)) > float64(count) {
		return nil, false, nil
	}
	values, err := u.Members.Members(r.env)
	if err != nil || len(values) > maxSought || 4*len(values) > count {
		return nil, false, err
	}
	for _, v := range values {
		if !plan.SameKeys(v.T, o.Columns[o.Column(u.Columns[0])].Type) {
			return nil, false, nil
		}
		out = append(out, storage.KeyRange{Equal: []value.Value{v}})
	}
	return out, true, nil
}

func (r *run) keyValue(o *storage.Object, column string, x expr.Expr) (v value.Value, ok bool, err error) {
	if v, err = r.scalar(x); err != nil {
		return v, false, err
	}
	return v, v.IsNull() || plan.SameKeys(v.T, o.Columns[o.Column(column)].Type), nil
}

// enoughDocuments is where counting what an index finds stops.
const enoughDocuments = 20000

// indexed counts the documents that an index finds for a node, about enoughDocuments at most; ok is
// false where no index is used, or its values are not known before the query runs.
func (r *run) indexed(n *plan.Layer) (count int, ok bool) {
	u := n.IndexFor(n.DocFilter)
	if u == nil || !u.Fixed() {
		return 0, false
	}
	ranges, ok, err := r.keyRanges(n.Corpus, u)
	if err != nil || !ok {
		return 0, false
	}
	count, err = r.snap.Estimate(r.context(), n.Corpus, u.Columns, ranges, enoughDocuments)
	return count, err == nil
}

// context is that of the statement.
func (r *run) context() context.Context { return contextOf(r.env) }

func contextOf(env *expr.Env) context.Context {
	if env.Ctx != nil {
		return env.Ctx
	}
	return context.Background()
}

// indexNote is what EXPLAIN adds to a node that an index answers.
func (r *run) indexNote(n plan.Node) string {
	l, ok := n.(*plan.Layer)
	if !ok || len(l.Models) > 0 {
		return ""
	}
	count, ok := r.indexed(l)
	switch {
	case !ok:
		return ""
	case count >= enoughDocuments:
		return fmt.Sprintf("  estimated documents>=%d", enoughDocuments)
	}
	return fmt.Sprintf("  estimated documents=%d", count)
}
