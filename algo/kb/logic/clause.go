package logic

import (
	"fmt"
	"slices"
)

// Literal is an atom of a bound rule or its negation.
type Literal struct {
	Atom    int32
	Negated bool
}

// Clause says that Head holds where all of Body hold.
type Clause struct {
	Body []Literal
	Head Literal
}

// Bounds of one rule: its clauses, and the literals that are written on the way to them.
const (
	maxClauses = 1024
	maxWork    = 1 << 18
)

// Clauses rewrites a rule as clauses. An implication is used from its condition to its conclusion
// only; <=>, xor and a disjunction that is concluded are used in all directions. A condition that
// is negated is met by facts that are known to be false, not by unknown ones. A clause whose
// conclusion has a variable that its condition lacks is an *Error.
func (b *Bound) Clauses() ([]Clause, error) {
	c := &clauses{b: b, known: map[side][][]Literal{}}
	if err := c.conclude(nil, int32(len(b.Tree.Nodes)-1), false); err != nil {
		return nil, err
	}
	return c.list, nil
}

type clauses struct {
	b     *Bound
	list  []Clause
	known map[side][][]Literal // what conditions found
	work  int
}

// spend counts work, which grows exponentially with nested equivalences.
func (c *clauses) spend(n int) error {
	if c.work += n; c.work > maxWork {
		return c.tooMany()
	}
	return nil
}

func (c *clauses) tooMany() error {
	return &Error{c.b.Rule.Body.At, fmt.Sprintf("the rule makes more than %d clauses", maxClauses),
		"split it into several rules"}
}

// side is an operand, possibly negated.
type side struct {
	node    int32
	negated bool
}

// junction sees a binary node or its negation as a conjunction or disjunction.
func (c *clauses) junction(n Node, negated bool) (a, b side, conjunction bool) {
	a, b = side{n.Left, negated}, side{n.Right, negated}
	switch n.Op {
	case And:
		return a, b, !negated
	case Or:
		return a, b, negated
	case Implies:
		a.negated = !negated
		return a, b, negated
	}
	return a, b, false
}

// conclude adds the clauses by which the node, or its negation, follows from the body.
func (c *clauses) conclude(body []Literal, node int32, negated bool) error {
	if err := c.spend(1 + len(body)); err != nil {
		return err
	}
	n := c.b.Tree.Nodes[node]
	switch n.Op {
	case Atom:
		return c.add(body, Literal{n.Atom, negated})
	case Not:
		return c.conclude(body, n.Left, !negated)
	case Iff, Xor:
		same := (n.Op == Iff) != negated
		for _, sign := range []bool{false, true} {
			if err := c.follow(body, side{n.Left, sign}, side{n.Right, sign == same}); err != nil {
				return err
			}
			if err := c.follow(body, side{n.Right, sign}, side{n.Left, sign == same}); err != nil {
				return err
			}
		}
		return nil
	}
	a, b, conjunction := c.junction(n, negated)
	if conjunction {
		if err := c.conclude(body, a.node, a.negated); err != nil {
			return err
		}
		return c.conclude(body, b.node, b.negated)
	}
	if err := c.follow(body, side{a.node, !a.negated}, b); err != nil || n.Op == Implies {
		return err
	}
	return c.follow(body, side{b.node, !b.negated}, a)
}

// follow adds the clauses by which the second side follows from the body and the first.
func (c *clauses) follow(body []Literal, first, second side) error {
	bodies, err := c.conditions(first)
	if err != nil {
		return err
	}
	for _, more := range bodies {
		if err := c.conclude(slices.Concat(body, more), second.node, second.negated); err != nil {
			return err
		}
	}
	return nil
}

// conditions is the disjunctive normal form of a node or its negation.
func (c *clauses) conditions(s side) ([][]Literal, error) {
	if k, ok := c.known[s]; ok {
		return k, nil
	}
	n := c.b.Tree.Nodes[s.node]
	var out [][]Literal
	var err error
	switch n.Op {
	case Atom:
		out = [][]Literal{{{n.Atom, s.negated}}}
	case Not:
		out, err = c.conditions(side{n.Left, !s.negated})
	case Iff, Xor:
		same := (n.Op == Iff) != s.negated
		if out, err = c.product(nil, side{n.Left, false}, side{n.Right, !same}); err == nil {
			out, err = c.product(out, side{n.Left, true}, side{n.Right, same})
		}
	default:
		a, b, conjunction := c.junction(n, s.negated)
		if conjunction {
			out, err = c.product(nil, a, b)
		} else {
			out, err = c.sum(a, b)
		}
	}
	if err == nil {
		c.known[s] = out
	}
	return out, err
}

func (c *clauses) sum(a, b side) ([][]Literal, error) {
	l, err := c.conditions(a)
	if err != nil {
		return nil, err
	}
	r, err := c.conditions(b)
	if err == nil {
		err = c.spend(len(l) + len(r))
	}
	return slices.Concat(l, r), err
}

// product appends what meets both sides.
func (c *clauses) product(out [][]Literal, a, b side) ([][]Literal, error) {
	l, err := c.conditions(a)
	if err != nil {
		return nil, err
	}
	r, err := c.conditions(b)
	if err != nil {
		return nil, err
	}
	for _, x := range l {
		for _, y := range r {
			if err := c.spend(len(x) + len(y)); err != nil {
				return nil, err
			}
			out = append(out, slices.Concat(x, y))
		}
	}
	return out, nil
}

// add keeps a clause that says something new.
func (c *clauses) add(body []Literal, head Literal) error {
	k := Clause{Head: head}
	for _, l := range body {
		if !slices.Contains(k.Body, l) {
			k.Body = append(k.Body, l)
		}
		if slices.Contains(body, Literal{l.Atom, !l.Negated}) {
			return nil // never met
		}
	}
	if slices.Contains(k.Body, head) {
		return nil
	}
	if slices.ContainsFunc(c.list, func(o Clause) bool { return o.Head == head && slices.Equal(o.Body, k.Body) }) {
		return nil
	}
	at := c.b.Tree.Atoms[head.Atom]
	if len(c.list) >= maxClauses {
		return c.tooMany()
	}
	for _, s := range c.b.Atoms[head.Atom].slots() {
		if s.Var && !slices.ContainsFunc(k.Body,
			func(l Literal) bool { return slices.Contains(c.b.Atoms[l.Atom].slots(), s) }) {
			return &Error{at.At, fmt.Sprintf("%s is concluded and its condition lacks variable %s", at, c.b.Rule.Vars[s.ID/2]),
				"every variable of a conclusion stands in the condition"}
		}
	}
	c.list = append(c.list, k)
	return nil
}

// slots are the places that something stands in.
func (p Pattern) slots() []Slot { return []Slot{p.Subject, p.Object} }
