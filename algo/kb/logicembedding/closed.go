package logicembedding

import (
	"context"
	"fmt"
	"sync"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
)

// maxDerived bounds what the rules may derive.
const maxDerived = 20_000_000

// closed is the truth of facts in a closed world: what is not true is false.
type closed struct {
	truth   map[cell]bool
	domain  logic.Domain // pairs of the facts, and of what is derived
	derived []logic.Fact
}

// given are the facts as forward chaining takes them, those without weight too.
func (k *knowledge) given() []logic.Fact {
	out := make([]logic.Fact, len(k.facts))
	for i, f := range k.facts {
		out[i] = logic.Fact{Relation: f.relation, Pair: k.domain.Pair(f.pair), False: f.false}
	}
	return out
}

// chain derives what follows from the facts by the rules, at most limit facts with those given.
func (k *knowledge) chain(ctx context.Context, limit int) (*logic.Closure, error) {
	bound := make([]*logic.Bound, 0, len(k.rules))
	for _, r := range k.rules {
		bound = append(bound, r.bound)
	}
	return logic.Chain(ctx, k.given(), bound, limit)
}

// newClosed takes the facts, and what is derived from them, if that is not nil. A fact that is
// derived and denied is true.
func newClosed(k *knowledge, derived []logic.Fact) *closed {
	c := &closed{truth: map[cell]bool{}, derived: derived}
	for i := range k.domain.Len() {
		c.domain.Add(k.domain.Pair(int32(i)))
	}
	for _, f := range k.facts {
		if !f.false {
			c.truth[cell{f.relation, f.pair}] = true
		}
	}
	for _, f := range derived {
		p := c.domain.Add(f.Pair)
		if !f.False {
			c.truth[cell{f.Relation, p}] = true
		}
	}
	return c
}

// close finds the truth of facts for the variants that do not embed.
func (m *model) close(ctx context.Context) error {
	if m.opt.variant == exact {
		m.hold = newClosed(m.know, nil)
		return ctx.Err()
	}
	all, err := m.derived.of(ctx, m.know, maxDerived)
	if err != nil {
		return err
	}
	var derived []logic.Fact
	for _, f := range all.Facts {
		if f.Rule >= 0 {
			derived = append(derived, f.Fact)
		}
	}
	m.hold = newClosed(m.know, derived)
	return nil
}

// derivation is what the rules derive, computed by the first who asks.
type derivation struct {
	mu  sync.Mutex
	got *logic.Closure
}

func (d *derivation) of(ctx context.Context, k *knowledge, limit int) (*logic.Closure, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.got == nil {
		c, err := k.chain(ctx, limit)
		if err != nil {
			return nil, err
		}
		d.got = c
	}
	return d.got, nil
}

// notices tells of rules that contradict each other or derive nothing, unless they derive so much
// that finding out would take longer than training.
func (m *model) notices(ctx context.Context, t *kind.Training) {
	if len(m.know.rules) == 0 {
		return
	}
	limit := maxDerived
	if m.opt.variant == embedded {
		limit = 4*len(m.know.facts) + 1000
	}
	c, err := m.derived.of(ctx, m.know, limit)
	if err != nil {
		return // whoever needs what is derived says so
	}
	if n := len(c.Conflicts); n > 0 {
		pair := c.Conflicts[0]
		t.Notice(fmt.Sprintf("the facts and rules contradict each other; facts concerned: %d, first %s: %s, and %s",
			n, m.know.named(c.Facts[pair[0]].Fact), m.know.source(c.Facts[pair[0]]), m.know.source(c.Facts[pair[1]])))
	}
	for i, err := range c.Unused {
		if err != nil && m.opt.variant == forwardChain {
			t.Notice(fmt.Sprintf("rule %s derives nothing: %v", m.know.rules[i].text, err))
		}
	}
}

// named is a fact as an atom.
func (k *knowledge) named(f logic.Fact) string {
	a := &logic.Formula{Op: logic.Atom, Name: k.relations.Name(f.Relation),
		Terms: []logic.Term{{Name: k.entities.Name(f.Subject)}}}
	if f.Object != logic.None {
		a.Terms = append(a.Terms, logic.Term{Name: k.entities.Name(f.Object)})
	}
	return a.String()
}

// source says where a derived fact or its negation comes from.
func (k *knowledge) source(d logic.Derived) string {
	s := "it holds by "
	if d.False {
		s = "it does not by "
	}
	if d.Rule < 0 {
		return s + "the facts"
	}
	return s + "rule " + k.rules[d.Rule].text
}
