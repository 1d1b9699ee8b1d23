package db_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"parlance/db"
)

// TestLookupInBlock finds rows by an index in a block that has changed many rows: with as many allocations as in one
// that has changed few, and the rows that reading all finds.
func TestLookupInBlock(t *testing.T) {
	for _, c := range []struct{ name, create, insert, update string }{
		{"knowledge base", "CREATE KB k", "INSERT INTO k.triples (subject, relation, object) VALUES ('s%d', 'r', 'o')",
			"UPDATE k.triples SET weight = 2 WHERE subject = 's%d'"},
		{"lexicon", "CREATE LEXICON k (word TEXT, n INTEGER); CREATE INDEX ON k (word)", "INSERT INTO k VALUES ('s%d', 1)",
			"UPDATE k SET n = 2 WHERE word = 's%d'"},
	} {
		d, err := db.Open("", db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		conn := d.Conn()
		script(t, conn, c.create+"; BEGIN")
		at := func(n int) (mallocs uint64) {
			t.Helper()
			var before, after runtime.MemStats
			for i := range n {
				script(t, conn, fmt.Sprintf(c.insert, n+i))
			}
			runtime.ReadMemStats(&before)
			for i := range 20 {
				script(t, conn, fmt.Sprintf(c.update, n+i))
			}
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		few, many := at(100), at(3200)
		if many > 2*few {
			t.Errorf("%s: 20 updates allocate %d times after 3,300 changes, %d times after 100", c.name, many, few)
		}
		script(t, conn, "ROLLBACK")
		d.Close()
	}
}

// TestLookupInBlockIsRight compares rows found by an index with those of a scan, while a block inserts, changes and
// deletes rows, goes back to savepoints and makes an index.
func TestLookupInBlockIsRight(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	script(t, conn, "CREATE LEXICON k (word TEXT, n INTEGER); CREATE INDEX ON k (n)")
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		script(t, conn, fmt.Sprintf("INSERT INTO k VALUES ('w%d', %d)", i, rng.IntN(8)))
	}
	script(t, conn, "BEGIN; SAVEPOINT p")
	for i := range 300 {
		n, m := rng.IntN(8), rng.IntN(8)
		switch what := rng.IntN(20); {
		case what < 8:
			script(t, conn, fmt.Sprintf("INSERT INTO k VALUES ('v%d', %d)", i, n))
		case what < 15:
			script(t, conn, fmt.Sprintf("UPDATE k SET n = %d WHERE n = %d AND word LIKE '%%%d'", m, n, m))
		case what < 17:
			script(t, conn, fmt.Sprintf("DELETE FROM k WHERE n = %d AND word LIKE '%%%d'", n, m))
		case what < 18:
			script(t, conn, "SAVEPOINT p")
		case what < 19:
			script(t, conn, "ROLLBACK TO p")
		case i > 200:
			script(t, conn, "CREATE INDEX IF NOT EXISTS ON k (word)")
		}
		byIndex := text(t, conn, fmt.Sprintf("SELECT word, n FROM k WHERE n = %d OR n >= 6 ORDER BY word", n))
		byScan := text(t, conn, fmt.Sprintf("SELECT word, n FROM k WHERE n + 0 = %d OR n + 0 >= 6 ORDER BY word", n))
		if byIndex != byScan {
			t.Fatalf("step %d: by index %q, by reading all %q", i, byIndex, byScan)
		}
		byIndex = text(t, conn, fmt.Sprintf("SELECT word, n FROM k WHERE n BETWEEN %d AND %d ORDER BY word", n, m))
		byScan = text(t, conn, fmt.Sprintf("SELECT word, n FROM k WHERE n + 0 BETWEEN %d AND %d ORDER BY word", n, m))
		if byIndex != byScan {
			t.Fatalf("step %d: by index %q, by reading all %q", i, byIndex, byScan)
		}
		word := fmt.Sprintf("v%d", rng.IntN(i+1))
		byIndex = text(t, conn, "SELECT n FROM k WHERE word = '"+word+"'")
		if byScan = text(t, conn, "SELECT n FROM k WHERE word || '' = '"+word+"'"); byIndex != byScan {
			t.Fatalf("step %d: %s by index %q, by reading all %q", i, word, byIndex, byScan)
		}
	}
}

// TestInsertsInBlock inserts rows one by one in a block that has inserted many: each takes as many allocations, and as
// much memory, as in one that has inserted few.
func TestInsertsInBlock(t *testing.T) {
	for _, c := range []struct{ name, create, insert string }{
		{"corpus", "CREATE CORPUS k", "INSERT INTO k (id, text) VALUES ('d%d', 'one two three')"},
		{"knowledge base", "CREATE KB k", "INSERT INTO k.triples (subject, relation, object) VALUES ('s%d', 'r', 'o')"},
		{"lexicon", "CREATE LEXICON k (word TEXT, n INTEGER); CREATE INDEX ON k (word)", "INSERT INTO k VALUES ('s%d', 1)"},
		{"gazetteer", "CREATE GAZETTEER k", "INSERT INTO k (phrase, label) VALUES ('s%d', 't')"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, t.TempDir()+"/b.parlance")
			conn := d.Conn()
			script(t, conn, c.create+"; BEGIN")
			n := 0
			insert := func(times int) (mallocs, bytes uint64) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for range times {
					script(t, conn, fmt.Sprintf(c.insert, n))
					n++
				}
				runtime.ReadMemStats(&after)
				return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
			}
			insert(100)
			few, small := insert(200)
			insert(1500)
			many, large := insert(200)
			if many > few*3/2 || large > small*2 {
				t.Errorf("200 inserts after 1,800 take %d allocations of %d bytes, after 100 %d of %d", many, large, few, small)
			}
			script(t, conn, "COMMIT")
		})
	}
}
