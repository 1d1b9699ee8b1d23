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

// TargetScan finds the rows that UPDATE or DELETE changes: those of the target that satisfy WHERE, or, with tables in
// FROM or USING, those that join with a row of these tables.
type TargetScan struct {
	R           *exec.Execution
	target      plan.Node
	node        plan.Node   // its columns are those that assignments and RETURNING may name
	TargetConds []expr.Expr // the conjuncts of WHERE that read the target alone
	cond        expr.Expr   // WHERE; nil for all rows, and with tables in FROM
	from        *plan.UpdateSource
	join        plan.Node // the plan of from.Pairs
	targetRows  *exec.WorkTable
}

// NewTargetScan binds WHERE, which may be nil, over the target and the tables in FROM.
func NewTargetScan(r *exec.Execution, name ast.Target, target plan.Node, tables []ast.TableRef,
	where ast.Expr) (*TargetScan, error) {
	m := &TargetScan{R: r, target: target, node: target}
	var err error
	if len(tables) == 0 {
		if where != nil {
			m.cond, err = r.Binder().Condition(where, target)
			m.TargetConds = expr.Conjuncts(m.cond)
		}
		return m, err
	}
	if m.from, err = r.Binder().UpdateSource(name.Pos, name.String(), target, tables, where); err != nil {
		return nil, err
	}
	m.node, m.TargetConds = m.from, m.from.TargetConds
	return m, nil
}

// hasFrom reports whether the statement has tables in FROM or USING.
func (m *TargetScan) hasFrom() bool { return m.from != nil }

// matches returns the rows of a batch of the target that change, ascending. src is a batch with the columns of node,
// and at[i] is the row of src that belongs to hits[i]. Where a row joins with several rows of FROM, the first one
// counts.
func (m *TargetScan) matches(ctx context.Context, b *value.Batch) (hits []int, src *value.Batch, at []int, err error) {
	if !m.hasFrom() {
		hits, err = filterRows(m.R, m.cond, b)
		return hits, b, hits, err
	}
	found, err := m.firstMatches(ctx, b)
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

// firstMatches joins a batch of the target with FROM, and returns the first joined row of each row that has one.
func (m *TargetScan) firstMatches(ctx context.Context, b *value.Batch) (map[int][]value.Value, error) {
	op, err := m.openJoin(b)
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

// planJoin plans the join with FROM. What does not depend on the batch of the target, such as the hash table of FROM,
// is kept from one batch to the next.
func (m *TargetScan) planJoin() {
	if m.join != nil {
		return
	}
	inner := *m.R
	inner.WorkTables = map[*plan.WorkTable]*exec.WorkTable{}
	maps.Copy(inner.WorkTables, m.R.WorkTables)
	m.targetRows = &exec.WorkTable{Rows: operator.NewMaterialized(nil)}
	inner.WorkTables[m.from.TargetRows] = m.targetRows
	inner.BuildSides = map[*plan.Join]*operator.BuildSide{}
	m.R, m.join = &inner, optimise.Optimise(m.from.Pairs, m.R.RulesOff())
}

// LookupKeys reads the tables in FROM and returns the keys by which an index of the target finds the rows that join
// with them. ok is false if there is no such index, or if reading the whole target is cheaper. The rows of FROM stay in
// the hash table of the join for the batches of the target that follow.
func (m *TargetScan) LookupKeys(ctx context.Context, t *plan.Table) (keys [][]value.Value, ok bool, err error) {
	if !m.hasFrom() || m.R.RulesOff()["index_lookup"] {
		return nil, false, nil
	}
	m.planJoin()
	j, at := optimise.ChooseUpdateLookup(m.from, m.join, t)
	if j == nil || m.R.Estimate(j.Right) > float64(m.R.Snapshot.TableCount(t.Object)) {
		return nil, false, nil // reading the target is less work than reading FROM
	}
	op, err := m.R.HashJoin(j)
	if err != nil {
		return nil, false, err
	}
	_, err = op.Next(ctx) // with no rows of the target: builds the hash table of FROM
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

// openJoin runs the join of a batch of the target with FROM.
func (m *TargetScan) openJoin(b *value.Batch) (operator.Operator, error) {
	m.planJoin()
	number := value.Vec{Type: value.Integer, Ints: make([]int64, b.N)}
	for i := range number.Ints {
		number.Ints[i] = int64(i)
	}
	rows := &value.Batch{N: b.N, Cols: append(slices.Clone(b.Cols), number)}
	m.targetRows.Rows = operator.MaterializedBatch(rows, b.N)
	return m.R.Build(m.join)
}

// fromValues returns the columns of FROM of some joined rows, nil without FROM.
func (m *TargetScan) fromValues(src *value.Batch, at []int) [][]value.Value {
	if !m.hasFrom() {
		return nil
	}
	rows := make([][]value.Value, len(at))
	for i, k := range at {
		rows[i] = src.Row(nil, k)[len(m.target.Columns()):]
	}
	return rows
}

// documents returns the documents that match, and hands RETURNING their columns of FROM.
func (m *TargetScan) documents(ctx context.Context, docs []*text.Document, ret *returning) ([]*text.Document, error) {
	hits, src, at, err := m.matches(ctx, m.R.DocumentBatch(docs, m.target.(*plan.Layer)))
	if err != nil {
		return nil, err
	}
	out := make([]*text.Document, len(hits))
	for k, i := range hits {
		out[k] = docs[i]
	}
	ret.setFromValues(m.fromValues(src, at))
	return out, nil
}
