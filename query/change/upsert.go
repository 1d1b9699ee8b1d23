package change

import (
	"context"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// upsert is INSERT … ON CONFLICT DO UPDATE: a row whose key exists changes the existing row, others are inserted.
type upsert struct {
	r     *exec.Execution
	s     *ast.Insert
	o     *catalog.Object
	node  *plan.Proposed
	cond  expr.Expr // nil for all
	exprs []expr.Expr
	ret   *returning
}

// runUpsert binds the expressions of DO UPDATE.
func runUpsert(r *exec.Execution, s *ast.Insert, o *catalog.Object, ret *returning) (*upsert, error) {
	u := &upsert{r: r, s: s, o: o, ret: ret}
	typeOf := func(c string) (value.Type, error) { return documentType(o, c) }
	var target, row plan.Node = bind.Documents(o, aliasOf(s.Into, s.Alias, o)), bind.Documents(o, plan.Excluded)
	if o.Kind != catalog.CorpusObject {
		target, row = bind.TableNode(o, aliasOf(s.Into, s.Alias, o)), bind.TableNode(o, plan.Excluded)
		typeOf = func(c string) (value.Type, error) { return columnType(o, c) }
	}
	var err error
	if u.node, err = plan.NewProposed(s.Into.Pos, target, row); err != nil {
		return nil, err
	}
	if u.exprs, err = assign(r, s.Set, u.node, typeOf); err != nil {
		return nil, err
	}
	if s.Where != nil {
		u.cond, err = r.Binder().Condition(s.Where, u.node)
	}
	return u, err
}

// duplicateKey is the error of a statement with two rows of one key.
func (u *upsert) duplicateKey(key string) error {
	return plan.Errorf(u.s.Into.Pos, "21000", "leave one out",
		"two rows to insert have the key %s: ON CONFLICT DO UPDATE would change a row twice", key)
}

// run reads the rows to insert, then changes the target under its lock, and returns the number of rows that were
// changed or inserted.
func (u *upsert) run(ctx context.Context, src *plannedRows) (int, error) {
	if u.o.Kind == catalog.CorpusObject {
		return u.insertDocuments(ctx, src)
	}
	return u.insertRows(ctx, src)
}

// rowKey is the key of a row, of up to three columns.
type rowKey [3]value.Value

// insertRows inserts into a table.
func (u *upsert) insertRows(ctx context.Context, src *plannedRows) (int, error) {
	given, err := u.castRows(ctx, src)
	if err != nil {
		return 0, err
	}
	place := map[rowKey]int{}
	for i, row := range given {
		key, whole := u.key(row)
		if _, taken := place[key]; taken && whole {
			return 0, u.duplicateKey(row[0].String())
		}
		if whole {
			place[key] = i
		}
	}
	ctx, release, err := lockTarget(u.r, ctx, u.o)
	if err != nil {
		return 0, err
	}
	defer release()
	ids, old, of, err := u.existingRows(ctx, given, place)
	if err != nil {
		return 0, err
	}
	return u.changeOrAdd(ctx, given, ids, old, of)
}

// castRows casts the rows to insert.
func (u *upsert) castRows(ctx context.Context, src *plannedRows) ([][]value.Value, error) {
	defer src.op.Close()
	at := make([]int, len(src.columns))
	for i, c := range src.columns {
		at[i] = u.o.Column(c)
	}
	var out [][]value.Value
	for {
		b, err := src.op.Next(ctx)
		if err != nil || b == nil {
			return out, err
		}
		rows, err := castRows(u.o, b, at)
		if err == nil {
			err = canonicalRules(u.o, rows)
		}
		if err == nil {
			err = reserveRows(u.r, rows)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
}

// key is the key of a row; whole is false if a part of it is NULL, which equals nothing.
func (u *upsert) key(row []value.Value) (key rowKey, whole bool) {
	n := u.o.Key()
	whole = true
	for i := range n {
		key[i] = row[i]
		whole = whole && !row[i].IsNull()
	}
	return key, whole
}

// existingRows finds the rows whose keys are in place; of[i] is the place of the key of rows[i].
func (u *upsert) existingRows(ctx context.Context, given [][]value.Value,
	place map[rowKey]int) (ids []uint64, rows [][]value.Value, of []int, err error) {
	n := bind.TableNode(u.o, "")
	for i := range n.Need {
		n.Need[i] = true
	}
	list := make([]expr.Expr, len(given))
	for i, row := range given {
		list[i] = &expr.Const{V: row[0]}
	}
	first := n.Columns()[0]
	in, err := expr.NewIn(&expr.Col{Name: first.Name, T: first.Type}, list, false)
	if err != nil {
		return nil, nil, nil, err
	}
	n.Conds = []expr.Expr{in}
	err = u.r.ScanTable(ctx, n, func(rowids []uint64, b *value.Batch) error {
		for i, id := range rowids {
			row := b.Row(nil, i)
			key, whole := u.key(row)
			if at, ok := place[key]; ok && whole {
				ids, rows, of = append(ids, id), append(rows, row), append(of, at)
			}
		}
		return nil
	})
	return ids, rows, of, err
}

// changeOrAdd updates the existing rows that satisfy the condition, and inserts the rows whose keys are new.
func (u *upsert) changeOrAdd(ctx context.Context, given [][]value.Value, ids []uint64, old [][]value.Value,
	of []int) (int, error) {
	pairs := make([][]value.Value, len(old))
	taken := make([][][]value.Value, len(given)) // the existing rows of each given row after the update; nil for a new key
	for i, row := range old {
		pairs[i] = append(row[:len(row):len(row)], given[of[i]]...)
		taken[of[i]] = [][]value.Value{}
	}
	b := value.FromRows(operator.TypesOf(u.node.Columns()), pairs)
	hits, err := filterRows(u.r, u.cond, b)
	if err != nil {
		return 0, expr.ErrorAt(u.s.Into.Pos, err)
	}
	var gone []uint64
	var changed, fresh, all [][]value.Value
	for _, i := range hits {
		row := append([]value.Value{}, old[i]...)
		for k, x := range u.exprs {
			if row[u.o.Column(u.s.Set[k].Column)], err = x.At(u.r.Env, b, i); err != nil {
				return 0, expr.ErrorAt(u.s.Into.Pos, err)
			}
		}
		gone, changed, taken[of[i]] = append(gone, ids[i]), append(changed, row), append(taken[of[i]], row)
	}
	for i, row := range given {
		if taken[i] == nil {
			fresh, taken[i] = append(fresh, row), [][]value.Value{row}
		}
		all = append(all, taken[i]...)
	}
	if err := canonicalRules(u.o, changed); err != nil {
		return 0, err
	}
	if err := u.ret.addValues(all); err != nil {
		return 0, err
	}
	return len(all), u.publish(ctx, gone, changed, fresh)
}

// publish deletes, updates and inserts rows in one transaction.
func (u *upsert) publish(ctx context.Context, gone []uint64, changed, fresh [][]value.Value) error {
	if u.o.Owner == 0 {
		return u.r.Store.ReplaceRows(ctx, u.o, gone, append(changed, fresh...))
	}
	return changeRows(u.r, ctx, u.o, func(c *storage.KBChange) error {
		if _, err := c.Update(ctx, u.o.Part, gone, changed); err != nil {
			return err
		}
		if err := c.Finish(ctx); err != nil {
			return err
		}
		return c.Add(ctx, u.o.Part, fresh, nil)
	})
}

// insertDocuments inserts into a corpus.
func (u *upsert) insertDocuments(ctx context.Context, src *plannedRows) (int, error) {
	given, err := u.readDocuments(ctx, src)
	if err != nil {
		return 0, err
	}
	ctx, release, err := lockTarget(u.r, ctx, u.o)
	if err != nil {
		return 0, err
	}
	defer release()
	var old, proposed, all []*text.Document
	for _, d := range given {
		seq, ok, err := u.r.Snapshot.Find(u.o, d.ID)
		if err != nil {
			return 0, err
		}
		if !ok {
			continue
		}
		before, err := u.r.Snapshot.Document(ctx, u.o, seq,
			documents.Want{IDs: true, Text: true, AllFields: true, AllLayers: true})
		if err != nil {
			return 0, err
		}
		if err := reserveDocuments(u.r, []*text.Document{before}); err != nil {
			return 0, err
		}
		old, proposed = append(old, before), append(proposed, d)
	}
	changed, err := u.changedDocuments(old, proposed)
	if err != nil {
		return 0, err
	}
	for _, d := range given {
		if c, taken := changed[d.ID]; !taken {
			all = append(all, d)
		} else if c != nil {
			all = append(all, c)
		}
	}
	if err := u.ret.addDocuments(all); err != nil {
		return 0, err
	}
	return len(all), u.r.Store.ReplaceDocuments(ctx, u.o, all)
}

// readDocuments makes documents of the rows to insert.
func (u *upsert) readDocuments(ctx context.Context, src *plannedRows) ([]*text.Document, error) {
	defer src.op.Close()
	var out []*text.Document
	seen := map[string]bool{}
	row := 0
	for {
		b, err := src.op.Next(ctx)
		if err != nil || b == nil {
			return out, err
		}
		docs, _, err := buildDocuments(u.r, u.o, src.columns, b, &row)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			if seen[d.ID] {
				return nil, u.duplicateKey(d.ID)
			}
			seen[d.ID] = true
		}
		if err := reserveDocuments(u.r, docs); err != nil {
			return nil, err
		}
		out = append(out, docs...)
	}
}

// changedDocuments returns the updated documents by id, nil for those that the condition leaves as they are.
func (u *upsert) changedDocuments(old, proposed []*text.Document) (map[string]*text.Document, error) {
	b := u.r.DocumentBatch(old, u.node.Target.(*plan.Layer))
	b.Cols = append(b.Cols, u.r.DocumentBatch(proposed, u.node.Row.(*plan.Layer)).Cols...)
	out := map[string]*text.Document{}
	for _, d := range old {
		out[d.ID] = nil
	}
	hits, err := filterRows(u.r, u.cond, b)
	if err != nil {
		return nil, expr.ErrorAt(u.s.Into.Pos, err)
	}
	for _, i := range hits {
		if out[old[i].ID], err = changedDocument(u.r, u.o, old[i], u.s.Set, u.exprs, b, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}
