package triples

import (
	"context"
	"math/rand/v2"
	"slices"

	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
	"parlance/algo/numeric/parallel"
)

// sampler draws from stream i of a seed.
func (e *evaluation) sampler(stream int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(e.opt.seed), uint64(stream)))
}

// sample draws different entities that are not among those left out (in order), as many as there are
// at most, in no order.
func sample(r *rand.Rand, entities, wanted int, out []int32) []int32 {
	taken := make(map[int32]bool, wanted)
	for _, e := range out {
		taken[e] = true
	}
	wanted = min(wanted, entities-len(taken))
	if 2*(wanted+len(taken)) > entities { // so full that drawing again and again would take long
		var rest []int32
		for e := range int32(entities) {
			if !taken[e] {
				rest = append(rest, e)
			}
		}
		r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		return rest[:wanted]
	}
	var list []int32
	for len(list) < wanted {
		if e := r.Int32N(int32(entities)); !taken[e] {
			taken[e] = true
			list = append(list, e)
		}
	}
	return list
}

// entityRetrieval ranks, for each subject and relation of gold triples, the gold objects among sampled
// entities that no known triple has there (Chang et al. 2014, section 5.2): mean average precision
// with one unit a subject and relation. A gold triple with a name that the model does not know is a
// unit of 0.
func (e *evaluation) entityRetrieval(ctx context.Context) ([]metrics.Metric, error) {
	queries, missing := e.queries(), e.unnamed()
	var first []Triple // gold triple of each unit
	start := make([]int, len(queries))
	for i, q := range queries {
		start[i] = len(first)
		if q.side == Object {
			for k := range q.given {
				first = append(first, e.gold[q.at[k][0]/2])
			}
		}
	}
	n, scores := e.Graph.Entities.Len(), make([][]float64, max(1, e.workers))
	hits, right := make([][]bool, len(first)), make([]int, len(first))
	err := parallel.For(ctx, e.workers, len(queries), func(w, i int) error {
		q := queries[i]
		if q.side != Object {
			return nil
		}
		if scores[w] == nil {
			scores[w] = make([]float64, n*blockRows(n))
		}
		out := scores[w][:n*len(q.given)]
		e.Scorer.Scores(q.side, q.relation, q.given, out)
		for k, g := range q.given {
			row := out[k*n : (k+1)*n]
			e.check.mask(q.side, q.relation, g, row)
			unit := start[i] + k
			drawn := sample(e.sampler(unit), n, e.opt.negatives, e.known.Known(Object, q.relation, g))
			asked := make([]float64, 0, len(drawn)+len(q.at[k]))
			for _, at := range q.at[k] {
				asked = append(asked, row[e.gold[at/2].Object])
			}
			for _, x := range drawn {
				asked = append(asked, row[x])
			}
			hits[unit], right[unit] = firstRight(asked, len(q.at[k])), len(q.at[k])
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	var lists ranking.Lists
	for i, h := range hits {
		lists.Add(e.group(first[i]), h, right[i])
	}
	for range missing {
		lists.Add("", nil, 1)
	}
	return withCoverage(lists.Metrics(), e.covered()), nil
}

// withCoverage puts what covered gives behind the metrics over all.
func withCoverage(list, covered []metrics.Metric) []metrics.Metric {
	i := 0
	for i < len(list) && list[i].Label == metrics.All {
		i++
	}
	return slices.Insert(list, i, covered...)
}

// firstRight ranks candidates of which the first ones are right.
func firstRight(scores []float64, right int) []bool {
	is := make([]bool, len(scores))
	for i := range right {
		is[i] = true
	}
	return ranking.Hits(scores, is)
}

// unnamed counts the gold triples that the model lacks a name of.
func (e *evaluation) unnamed() int {
	n := 0
	for _, t := range e.gold {
		if !t.Named() {
			n++
		}
	}
	return n
}

// relationRetrieval ranks, for each relation, its gold pairs among as many sampled pairs that no known
// triple has (Chang et al. 2014, section 5.2): mean average precision with one unit a relation, and
// the same weighted by the number of gold pairs; by relation it is the average precision.
func (e *evaluation) relationRetrieval(ctx context.Context) ([]metrics.Metric, error) {
	gold := make([][]Triple, e.Graph.Relations.Len())
	for _, t := range e.gold {
		if t.Named() {
			gold[t.Relation] = append(gold[t.Relation], t)
		}
	}
	hits := make([][]bool, len(gold))
	err := parallel.For(ctx, e.workers, len(gold), func(_, r int) error {
		if len(gold[r]) == 0 {
			return nil
		}
		slices.SortFunc(gold[r], compare)
		gold[r] = slices.Compact(gold[r])
		var scores []float64
		for i, t := range slices.Concat(gold[r], e.pairs(int32(r), len(gold[r]))) {
			if i%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			scores = append(scores, e.check.score(e.Scorer, t))
		}
		hits[r] = firstRight(scores, len(gold[r]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	var lists ranking.Lists
	for r, h := range hits {
		lists.Add(e.group(Triple{Relation: int32(r)}), h, len(gold[r]))
	}
	return withCoverage(lists.Metrics(), e.covered()), nil
}

// pairs draws different pairs of entities that are in no known triple of a relation, as many as are
// wanted if n are found by drawing ten times as often.
func (e *evaluation) pairs(relation int32, wanted int) []Triple {
	r, n := e.sampler(int(relation)), int32(e.Graph.Entities.Len())
	taken := map[Triple]bool{}
	var out []Triple
	for try := 0; try < 100+10*wanted && len(out) < wanted; try++ {
		t := Triple{r.Int32N(n), relation, r.Int32N(n)}
		if !taken[t] && !e.known.Has(t) {
			taken[t] = true
			out = append(out, t)
		}
	}
	return out
}

// relationPrediction ranks the relation of each gold triple among all relations of its pair, without
// the other known ones.
func (e *evaluation) relationPrediction(ctx context.Context) ([]metrics.Metric, error) {
	n := e.Graph.Relations.Len()
	places := make([]place, len(e.gold))
	err := parallel.For(ctx, e.workers, len(e.gold), func(_, i int) error {
		t := e.gold[i]
		if places[i] = (place{float64(n + 1), float64(n + 1)}); !t.Named() {
			return nil
		}
		scores := make([]float64, n)
		var known []int32
		for r := range int32(n) {
			x := Triple{t.Subject, r, t.Object}
			scores[r] = e.check.score(e.Scorer, x)
			if e.known.Has(x) {
				known = append(known, r)
			}
		}
		places[i] = placed(scores, t.Relation, known)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := rankMetrics(places, func(i int) string { return e.group(e.gold[i]) })
	return withCoverage(out, e.covered()), nil
}
