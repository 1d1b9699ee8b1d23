package engine

import (
	"testing"

	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/change"
	"parlance/query/exec"
	"parlance/query/parse"
	"parlance/query/plan"
	"parlance/storage/value"
)

// TestMatchedBySeek counts the rows that changes with other tables read of a table of 1000 rows.
func TestMatchedBySeek(t *testing.T) {
	_, r := engineWith(t,
		"CREATE LEXICON big (w TEXT, grp INTEGER, n INTEGER)",
		"INSERT INTO big SELECT 'w' || i, i % 10, i FROM generate_series(1, 1000) AS g(i)",
		"CREATE INDEX ON big (w)",
		"CREATE INDEX ON big (grp, n)",
		"CREATE LEXICON small (w TEXT, n INTEGER)",
		"INSERT INTO small VALUES ('w7', 7), ('w8', 8), ('w8', 18), (NULL, 3), ('none', 9)",
		"CREATE INDEX ON small (w)")
	for where, want := range map[string]int{
		"small.w = big.w":                                2,
		"small.w = big.w AND big.n > 7":                  2,
		"big.w = 'w' || small.n":                         5,
		"big.grp = 3 AND big.n = small.n":                1,
		"small.w = big.w AND small.n > 10":               1,
		"small.w = big.w AND small.w = 'x'":              0,
		"upper(small.w) = upper(big.w)":                  1000,
		"small.w = big.w OR big.n = 1":                   1000,
		"small.n > big.n":                                1000,
		"small.w = big.w AND small.n = (SELECT max(7))":  1,
		"big.w IN (SELECT w FROM small) AND small.n = 7": 1000,
	} {
		n, m := matched(t, r, "UPDATE big SET n = 0 FROM small WHERE "+where)
		keys, ok, err := m.LookupKeys(t.Context(), n)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		if ok {
			r.SetLookupKeys(n, keys)
		}
		read := 0
		err = r.ScanTable(t.Context(), n, func(_ []uint64, b *value.Batch) error { read += b.N; return nil })
		if err != nil || read != want {
			t.Errorf("%s: %d rows are read, want %d; %v", where, read, want, err)
		}
	}
}

// TestUnmatchedBySeek changes the smaller of two tables, and does not read the other one beforehand.
func TestUnmatchedBySeek(t *testing.T) {
	_, r := engineWith(t,
		"CREATE LEXICON big (w TEXT)", "INSERT INTO big SELECT i::text FROM generate_series(1, 100) AS g(i)",
		"CREATE INDEX ON big (w)",
		"CREATE LEXICON small (w TEXT)", "INSERT INTO small VALUES ('1'), ('2')", "CREATE INDEX ON small (w)")
	n, m := matched(t, r, "UPDATE small SET w = 'x' FROM big WHERE big.w = small.w")
	if keys, ok, err := m.LookupKeys(t.Context(), n); ok || err != nil || len(m.R.BuildSides) > 0 {
		t.Errorf("keys %v, sides %v, %v", keys, m.R.BuildSides, err)
	}
}

// matched binds an UPDATE of a table with others.
func matched(t *testing.T, r *exec.Execution, update string) (*plan.Table, *change.TargetScan) {
	t.Helper()
	stmt, err := parse.Parse(update)
	if err != nil {
		t.Fatal(err)
	}
	s := stmt.(*ast.Update)
	o, _ := r.Store.Object(s.Table.Name)
	n := bind.TableNode(o, s.Table.Name)
	m, err := change.NewTargetScan(r, s.Table, n, s.From, s.Where)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n.Need {
		n.Need[i] = true
	}
	n.Conds = m.TargetConds
	return n, m
}
