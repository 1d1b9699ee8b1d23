package logic

import (
	"context"
	"fmt"
)

// Fact is a ground atom that holds, or that does not.
type Fact struct {
	Relation int32
	Pair
	False bool
}

// Derived is a fact of a closure.
type Derived struct {
	Fact
	Rule  int32 // index of the rule that derived it first, -1 for a given fact
	Round int32 // length of the shortest derivation that was found; 0 for a given fact
}

// Closure is what facts and rules derive.
type Closure struct {
	Facts       []Derived  // the given ones first, then in order of derivation
	Conflicts   [][2]int32 // pairs of facts of which one holds and the other says that it does not
	Unused      []error    // by rule: why it derives nothing, nil for the others; errors are *Error
	index       map[Fact]int32
	byRelation  map[ends][]int32
	clauses     []plan
	byCondition map[ends][]use // clauses that a fact may meet, by relation and sign
}

// ends is what facts are found by: relation and sign, with the subject, the object or neither.
type ends struct {
	relation int32
	negated  bool
	place    int8 // 0: all of the relation, 1: by subject, 2: by object
	entity   int32
}

// plan is a clause with the rule that it came from.
type plan struct {
	Clause
	b    *Bound
	rule int32
}

// use is a place of a fact in a clause, with the order in which the other conditions are met.
type use struct {
	clause int
	body   int
	order  []int // into Body
}

// Chain derives what follows from facts by rules, until nothing new follows or limit facts are
// there, which is an error. Each combination of facts is looked at once, when the last of them is
// taken up (semi-naive evaluation). The order of the result depends on the input alone.
func Chain(ctx context.Context, given []Fact, rules []*Bound, limit int) (*Closure, error) {
	c := &Closure{Unused: make([]error, len(rules)), index: map[Fact]int32{}, byRelation: map[ends][]int32{},
		byCondition: map[ends][]use{}}
	for i, b := range rules {
		list, err := b.Clauses()
		if err != nil {
			c.Unused[i] = err
			continue
		}
		for _, k := range list {
			c.plan(plan{k, b, int32(i)})
		}
	}
	for _, f := range given {
		c.add(Derived{f, -1, 0})
	}
	c.unconditional()
	for i := 0; i < len(c.Facts); i++ {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if len(c.Facts) > limit {
			return nil, fmt.Errorf("the rules derive more than %d facts", limit)
		}
		c.take(ctx, int32(i))
	}
	return c, ctx.Err()
}

// Find returns the index of a fact in Facts.
func (c *Closure) Find(f Fact) (int32, bool) {
	i, ok := c.index[f]
	return i, ok
}

func (c *Closure) plan(p plan) {
	at := len(c.clauses)
	c.clauses = append(c.clauses, p)
	for i, l := range p.Body {
		order := joinOrder(len(p.Body), func(k int) (Slot, Slot) {
			a := p.b.Atoms[p.Body[k].Atom]
			return a.Subject, a.Object
		}, i)
		key := ends{p.b.Atoms[l.Atom].Relation, l.Negated, 0, 0}
		c.byCondition[key] = append(c.byCondition[key], use{at, i, order})
	}
}

// unconditional adds the heads of clauses without a body, whose slots are constants.
func (c *Closure) unconditional() {
	for _, p := range c.clauses {
		if len(p.Body) == 0 {
			h := p.b.Atoms[p.Head.Atom]
			c.add(Derived{Fact{h.Relation, Pair{h.Subject.ID, h.Object.ID}, p.Head.Negated}, p.rule, 1})
		}
	}
}

// add keeps a fact that is new, and notes where its opposite is known.
func (c *Closure) add(d Derived) {
	if _, ok := c.index[d.Fact]; ok {
		return
	}
	i := int32(len(c.Facts))
	c.Facts = append(c.Facts, d)
	c.index[d.Fact] = i
	for place, entity := range [3]int32{0, d.Subject, d.Object} {
		key := ends{d.Relation, d.False, int8(place), entity}
		c.byRelation[key] = append(c.byRelation[key], i)
	}
	opposite := d.Fact
	opposite.False = !d.False
	if j, ok := c.index[opposite]; ok {
		c.Conflicts = append(c.Conflicts, [2]int32{j, i})
	}
}

// take meets the conditions that the fact fits, with earlier facts for the other conditions.
func (c *Closure) take(ctx context.Context, i int32) {
	f := c.Facts[i]
	for _, u := range c.byCondition[ends{f.Relation, f.False, 0, 0}] {
		p := &c.clauses[u.clause]
		j := &join{c: c, ctx: ctx, body: p.Body, order: u.order, last: i, binder: newBinder(p.b)}
		j.emit = func(round int32) bool {
			c.add(Derived{Fact{p.b.Atoms[p.Head.Atom].Relation, j.pair(p.b.Atoms[p.Head.Atom]), p.Head.Negated},
				p.rule, round + 1})
			return true
		}
		if _, ok := j.bind(p.b.Atoms[p.Body[u.body].Atom], f.Pair); ok {
			j.match(0, f.Round)
		}
	}
}
