package change

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/catalog"
)

func Rename(r *exec.Execution, ctx context.Context, s *ast.AlterRename) (*operator.Result, error) {
	o, err := ObjectOf(r, s.Pos, s.Name, ObjectKind(s.Object))
	if err != nil {
		return nil, err
	}
	if exec.Reserved(s.To) {
		return nil, plan.Errorf(s.Pos, "42939", "choose another name", "%s is a reserved name", s.To)
	}
	if o.Kind == catalog.ModelObject {
		return nil, plan.Errorf(s.Pos, plan.CodeFeature, "TRAIN under the new name",
			"a model keeps its name: other models and stored predictions refer to it")
	}
	if err := checkNotRead(r, ctx, s.Pos, o); err != nil {
		return nil, err
	}
	err = r.Store.RenameObject(ctx, o, s.To)
	if err != nil {
		return nil, takenBy(r, s.Pos, "", err)
	}
	return operator.Tag("ALTER " + s.Object), nil
}

// checkNotRead returns an error for a gazetteer or lexicon that a model reads.
func checkNotRead(r *exec.Execution, ctx context.Context, pos ast.Pos, o *catalog.Object) error {
	if users := dependentModels(r, ctx, o); len(users) > 0 {
		return plan.Errorf(pos, "2BP01", "DROP MODEL "+users[0]+" first", "%s %s is read by %s", o.Kind, o.Name,
			strings.Join(users, ", "))
	}
	return nil
}

func AddColumn(r *exec.Execution, ctx context.Context, s *ast.AlterAddColumn) (*operator.Result, error) {
	o, err := withColumns(r, s.Pos, s.Object, s.Name, s.Table)
	if err != nil {
		return nil, err
	}
	t, err := bind.Type(s.Column.Type)
	if err != nil {
		return nil, err
	}
	if err := newColumn(r, o, s.Column); err != nil {
		return nil, err
	}
	_, err = r.Store.AddColumn(ctx, o, catalog.ColumnDef{Name: s.Column.Name, Type: t})
	return operator.Tag("ALTER " + s.Object), err
}

// withColumns finds what has the columns of an object: a table of a knowledge base, its triples if none is named.
func withColumns(r *exec.Execution, pos ast.Pos, object, name, table string) (*catalog.Object, error) {
	o, err := ObjectOf(r, pos, name, ObjectKind(object))
	if err != nil || o.Kind != catalog.KBObject {
		return o, err
	}
	switch table {
	case "", catalog.Triples, catalog.Entities, catalog.Aliases:
		return o.Table(cmp.Or(table, catalog.Triples)), nil
	}
	return nil, plan.Errorf(pos, plan.CodeWrongKind, "triples, entities and aliases may have more columns",
		"table %s of a kb has the columns that it has", table)
}

// newColumn checks the name of a column that is added to an object.
func newColumn(r *exec.Execution, o *catalog.Object, c ast.ColumnDef) error {
	if o.Column(c.Name) >= 0 {
		return plan.Errorf(c.Pos, "42701", "columns: "+exec.ColumnNames(o), "%s has a column %s already", o.Name, c.Name)
	}
	return checkColumn(r, o, c, o.Kind)
}

func DropColumn(r *exec.Execution, ctx context.Context, s *ast.AlterDropColumn) (*operator.Result, error) {
	o, err := alterable(r, ctx, s.Pos, s.Object, s.Name, s.Table, s.Column)
	if err != nil {
		return nil, err
	}
	if o.Kind != catalog.CorpusObject && o.Owner == 0 && o.Column(s.Column) == 0 {
		return nil, plan.Errorf(s.Pos, plan.CodeWrongKind, "RENAME COLUMN gives it another name",
			"a %s is looked up by its first column %s", o.Kind, s.Column)
	}
	for _, cols := range o.Indexes {
		if slices.Contains(cols, s.Column) {
			hint := fmt.Sprintf("DROP INDEX ON %s (%s) first", ast.QuoteName(o.Name), strings.Join(cols, ", "))
			return nil, plan.Errorf(s.Pos, "2BP01", hint, "column %s of %s is in an index", s.Column, o.Name)
		}
	}
	if _, err = r.Store.DropColumn(ctx, o, s.Column); err != nil {
		return nil, err
	}
	noticeUses(r, o, s.Column)
	return operator.Tag("ALTER " + s.Object), nil
}

func RenameColumn(r *exec.Execution, ctx context.Context, s *ast.AlterRenameColumn) (*operator.Result, error) {
	o, err := alterable(r, ctx, s.Pos, s.Object, s.Name, s.Table, s.Column)
	if err != nil {
		return nil, err
	}
	if s.To == s.Column {
		return operator.Tag("ALTER " + s.Object), nil
	}
	if err := newColumn(r, o, ast.ColumnDef{Pos: s.Pos, Name: s.To}); err != nil {
		return nil, err
	}
	if _, err = r.Store.RenameColumn(ctx, o, s.Column, s.To); err != nil {
		return nil, err
	}
	noticeUses(r, o, s.Column)
	return operator.Tag("ALTER " + s.Object), nil
}

// alterable finds an object and checks that it has the column and that no model reads it.
func alterable(r *exec.Execution, ctx context.Context, pos ast.Pos, object, name, table,
	column string) (*catalog.Object, error) {
	o, err := withColumns(r, pos, object, name, table)
	if err != nil {
		return nil, err
	}
	if o.Owner != 0 && o.Builtin(column) {
		return nil, plan.Errorf(pos, plan.CodeWrongKind, "", "the %s of every knowledge base have the column %s",
			o.Part, column)
	}
	if o.Kind == catalog.CorpusObject && (column == "id" || column == "text") {
		return nil, plan.Errorf(pos, plan.CodeWrongKind, "", "every corpus has the column %s", column)
	}
	if o.Column(column) < 0 {
		hint := "it has no columns of its own"
		if len(o.Columns) > 0 {
			hint = "columns: " + exec.ColumnNames(o)
		}
		return nil, plan.Errorf(pos, plan.CodeUndefinedColumn, hint, "%s has no column %s%s", name, column,
			option.DidYouMean(column, strings.Split(exec.ColumnNames(o), ", ")))
	}
	return o, checkNotRead(r, ctx, pos, o)
}

// noticeUses gives a notice of the models and feature sets that refer to a column by its old name.
func noticeUses(r *exec.Execution, o *catalog.Object, column string) {
	word := func(s, in string) bool {
		ok, _ := regexp.MatchString(`(^|[^\pL\pN_])`+regexp.QuoteMeta(s)+`($|[^\pL\pN_])`, in)
		return ok
	}
	for _, m := range r.Snapshot.Objects(catalog.ModelObject) {
		for _, v := range r.Store.Model(m.Name).Versions {
			var schema kind.Schema
			if err := json.Unmarshal(v.Schema, &schema); err == nil && schema.Group == column && o.Kind == catalog.CorpusObject {
				r.Session.Notice(fmt.Sprintf("%s@%d groups documents by %s", v.Name, v.Version, column))
			} else if word(o.Name, v.Statement) && word(column, v.Statement) {
				r.Session.Notice(fmt.Sprintf("the statement that trained %s@%d names %s", v.Name, v.Version, column))
			}
		}
	}
	for _, f := range r.Snapshot.Objects(catalog.FeaturesObject) {
		named, err := relation.SetResources(f.Source)
		if err != nil || !word(column, f.Source) {
			continue
		}
		for _, res := range named {
			if res.Name == o.Name {
				r.Session.Notice(fmt.Sprintf("features %s name column %s of %s", f.Name, column, o.Name))
				break
			}
		}
	}
}
