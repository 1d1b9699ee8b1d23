package triples

import (
	"cmp"
	"context"
	"slices"

	"parlance/algo/kind"
)

// Space is a Scorer whose entities are points.
type Space interface{ Distance(a, b int32) float64 }

// nearFacts is how many facts an explanation names beside a triple.
const nearFacts = 3

// around tells where a triple stands, in lines of weight 0, for the score does not consist of them:
// whether types allow each entity, the ranks of both among all that complete would give in their place, and,
// in a space, the distance of the nearest facts of its relation.
func (a *Answers) around(ctx context.Context, t Triple) ([]kind.Contribution, error) {
	check, err := a.checks(true)
	if err != nil {
		return nil, err
	}
	c := &completion{Answers: a, check: check}
	var out []kind.Contribution
	line := func(feature string, x float64) { out = append(out, kind.Contribution{Feature: feature, Value: x}) }
	for _, side := range []Side{Subject, Object} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.Sets != nil {
			allowed := 0.0
			if a.Sets.Allows(side, t.Relation, t.At(side)) {
				allowed = 1
			}
			line("types allow the "+side.String(), allowed)
		}
		if !check.triple(t) {
			continue
		}
		score, rank := a.Scorer.Score(t), 1
		for _, x := range c.one(side, t.Relation, t.At(side.Other())) {
			if x.Triple != t && x.before(scored{t, score}) {
				rank++
			}
		}
		line("rank as "+side.String(), float64(rank))
	}
	space, ok := a.Scorer.(Space)
	if !ok {
		return out, nil
	}
	for _, x := range a.nearest(space, t) {
		line("near "+a.Graph.Sentence(x.Triple), x.score)
	}
	return out, ctx.Err()
}

// nearest lists the facts of the relation of a triple, but itself, of which both entities together are
// nearest to its, with the sum of the two distances.
func (a *Answers) nearest(space Space, t Triple) []scored {
	facts := a.Graph.Facts
	from, _ := slices.BinarySearchFunc(facts, t.Relation, func(x Triple, r int32) int {
		return cmp.Compare(x.Relation, r)
	})
	var out []scored
	for _, x := range facts[from : from+a.Graph.Index.Count(t.Relation)] {
		if x == t {
			continue
		}
		y := scored{x, space.Distance(x.Subject, t.Subject) + space.Distance(x.Object, t.Object)}
		if i := slices.IndexFunc(out, func(z scored) bool { return y.score < z.score }); i >= 0 {
			out = slices.Insert(out, i, y)
		} else {
			out = append(out, y)
		}
		out = out[:min(len(out), nearFacts)]
	}
	return out
}
