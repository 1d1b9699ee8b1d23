package change

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/knowledge"
	"parlance/storage/value"
)

// Target finds the object that a statement changes: a corpus, a table, or a table of a knowledge base.
func Target(r *exec.Execution, t ast.Target) (*catalog.Object, error) {
	o, err := changeTarget(r, t)
	switch {
	case err != nil || o.Kind == catalog.CorpusObject:
		return o, err
	case o.Kind != catalog.KBObject && t.Layer != "":
		return nil, plan.Errorf(t.Pos, plan.CodeWrongKind, "", "%s is a %s and has no layers", o.Name, o.Kind)
	case o.Kind != catalog.KBObject:
		return o, nil
	}
	if c := o.Table(t.Layer); c != nil {
		return c, nil
	}
	return nil, bind.NoKBTable(t.Pos, o, t.Layer)
}

// rowLoad adds rows to a table. They are visible after Commit.
type rowLoad interface {
	Add(ctx context.Context, rows [][]value.Value, places []string) error
	Commit(ctx context.Context) (int, error)
	Abort()
}

// newRowLoad begins to add rows to a table, or to a table of a knowledge base. There conflict says what happens to a
// row whose key exists.
func newRowLoad(r *exec.Execution, ctx context.Context, o *catalog.Object, conflict string) (rowLoad, error) {
	if o.Owner == 0 {
		return r.Store.NewTableLoad(o)
	}
	return newKBLoad(r, ctx, o, conflict)
}

// kbLoad adds rows to tables of a knowledge base.
type kbLoad struct {
	r      *exec.Execution
	change *storage.KBChange
	table  string
	rows   int
	rules  map[string]bool // that were given
}

// newKBLoad begins to add rows to a table; conflict is error, replace or skip, for rows whose key exists.
func newKBLoad(r *exec.Execution, ctx context.Context, o *catalog.Object, conflict string) (*kbLoad, error) {
	c, err := changeKB(r, ctx, o)
	if err != nil {
		return nil, err
	}
	c.KeepExisting, c.RefuseExisting = conflict == "skip", conflict == "error"
	return &kbLoad{r: r, change: c, table: o.Part, rules: map[string]bool{}}, nil
}

// changeKB begins to change the knowledge base of a table.
func changeKB(r *exec.Execution, ctx context.Context, o *catalog.Object) (*storage.KBChange, error) {
	kb := r.Store.Owner(ctx, o)
	if kb == nil {
		return nil, fault.New(plan.CodeUndefinedTable, "there is no table %s", o.Name)
	}
	return r.Store.ChangeKB(ctx, kb)
}

// Add adds rows to the table of the load.
func (l *kbLoad) Add(ctx context.Context, rows [][]value.Value, places []string) error {
	return l.add(ctx, l.table, rows, places)
}

func (l *kbLoad) add(ctx context.Context, table string, rows [][]value.Value, places []string) error {
	if table == catalog.Rules {
		for i, row := range rows {
			if row[0].T != value.Text {
				continue
			}
			s, err := ruleText(row[0].S)
			if err != nil {
				return withPlace(err, places, i)
			}
			row[0].S, l.rules[s] = s, true
		}
	}
	l.rows += len(rows)
	return kbError(l.change.Add(ctx, table, rows, places))
}

// withPlace puts the place that a row comes from, such as file:line, before an error.
func withPlace(err error, places []string, i int) error {
	var e *ast.Error
	if places == nil || !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Msg = places[i] + ": " + c.Msg
	return &c
}

// Commit publishes the rows and returns how many were given.
func (l *kbLoad) Commit(ctx context.Context) (int, error) {
	if err := l.change.Commit(ctx); err != nil {
		return 0, kbError(err)
	}
	noteDuplicates(l.r, l.change)
	// The rows are committed: an error of the notice is ignored.
	_ = noteContradictions(l.r, ctx, l.change.Table(catalog.Rules), l.rules)
	return l.rows, nil
}

// Abort discards the load.
func (l *kbLoad) Abort() { l.change.Abort() }

// noteDuplicates gives a notice of how many rows existed already.
func noteDuplicates(r *exec.Execution, c *storage.KBChange) {
	if c.Duplicates == 0 {
		return
	}
	what := "the later values replace the former"
	if c.KeepExisting {
		what = "the former values stay"
	}
	rows := "rows were"
	if c.Duplicates == 1 {
		rows = "row was"
	}
	r.Session.Notice(fmt.Sprintf("%d %s there already: %s", c.Duplicates, rows, what))
}

// kbError gives errors of rows of knowledge bases their SQLSTATE.
func kbError(err error) error {
	var bad *knowledge.RowError
	if !errors.As(err, &bad) {
		return err
	}
	code := plan.CodeInvalid
	switch {
	case bad.Needed:
		code = "23503"
	case bad.Taken:
		return &ast.Error{Code: "23505", Msg: err.Error(), Hint: "WITH (on_conflict = 'replace') or 'skip'"}
	}
	return fault.New(code, "%v", err)
}

// changeRows runs a change of a table of a knowledge base.
func changeRows(r *exec.Execution, ctx context.Context, o *catalog.Object, f func(*storage.KBChange) error) error {
	c, err := changeKB(r, ctx, o)
	if err != nil {
		return err
	}
	defer c.Abort() // also where an expression panics; nothing after Commit
	if err = f(c); err == nil {
		err = c.Commit(ctx)
	}
	if err != nil {
		return kbError(err)
	}
	noteDuplicates(r, c)
	return nil
}

// canonicalRules replaces the rules in rows of a knowledge base by their canonical text.
func canonicalRules(o *catalog.Object, rows [][]value.Value) error {
	for _, row := range rows {
		if o.Owner != 0 && o.Part == catalog.Rules && row[0].T == value.Text {
			s, err := ruleText(row[0].S)
			if err != nil {
				return err
			}
			row[0].S = s
		}
	}
	return nil
}

// newKB checks the columns of CREATE KB, which are added to those of the triples.
func newKB(r *exec.Execution, s *ast.Create) (catalog.Object, error) {
	if len(s.With) > 0 {
		return catalog.Object{}, plan.Errorf(s.With[0].Pos, plan.CodeInvalid, "", "a knowledge base has no option %s",
			s.With[0].Name)
	}
	var columns []catalog.ColumnDef
	for _, c := range s.Columns {
		t, err := bind.Type(c.Type)
		if err != nil {
			return catalog.Object{}, err
		}
		if slices.ContainsFunc(columns, func(d catalog.ColumnDef) bool { return d.Name == c.Name }) {
			return catalog.Object{}, plan.Errorf(c.Pos, "42701", "", "column %s is named twice", c.Name)
		}
		for _, d := range catalog.KBColumns(catalog.Triples) {
			if d.Name == c.Name {
				return catalog.Object{}, plan.Errorf(c.Pos, "42701", "leave it out",
					"the triples of every knowledge base have the column %s", c.Name)
			}
		}
		columns = append(columns, catalog.ColumnDef{Name: c.Name, Type: t})
	}
	return catalog.NewKB(s.Name, columns), nil
}

// createKB makes a knowledge base; CREATE KB … AS fills it with the triples that a query yields.
func createKB(r *exec.Execution, ctx context.Context, s *ast.Create) (*operator.Result, error) {
	o, err := newKB(r, s)
	if err != nil {
		return nil, err
	}
	var source *plannedRows
	if s.As != nil {
		if source, err = kbSelect(r, s, &o); err != nil {
			return nil, err
		}
	}
	return createObject(r, ctx, s, o, source, catalog.Triples)
}

// kbSelect plans the SELECT of CREATE KB … AS. Its columns are matched with those of triples by name. If the statement
// declares no columns, other selected columns are added to the triples.
func kbSelect(r *exec.Execution, s *ast.Create, o *catalog.Object) (*plannedRows, error) {
	n, err := r.Plan(s.As)
	if err != nil {
		return nil, err
	}
	t := o.Table(catalog.Triples)
	var names []string
	for _, c := range n.Columns() {
		names = append(names, c.Name)
	}
	for _, need := range []string{"subject", "relation", "object"} {
		if !slices.Contains(names, need) {
			return nil, plan.Errorf(s.As.Pos, plan.CodeUndefinedColumn, "name it with AS", "the select gives no column %s%s",
				need, option.DidYouMean(need, names))
		}
	}
	for _, c := range n.Columns() {
		if t.Column(c.Name) >= 0 {
			continue
		}
		if len(s.Columns) > 0 {
			return nil, plan.Errorf(s.As.Pos, plan.CodeUndefinedColumn, "columns: "+exec.ColumnNames(t),
				"triples have no column %s", c.Name)
		}
		ty := c.Type
		if ty == value.Null {
			ty = value.Text
		}
		t.Columns = append(t.Columns, catalog.ColumnDef{Name: c.Name, Type: ty})
	}
	op, err := r.Build(n)
	return &plannedRows{names, op}, err
}
