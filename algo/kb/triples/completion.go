package triples

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
	"parlance/algo/numeric/parallel"
)

// query asks for the answer at a side of a gold triple. Query 2i asks for the object of triple i,
// query 2i+1 for its subject.
type query struct {
	block
	at [][]int32 // queries of each given entity
}

// completion ranks, for each gold triple, its object among all entities and its subject, without the
// other known answers (Bordes et al. 2013, section 4.1). The mean reciprocal rank comes first. What
// ties with the answer stands before it. Of a triple that the model has a name not of, the answer
// stands behind all entities.
func (e *evaluation) completion(ctx context.Context) ([]metrics.Metric, error) {
	places, err := e.places(ctx)
	if err != nil {
		return nil, err
	}
	out := append(rankMetrics(places, func(i int) string { return e.side(i).String() }), e.covered()...)
	if e.opt.byRelation {
		var r ranking.Ranks
		for i, p := range places {
			r.Add(e.group(e.gold[i/2]), p.filtered)
		}
		for _, m := range r.Metrics(1, 3, 10) {
			if m.Label != metrics.All {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// side is the side that a query leaves open.
func (e *evaluation) side(query int) Side { return Object - Side(query%2) }

// places ranks the answers of all queries.
func (e *evaluation) places(ctx context.Context) ([]place, error) {
	n := e.Graph.Entities.Len()
	places := make([]place, 2*len(e.gold))
	for i := range places {
		places[i] = place{float64(n + 1), float64(n + 1)}
	}
	queries := e.queries()
	scores := make([][]float64, max(1, e.workers))
	err := parallel.For(ctx, e.workers, len(queries), func(w, i int) error {
		q := queries[i]
		if scores[w] == nil {
			scores[w] = make([]float64, n*blockRows(n))
		}
		out := scores[w][:n*len(q.given)]
		e.Scorer.Scores(q.side, q.relation, q.given, out)
		for k, g := range q.given {
			row := out[k*n : (k+1)*n]
			e.check.mask(q.side, q.relation, g, row)
			known := e.known.Known(q.side, q.relation, g)
			for _, at := range q.at[k] {
				places[at] = placed(row, e.gold[at/2].At(q.side), known)
			}
		}
		return ctx.Err()
	})
	return places, err
}

// queries gathers what shares relation, side and given entity, in blocks.
func (e *evaluation) queries() []query {
	var out []query
	rows := blockRows(e.Graph.Entities.Len())
	for _, side := range []Side{Object, Subject} {
		var order []int32
		for i, t := range e.gold {
			if t.Named() {
				order = append(order, int32(i))
			}
		}
		slices.SortFunc(order, func(a, b int32) int {
			x, y := e.gold[a], e.gold[b]
			return cmp.Or(cmp.Compare(x.Relation, y.Relation), cmp.Compare(x.At(side.Other()), y.At(side.Other())),
				cmp.Compare(a, b))
		})
		for _, i := range order {
			t, at := e.gold[i], 2*i
			if side == Subject {
				at++
			}
			given := t.At(side.Other())
			if n := len(out); n == 0 || out[n-1].side != side || out[n-1].relation != t.Relation ||
				len(out[n-1].given) == rows && out[n-1].given[rows-1] != given {
				out = append(out, query{block: block{side: side, relation: t.Relation}})
			}
			q := &out[len(out)-1]
			if k := len(q.given); k == 0 || q.given[k-1] != given {
				q.given, q.at = append(q.given, given), append(q.at, nil)
			}
			q.at[len(q.at)-1] = append(q.at[len(q.at)-1], at)
		}
	}
	return out
}
