package change

import (
	"context"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/progress"
	"parlance/storage/catalog"
	"parlance/storage/format/codec"
	"parlance/storage/format/resource"
	"parlance/storage/value"
)

// loadKB reads files into the tables of a knowledge base that their format fills, or into the table that the statement
// names.
func loadKB(r *exec.Execution, ctx context.Context, s *ast.Load, o *catalog.Object, configured codec.Codec,
	src *codec.Sources, conflict string) (*operator.Result, error) {
	table := o
	if o.Owner == 0 {
		if table = o.Table(resource.KBTable(configured)); table == nil && !codec.ReadsKB(configured) {
			return nil, plan.Errorf(s.Pos, plan.CodeWrongKind, "LOAD … INTO "+o.Name+".triples FORMAT "+s.Format+
				", or FORMAT triples", "the format %s does not say which table of a knowledge base its rows belong to", s.Format)
		}
	} else if of := resource.KBTable(configured); of != "" && of != o.Part || codec.ReadsKB(configured) {
		return nil, plan.Errorf(s.Pos, plan.CodeWrongKind, "LOAD … INTO "+s.Into.Name,
			"the format %s is not about the table %s", s.Format, o.Part)
	}
	set, err := bindRowSettings(r, s, o, table)
	if err != nil {
		return nil, err
	}
	l, err := newKBLoad(r, ctx, tableOrTriples(o, table), conflict)
	if err != nil {
		return nil, err
	}
	defer l.Abort() // also where the reader panics; nothing after Commit
	found, read := 0, progress.Count(r.Session.Progress, "rows", src.Share)
	add := func(table string, rows [][]value.Value, places []string) error {
		found += len(rows)
		read(len(rows))
		if rows, err = set.apply(r, table, rows); err != nil {
			return err
		}
		return l.add(ctx, table, rows, places)
	}
	if table == nil {
		err = codec.ReadKB(ctx, configured, src, add)
	} else {
		err = codec.ReadRows(ctx, configured, src, rowColumns(table), func(rows [][]value.Value, places []string) error {
			return add(table.Part, rows, places)
		})
	}
	n := 0
	if err == nil {
		n, err = l.Commit(ctx)
	}
	if err != nil {
		return nil, fault.File(s.Pos, err)
	}
	noticeEmpty(r, s, found, "rows")
	return operator.Tag(text.Countf("LOAD %d {row|rows}", n)), nil
}

// tableOrTriples is the table that a load names, or else the triples.
func tableOrTriples(kb, table *catalog.Object) *catalog.Object {
	if table == nil {
		return kb.Table(catalog.Triples)
	}
	return table
}

// rowColumns are the columns of a table as formats know them.
func rowColumns(o *catalog.Object) []codec.Column {
	cols := make([]codec.Column, len(o.Columns))
	for i, c := range o.Columns {
		cols[i] = codec.Column{Name: c.Name, Type: c.Type}
	}
	return cols
}

// rowSettings are the assignments of SET of a LOAD to the rows of a table.
type rowSettings struct {
	table *catalog.Object
	names []ast.Assignment
	exprs []expr.Expr
}

// bindRowSettings binds the assignments of SET over the columns of the table, or of the triples if the format fills
// several tables.
func bindRowSettings(r *exec.Execution, s *ast.Load, o, table *catalog.Object) (*rowSettings, error) {
	set := &rowSettings{table: tableOrTriples(o, table), names: s.Set}
	n := bind.TableNode(set.table, set.table.Part)
	var err error
	set.exprs, err = assign(r, s.Set, n, func(c string) (value.Type, error) {
		i := set.table.Column(c)
		if i < 0 {
			names := exec.ColumnNames(set.table)
			hint := "columns: " + names
			if set.table.Part == catalog.Triples {
				hint = "ALTER KB " + s.Into.Name + " ADD COLUMN " + c + " TEXT"
			}
			return 0, plan.Errorf(ast.Pos{}, plan.CodeUndefinedColumn, hint, "%s has no column %s%s", set.table.Name, c,
				option.DidYouMean(c, strings.Split(names, ", ")))
		}
		return set.table.Columns[i].Type, nil
	})
	return set, err
}

// apply widens rows to the columns of their table and assigns.
func (k *rowSettings) apply(r *exec.Execution, table string, rows [][]value.Value) ([][]value.Value, error) {
	if table != k.table.Part {
		return rows, nil
	}
	for i, row := range rows {
		for len(row) < len(k.table.Columns) {
			row = append(row, value.Value{})
		}
		rows[i] = row
	}
	if len(k.exprs) == 0 {
		return rows, nil
	}
	types := make([]value.Type, len(k.table.Columns))
	for i, c := range k.table.Columns {
		types[i] = c.Type
	}
	b := value.FromRows(types, rows)
	for i, row := range rows {
		for j, x := range k.exprs {
			v, err := x.At(r.Env, b, i)
			if err != nil {
				return nil, expr.ErrorAt(ast.Pos{}, err)
			}
			row[k.table.Column(k.names[j].Column)] = v
		}
	}
	return rows, nil
}
