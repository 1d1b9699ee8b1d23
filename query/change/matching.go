package change

import (
	"context"
	"errors"
	"maps"
	"slices"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/optimise"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Matching finds the rows of a target that a statement changes: those for which a condition holds, or with
// other tables those that it ties to a row of them.
type Matching struct {
	R      *exec.Execution
	target plan.Node
	node   plan.Node   // over whose columns assignments and RETURNING are bound
	Own    []expr.Expr // conditions on the target alone, which find its rows
	cond   expr.Expr   // nil for all rows, and with other tables
	other  *plan.UpdateSource
	pairs  plan.Node // the plan of other
	last   *exec.WorkTable
}

// NewMatching binds an optional condition over a target and other tables.
func NewMatching(r *exec.Execution, name ast.Target, target plan.Node, tables []ast.TableRef, where ast.Expr) (*Matching, error) {
	m := &Matching{R: r, target: target, node: target}
	var err error
	if len(tables) == 0 {
		if where != nil {
			m.cond, err = r.Binder().Condition(where, target)
			m.Own = expr.Conjuncts(m.cond)
		}
		return m, err
	}
	if m.other, err = r.Binder().UpdateSource(name.Pos, name.String(), target, tables, where); err != nil {
		return nil, err
	}
	m.node, m.Own = m.other, m.other.TargetConds
	return m, nil
}

// joined reports whether other tables take part.
func (m *Matching) joined() bool { return m.other != nil }

// rows returns the rows of a batch of the target that change, ascending, with a batch of the columns of node
// and the rows of it that belong to them. Of several rows of other tables the first one counts.
func (m *Matching) rows(ctx context.Context, b *value.Batch) (hits []int, src *value.Batch, at []int, err error) {
	if !m.joined() {
		hits, err = matchingRows(m.R, m.cond, b)
		return hits, b, hits, err
	}
	found, err := m.first(ctx, b)
	if err != nil {
		return nil, nil, nil, err
	}
	hits = slices.Sorted(maps.Keys(found))
	rows := make([][]value.Value, len(hits))
	at = make([]int, len(hits))
	for i, h := range hits {
		rows[i], at[i] = found[h], i
	}
	return hits, value.FromRows(operator.TypesOf(m.node.Columns()), rows), at, nil
}

// first returns the first pair of each row of a batch that has one.
func (m *Matching) first(ctx context.Context, b *value.Batch) (map[int][]value.Value, error) {
	op, err := m.open(b)
	if err != nil {
		return nil, err
	}
	defer op.Close()
	found, number := map[int][]value.Value{}, len(m.target.Columns())
	for {
		p, err := op.Next(ctx)
		if err != nil || p == nil {
			return found, err
		}
		for i := range p.N {
			n := int(p.Cols[number].At(i).Int())
			if _, ok := found[n]; !ok {
				found[n] = p.Row(nil, i)
			}
		}
	}
}

// plan plans the pairs. What does not depend on the batch of the target stays from one to the next.
func (m *Matching) plan() {
	if m.pairs != nil {
		return
	}
	inner := *m.R
	inner.WorkTables = map[*plan.WorkTable]*exec.WorkTable{}
	maps.Copy(inner.WorkTables, m.R.WorkTables)
	m.last = &exec.WorkTable{Rows: operator.NewMaterialized(nil)}
	inner.WorkTables[m.other.TargetRows] = m.last
	inner.BuildSides = map[*plan.Join]*operator.BuildSide{}
	m.R, m.pairs = &inner, optimise.Optimise(m.other.Pairs, m.R.RulesOff())
}

// Seek returns the keys of the rows of other tables by which an index of the target finds its rows; ok is false where
// they are too many, or no index does. The join holds the rows for the batches that come.
func (m *Matching) Seek(ctx context.Context, t *plan.Table) (keys [][]value.Value, ok bool, err error) {
	if !m.joined() || m.R.RulesOff()["index_lookup"] {
		return nil, false, nil
	}
	m.plan()
	j, at := optimise.ChooseUpdateLookup(m.other, m.pairs, t)
	if j == nil || m.R.Estimate(j.Right) > float64(m.R.Snapshot.TableCount(t.Object)) {
		return nil, false, nil // reading the target is less work than reading the others
	}
	op, err := m.R.HashJoin(j)
	if err != nil {
		return nil, false, err
	}
	_, err = op.Next(ctx) // of no rows of the target
	if err = errors.Join(err, op.Close()); err != nil {
		return nil, false, err
	}
	h := m.R.BuildSides[j]
	if h == nil || h.Groups.Groups > exec.MaxLookupKeys {
		return nil, false, nil
	}
	keys, err = h.Keys(j, at, m.R.Env)
	return keys, err == nil && m.R.LookupIsCheaper(ctx, t, len(keys)), err
}

// open runs the plan of the pairs over a batch.
func (m *Matching) open(b *value.Batch) (operator.Operator, error) {
	m.plan()
	number := value.Vec{Type: value.Integer, Ints: make([]int64, b.N)}
	for i := range number.Ints {
		number.Ints[i] = int64(i)
	}
	rows := &value.Batch{N: b.N, Cols: append(slices.Clone(b.Cols), number)}
	m.last.Rows = operator.MaterializedBatch(rows, b.N)
	return m.R.Build(m.pairs)
}

// beside returns what pairs have of other tables, nil without them.
func (m *Matching) beside(src *value.Batch, at []int) [][]value.Value {
	if !m.joined() {
		return nil
	}
	rows := make([][]value.Value, len(at))
	for i, k := range at {
		rows[i] = src.Row(nil, k)[len(m.target.Columns()):]
	}
	return rows
}

// documents returns the documents that have a pair and tells RETURNING what they have of other tables.
func (m *Matching) documents(ctx context.Context, docs []*text.Document, ret *returning) ([]*text.Document, error) {
	hits, src, at, err := m.rows(ctx, m.R.DocumentBatch(docs, m.target.(*plan.Layer)))
	if err != nil {
		return nil, err
	}
	out := make([]*text.Document, len(hits))
	for k, i := range hits {
		out[k] = docs[i]
	}
	ret.expect(m.beside(src, at))
	return out, nil
}
