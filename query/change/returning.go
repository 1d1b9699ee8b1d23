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
	"parlance/storage"
	"parlance/storage/value"
)

// returning computes the rows of RETURNING before the change is committed, so that what fails
// leaves nothing behind. They stay in memory. Its methods do nothing on nil, which is no RETURNING.
type returning struct {
	r       *exec.Execution
	node    plan.Node // of the target
	of      plan.Node // over which exprs are bound
	exprs   []expr.Expr
	columns []plan.Column
	rows    [][]value.Value
	places  map[string]int  // rows by the id of their document, where a later one may replace it
	beside  [][]value.Value // what the next rows have of other tables; nil without such
}

// newReturning binds the items over the columns of a target and of the tables it is matched with.
func newReturning(r *exec.Execution, items []ast.Item, m *Matching) (*returning, error) {
	if len(items) == 0 {
		return nil, nil
	}
	exprs, columns, err := r.Binder().Returning(items, m.node)
	return &returning{r: r, node: m.target, of: m.node, exprs: exprs, columns: columns}, err
}

// expect tells what the rows that come next have of other tables, which stand behind their columns.
func (x *returning) expect(beside [][]value.Value) {
	if x != nil {
		x.beside = beside
	}
}

// complete puts what rows have of other tables behind their columns.
func (x *returning) complete(b *value.Batch, rows []int) (*value.Batch, []int) {
	others := value.FromRows(operator.TypesOf(x.of.Columns()[len(x.node.Columns()):]), x.beside[:len(rows)])
	x.beside = x.beside[len(rows):]
	out := b.Select(rows)
	out.Cols = append(slices.Clip(out.Cols), others.Cols...)
	all, _ := matchingRows(x.r, nil, out)
	return out, all
}

// all takes the rows of a batch of the target.
func (x *returning) all(b *value.Batch) error {
	rows, err := matchingRows(x.r, nil, b)
	if err != nil {
		return err
	}
	return x.add(b, rows)
}

// add takes some rows of a batch of the target.
func (x *returning) add(b *value.Batch, rows []int) error {
	if x == nil {
		return nil
	}
	if len(x.beside) > 0 {
		b, rows = x.complete(b, rows)
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
	return gatherRows(x.r, x.rows[first:])
}

// values takes rows with all columns of the target.
func (x *returning) values(rows [][]value.Value) error {
	if x == nil || len(rows) == 0 {
		return nil
	}
	return x.all(value.FromRows(operator.TypesOf(x.node.Columns()), rows))
}

// documents takes documents; of those with one id the last stays.
func (x *returning) documents(docs []*text.Document) error {
	if x == nil || len(docs) == 0 {
		return nil
	}
	first := len(x.rows)
	err := x.all(x.r.Rows(x.node.(*plan.Layer), docs))
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

// draft takes the rows of a draft that are new or changed, from the document c that it became.
func (x *returning) draft(from *draft.Draft, c *text.Document) error {
	if x == nil {
		return nil
	}
	var fresh []int
	var beside [][]value.Value
	for i, row := range from.Rows {
		if !row.Fresh {
			continue
		}
		if fresh = append(fresh, i); row.Beside != nil {
			beside = append(beside, row.Beside)
		}
	}
	x.expect(beside)
	return x.add(x.r.Rows(x.node.(*plan.Layer), []*text.Document{c}), fresh)
}

// changed is the result of a statement that has changed rows.
func (x *returning) changed(tag string) *operator.Result {
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

// Returned is what RETURNING gives, nil without it.
func Returned(r *exec.Execution, stmt ast.Statement) ([]plan.Column, error) {
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
	x, err := returningOf(r, o, target, alias, items, tables...)
	if err != nil {
		return nil, err
	}
	return x.columns, nil
}

// returningOf binds the items over the columns of a target and of other tables.
func returningOf(r *exec.Execution, o *storage.Object, target ast.Target, alias string, items []ast.Item, tables ...ast.TableRef) (*returning, error) {
	if len(items) == 0 {
		return nil, nil
	}
	n, err := TargetNode(r, o, target, alias)
	if err != nil {
		return nil, err
	}
	m, err := NewMatching(r, target, n, tables, nil)
	if err != nil {
		return nil, err
	}
	return newReturning(r, items, m)
}

// TargetNode is the node of the rows of a target.
func TargetNode(r *exec.Execution, o *storage.Object, target ast.Target, alias string) (plan.Node, error) {
	switch {
	case o.Kind != storage.CorpusObject:
		return bind.TableNode(o, aliasOf(target, alias, o)), nil
	case target.Layer == "":
		return bind.Documents(o, aliasOf(target, alias, o)), nil
	}
	return storedNode(r, o, target, alias)
}

// storedNode is the node of the stored rows of a layer.
func storedNode(r *exec.Execution, o *storage.Object, target ast.Target, alias string) (*plan.Layer, error) {
	if alias == "" {
		alias = target.Layer
	}
	n, ok := r.Binder().Stored(o, target.Layer, alias)
	if !ok {
		return nil, plan.Errorf(target.Pos, plan.CodeUndefinedTable, "", "corpus %s stores no %s", o.Name, target.Layer)
	}
	return n, nil
}

// unmerged refuses RETURNING where rows are merged into those that are there.
func unmerged(o *storage.Object, items []ast.Item) error {
	if len(items) == 0 || o.Owner == 0 {
		return nil
	}
	return plan.Errorf(items[0].Pos, plan.CodeFeature, "SELECT the rows afterwards", "rows of a knowledge base are merged with those that are there: RETURNING cannot give them")
}
