package pgcatalog_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"parlance/algo/kind"
	"parlance/query/engine"
	"parlance/query/fn/builtin"
	"parlance/query/operator"
	"parlance/query/parse"
	"parlance/storage"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// manyModels is an engine over a database of n models with five relations each.
func manyModels(t testing.TB, n int) *engine.Engine {
	t.Helper()
	s, err := storage.Open(filepath.Join(t.TempDir(), "many.parlance"), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	columns := []kind.Column{{Name: "feature", Type: value.Text, Doc: "name"}, {Name: "weight", Type: value.Float}}
	schema, err := json.Marshal(
		kind.Schema{Relations: []kind.Relation{{Name: "weights", Columns: columns}, {Name: "words", Columns: columns}}})
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]registry.NewVersion, n)
	for i := range batch {
		w, err := s.NewWeights(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		batch[i] = registry.NewVersion{Weights: w, Version: registry.Version{Name: fmt.Sprintf("model%d", i), Kind: "toy",
			Schema: schema}}
	}
	if _, err := s.PublishModels(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.NewEngine(s, nil, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// catalogRows runs a statement and returns its rows.
func catalogRows(t testing.TB, e *engine.Engine, text string) [][]value.Value {
	t.Helper()
	stmt, err := parse.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	res, err := e.Execute(t.Context(), engine.NewSession(), stmt, nil)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	rows, err := operator.Drain(t.Context(), res.Rows, 0)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return rows
}

// catalogQueries are those of psql's \dt, of \d to find a table and its columns, and of drivers
// that list the columns of a table.
var catalogQueries = map[string]string{
	"list": `SELECT n.nspname as "Schema", c.relname as "Name", CASE c.relkind WHEN 'r' THEN 'table' WHEN 'i' THEN 'index' END as "Type", pg_catalog.pg_get_userbyid(c.relowner) as "Owner"
FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r','p','') AND n.nspname <> 'pg_catalog' AND n.nspname !~ '^pg_toast' AND n.nspname <> 'information_schema' AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1,2`,
	"find": `SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relname OPERATOR(pg_catalog.~) '^(weights)$' COLLATE pg_catalog.default AND n.nspname OPERATOR(pg_catalog.~) '^(model77)$' COLLATE pg_catalog.default ORDER BY 2, 3`,
	"columns": `SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_attribute a
WHERE a.attrelid = 'model77.weights'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
	"information": `SELECT column_name FROM information_schema.columns WHERE table_schema = 'model77' AND table_name = 'weights' ORDER BY ordinal_position`,
	"all":         `SELECT n.nspname, c.relname, a.attname, a.atttypid FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE c.relname LIKE 'weights'`,
}

func BenchmarkCatalog(b *testing.B) {
	e := manyModels(b, 10_000)
	for name, text := range catalogQueries {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				catalogRows(b, e, text)
			}
		})
	}
	b.Run("snapshot", func(b *testing.B) {
		for b.Loop() {
			e, err := engine.NewEngine(e.Store, nil, e.Funcs, "test")
			if err != nil {
				b.Fatal(err)
			}
			catalogRows(b, e, "SELECT 'model77.weights'::regclass")
		}
	})
}

func TestCatalogOfManyModels(t *testing.T) {
	e := manyModels(t, 300)
	want := map[string]int{"list": 0, "find": 1, "columns": 2, "information": 2, "all": 600}
	for name, text := range catalogQueries {
		if rows := catalogRows(t, e, text); len(rows) != want[name] {
			t.Errorf("%s gives %d rows, %d wanted", name, len(rows), want[name])
		}
	}
	again, err := engine.NewEngine(e.Store, nil, e.Funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	const oids = "SELECT oid, relname, relnamespace FROM pg_class ORDER BY oid"
	first, second := catalogRows(t, e, oids), catalogRows(t, again, oids)
	seen := map[int64]bool{}
	for i, r := range first {
		if r[0] != second[i][0] || r[1] != second[i][1] || seen[r[0].Int()] {
			t.Fatalf("numbers differ or stand twice: %v and %v", r, second[i])
		}
		seen[r[0].Int()] = true
	}
}
