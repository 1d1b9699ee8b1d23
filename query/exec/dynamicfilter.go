package exec

import (
	"context"
	"errors"
	"maps"
	"slices"

	"parlance/algo/text"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// dynamicFilterJoin is a join of which one side is a layer that models annotate. It reads the other side first, and
// then the layer annotates only the documents whose key is among those that were read. If they do not fit into memory,
// it annotates all documents.
type dynamicFilterJoin struct {
	r  *Execution
	n  *plan.Join
	op operator.Operator // nil before the first row
}

// dynamicFilter is the keys of the side of a join that was read first: other documents meet no row of it.
type dynamicFilter struct {
	column int // of the layer, that the join compares
	values map[value.Value]bool
}

func (s *dynamicFilterJoin) Next(ctx context.Context) (*value.Batch, error) {
	if s.op == nil {
		op, err := s.open(ctx)
		if err != nil {
			return nil, err
		}
		s.op = op
	}
	return s.op.Next(ctx)
}

func (s *dynamicFilterJoin) Close() error {
	if s.op == nil {
		return nil
	}
	return s.op.Close()
}

func (s *dynamicFilterJoin) open(ctx context.Context) (operator.Operator, error) {
	semi := s.n.Filter
	first, second := s.n.Left, s.n.Right
	if semi.RightFirst {
		first, second = second, first
	}
	in, err := s.r.Build(first)
	if err != nil {
		return nil, err
	}
	rows := operator.NewLookahead(in)
	values, err := s.read(ctx, rows)
	if err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	inner := *s.r
	if values != nil {
		inner.dynamicFilters = maps.Clone(s.r.dynamicFilters)
		if inner.dynamicFilters == nil {
			inner.dynamicFilters = map[*plan.Layer]dynamicFilter{}
		}
		inner.dynamicFilters[semi.Layer] = dynamicFilter{semi.Column, values}
	}
	op, err := inner.Build(second)
	if err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	left, right := operator.Operator(rows), op
	if semi.RightFirst {
		left, right = right, left
	}
	return operator.NewJoin(s.n, s.r.Env, left, right, false, s.r.budget()), nil
}

// read reads the first side and returns the values of its key, nil if memory is full before its end.
func (s *dynamicFilterJoin) read(ctx context.Context, rows *operator.Lookahead) (map[value.Value]bool, error) {
	key := s.n.LeftKeys[s.n.Filter.Key]
	if s.n.Filter.RightFirst {
		key = s.n.RightKeys[s.n.Filter.Key]
	}
	values := map[value.Value]bool{}
	for bytes := 0; bytes <= s.r.memory(); {
		b, err := rows.ReadAhead(ctx)
		if err != nil || b == nil {
			return values, err
		}
		bytes += b.Bytes()
		for i := range b.N {
			v, err := key.At(s.r.Env, b, i)
			if err != nil {
				return nil, err
			}
			if !v.IsNull() {
				values[value.Unique(v)] = true
			}
		}
	}
	return nil, nil
}

// filterDynamically leaves out the documents that do not meet the dynamic filter of a node.
func (r *Execution) filterDynamically(docs []*text.Document, n *plan.Layer) []*text.Document {
	f, ok := r.dynamicFilters[n]
	if !ok {
		return docs
	}
	var out []*text.Document
	name := n.Columns()[f.column].Name
	for _, d := range docs {
		v := documentValue(d, n, f.column, name)
		if f.values[value.Unique(v)] {
			out = append(out, d)
		}
	}
	return out
}

// pruneSegments leaves out the segments in which no document meets the dynamic filter of a node, if that names so few
// ids that looking them up is quicker than reading the segments.
func (r *Execution) pruneSegments(n *plan.Layer, all []documents.Window) ([]documents.Window, error) {
	f, ok := r.dynamicFilters[n]
	if !ok || !n.IDColumn(f.column) || len(f.values) > len(all) {
		return all, nil
	}
	want := map[documents.SegmentID]bool{}
	for v := range f.values {
		sg, _, found, err := r.Snapshot.SegmentOf(n.Corpus, v.S)
		if err != nil {
			return nil, err
		}
		want[sg] = want[sg] || found
	}
	var out []documents.Window
	for _, w := range all {
		w.Parts = slices.DeleteFunc(slices.Clone(w.Parts), func(x documents.Selection) bool { return !want[x.Segment] })
		if len(w.Parts) > 0 {
			out = append(out, w)
		}
	}
	return out, nil
}
