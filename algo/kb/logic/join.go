package logic

import (
	"context"
	"iter"
	"math"
	"slices"
)

// join looks for facts that meet the conditions of a clause.
type join struct {
	*binder
	c     *Closure
	ctx   context.Context
	body  []Literal
	order []int                  // into body
	last  int32                  // facts after it are left out
	emit  func(round int32) bool // called with the variables bound; false stops
	steps int
}

// match meets the conditions from the depth on; false stops all.
func (j *join) match(depth int, round int32) bool {
	if depth == len(j.order) {
		return j.emit(round)
	}
	l := j.body[j.order[depth]]
	p := j.rule.Atoms[l.Atom]
	for _, i := range j.candidates(p, l.Negated) {
		if i > j.last {
			break
		}
		if j.steps++; j.steps%4096 == 0 && j.ctx.Err() != nil {
			return false
		}
		f := j.c.Facts[i]
		undo, ok := j.bind(p, f.Pair)
		more := !ok || j.match(depth+1, max(round, f.Round))
		j.release(p, undo)
		if !more {
			return false
		}
	}
	return true
}

// candidates are the facts that may meet a condition, in order.
func (j *join) candidates(p Pattern, negated bool) []int32 {
	s, sKnown := j.lookup(p.Subject)
	o, oKnown := j.lookup(p.Object)
	switch {
	case sKnown && oKnown:
		if i, ok := j.c.index[Fact{p.Relation, Pair{s, o}, negated}]; ok {
			return []int32{i}
		}
		return nil
	case sKnown:
		return j.c.byRelation[ends{p.Relation, negated, 1, s}]
	case oKnown:
		return j.c.byRelation[ends{p.Relation, negated, 2, o}]
	}
	return j.c.byRelation[ends{p.Relation, negated, 0, 0}]
}

// Active yields the instances of a rule over the domain that have a condition which holds in the
// closure, each once, one pair for each atom; the slice is used again. false comes back for a rule
// that has no conditions, or atoms with variables that its conditions lack: all its instances count.
// The caller asks the context why the sequence ended.
func (c *Closure) Active(ctx context.Context, d *Domain, b *Bound) (iter.Seq[[]int32], bool) {
	clauses, err := b.Clauses()
	if err != nil || !slices.ContainsFunc(clauses, func(k Clause) bool { return len(k.Body) > 0 }) {
		return nil, false
	}
	for _, k := range clauses {
		if !b.covers(k.Body) {
			return nil, false
		}
	}
	return func(yield func([]int32) bool) {
		seen := map[string]bool{}
		var key []byte
		pairs := make([]int32, len(b.Atoms))
		for _, k := range clauses {
			j := &join{binder: newBinder(b), c: c, ctx: ctx, body: k.Body, last: math.MaxInt32}
			j.order = joinOrder(len(k.Body), func(i int) (Slot, Slot) {
				a := b.Atoms[k.Body[i].Atom]
				return a.Subject, a.Object
			}, -1)
			j.emit = func(int32) bool {
				key = key[:0]
				for i, a := range b.Atoms {
					p, ok := d.Find(j.pair(a))
					if !ok {
						return true
					}
					pairs[i] = p
					key = append(key, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
				}
				if len(clauses) > 1 {
					if seen[string(key)] {
						return true
					}
					seen[string(key)] = true
				}
				return yield(pairs)
			}
			if !j.match(0, 0) {
				return
			}
		}
	}, true
}

// covers reports whether the literals have all variables of the rule.
func (b *Bound) covers(body []Literal) bool {
	for _, a := range b.Atoms {
		for _, s := range a.slots() {
			if s.Var && !slices.ContainsFunc(body, func(l Literal) bool { return slices.Contains(b.Atoms[l.Atom].slots(), s) }) {
				return false
			}
		}
	}
	return true
}
