package triples

import (
	"fmt"
	"math"
)

// check is the rule by which complete, score and EVALUATE heed types: what a relation does not allow stands
// behind all that it allows. Where the given entity of a query is not allowed itself, nothing is.
// Without sets it allows everything.
type check struct{ sets *Sets }

// side reports whether a relation allows an entity at a side.
func (c check) side(side Side, relation, entity int32) bool {
	return c.sets == nil || c.sets.Allows(side, relation, entity)
}

// triple reports whether the relation allows both entities.
func (c check) triple(t Triple) bool { return c.sets == nil || c.sets.AllowsTriple(t) }

// score is that of a triple, the lowest where it is not allowed.
func (c check) score(s Scorer, t Triple) float64 {
	if !c.triple(t) {
		return math.Inf(-1)
	}
	return s.Score(t)
}

// mask makes the scores of what is not allowed the lowest, in a row of all entities at the open side.
func (c check) mask(open Side, relation, given int32, scores []float64) {
	if c.sets == nil {
		return
	}
	none := !c.side(open.Other(), relation, given)
	for e := range scores {
		if none || !c.sets.Allows(open, relation, int32(e)) {
			scores[e] = math.Inf(-1)
		}
	}
}

// pattern reports whether a relation allows what a pattern gives.
func (c check) pattern(t Triple) bool {
	return (t.Subject == open || c.side(Subject, t.Relation, t.Subject)) &&
		(t.Object == open || c.side(Object, t.Relation, t.Object))
}

// checks returns the rule by the option type_check, where auto stands for byDefault.
func (a *Answers) checks(byDefault bool) (check, error) {
	switch {
	case a.opt.typeCheck == "false":
		return check{}, nil
	case a.Sets == nil && a.opt.typeCheck == "true":
		return check{}, errNoTypes
	case byDefault || a.opt.typeCheck == "true":
		return check{a.Sets}, nil
	}
	return check{}, nil
}

// refusal says which given entity of a pattern is not allowed, so that the pattern has no answers; "" if it may
// have some.
func (a *Answers) refusal(c check, t Triple) string {
	if t.Relation == open {
		for t.Relation = range int32(a.Graph.Relations.Len()) {
			if c.pattern(t) {
				return ""
			}
		}
		return "no relation allows " + a.roles(t, func(Side) bool { return true }) + ", by the types of the model"
	}
	if c.pattern(t) {
		return ""
	}
	not := func(s Side) bool { return !c.side(s, t.Relation, t.At(s)) }
	name := a.Graph.Relations.Name(t.Relation)
	return fmt.Sprintf("the relation %s does not allow %s, by the types of the model", name, a.roles(t, not))
}

// roles names the given entities of a pattern with their sides, those that are meant.
func (a *Answers) roles(t Triple, meant func(Side) bool) string {
	out := ""
	for _, s := range []Side{Subject, Object} {
		if t.At(s) == open || !meant(s) {
			continue
		}
		if out != "" {
			out += " and "
		}
		out += fmt.Sprintf("%s as %s", a.Graph.Entities.Name(t.At(s)), s)
	}
	return out
}
