package db_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"parlance/db"
	"parlance/query/fn"
	"parlance/storage/value"
)

// TestWritersSeeEachOther lets sessions change the same rows: no change is lost, and none comes twice.
func TestWritersSeeEachOther(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(), `CREATE LEXICON counts (word TEXT, n INTEGER); INSERT INTO counts VALUES ('x', 0), ('w', 0);
CREATE CORPUS docs (n INTEGER); INSERT INTO docs (id, text, n) VALUES ('a', 'one two three four five six seven eight', 0);
CREATE KB facts (n INTEGER); INSERT INTO facts.triples (subject, relation, object, n) VALUES ('s', 'r', 'o', 0);
INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) VALUES ('a', 1, 1, 1, 'x')`)
	const sessions, times = 4, 6
	var all sync.WaitGroup
	for k := range sessions {
		all.Go(func() {
			c := d.Conn()
			for i := range times {
				for _, statement := range []string{
					"UPDATE counts SET n = n + 1 WHERE word = 'x'",
					"UPDATE counts SET n = n + k.one FROM (SELECT 1 AS one) AS k WHERE word = 'w'",
					"INSERT INTO counts VALUES ('z', 1) ON CONFLICT (word) DO UPDATE SET n = counts.n + excluded.n",
					"UPDATE docs SET n = n + 1",
					"UPDATE facts.triples SET n = n + 1",
					"UPDATE docs.entities SET label = label || 'x' WHERE tok_start = 1",
					fmt.Sprintf("INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) VALUES ('a', 1, %d, %d, 'S%d') ON "+
						"CONFLICT REPLACE", k+2, k+2, i),
					fmt.Sprintf("INSERT INTO counts VALUES ('y', %d) ON CONFLICT REPLACE", k),
				} {
					if _, err := c.Exec(t.Context(), statement); err != nil {
						t.Errorf("%s: %v", statement, err)
					}
				}
			}
		})
	}
	all.Wait()
	const changes = sessions * times
	for query, want := range map[string]int64{
		"SELECT n FROM counts WHERE word = 'x'":                         changes,
		"SELECT n FROM counts WHERE word = 'w'":                         changes,
		"SELECT n FROM counts WHERE word = 'z'":                         changes,
		"SELECT n FROM docs":                                            changes,
		"SELECT n FROM facts.triples":                                   changes,
		"SELECT length(label) FROM docs.entities WHERE label LIKE 'x%'": changes + 1,
		"SELECT count(*) FROM docs.entities WHERE label = 'S5'":         sessions,
		"SELECT count(*) FROM counts WHERE word = 'y'":                  1,
	} {
		rows, err := d.Conn().Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		var got int64
		for rows.Next() {
			if err := rows.Scan(&got); err != nil {
				t.Error(err)
			}
		}
		if err := rows.Close(); err != nil || got != want {
			t.Errorf("%s gives %d, want %d: %v", query, got, want, err)
		}
	}
}

// TestCreateAsIsWhole looks from another session at what CREATE … AS makes while its select runs, and after it
// has failed. Nobody takes the name meanwhile.
func TestCreateAsIsWhole(t *testing.T) {
	during := func() error { return nil }
	probe := fn.Func{Name: "probe", Doc: "calls the test", Args: []value.Type{value.Text}, Result: value.Text,
		Volatile: true,
		Eval:     func(args []value.Value) (value.Value, error) { return args[0], during() }}
	d, err := db.Open("", db.Options{Functions: []fn.Func{probe}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, x := range []struct{ create, as, other string }{
		{"CREATE CORPUS made", "SELECT id, probe(text) AS text FROM docs", "CREATE CORPUS made"},
		{"CREATE LEXICON made", "SELECT id, probe(text) AS text FROM docs", "CREATE LEXICON made (word TEXT)"},
		{"CREATE KB made", "SELECT id AS subject, 'r' AS relation, probe(text) AS object FROM docs",
			"CREATE LEXICON made (word TEXT)"},
	} {
		script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two')")
		calls := 0
		during = func() error {
			calls++
			if _, err := d.Exec(context.Background(), "SELECT * FROM made"); code(err) != "42P01" {
				t.Errorf("%s is seen before it is whole: %v", x.create, err)
			}
			return nil
		}
		script(t, d.Conn(), x.create+" AS "+x.as)
		if calls == 0 {
			t.Error("nobody looked")
		}
		during = func() error { return fmt.Errorf("no") }
		drop := "DROP" + x.create[len("CREATE"):]
		script(t, d.Conn(), drop)
		if _, err := d.Exec(t.Context(), x.create+" AS "+x.as); err == nil {
			t.Error("no error")
		}
		during = func() error { return nil }
		script(t, d.Conn(), x.create+" AS "+x.as+"; "+drop)
		during = func() error {
			if _, err := d.Exec(context.Background(), x.other); code(err) != "55006" {
				t.Error("another takes the name meanwhile:", err)
			}
			return nil
		}
		script(t, d.Conn(), x.create+" AS "+x.as)
		script(t, d.Conn(), drop+"; DROP CORPUS docs; CHECK DATABASE")
	}
}

// TestNamesOfTrainings takes the name of a model that is being trained, and trains a model of a name that a block
// takes.
func TestNamesOfTrainings(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(),
		`CREATE CORPUS gold; LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities))`)
	const train = "TRAIN crf AS made ON gold WITH (iterations = 2)"
	block := d.Conn()
	script(t, block, "BEGIN; CREATE LEXICON other (word TEXT); ALTER LEXICON other RENAME TO made")
	if _, err := d.Exec(t.Context(), train); code(err) != "55006" {
		t.Error(err)
	}
	script(t, block, "ROLLBACK")
	c := d.Conn()
	tried := 0
	c.OnProgress(func(db.Progress) {
		tried++
		for _, x := range []string{"CREATE CORPUS made", "BEGIN; CREATE FEATURES made AS 'form[0]'",
			"CREATE LEXICON other (word TEXT); ALTER LEXICON other RENAME TO made"} {
			if err := d.Conn().Script(context.Background(), x, nil); code(err) != "55006" {
				t.Errorf("%s: %v", x, err)
			}
			script(t, d.Conn(), "DROP LEXICON IF EXISTS other")
		}
	})
	script(t, c, train)
	if tried == 0 {
		t.Error("nobody tried")
	}
	script(t, d.Conn(), train+"; DROP MODEL made; CREATE CORPUS made; DROP CORPUS made; CHECK DATABASE")
}
