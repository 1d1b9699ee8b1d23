package engine

import (
	"context"
	"path/filepath"
	"testing"

	"parlance/query/ast"
	"parlance/query/fn/builtin"
	"parlance/query/parse"
	"parlance/query/plan"
	"parlance/storage"
)

// TestPlanCache takes plans from the cache until the catalog, a corpus or a setting changes.
func TestPlanCache(t *testing.T) {
	s, err := storage.Open(filepath.Join(t.TempDir(), "x"), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEngine(s, nil, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	ses := NewSession()
	run1 := func(text string) {
		t.Helper()
		stmt, err := parse.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.Execute(context.Background(), ses, stmt, nil)
		if err != nil {
			t.Fatal(err)
		}
		if res != nil && res.Rows != nil {
			res.Rows.Close()
		}
	}
	run1("CREATE CORPUS docs")
	run1("INSERT INTO docs (id, text) VALUES ('a', 'x')")
	tree := func(text string) *ast.Select {
		stmt, err := parse.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return stmt.(*ast.Select)
	}
	q := tree("SELECT form FROM docs.tokens WHERE doc = $1")
	of := func(q *ast.Select) plan.Node {
		t.Helper()
		r := e.newExecution(context.Background(), ses, nil)
		defer r.Close()
		n, err := r.Plan(q)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	last := of(q)
	if of(q) != last {
		t.Error("the same statement is planned twice")
	}
	for _, change := range []string{"CREATE CORPUS more", "INSERT INTO docs (id, text) VALUES ('b', 'y')",
		"SET default_model = 'm'", "SET rules_off = push"} {
		run1(change)
		now := of(q)
		if now == last {
			t.Errorf("after %s the old plan is used", change)
		}
		last = now
	}
	sub := tree("SELECT id FROM docs WHERE id = (SELECT max(id) FROM docs)")
	if of(sub) == of(sub) {
		t.Error("a plan with a subselect as a value is shared")
	}
}
