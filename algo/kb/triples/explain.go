package triples

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explainer is a Scorer that tells what its scores are made of.
type Explainer interface {
	// Contributions lists terms whose products of value and weight sum to Score. A feature comes once.
	Contributions(context.Context, Triple) ([]kind.Contribution, error)
}

// Explain tells what a score is made of, with where the triple stands among others, or the difference
// between the first two answers of complete.
func (a *Answers) Explain(ctx context.Context, _ []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	x, ok := a.Scorer.(Explainer)
	if !ok {
		return kind.Explanation{}, kind.ErrNoExplain
	}
	if at.Relation != completeRelation.Name && at.Relation != scoreRelation.Name {
		return kind.Explanation{}, fmt.Errorf("%w of %s: it explains score(subject, relation, object) and complete(…)",
			kind.ErrNoExplain, cmp.Or(at.Relation, "documents"))
	}
	t, err := a.pattern(at.Args)
	switch {
	case err != nil:
		return kind.Explanation{}, err
	case t.Named():
		return a.explainOne(ctx, x, t)
	case at.Relation == scoreRelation.Name:
		_, err := a.score(at.Args, run)
		return kind.Explanation{}, err
	}
	r, err := a.ranked(ctx, t, run, 2)
	if err != nil || r.Len() == 0 {
		return kind.Explanation{}, err
	}
	best := heap.Pop(r).(scored).Triple
	d := kind.Decision{Form: a.Graph.Sentence(t), Outcome: a.missing(t, best)}
	list, err := x.Contributions(ctx, best)
	if err == nil && r.Len() > 0 {
		second := heap.Pop(r).(scored).Triple
		var other []kind.Contribution
		other, err = x.Contributions(ctx, second)
		d.RunnerUp, list = a.missing(t, second), difference(list, other)
	}
	if err != nil {
		return kind.Explanation{}, err
	}
	return one(d, list), nil
}

// explainOne explains one triple.
func (a *Answers) explainOne(ctx context.Context, x Explainer, t Triple) (kind.Explanation, error) {
	list, err := x.Contributions(ctx, t)
	if err != nil {
		return kind.Explanation{}, err
	}
	out := one(kind.Decision{Form: a.Graph.Sentence(t), Outcome: a.Graph.Sentence(t)}, list)
	around, err := a.around(ctx, t)
	out.Decisions[0].Contributions = append(out.Decisions[0].Contributions, around...)
	return out, err
}

// one is the explanation of a decision by its contributions, the greatest first.
func one(d kind.Decision, list []kind.Contribution) kind.Explanation {
	size := func(c kind.Contribution) float64 { return math.Abs(c.Value * c.Weight) }
	slices.SortStableFunc(list, func(a, b kind.Contribution) int { return cmp.Compare(size(b), size(a)) })
	for _, c := range list {
		d.Margin += c.Value * c.Weight
	}
	d.Prob, d.Contributions = math.NaN(), list
	return kind.Explanation{Decisions: []kind.Decision{d}}
}

// difference takes away the contributions of the runner-up and leaves out what is the same for both.
func difference(best, second []kind.Contribution) []kind.Contribution {
	var out []kind.Contribution
	for _, c := range best {
		i := slices.IndexFunc(second, func(x kind.Contribution) bool { return x.Feature == c.Feature })
		switch {
		case i < 0:
		case second[i].Weight == c.Weight:
			c.Value -= second[i].Value
		default:
			c = kind.Contribution{Feature: c.Feature, Value: 1, Weight: c.Value*c.Weight - second[i].Value*second[i].Weight}
		}
		if c.Value*c.Weight != 0 {
			out = append(out, c)
		}
	}
	for _, c := range second {
		if !slices.ContainsFunc(best, func(x kind.Contribution) bool { return x.Feature == c.Feature }) &&
			c.Value*c.Weight != 0 {
			c.Value = -c.Value
			out = append(out, c)
		}
	}
	return out
}

// name is the name of a number, ? for what is open.
func name(n *Names, i int32) string {
	if i == open {
		return "?"
	}
	return n.Name(i)
}

// Sentence writes a triple, with ? for what is open.
func (g *Graph) Sentence(t Triple) string {
	return strings.Join([]string{name(g.Entities, t.Subject), name(g.Relations, t.Relation), name(g.Entities, t.Object)},
		" ")
}

// missing writes what an answer has in the open places of a pattern.
func (a *Answers) missing(pattern, t Triple) string {
	var out []string
	if pattern.Subject == open {
		out = append(out, a.Graph.Entities.Name(t.Subject))
	}
	if pattern.Relation == open {
		out = append(out, a.Graph.Relations.Name(t.Relation))
	}
	if pattern.Object == open {
		out = append(out, a.Graph.Entities.Name(t.Object))
	}
	return strings.Join(out, " ")
}
