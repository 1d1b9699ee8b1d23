package db_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// refuse executes a statement that must fail with a code, and returns the error.
func refuse(t *testing.T, c *db.Conn, code, statement string) *db.Error {
	t.Helper()
	_, err := c.Exec(context.Background(), statement)
	var e *db.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("%s: %v, want an error of code %s", statement, err, code)
	}
	return e
}

// firstColumn returns the first column of a query as texts, in order.
func firstColumn(t *testing.T, c *db.Conn, query string) []string {
	t.Helper()
	rows, err := c.Query(context.Background(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var out []string
	for rows.Next() {
		out = append(out, rows.Values()[0].String())
	}
	if err := rows.Close(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	slices.Sort(out)
	return out
}

// listings are queries that list the objects of which they have the name.
var listings = []string{
	"SELECT name FROM system.corpora WHERE name = 'scratch'",
	"SELECT relname FROM pg_class WHERE relname IN ('scratch', 'numbers')",
	"SELECT table_name FROM information_schema.tables WHERE table_name IN ('scratch', 'numbers')",
	"SELECT name FROM system.lexicons WHERE name = 'numbers'",
	"SHOW CORPORA",
}

// makeTemporary makes a temporary corpus of two documents and a temporary table of three rows.
func makeTemporary(t *testing.T, c *db.Conn) {
	t.Helper()
	mustExec(t, c, "CREATE TEMPORARY CORPUS scratch (year INTEGER)",
		"INSERT INTO scratch (id, text, year) VALUES ('a', 'Ann flew to Oslo.', 1), ('b', 'Bob stayed.', 2)",
		"CREATE INDEX ON scratch (year)", "CREATE FULLTEXT INDEX ON scratch (text)",
		"CREATE TEMP TABLE numbers AS SELECT n FROM generate_series(1, 3) AS g(n)")
}

// expectNothing checks that a session sees nothing of makeTemporary.
func expectNothing(t *testing.T, c *db.Conn) {
	t.Helper()
	for _, q := range listings {
		if got := firstColumn(t, c, q); len(got) > 0 {
			t.Errorf("%s gives %v", q, got)
		}
	}
	refuse(t, c, "42P01", "SELECT id FROM scratch.documents")
	refuse(t, c, "42P01", "SELECT n FROM numbers")
	refuse(t, c, "42704", "DROP CORPUS scratch")
	refuse(t, c, "42704", "INSERT INTO scratch (id, text) VALUES ('c', 'Ann.')")
}

func closeAll(t *testing.T, d *db.DB) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTemporaryObjectsAreOfTheirSession(t *testing.T) {
	d := open(t, "")
	one, two := d.Conn(), d.Conn()
	expectNothing(t, one) // so that plans of both sessions without any are kept
	makeTemporary(t, one)
	for range 2 { // the second time with kept plans
		for q, want := range map[string]int{
			"SELECT id FROM scratch.documents":                                   2,
			"SELECT id FROM scratch.documents WHERE year = 2":                    1,
			"SELECT id FROM scratch.documents WHERE match(text, 'flew')":         1,
			"SELECT form FROM scratch.tokens WHERE form = 'Oslo'":                1,
			"SELECT n FROM numbers WHERE n > 1":                                  2,
			"SELECT relname FROM pg_class WHERE relname = 'numbers'":             1,
			"SELECT name FROM system.corpora WHERE name = 'scratch'":             1,
			"SELECT d.id FROM scratch.documents AS d JOIN numbers ON n = d.year": 2,
		} {
			if got := firstColumn(t, one, q); len(got) != want {
				t.Errorf("%s gives %v, want %d rows", q, got, want)
			}
		}
		expectNothing(t, two)
	}
	for q, want := range map[string]string{
		"SELECT DISTINCT relpersistence FROM pg_class WHERE relname LIKE 'numbers%'":    "t",
		"SELECT relpersistence FROM pg_class WHERE relname = 'scratch_year_idx'":        "t",
		"SELECT relpersistence FROM pg_class WHERE relname = 'pg_class'":                "p",
		"SELECT table_type FROM information_schema.tables WHERE table_name = 'numbers'": "LOCAL TEMPORARY",
	} {
		if got := firstColumn(t, one, q); !slices.Equal(got, []string{want}) {
			t.Errorf("%s gives %v, want %s", q, got, want)
		}
	}
	mustExec(t, one, "ALTER CORPUS scratch RENAME TO renamed", "ALTER CORPUS renamed RENAME TO scratch")
	expectNothing(t, two)
	mustExec(t, one, "DROP CORPUS scratch", "DROP TABLE numbers")
	expectNothing(t, one)
	mustExec(t, two, "CREATE CORPUS scratch", "CREATE TABLE numbers (n INTEGER)")
	if got := firstColumn(t, one, "SELECT n FROM numbers"); len(got) != 0 {
		t.Errorf("the other session's table has %v", got)
	}
}

func TestTemporaryNameIsTaken(t *testing.T) {
	d := open(t, "")
	one, two := d.Conn(), d.Conn()
	makeTemporary(t, one)
	mustExec(t, two, "CREATE CORPUS own")
	for _, s := range []string{"CREATE CORPUS scratch", "CREATE TEMPORARY CORPUS scratch",
		"CREATE TABLE scratch (n INTEGER)", "CREATE CORPUS IF NOT EXISTS scratch", "CREATE TABLE numbers AS SELECT 1 AS n",
		"CREATE FEATURES scratch AS 'form[0]'",
		"ALTER CORPUS own RENAME TO scratch", "CREATE KB scratch"} {
		e := refuse(t, two, "42710", s)
		if !strings.Contains(e.Hint, "until that session ends") || strings.Contains(e.Error(), "corpus") ||
			strings.Contains(e.Error(), "lexicon") {
			t.Errorf("%s: %v", s, e)
		}
	}
	mustExec(t, two, "BEGIN")
	refuse(t, two, "42710", "CREATE CORPUS scratch")
	mustExec(t, two, "ROLLBACK")
	if e := refuse(t, one, "42710", "CREATE CORPUS scratch"); !strings.Contains(e.Hint, "DROP it first") {
		t.Errorf("the session that has the object is told %v", e)
	}
	mustExec(t, one, "CREATE CORPUS IF NOT EXISTS scratch")
}

func TestTemporaryObjectsEndWithTheirSession(t *testing.T) {
	d := open(t, "")
	two := d.Conn()
	for name, end := range map[string]func(*db.Conn) error{
		"Close": (*db.Conn).Close,
		"Reset": (*db.Conn).Reset,
		"Release": func(c *db.Conn) error {
			c.Wire().Release()
			return nil
		},
		"DISCARD ALL": func(c *db.Conn) error {
			_, err := c.Exec(context.Background(), "DISCARD ALL")
			return err
		},
		"DISCARD TEMP": func(c *db.Conn) error {
			_, err := c.Exec(context.Background(), "DISCARD TEMPORARY")
			return err
		},
		"Close within a block": func(c *db.Conn) error {
			mustExec(t, c, "BEGIN", "INSERT INTO scratch (id, text) VALUES ('c', 'Cid came.')",
				"CREATE TEMP TABLE more (n INTEGER)")
			return c.Close()
		},
		"Close with open rows": func(c *db.Conn) error {
			rows, err := c.Query(context.Background(), "SELECT n FROM generate_series(1, 1000000) AS g(n)")
			if err != nil || !rows.Next() {
				t.Fatal(err)
			}
			err = c.Close()
			for rows.Next() {
			}
			if rows.Err() == nil {
				t.Error("the rows end without an error")
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			one := d.Conn()
			if name == "Release" {
				one.Wire().Interleave()
			}
			makeTemporary(t, one)
			if err := end(one); err != nil {
				t.Fatal(err)
			}
			// the names are free
			mustExec(t, two, "CREATE CORPUS scratch", "CREATE TABLE numbers (n INTEGER)", "CREATE TABLE more (n INTEGER)",
				"DROP CORPUS scratch", "DROP TABLE numbers", "DROP TABLE more", "CHECK DATABASE")
			if strings.HasPrefix(name, "Close") {
				refuse(t, one, "08003", "SELECT 1")
				return
			}
			if name != "Release" {
				expectNothing(t, one)
				makeTemporary(t, one) // once more
				if err := one.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestCloseEndsARunningStatement(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	makeTemporary(t, c)
	mustExec(t, c, "INSERT INTO numbers SELECT n FROM generate_series(1, 100000) AS g(n)")
	started, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		close(started)
		_, err := c.Exec(context.Background(),
			"INSERT INTO numbers SELECT count(*) FROM numbers AS a CROSS JOIN numbers AS b "+
				"WHERE a.n::text || b.n::text = 'x'")
		ended <- err
	}()
	<-started
	time.Sleep(50 * time.Millisecond)
	begun := time.Now()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("Close took %v", took)
	}
	if err := <-ended; err == nil {
		t.Error("the statement ended without an error")
	}
	mustExec(t, d.Conn(), "CREATE TABLE numbers (n INTEGER)")
}

func TestTemporaryObjectsInTransactions(t *testing.T) {
	d := open(t, "")
	for _, begin := range []string{"BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ",
		"BEGIN ISOLATION LEVEL SERIALIZABLE"} {
		one, two := d.Conn(), d.Conn()
		mustExec(t, one, begin)
		makeTemporary(t, one)
		if got := firstColumn(t, one, "SELECT n FROM numbers"); len(got) != 3 {
			t.Errorf("%s: the block sees %v", begin, got)
		}
		mustExec(t, one, "ROLLBACK")
		expectNothing(t, one)
		mustExec(t, one, begin)
		makeTemporary(t, one)
		mustExec(t, one, "COMMIT")
		expectNothing(t, two)
		mustExec(t, one, begin, "DISCARD TEMP")
		refuse(t, one, "42P01", "SELECT n FROM numbers")
		mustExec(t, one, "ROLLBACK")
		if got := firstColumn(t, one, "SELECT n FROM numbers"); len(got) != 3 {
			t.Errorf("%s: after DISCARD was rolled back the table has %v", begin, got)
		}
		mustExec(t, one, begin, "SELECT 1", "DISCARD TEMP", "COMMIT")
		expectNothing(t, one)
		mustExec(t, two, "CREATE CORPUS scratch", "DROP CORPUS scratch")
		if err := one.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A copy of an open file is what a killed process leaves.
func TestTemporaryObjectsOfAKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "open.parlance")
	d := open(t, path)
	c := d.Conn()
	mustExec(t, c, "CREATE CORPUS kept", "INSERT INTO kept (id, text) VALUES ('k', 'Kay kept it.')")
	makeTemporary(t, c)
	mustExec(t, c, "CREATE TEMPORARY KB facts",
		"INSERT INTO facts.triples (subject, relation, object) VALUES ('a', 'b', 'c')")
	killed := filepath.Join(t.TempDir(), "killed.parlance")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(killed, content, 0o600); err != nil {
		t.Fatal(err)
	}
	mustExec(t, c, "BACKUP TO '"+filepath.Join(t.TempDir(), "backup.parlance")+"'", "COMPACT")
	if got := firstColumn(t, c, "SELECT n FROM numbers"); len(got) != 3 {
		t.Errorf("after COMPACT the table has %v", got)
	}
	closeAll(t, d)
	for _, file := range []string{killed, path} { // path was closed, and its sessions were not
		reader, err := db.Open(file, db.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // whatever number a session had
			c := reader.Conn()
			if got := firstColumn(t, c, "SELECT name FROM system.corpora"); !slices.Equal(got, []string{"kept"}) {
				t.Errorf("%s: read-only it has %v", file, got)
			}
			refuse(t, c, "42P01", "SELECT n FROM numbers")
			refuse(t, c, "25006", "CREATE TEMPORARY CORPUS mine")
			refuse(t, c, "42P01", "SELECT n FROM numbers") // now that this session may have had one
		}
		mustExec(t, reader.Conn(), "CHECK DATABASE", "DISCARD TEMP")
		closeAll(t, reader)
		again := open(t, file)
		c := again.Conn()
		if got := firstColumn(t, c, "SELECT name FROM system.corpora"); !slices.Equal(got, []string{"kept"}) {
			t.Errorf("%s: it has %v", file, got)
		}
		mustExec(t, c, "COMPACT", "CHECK DATABASE")
		makeTemporary(t, c)
		mustExec(t, c, "CREATE TEMPORARY KB facts", "CHECK DATABASE")
		closeAll(t, again)
	}
}

// TestTemporaryRowsLeaveTheFile compares files: what an ended session had takes no space.
func TestTemporaryRowsLeaveTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "size.parlance")
	d := open(t, path)
	size := func() int64 {
		mustExec(t, d.Conn(), "COMPACT")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	c := d.Conn()
	mustExec(t, c, "CREATE TEMP TABLE large AS SELECT md5(n::text) AS m FROM generate_series(1, 100000) AS g(n)")
	if during := size(); during < before+1_000_000 {
		t.Fatalf("the table takes %d bytes", during-before)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if after := size(); after > before+100_000 {
		t.Errorf("%d bytes stay after the session", after-before)
	}
}

func TestTemporaryObjectOfOneStatement(t *testing.T) {
	d := open(t, "")
	for range 2 {
		if _, err := d.Exec(context.Background(), "CREATE TEMP TABLE gone (n INTEGER)"); err != nil {
			t.Fatal(err)
		}
		rows, err := d.Query(context.Background(), "CREATE TEMP TABLE gone AS SELECT 1 AS n")
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Models stay when the corpus is gone that they were trained on, so they cannot read temporary lexicons.
func TestModelsOfTemporaryObjects(t *testing.T) {
	d := open(t, "")
	one, two := d.Conn(), d.Conn()
	mustExec(t, one, "CREATE TEMPORARY CORPUS people",
		"LOAD '../testdata/quickstart/people.train.conll' INTO people FORMAT conll WITH (columns = (form, entities))",
		"TRAIN crf AS ner ON people WITH (iterations = 3)", "TRAIN crf AS later ON people WITH (iterations = 3) ASYNC")
	for started := time.Now(); len(firstColumn(t, one, "SELECT name FROM system.models WHERE name = 'later'")) == 0; {
		if time.Since(started) > time.Minute {
			t.Fatal("the training in the background makes no model: ", firstColumn(t, one, "SELECT error FROM system.jobs"))
		}
		time.Sleep(20 * time.Millisecond)
	}
	if got := firstColumn(t, one, "SELECT text FROM people.entities USING ner LIMIT 1"); len(got) != 1 {
		t.Errorf("the model finds %v", got)
	}
	mustExec(t, one, "ANNOTATE people USING ner", "EVALUATE ner ON people")
	mustExec(t, one, "CREATE TEMP LEXICON classes (word TEXT, class TEXT)", "INSERT INTO classes VALUES ('Oslo', 'city')",
		"CREATE FEATURES classed AS 'form[0], lexicon(classes, class)[0]'")
	e := refuse(t, one, "0A000", "TRAIN crf AS reader ON people WITH (iterations = 3, features = classed)")
	if !strings.Contains(e.Hint, "CREATE LEXICON name AS SELECT * FROM classes") {
		t.Error(e)
	}
	mustExec(t, two, "CREATE CORPUS others", "LOAD '../testdata/quickstart/people.train.conll' INTO others FORMAT conll "+
		"WITH (columns = (form, entities))")
	refuse(t, two, "42710", "TRAIN crf AS classes ON others WITH (iterations = 3)")
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if got := firstColumn(t, two, "SELECT text FROM entities(TEXT 'Ann Steel joined Acme.') USING ner"); len(got) == 0 {
		t.Error("the model finds nothing after its corpus is gone")
	}
	mustExec(t, two, "DESCRIBE ner")
	refuse(t, two, "42P01", "REPLAY ner")
}

// A serializable block that has read the catalog does not depend on what is temporary for others.
func TestTemporaryObjectsDisturbNoSerializableBlock(t *testing.T) {
	d := open(t, "")
	one, two := d.Conn(), d.Conn()
	mustExec(t, two, "CREATE TABLE kept (n INTEGER)")
	makeTemporary(t, one)
	mustExec(t, two, "BEGIN ISOLATION LEVEL SERIALIZABLE", "SELECT relname FROM pg_class", "INSERT INTO kept VALUES (1)")
	mustExec(t, one, "CREATE TEMP TABLE more (n INTEGER)", "INSERT INTO numbers VALUES (4)", "DROP CORPUS scratch")
	mustExec(t, two, "COMMIT")
	mustExec(t, two, "BEGIN ISOLATION LEVEL SERIALIZABLE", "SELECT relname FROM pg_class", "INSERT INTO kept VALUES (1)")
	mustExec(t, one, "CREATE TABLE permanent (n INTEGER)")
	refuse(t, two, "40001", "COMMIT")
}

func TestTemporaryObjectsNeedThePrivilegesOfOthers(t *testing.T) {
	d := withUsers(t)
	refuse(t, as(t, d, "rita"), "42501", "CREATE TEMPORARY CORPUS scratch")
	mustExec(t, as(t, d, "rita"), "DISCARD TEMP", "DISCARD ALL")
	mustExec(t, as(t, d, "will"), "CREATE TEMPORARY CORPUS scratch")
	mustExec(t, as(t, d, "will"), "SET default_transaction_read_only = on", "DISCARD TEMP")
}

// A training that has waited for its turn reads what its session sees then.
func TestTrainingOfATemporaryCorpusWaits(t *testing.T) {
	d, g := gated(t)
	c := d.Conn()
	first := later(d.Conn(), "TRAIN slow AS a ON docs")
	<-g.Entered
	mustExec(t, c, "CREATE TEMPORARY CORPUS own", "INSERT INTO own (id, text) VALUES ('a', 'Ann left.')",
		"TRAIN slow AS b ON own ASYNC")
	g.Open()
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	for text(t, c, "SELECT count(*) FROM system.jobs WHERE state IN ('running', 'queued')") != "count\n0\n" {
	}
	if got := firstColumn(t, c, "SELECT name FROM system.models WHERE name = 'b'"); len(got) != 1 {
		t.Error(text(t, c, "SELECT * FROM system.jobs"))
	}
}
