package logicembedding

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"iter"
	"math"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// Open opens a relation.
func (m *model) Open(ctx context.Context, relation string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch relation {
	case truthRelation.Name:
		return m.openTruth(ctx, args[0].S)
	case explainRelation.Name:
		return m.openExplain(ctx, args[0].S)
	case predictRelation.Name:
		return m.openPredict(ctx, args)
	case violationsRelation.Name:
		return m.openViolations(ctx)
	case pairsRelation.Name:
		return kind.RowsOf(pairsRelation, m.pairRows()), nil
	case derivedRelation.Name:
		return m.openDerived(ctx)
	}
	return nil, kind.ErrNoRelation
}

func (m *model) openTruth(ctx context.Context, text string) (kind.Rows, error) {
	b, err := m.formula(text)
	if err != nil {
		return nil, err
	}
	s, err := m.summarise(ctx, b, math.MaxInt)
	if err != nil {
		return nil, err
	}
	row := []value.Value{value.Str(b.Rule.String()), {}, {}}
	if t, ok := m.of(s); ok {
		row[1], row[2] = value.Real(t), value.Bool(t >= m.opt.threshold)
	}
	return kind.RowsOf(truthRelation, one(row)), nil
}

func one(row []value.Value) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) { yield(row) }
}

// openExplain walks over the nodes with the values of the least true instance.
func (m *model) openExplain(ctx context.Context, text string) (kind.Rows, error) {
	b, err := m.formula(text)
	if err != nil {
		return nil, err
	}
	s, err := m.summarise(ctx, b, math.MaxInt)
	if err != nil {
		return nil, err
	}
	e, slopes := m.evaluator(b), make([]float64, len(b.Tree.Nodes))
	if s.count > 0 {
		e.value(s.worst)
		slopes = b.Tree.Slopes(e.nodes)
	}
	depth := b.Tree.Depths()
	return kind.RowsOf(explainRelation, func(yield func([]value.Value) bool) {
		for i, n := range b.Tree.Nodes {
			row := []value.Value{value.Str(m.instanceText(b, n.Formula, s.worst)), value.Str(n.Op.String()),
				value.Int(int64(depth[i])), {}, {}, {}, {}}
			if v := e.nodes[i]; s.count > 0 {
				row[3], row[4], row[5], row[6] = value.Real(m.truth(v)), value.Real(v[0]), value.Real(v[1]), value.Real(slopes[i])
			}
			if !yield(row) {
				return
			}
		}
	}), nil
}

// instanceText is a formula with the entities of an instance for its variables.
func (m *model) instanceText(b *logic.Bound, f *logic.Formula, pairs []int32) string {
	if pairs == nil {
		return f.String()
	}
	return f.Replace(func(a *logic.Formula) *logic.Formula {
		p := m.domain().Pair(pairs[b.Tree.AtomOf(a)])
		c := &logic.Formula{Op: logic.Atom, Name: a.Name, Terms: []logic.Term{{Name: m.know.entities.Name(p.Subject)}}}
		if p.Object != logic.None {
			c.Terms = append(c.Terms, logic.Term{Name: m.know.entities.Name(p.Object)})
		}
		return c
	}).String()
}

// ranked is a fact with its truth.
type ranked struct {
	cell
	truth float64
}

// ranking is a heap, the truest fact on top; equal ones by relation and pair.
type ranking []ranked

func (r ranking) Len() int           { return len(r) }
func (r ranking) Less(i, j int) bool { return order(r[i], r[j]) < 0 }
func (r ranking) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranking) Push(any)          {}
func (r *ranking) Pop() any {
	last := len(*r) - 1
	x := (*r)[last]
	*r = (*r)[:last]
	return x
}

func order(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.truth, a.truth), cmp.Compare(a.relation, b.relation), cmp.Compare(a.pair, b.pair))
}

// maxRanked bounds the facts that one use of predict ranks, 16 bytes each.
const maxRanked = 1 << 24

// openPredict scores all facts that are asked for, and sorts no more of them than are read.
func (m *model) openPredict(ctx context.Context, args []value.Value) (kind.Rows, error) {
	relation, err := numberOf(&m.know.relations, args[0], "relation")
	if err != nil {
		return nil, err
	}
	subject, err := numberOf(&m.know.entities, args[1], "entity")
	if err != nil {
		return nil, err
	}
	object, err := numberOf(&m.know.entities, args[2], "entity")
	if err != nil {
		return nil, err
	}
	var list ranking
	d := m.domain()
	for r := range int32(m.know.relations.Len()) {
		if relation != nil && *relation != r {
			continue
		}
		for p := range int32(d.Len()) {
			if p%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			pair := d.Pair(p)
			if subject != nil && *subject != pair.Subject || object != nil && *object != pair.Object || !m.speaksOf(r, pair) {
				continue
			}
			if len(list) == maxRanked {
				return nil, fmt.Errorf("predict would rank more than %d facts; name a relation, a subject or an object", maxRanked)
			}
			list = append(list, ranked{cell{r, p}, m.truth(m.atom(r, p))})
		}
	}
	heap.Init(&list)
	return kind.RowsOf(predictRelation, func(yield func([]value.Value) bool) {
		for rest := list; len(rest) > 0; {
			if !yield(m.predicted(heap.Pop(&rest).(ranked))) {
				return
			}
		}
	}), nil
}

// speaksOf reports whether a relation has facts about pairs, or entities alone, like this one; one
// that has no facts at all may have both.
func (m *model) speaksOf(relation int32, p logic.Pair) bool {
	a := m.know.arities[relation]
	return a == 0 || a&logic.ArityOf(p.Object) != 0
}

func (m *model) predicted(x ranked) []value.Value {
	p := m.domain().Pair(x.pair)
	stated := value.Value{}
	if i, ok := m.know.stated[x.cell]; ok {
		stated = value.Bool(!m.know.facts[i].false)
	}
	return []value.Value{value.Str(m.know.entities.Name(p.Subject)), value.Str(m.know.relations.Name(x.relation)),
		m.know.object(p.Object), value.Real(x.truth), stated}
}

// numberOf finds a name that was given as argument, nil for NULL.
func numberOf(n *logic.Names, arg value.Value, what string) (*int32, error) {
	if arg.IsNull() {
		return nil, nil
	}
	id, ok := n.Find(arg.S)
	if !ok {
		return nil, &kind.Unknown{What: what, Name: arg.S, Known: n.List()}
	}
	return &id, nil
}

func (m *model) openViolations(ctx context.Context) (kind.Rows, error) {
	list := make([]*summary, len(m.know.rules))
	for i, r := range m.know.rules {
		var err error
		if list[i], err = m.summarise(ctx, r.bound, maxInstances); err != nil {
			return nil, err
		}
	}
	return kind.RowsOf(violationsRelation, func(yield func([]value.Value) bool) {
		for i, r := range m.know.rules {
			row := []value.Value{value.Str(r.text), value.Real(r.weight), value.Int(int64(list[i].count)), {}, {}, {}}
			if s := list[i]; s.count > 0 {
				row[3], row[4], row[5] = value.Real(s.mean()), value.Real(s.least), value.Real(float64(s.below)/float64(s.count))
			}
			if !yield(row) {
				return
			}
		}
	}), nil
}

func (m *model) pairRows() iter.Seq[[]value.Value] {
	k := m.know
	counts := make([][2]int64, k.domain.Len())
	for _, f := range k.facts {
		if f.false {
			counts[f.pair][1]++
		} else {
			counts[f.pair][0]++
		}
	}
	return func(yield func([]value.Value) bool) {
		for i, n := range counts {
			p := k.domain.Pair(int32(i))
			if !yield([]value.Value{value.Str(k.entities.Name(p.Subject)), k.object(p.Object), value.Int(n[0]),
				value.Int(n[1])}) {
				return
			}
		}
	}
}

func (m *model) openDerived(ctx context.Context) (kind.Rows, error) {
	k := m.know
	c, err := m.derived.of(ctx, k, maxDerived)
	if err != nil {
		return nil, err
	}
	return kind.RowsOf(derivedRelation, func(yield func([]value.Value) bool) {
		for _, d := range c.Facts {
			if d.Rule < 0 {
				continue
			}
			opposite := d.Fact
			opposite.False = !d.False
			_, conflict := c.Find(opposite)
			if !yield([]value.Value{value.Str(k.entities.Name(d.Subject)), value.Str(k.relations.Name(d.Relation)),
				k.object(d.Object),
				value.Bool(!d.False), value.Str(k.rules[d.Rule].text), value.Int(int64(d.Round)), value.Bool(conflict)}) {
				return
			}
		}
	}), nil
}
