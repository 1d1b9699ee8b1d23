package logicembedding

import (
	"context"
	"errors"
	"fmt"
	"math"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// fact is one cell of the table of relations and pairs.
type fact struct {
	relation, pair int32
	weight         float64
	false          bool
}

// cell names a fact.
type cell struct{ relation, pair int32 }

// rule is a rule of the data.
type rule struct {
	text   string // canonical
	weight float64
	bound  *logic.Bound
}

// knowledge is what a model was told.
type knowledge struct {
	relations, entities logic.Names
	arities             []logic.Arity // of relations, by what facts have
	domain              logic.Domain
	facts               []fact
	rules               []rule
	stated              map[cell]int32 // index of the fact
	ruled               map[string]int // index of the rule
}

func newKnowledge() *knowledge {
	return &knowledge{stated: map[cell]int32{}, ruled: map[string]int{}}
}

// clone copies what a further training adds to.
func (k *knowledge) clone() *knowledge {
	c := newKnowledge()
	for _, n := range k.relations.List() {
		c.relation(n)
	}
	copy(c.arities, k.arities)
	for _, n := range k.entities.List() {
		c.entities.Add(n)
	}
	for i := range k.domain.Len() {
		c.domain.Add(k.domain.Pair(int32(i)))
	}
	for _, f := range k.facts {
		c.state(f)
	}
	for _, r := range k.rules {
		c.ruled[r.text] = len(c.rules)
		c.rules = append(c.rules, rule{text: r.text, weight: r.weight})
	}
	return c
}

func (k *knowledge) signature() *logic.Signature {
	return &logic.Signature{Relations: &k.relations, Entities: &k.entities, Arities: k.arities}
}

// relation numbers a relation.
func (k *knowledge) relation(name string) int32 {
	r := k.relations.Add(name)
	if int(r) == len(k.arities) {
		k.arities = append(k.arities, 0)
	}
	return r
}

// state keeps a fact; a later one about the same cell takes its place.
func (k *knowledge) state(f fact) (index int32, news bool) {
	k.arities[f.relation] |= logic.ArityOf(k.domain.Pair(f.pair).Object)
	if i, ok := k.stated[cell{f.relation, f.pair}]; ok {
		news = k.facts[i] != f
		k.facts[i] = f
		return i, news
	}
	i := int32(len(k.facts))
	k.stated[cell{f.relation, f.pair}] = i
	k.facts = append(k.facts, f)
	return i, true
}

// holds reports whether the cell has a fact that is true.
func (k *knowledge) holds(c cell) bool {
	i, ok := k.stated[c]
	return ok && !k.facts[i].false
}

// added are the facts and rules that an input adds, by index.
type added struct {
	facts []int32
	rules []int
}

// read adds the tables of an input. Every fault in them is found before training starts.
func (k *knowledge) read(ctx context.Context, in kind.Input) (*added, error) {
	a := &added{}
	if err := k.readRelations(ctx, in); err != nil {
		return nil, err
	}
	triples, ok := in.Table(triplesTable.Name)
	if !ok {
		return nil, fmt.Errorf("%w: the input has no triples", kind.ErrNoData)
	}
	n := 0
	for row, err := range triples.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := k.readFact(row, a); err != nil {
			return nil, fmt.Errorf("triples, row %d: %w", n, err)
		}
	}
	if len(k.facts) == 0 {
		return nil, fmt.Errorf("%w: the triples are empty", kind.ErrNoData)
	}
	return a, k.readRules(ctx, in, a)
}

func (k *knowledge) readRelations(ctx context.Context, in kind.Input) error {
	t, ok := in.Table(relationsTable.Name)
	if !ok {
		return nil
	}
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return err
		}
		if !row[0].IsNull() && row[0].S != "" {
			k.relation(row[0].S)
		}
	}
	return nil
}

func (k *knowledge) readFact(row []value.Value, a *added) error {
	weight, err := weightOf(row[3])
	if err != nil {
		return err
	}
	if row[0].S == "" || row[1].S == "" {
		return errors.New("a fact needs a subject and a relation")
	}
	f := fact{relation: k.relation(row[1].S), weight: weight, false: !row[4].IsNull() && !row[4].Bool()}
	p := logic.Pair{Subject: k.entities.Add(row[0].S), Object: logic.None}
	if row[2].S != "" {
		p.Object = k.entities.Add(row[2].S)
	}
	f.pair = k.domain.Add(p)
	if i, news := k.state(f); news && weight > 0 {
		a.facts = append(a.facts, i)
	}
	return nil
}

// weightOf is a weight, 1 if NULL.
func weightOf(v value.Value) (float64, error) {
	if v.IsNull() {
		return 1, nil
	}
	w := v.Float()
	if !(w >= 0) || math.IsInf(w, 0) {
		return 0, fmt.Errorf("weight %v: a weight is a number from 0 on", w)
	}
	return w, nil
}

func (k *knowledge) readRules(ctx context.Context, in kind.Input, a *added) error {
	t, ok := in.Table(rulesTable.Name)
	if !ok {
		return k.bind()
	}
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return err
		}
		n++
		weight, err := weightOf(row[1])
		if err != nil {
			return fmt.Errorf("rules, row %d: %w", n, err)
		}
		r, err := logic.Parse(row[0].S)
		if err != nil {
			return fmt.Errorf("rules, row %d, %s: %w", n, row[0].S, err)
		}
		canonical := r.String()
		i, known := k.ruled[canonical]
		if !known {
			i = len(k.rules)
			k.ruled[canonical] = i
			k.rules = append(k.rules, rule{text: canonical, weight: weight})
		}
		if !known || k.rules[i].weight != weight {
			k.rules[i].weight = weight
			a.rules = append(a.rules, i)
		}
	}
	return k.bind()
}

// bind resolves the names of the rules, when all facts are read.
func (k *knowledge) bind() error {
	s := k.signature()
	for i := range k.rules {
		r, err := logic.Parse(k.rules[i].text)
		if err != nil {
			return fmt.Errorf("rule %s: %w", k.rules[i].text, err)
		}
		if k.rules[i].bound, err = s.Bind(r); err != nil {
			return fmt.Errorf("rule %s names what neither facts nor the table of relations do: %w", k.rules[i].text, err)
		}
	}
	return nil
}
