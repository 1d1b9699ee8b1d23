package change

import (
	"cmp"
	"context"
	"errors"
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
	"parlance/storage/catalog"
	"parlance/storage/loading"
	"parlance/storage/value"
)

// plannedRows are the rows to insert, not yet read, with their columns.
type plannedRows struct {
	columns []string
	op      operator.Operator
}

// planCreateAs plans the SELECT of CREATE … AS. If the statement declares no columns, the object gets those of the
// SELECT.
func planCreateAs(r *exec.Execution, s *ast.Create, o *catalog.Object) (*plannedRows, error) {
	n, err := r.Plan(s.As)
	if err != nil {
		return nil, err
	}
	var names []string
	declare := len(o.Columns) == 0
	for _, c := range n.Columns() {
		names = append(names, c.Name)
		if declare && !(o.Kind == catalog.CorpusObject && (c.Name == "id" || c.Name == "text")) {
			t := c.Type
			if t == value.Null {
				t = value.Text
			}
			o.Columns = append(o.Columns, catalog.ColumnDef{Name: c.Name, Type: t})
		}
	}
	if !declare && o.Kind != catalog.CorpusObject {
		if len(names) != len(o.Columns) {
			return nil, plan.Errorf(s.As.Pos, ast.CodeSyntax, "", "%d {column is|columns are} declared and %d selected",
				len(o.Columns), len(names))
		}
		for i, c := range o.Columns {
			names[i] = c.Name
		}
	}
	op, err := r.Build(n)
	if err != nil {
		return nil, err
	}
	return &plannedRows{names, op}, nil
}

// Insert adds documents, rows of a layer, or rows of a table.
func Insert(r *exec.Execution, ctx context.Context, s *ast.Insert) (*operator.Result, error) {
	o, err := Target(r, s.Into)
	if err != nil {
		return nil, err
	}
	if err := conflictKey(s, o); err != nil {
		return nil, err
	}
	if s.Into.Layer != "" && o.Owner == 0 {
		return insertLayer(r, ctx, s, o)
	}
	if err := refuseMerge(o, s.Returning); err != nil {
		return nil, err
	}
	ret, err := bindReturning(r, o, s.Into, s.Alias, s.Returning)
	if err != nil {
		return nil, err
	}
	var up *upsert
	if s.Conflict == "UPDATE" {
		if up, err = runUpsert(r, s, o, ret); err != nil {
			return nil, err
		}
	}
	src, err := insertSource(r, s, insertColumns(o))
	if err != nil {
		return nil, err
	}
	n := 0
	if up != nil {
		n, err = up.run(ctx, src)
	} else {
		n, err = insertRows(r, ctx, s, o, src, ret)
	}
	if err != nil {
		return nil, fault.At(s.Into.Pos, err)
	}
	return ret.result(fmt.Sprintf("INSERT %d", n)), nil
}

// conflictKey checks the columns that ON CONFLICT names. The key of documents is their id, that of tables their first
// column; the tables of knowledge bases have keys of their own.
func conflictKey(s *ast.Insert, o *catalog.Object) error {
	key := []string{"id"}
	switch {
	case len(s.Keys) == 0:
		return nil
	case s.Into.Layer != "" && o.Owner == 0:
		return plan.Errorf(s.Pos, plan.CodeFeature, "ON CONFLICT REPLACE or SKIP",
			"rows of %s are told apart by several columns", s.Into)
	case s.Conflict == "UPDATE" && !hasUniqueKey(o):
		return plan.Errorf(s.Pos, plan.CodeFeature, "INSERT merges them",
			"rows of %s have nothing that DO UPDATE could change", s.Into)
	case o.Kind != catalog.CorpusObject:
		key = key[:0]
		for _, c := range o.Columns[:o.Key()] {
			key = append(key, c.Name)
		}
	}
	named := slices.Sorted(slices.Values(s.Keys))
	if !slices.Equal(named, slices.Sorted(slices.Values(key))) {
		do := "DO NOTHING"
		if s.Conflict == "UPDATE" {
			do = "DO UPDATE SET …"
		}
		return plan.Errorf(s.Pos, "42P10", "ON CONFLICT ("+quoted(key)+") "+do, "rows of %s are told apart by %s, not by %s",
			s.Into, quoted(key), quoted(s.Keys))
	}
	return nil
}

// quoted lists quoted names.
func quoted(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = ast.QuoteName(n)
	}
	return strings.Join(out, ", ")
}

// hasUniqueKey reports whether the rows of an object have a unique key and other columns. Entities and types may have
// several rows of one name; aliases have no column besides their key.
func hasUniqueKey(o *catalog.Object) bool {
	return o.Owner == 0 || o.Part == catalog.Triples || o.Part == catalog.Relations || o.Part == catalog.Rules
}

// insertRows adds the rows of src and returns their number.
func insertRows(r *exec.Execution, ctx context.Context, s *ast.Insert, o *catalog.Object, src *plannedRows,
	ret *returning) (int, error) {
	if o.Kind == catalog.CorpusObject {
		res, err := insertDocuments(r, ctx, o, src, strings.ToLower(s.Conflict), ret)
		return res.Documents + res.Replaced, err
	}
	if s.Conflict != "" && o.Owner == 0 {
		return insertUnique(r, ctx, o, src, s.Conflict == "REPLACE", ret)
	}
	load, err := newRowLoad(r, ctx, o, cmp.Or(strings.ToLower(s.Conflict), "replace"))
	if err != nil {
		src.op.Close()
		return 0, err
	}
	return fillTable(ctx, o, load, src, ret)
}

// insertColumns are the columns that INSERT fills when it names none.
func insertColumns(o *catalog.Object) []string {
	var out []string
	if o.Kind == catalog.CorpusObject {
		out = append(out, "id", "text")
	}
	for _, c := range o.Columns {
		out = append(out, c.Name)
	}
	return out
}

// insertSource opens the rows of an INSERT.
func insertSource(r *exec.Execution, s *ast.Insert, all []string) (*plannedRows, error) {
	columns := s.Columns
	if len(columns) == 0 {
		columns = all
	}
	seen := map[string]bool{}
	for _, c := range columns {
		if !slices.Contains(all, c) {
			return nil, plan.Errorf(s.Pos, plan.CodeUndefinedColumn, "columns: "+strings.Join(all, ", "),
				"%s has no column %s%s", s.Into.Name, c, option.DidYouMean(c, all))
		}
		if seen[c] {
			return nil, plan.Errorf(s.Pos, "42701", "", "column %s is named twice", c)
		}
		seen[c] = true
	}
	if s.Select != nil {
		n, err := r.Plan(s.Select)
		if err != nil {
			return nil, err
		}
		if len(n.Columns()) > len(columns) || len(n.Columns()) < len(columns) && len(s.Columns) > 0 {
			return nil, plan.Errorf(s.Select.Pos, ast.CodeSyntax, "", "%d {column is|columns are} selected for %d",
				len(n.Columns()),
				len(columns))
		}
		op, err := r.Build(n)
		if names := columnsByName(n, all); s.Into.Layer != "" && len(s.Columns) == 0 && names != nil {
			return &plannedRows{names, op}, err
		}
		return &plannedRows{columns[:len(n.Columns())], op}, err
	}
	width := len(s.Values[0])
	if width > len(columns) || width < len(columns) && len(s.Columns) > 0 {
		return nil, plan.Errorf(s.Pos, ast.CodeSyntax, "columns: "+strings.Join(columns, ", "),
			"%d {value is|values are} given for %d {column|columns}", width, len(columns))
	}
	rows, err := values(r, s, width)
	if err != nil {
		return nil, err
	}
	types := make([]value.Type, width)
	return &plannedRows{columns[:width], &operator.Rows{Types: types, Rows: rows}}, nil
}

// columnsByName returns the names of the selected columns if each is one of all and none comes twice. Rows of a layer
// are mostly selected from other layers, whose columns have another order, so they are matched by name.
func columnsByName(n plan.Node, all []string) (names []string) {
	for _, c := range n.Columns() {
		if !slices.Contains(all, c.Name) || slices.Contains(names, c.Name) {
			return nil
		}
		names = append(names, c.Name)
	}
	return names
}

// values evaluates the rows of VALUES.
func values(r *exec.Execution, s *ast.Insert, width int) ([][]value.Value, error) {
	b := r.Binder()
	var rows [][]value.Value
	for _, list := range s.Values {
		if len(list) != width {
			return nil, plan.Errorf(list[0].Position(), ast.CodeSyntax, "", "rows of VALUES have %d and %d values",
				width, len(list))
		}
		row := make([]value.Value, width)
		for i, e := range list {
			x, err := b.Constant(e)
			if err != nil {
				return nil, err
			}
			if row[i], err = r.Scalar(x); err != nil {
				return nil, expr.ErrorAt(e.Position(), err)
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// fill inserts rows into a new or old object.
func fill(r *exec.Execution, ctx context.Context, o *catalog.Object, src *plannedRows) (int, error) {
	if o.Kind == catalog.CorpusObject {
		res, err := insertDocuments(r, ctx, o, src, "", nil)
		return res.Documents, err
	}
	load, err := newRowLoad(r, ctx, o, "replace")
	if err != nil {
		src.op.Close()
		return 0, err
	}
	return fillTable(ctx, o, load, src, nil)
}

// fillTable adds rows to a table and commits the load.
func fillTable(ctx context.Context, o *catalog.Object, load rowLoad, src *plannedRows, ret *returning) (int, error) {
	defer src.op.Close()
	defer load.Abort() // also after a panic of an expression; after Commit it does nothing
	at := make([]int, len(src.columns))
	for i, c := range src.columns {
		at[i] = o.Column(c)
	}
	for {
		b, err := src.op.Next(ctx)
		if err != nil {
			return 0, err
		}
		if b == nil {
			return load.Commit(ctx)
		}
		rows, err := castRows(o, b, at)
		if err == nil {
			err = load.Add(ctx, rows, nil)
		}
		if err == nil {
			err = ret.addValues(rows)
		}
		if err != nil {
			return 0, err
		}
	}
}

// castRows brings the columns of a batch into the order and types of the object.
func castRows(o *catalog.Object, b *value.Batch, at []int) ([][]value.Value, error) {
	rows := make([][]value.Value, b.N)
	for i := range rows {
		rows[i] = make([]value.Value, len(o.Columns))
		for k, c := range at {
			v, err := value.Cast(b.Cols[k].At(i), o.Columns[c].Type)
			if err != nil {
				return nil, fault.New(plan.CodeType, "column %s: %v", o.Columns[c].Name, err)
			}
			rows[i][c] = v
		}
	}
	return rows, nil
}

// insertDocuments makes documents of rows and adds them.
func insertDocuments(r *exec.Execution, ctx context.Context, o *catalog.Object, src *plannedRows, conflict string,
	ret *returning) (loading.Result, error) {
	defer src.op.Close()
	opt := loading.Options{OnConflict: conflictMode(conflict)}
	var added []*text.Document
	if ret != nil {
		opt.Added = func(d *text.Document) { added = append(added, d) }
		if conflict == "replace" {
			ret.places = map[string]int{}
		}
	}
	load, err := r.Store.NewLoad(ctx, o, opt)
	if err != nil {
		return loading.Result{}, err
	}
	defer load.Abort()
	row := 0
	for {
		b, err := src.op.Next(ctx)
		if err != nil {
			return loading.Result{}, err
		}
		if b == nil {
			res, err := load.Commit(ctx)
			return res, duplicate(err)
		}
		docs, places, err := buildDocuments(r, o, src.columns, b, &row)
		if err == nil {
			err = duplicate(load.Add(ctx, docs, places))
		}
		if err == nil {
			err = ret.addDocuments(added)
			added = added[:0]
		}
		if err != nil {
			return loading.Result{}, err
		}
	}
}

func conflictMode(s string) string {
	if s == "" {
		return "error"
	}
	return strings.ToLower(s)
}

// duplicate gives the error of a duplicate id its SQLSTATE.
func duplicate(err error) error {
	var d *loading.DuplicateError
	if errors.As(err, &d) {
		return &ast.Error{Code: "23505", Msg: d.Error(),
			Hint: "WITH (on_conflict = 'replace') or 'skip' (ON CONFLICT REPLACE or SKIP of INSERT)"}
	}
	return err
}

// buildDocuments makes tokenised documents of rows with the columns id, text and metadata.
func buildDocuments(r *exec.Execution, o *catalog.Object, columns []string, b *value.Batch,
	row *int) ([]*text.Document, []string, error) {
	docs, places := make([]*text.Document, b.N), make([]string, b.N)
	for i := range docs {
		*row++
		d := &text.Document{}
		for k, c := range columns {
			v := b.Cols[k].At(i)
			switch c {
			case "id":
				d.ID = v.String()
				if v.IsNull() {
					d.ID = ""
				}
			case "text":
				if v.T != value.Text && !v.IsNull() {
					return nil, nil, fault.New(plan.CodeType, "row %d: text takes text, not %s", *row, v.T)
				}
				d.Text = v.S
			default:
				x, err := value.Cast(v, o.Columns[o.Column(c)].Type)
				if err != nil {
					return nil, nil, fault.New(plan.CodeType, "row %d: column %s: %v", *row, c, err)
				}
				d.Fields = append(d.Fields, text.Field{Name: c, Value: x})
			}
		}
		if err := document.CheckID(fmt.Sprintf("row %d", *row), d.ID); err != nil {
			return nil, nil, err
		}
		cut, err := r.Documents.Make(r.Env.Ctx, d.ID, d.Text, document.TokenizerOf(o))
		if err != nil {
			return nil, nil, err
		}
		cut.Fields = d.Fields
		docs[i], places[i] = cut, fmt.Sprintf("row %d", *row)
	}
	return docs, places, nil
}

// assign binds the assignments of SET over the columns of a node.
func assign(r *exec.Execution, list []ast.Assignment, n plan.Node,
	typeOf func(string) (value.Type, error)) ([]expr.Expr, error) {
	b := r.Binder()
	out := make([]expr.Expr, len(list))
	for i, a := range list {
		t, err := typeOf(a.Column)
		if err != nil {
			return nil, fault.At(a.Pos, err)
		}
		x, err := b.Over(a.Value, n)
		if err != nil {
			return nil, err
		}
		if out[i], err = bind.Convert(x, t, a.Pos, a.Column); err != nil {
			return nil, err
		}
	}
	return out, nil
}
