package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// changeTarget finds the object that an UPDATE or DELETE changes.
func changeTarget(r *exec.Execution, t ast.Target) (*catalog.Object, error) {
	if err := r.SameDatabase(t.Pos, t.Database); err != nil {
		return nil, err
	}
	return ObjectOf(r, t.Pos, t.Name, catalog.CorpusObject, catalog.GazetteerObject, catalog.LexiconObject,
		catalog.KBObject)
}

// Delete removes documents, rows of a stored layer, or rows of a table.
func Delete(r *exec.Execution, ctx context.Context, s *ast.Delete) (*operator.Result, error) {
	o, err := Target(r, s.From)
	if err != nil {
		return nil, err
	}
	ctx, release, err := lockRows(r, ctx, o)
	if err != nil {
		return nil, err
	}
	defer release()
	alias := aliasOf(s.From, s.Alias, o)
	n := 0
	var ret *returning
	switch {
	case o.Kind != catalog.CorpusObject:
		n, ret, err = changeTable(r, ctx, o, alias,
			&ast.Update{Table: s.From, From: s.Using, Where: s.Where, Returning: s.Returning})
	case s.From.Layer != "":
		n, ret, err = editLayer(r, ctx, o, &ast.Update{Table: s.From, Alias: s.Alias, From: s.Using, Where: s.Where,
			Returning: s.Returning})
	default:
		n, ret, err = deleteDocuments(r, ctx, o, alias, s)
	}
	if err != nil {
		return nil, fault.At(s.From.Pos, err)
	}
	return ret.result(fmt.Sprintf("DELETE %d", n)), nil
}

// lockTarget makes the statement the only writer of o until release, and takes a new snapshot, so that the statement
// changes the rows that it reads.
func lockTarget(r *exec.Execution, ctx context.Context,
	o *catalog.Object) (held context.Context, release func(), err error) {
	return lockBy(r, ctx, o, r.Store.LockForWrite)
}

// lockRows is lockTarget for a statement that changes o by newRowsChange alone, if it is a table. Others that do so may
// go on before its change is in the file.
func lockRows(r *exec.Execution, ctx context.Context,
	o *catalog.Object) (held context.Context, release func(), err error) {
	if held, release, err = lockBy(r, ctx, o, r.Store.LockForRows); err == nil {
		r.Store.SeeWaiting(held, r.Snapshot, o)
	}
	return held, release, err
}

func lockBy(r *exec.Execution, ctx context.Context, o *catalog.Object,
	lock func(context.Context, *catalog.Object) (context.Context, func(), error)) (held context.Context,
	release func(), err error) {
	if r.Store.ReadOnly() {
		return nil, nil, storage.ErrReadOnly
	}
	if held, release, err = lock(ctx, o); err != nil {
		return nil, nil, err
	}
	r.Snapshot.Close()
	r.Snapshot = r.Capture(r.Session, new(storage.Snapshot))
	return held, release, nil
}

// aliasOf is the name that conditions use for the target.
func aliasOf(t ast.Target, alias string, o *catalog.Object) string {
	switch {
	case alias != "":
		return alias
	case o.Owner != 0:
		return o.Part
	}
	return t.Name
}

func deleteDocuments(r *exec.Execution, ctx context.Context, o *catalog.Object, alias string,
	s *ast.Delete) (int, *returning, error) {
	n := bind.Documents(o, alias)
	m, err := NewTargetScan(r, s.From, n, s.Using, s.Where)
	if err != nil {
		return 0, nil, err
	}
	ret, err := newReturning(r, s.Returning, m)
	if err != nil {
		return 0, nil, err
	}
	src, err := r.ReadDocuments(n, m.TargetConds, documents.Want{IDs: true})
	if err != nil {
		return 0, nil, err
	}
	var seqs []uint64
	for {
		docs, err := src.Next(ctx)
		if err != nil {
			return 0, nil, err
		}
		if docs == nil {
			n, err := r.Store.DeleteDocuments(ctx, o, seqs)
			return n, ret, err
		}
		if m.hasFrom() {
			if docs, err = m.documents(ctx, docs, ret); err != nil {
				return 0, nil, err
			}
		}
		if err := ret.addDocuments(docs); err != nil {
			return 0, nil, err
		}
		for _, d := range docs {
			seqs = append(seqs, d.Seq)
		}
	}
}

// changeTable runs an UPDATE of a table, or a DELETE, which is an UPDATE without assignments, and returns the number of
// rows. RETURNING of an UPDATE has the new values.
func changeTable(r *exec.Execution, ctx context.Context, o *catalog.Object, alias string,
	s *ast.Update) (int, *returning, error) {
	n, set := bind.TableNode(o, alias), s.Set
	m, err := NewTargetScan(r, s.Table, n, s.From, s.Where)
	if err != nil {
		return 0, nil, err
	}
	exprs, err := assign(r, set, m.node, func(c string) (value.Type, error) { return columnType(o, c) })
	if err != nil {
		return 0, nil, err
	}
	ret, err := newReturning(r, s.Returning, m)
	if err != nil {
		return 0, nil, err
	}
	if len(set) > 0 && (ret != nil || m.hasFrom() || o.Owner != 0) {
		for i := range n.Need {
			n.Need[i] = true
		}
	}
	put, err := newRowsChange(r, ctx, o)
	if err != nil {
		return 0, nil, err
	}
	defer put.Abort()
	n.Conds = m.TargetConds
	keys, ok, err := m.LookupKeys(ctx, n)
	if err != nil {
		return 0, nil, err
	}
	if ok {
		r.SetLookupKeys(n, keys)
	}
	total := 0
	change := tableChange{o, m, set, exprs, ret, put}
	err = r.ScanTable(ctx, n, func(ids []uint64, b *value.Batch) error {
		k, err := change.batch(ctx, ids, b)
		total += k
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	if err := put.Commit(ctx); err != nil {
		return 0, nil, err
	}
	return total, ret, nil
}

// tableChange is an UPDATE of a table, or a DELETE without assignments.
type tableChange struct {
	o     *catalog.Object
	scan  *TargetScan
	set   []ast.Assignment
	exprs []expr.Expr // the values of set
	ret   *returning
	put   rowsChange
}

// batch changes the rows of a batch that match, and returns their number. ids are the row numbers of the batch.
func (c *tableChange) batch(ctx context.Context, ids []uint64, b *value.Batch) (int, error) {
	hits, src, at, err := c.scan.matches(ctx, b)
	if err != nil {
		return 0, err
	}
	matched := make([]uint64, len(hits))
	for h, i := range hits {
		matched[h] = ids[i]
	}
	c.ret.setFromValues(c.scan.fromValues(src, at))
	if len(hits) == 0 {
		return 0, nil
	}
	scanned := b.Select(hits)
	if len(c.set) == 0 {
		if err := c.ret.add(b, hits); err != nil {
			return 0, err
		}
		return len(hits), c.put.Delete(ctx, matched, scanned)
	}
	if !c.scan.hasFrom() {
		src = scanned
	}
	columns, values := make([]int, len(c.set)), make([]value.Vec, len(c.set))
	for k, x := range c.exprs {
		columns[k] = c.o.Column(c.set[k].Column)
		if values[k], err = expr.Eval(x, c.scan.R.Env, src); err != nil {
			return 0, expr.ErrorAt(ast.Pos{}, err)
		}
	}
	if c.ret != nil {
		if err := c.ret.addAll(changedColumns(scanned, columns, values)); err != nil {
			return 0, err
		}
	}
	return len(hits), c.put.Update(ctx, matched, scanned, columns, values)
}

// changedColumns is a batch with other values in some columns.
func changedColumns(b *value.Batch, columns []int, values []value.Vec) *value.Batch {
	out := &value.Batch{N: b.N, Cols: slices.Clone(b.Cols)}
	for k, at := range columns {
		out.Cols[at] = values[k]
	}
	return out
}

// filterRows returns the rows of a batch that satisfy a condition, all rows if it is nil.
func filterRows(r *exec.Execution, cond expr.Expr, b *value.Batch) ([]int, error) {
	if cond != nil {
		return expr.Filter(cond, r.Env, b)
	}
	all := make([]int, b.N)
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// Update changes metadata of documents, rows of a stored layer, or rows of a table.
func Update(r *exec.Execution, ctx context.Context, s *ast.Update) (*operator.Result, error) {
	o, err := Target(r, s.Table)
	if err != nil {
		return nil, err
	}
	ctx, release, err := lockRows(r, ctx, o)
	if err != nil {
		return nil, err
	}
	defer release()
	alias := aliasOf(s.Table, s.Alias, o)
	if err := refuseMerge(o, s.Returning); err != nil {
		return nil, err
	}
	n := 0
	var ret *returning
	switch {
	case o.Kind != catalog.CorpusObject:
		n, ret, err = changeTable(r, ctx, o, alias, s)
	case s.Table.Layer != "":
		n, ret, err = editLayer(r, ctx, o, s)
	default:
		n, ret, err = updateDocuments(r, ctx, o, alias, s)
	}
	if err != nil {
		return nil, fault.At(s.Table.Pos, err)
	}
	return ret.result(fmt.Sprintf("UPDATE %d", n)), nil
}

// updateDocuments assigns metadata, or a new text, which drops the layers of the old text.
func updateDocuments(r *exec.Execution, ctx context.Context, o *catalog.Object, alias string,
	s *ast.Update) (int, *returning, error) {
	n := bind.Documents(o, alias)
	m, err := NewTargetScan(r, s.Table, n, s.From, s.Where)
	if err != nil {
		return 0, nil, err
	}
	exprs, err := assign(r, s.Set, m.node, func(c string) (value.Type, error) { return documentType(o, c) })
	if err != nil {
		return 0, nil, err
	}
	ret, err := newReturning(r, s.Returning, m)
	if err != nil {
		return 0, nil, err
	}
	m.cond = nil // storage evaluates it
	src, err := r.ReadDocuments(n, m.TargetConds, documents.Want{Text: true, AllFields: true, AllLayers: true})
	if err != nil {
		return 0, nil, err
	}
	put := r.Store.NewReplacement(o)
	defer put.Abort()
	total := 0
	for {
		docs, err := src.Next(ctx)
		if err != nil {
			return 0, nil, err
		}
		if docs == nil {
			return total, ret, put.Commit(ctx)
		}
		hits, src, at, err := m.matches(ctx, r.DocumentBatch(docs, n))
		if err != nil {
			return 0, nil, err
		}
		changed := make([]*text.Document, len(hits))
		for k, i := range hits {
			if changed[k], err = changedDocument(r, o, docs[i], s.Set, exprs, src, at[k]); err != nil {
				return 0, nil, err
			}
		}
		ret.setFromValues(m.fromValues(src, at))
		if err := ret.addDocuments(changed); err != nil {
			return 0, nil, err
		}
		if err := put.Add(ctx, changed); err != nil {
			return 0, nil, err
		}
		total += len(hits)
	}
}

// missingColumn is the error of a column that the object lacks.
func missingColumn(o *catalog.Object, c string) error {
	have := exec.ColumnNames(o)
	if o.Kind == catalog.CorpusObject {
		have = "text, " + have
	}
	return &ast.Error{Code: plan.CodeUndefinedColumn, Hint: "columns: " + strings.TrimSuffix(have, ", "),
		Msg: fmt.Sprintf("%s has no column %s%s", o.Name, c, option.DidYouMean(c, strings.Split(have, ", ")))}
}

// columnType is the type of a table's column that SET assigns.
func columnType(o *catalog.Object, c string) (value.Type, error) {
	i := o.Column(c)
	if i < 0 {
		return 0, missingColumn(o, c)
	}
	return o.Columns[i].Type, nil
}

func documentType(o *catalog.Object, c string) (value.Type, error) {
	if c == "text" || c == "id" {
		return value.Text, nil
	}
	if i := o.Column(c); i >= 0 {
		return o.Columns[i].Type, nil
	}
	return 0, missingColumn(o, c)
}

// changedDocument is a copy of document i of the batch after the assignments.
func changedDocument(r *exec.Execution, o *catalog.Object, d *text.Document, set []ast.Assignment, exprs []expr.Expr,
	b *value.Batch, i int) (*text.Document, error) {
	out := *d
	for k, x := range exprs {
		v, err := x.At(r.Env, b, i)
		if err != nil {
			return nil, expr.ErrorAt(ast.Pos{}, err)
		}
		if set[k].Column == "id" { // many programs write all columns, also those that stay
			if v.IsNull() || v.S != d.ID {
				return nil, plan.Errorf(set[k].Pos, plan.CodeFeature, "DELETE and INSERT",
					"the id of a document stays as it is, %s would become %s", &expr.Const{V: value.Str(d.ID)},
					&expr.Const{V: v})
			}
			continue
		}
		if set[k].Column == "text" {
			cut, err := r.Documents.Make(r.Env.Ctx, d.ID, v.S, document.TokenizerOf(o))
			if err != nil {
				return nil, err
			}
			out.Text, out.Layers = cut.Text, cut.Layers
			continue
		}
		out.Fields = withField(out.Fields, set[k].Column, v)
	}
	return &out, nil
}

// withField returns a copy of fields in which one is set.
func withField(fields []text.Field, name string, v value.Value) []text.Field {
	out := make([]text.Field, 0, len(fields)+1)
	for _, f := range fields {
		if f.Name != name {
			out = append(out, f)
		}
	}
	return append(out, text.Field{Name: name, Value: v})
}
