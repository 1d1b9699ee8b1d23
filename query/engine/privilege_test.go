package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	tree "parlance/query/ast"
	"parlance/storage/accounts"
)

// TestEveryStatementHasARole compares the table with the statements that the tree declares.
func TestEveryStatementHasARole(t *testing.T) {
	listed := map[string]bool{}
	for typ := range privileges {
		listed[typ.Elem().Name()] = true
	}
	files, err := filepath.Glob("../ast/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := 0
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != "statement" || fn.Recv == nil {
				continue
			}
			found++
			typ := fn.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
			if !listed[typ] {
				t.Errorf("%s: the statement %s has no role in the table of privileges", name, typ)
			}
			delete(listed, typ)
		}
	}
	if found < 40 {
		t.Errorf("only %d statements seen", found)
	}
	for typ := range listed {
		t.Errorf("%s is no statement", typ)
	}
}

func TestNeededRoles(t *testing.T) {
	path := &tree.Literal{Value: "x"}
	for _, c := range []struct {
		stmt tree.Statement
		want accounts.Role
	}{
		{&tree.Select{}, accounts.Reader},
		{&tree.CopyTo{}, accounts.Reader},
		{&tree.CopyTo{Path: path}, accounts.Writer},
		{&tree.Check{Corpus: "docs"}, accounts.Reader},
		{&tree.Check{}, accounts.Admin},
		{&tree.Drop{Object: tree.ObjectCorpus}, accounts.Writer},
		{&tree.Drop{Object: tree.ObjectUser}, accounts.Admin},
		{&tree.Explain{Statement: &tree.Select{}}, accounts.Reader},
		{&tree.Explain{Analyze: true, Statement: &tree.Delete{}}, accounts.Writer},
		{&tree.Explain{Statement: &tree.CopyTo{Path: path}}, accounts.Writer},
		{&tree.AlterSystem{}, accounts.Admin}, {&tree.Reload{}, accounts.Admin},
		{&tree.Set{Name: "cache"}, accounts.Reader},
		{&tree.Set{Name: "pin.ner"}, accounts.Admin},
		{&tree.Reset{Name: "pin.ner"}, accounts.Admin},
	} {
		if got := needed(c.stmt); got != c.want {
			t.Errorf("%T needs %s, not %s", c.stmt, got, c.want)
		}
	}
}
