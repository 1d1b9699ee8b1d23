package change

import (
	"slices"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/draft"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// returning computes the rows of RETURNING before the change commits, so that an error undoes the change. The rows stay
// in memory. nil stands for no RETURNING: the methods then do nothing.
type returning struct {
	r          *exec.Execution
	node       plan.Node // of the target
	source     plan.Node // over which exprs are bound
	exprs      []expr.Expr
	columns    []plan.Column
	rows       [][]value.Value
	places     map[string]int  // row by the id of its document: a later document with the id replaces it
	fromValues [][]value.Value // columns of FROM for the next rows; nil without FROM
}

// newReturning binds the items over the columns of the target and of the tables in FROM.
func newReturning(r *exec.Execution, items []ast.Item, m *TargetScan) (*returning, error) {
	if len(items) == 0 {
		return nil, nil
	}
	exprs, columns, err := r.Binder().Returning(items, m.node)
	return &returning{r: r, node: m.target, source: m.node, exprs: exprs, columns: columns}, err
}

// setFromValues sets the columns of FROM for the rows that are added next.
func (x *returning) setFromValues(beside [][]value.Value) {
	if x != nil {
		x.fromValues = beside
	}
}

// appendFromValues appends the columns of FROM to those of the target.
func (x *returning) appendFromValues(b *value.Batch, rows []int) (*value.Batch, []int) {
	others := value.FromRows(operator.TypesOf(x.source.Columns()[len(x.node.Columns()):]), x.fromValues[:len(rows)])
	x.fromValues = x.fromValues[len(rows):]
	out := b.Select(rows)
	out.Cols = append(slices.Clip(out.Cols), others.Cols...)
	all, _ := filterRows(x.r, nil, out)
	return out, all
}

// addAll adds all rows of a batch of the target.
func (x *returning) addAll(b *value.Batch) error {
	rows, err := filterRows(x.r, nil, b)
	if err != nil {
		return err
	}
	return x.add(b, rows)
}

// add adds some rows of a batch of the target.
func (x *returning) add(b *value.Batch, rows []int) error {
	if x == nil {
		return nil
	}
	if len(x.fromValues) > 0 {
		b, rows = x.appendFromValues(b, rows)
	}
	first := len(x.rows)
	for _, i := range rows {
		row := make([]value.Value, len(x.exprs))
		for k, e := range x.exprs {
			var err error
			if row[k], err = e.At(x.r.Env, b, i); err != nil {
				return err
			}
		}
		x.rows = append(x.rows, row)
	}
	return reserveRows(x.r, x.rows[first:])
}

// addValues adds rows with all columns of the target.
func (x *returning) addValues(rows [][]value.Value) error {
	if x == nil || len(rows) == 0 {
		return nil
	}
	return x.addAll(value.FromRows(operator.TypesOf(x.node.Columns()), rows))
}

// addDocuments adds documents. Of several with one id the last counts.
func (x *returning) addDocuments(docs []*text.Document) error {
	if x == nil || len(docs) == 0 {
		return nil
	}
	first := len(x.rows)
	err := x.addAll(x.r.Rows(x.node.(*plan.Layer), docs))
	if x.places == nil || err != nil {
		return err
	}
	for i, d := range docs {
		if at, ok := x.places[d.ID]; ok {
			x.rows[at] = nil
		}
		x.places[d.ID] = first + i
	}
	return nil
}

// addDraft adds the rows of a draft that are new or changed, as they are in document c, which the draft became.
func (x *returning) addDraft(from *draft.Draft, c *text.Document) error {
	if x == nil {
		return nil
	}
	var fresh []int
	var beside [][]value.Value
	for i, row := range from.Rows {
		if !row.Changed {
			continue
		}
		if fresh = append(fresh, i); row.FromValues != nil {
			beside = append(beside, row.FromValues)
		}
	}
	x.setFromValues(beside)
	return x.add(x.r.Rows(x.node.(*plan.Layer), []*text.Document{c}), fresh)
}

// result is the result of the statement: the rows of RETURNING, or the tag alone.
func (x *returning) result(tag string) *operator.Result {
	if x == nil {
		return &operator.Result{Tag: tag}
	}
	rows := x.rows[:0]
	for _, row := range x.rows {
		if row != nil {
			rows = append(rows, row)
		}
	}
	return &operator.Result{Columns: x.columns, Rows: operator.NewRows(x.columns, rows), Tag: tag}
}

// ReturningColumns are the columns of RETURNING, nil if the statement has none.
func ReturningColumns(r *exec.Execution, stmt ast.Statement) ([]plan.Column, error) {
	target, alias, items, tables := ast.Target{}, "", []ast.Item(nil), []ast.TableRef(nil)
	switch s := stmt.(type) {
	case *ast.Insert:
		target, alias, items = s.Into, s.Alias, s.Returning
	case *ast.Update:
		target, alias, items, tables = s.Table, s.Alias, s.Returning, s.From
	case *ast.Delete:
		target, alias, items, tables = s.From, s.Alias, s.Returning, s.Using
	}
	if len(items) == 0 {
		return nil, nil
	}
	o, err := Target(r, target)
	if err != nil {
		return nil, err
	}
	x, err := bindReturning(r, o, target, alias, items, tables...)
	if err != nil {
		return nil, err
	}
	return x.columns, nil
}

// bindReturning binds the items of RETURNING over the columns of a target and of the tables in FROM.
func bindReturning(r *exec.Execution, o *catalog.Object, target ast.Target, alias string, items []ast.Item,
	tables ...ast.TableRef) (*returning, error) {
	if len(items) == 0 {
		return nil, nil
	}
	n, err := TargetNode(r, o, target, alias)
	if err != nil {
		return nil, err
	}
	m, err := NewTargetScan(r, target, n, tables, nil)
	if err != nil {
		return nil, err
	}
	return newReturning(r, items, m)
}

// TargetNode is the node of the rows of a target.
func TargetNode(r *exec.Execution, o *catalog.Object, target ast.Target, alias string) (plan.Node, error) {
	switch {
	case o.Kind != catalog.CorpusObject:
		return bind.TableNode(o, aliasOf(target, alias, o)), nil
	case target.Layer == "":
		return bind.Documents(o, aliasOf(target, alias, o)), nil
	}
	return storedNode(r, o, target, alias)
}

// storedNode is the node of the stored rows of a layer.
func storedNode(r *exec.Execution, o *catalog.Object, target ast.Target, alias string) (*plan.Layer, error) {
	if alias == "" {
		alias = target.Layer
	}
	n, ok := r.Binder().Stored(o, target.Layer, alias)
	if !ok {
		return nil, plan.Errorf(target.Pos, plan.CodeUndefinedTable, "", "corpus %s stores no %s", o.Name, target.Layer)
	}
	return n, nil
}

// refuseMerge refuses RETURNING for tables in which new rows are merged into existing ones.
func refuseMerge(o *catalog.Object, items []ast.Item) error {
	if len(items) == 0 || o.Owner == 0 {
		return nil
	}
	return plan.Errorf(items[0].Pos, plan.CodeFeature, "SELECT the rows afterwards",
		"rows of a knowledge base are merged with those that are there: RETURNING cannot give them")
}
