package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/db"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func code(err error) string {
	var e *db.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

func TestScan(t *testing.T) {
	d := open(t, "")
	rows, err := d.Query(context.Background(), "SELECT $1, $2, $3, $4, NULL, $5::timestamp", "text", 42, 2.5, true,
		"2024-05-01 10:00:00")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	var s string
	var n int
	var f float32
	var b bool
	var null *string
	var at time.Time
	if err := rows.Scan(&s, &n, &f, &b, &null, &at); err != nil {
		t.Fatal(err)
	}
	if s != "text" || n != 42 || f != 2.5 || !b || null != nil || at.Year() != 2024 {
		t.Errorf("scanned %q %d %v %v %v %v", s, n, f, b, null, at)
	}
	var any1, any2, any3, any4, any5, any6 any
	if err := rows.Scan(&any1, &any2, &any3, &any4, &any5, &any6); err != nil || any2 != int64(42) || any5 != nil {
		t.Errorf("scanned %v %v, %v", any2, any5, err)
	}
	if err := rows.Scan(&s, &s, &s, &s, &s, &s); err == nil {
		t.Error("NULL is scanned into a string")
	}
	if err := rows.Scan(&s); err == nil {
		t.Error("six columns are scanned into one destination")
	}
	if rows.Next() {
		t.Error("there is a second row")
	}
}

func TestSecondProcessAndReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parlance")
	d, err := db.Open(path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'text')")
	if _, err := db.Open(path, db.Options{}); code(err) != "55006" || !strings.Contains(err.Error(), "in this process") {
		t.Errorf("a second opening gives %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Exec(context.Background(), "SELECT 1"); code(err) != "08003" {
		t.Errorf("after Close: %v", err)
	}
	ro, err := db.Open(path, db.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	for _, s := range []string{"CREATE CORPUS more", "INSERT INTO docs (id, text) VALUES ('b', 'x')", "DELETE FROM docs",
		"DROP CORPUS docs"} {
		if _, err := ro.Exec(context.Background(), s); code(err) != "25006" {
			t.Errorf("%s on a read-only database gives %v", s, err)
		}
	}
	if got := text(t, ro.Conn(), "SELECT id FROM docs"); got != "id\na\n" {
		t.Errorf("read-only: %s", got)
	}
	foreign := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(foreign, []byte("this is no database but a text of some length, kept as it is"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Open(foreign, db.Options{}); code(err) != "58P01" {
		t.Errorf("a text file gives %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(), "CREATE CORPUS docs; CREATE LEXICON t (word TEXT, n INTEGER)")
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for w := range errs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := d.Conn()
			for i := range 10 {
				if _, err := c.Exec(context.Background(), "INSERT INTO docs (id, text) VALUES ($1, 'Some text.')",
					fmt.Sprintf("%d-%d", w, i)); err != nil {
					errs[w] = err
				}
				if _, err := c.Exec(context.Background(), "INSERT INTO t VALUES ($1, $2)", "w", i); err != nil {
					errs[w] = err
				}
				if _, err := c.Exec(context.Background(), "SELECT count(*) FROM docs.tokens"); err != nil {
					errs[w] = err
				}
			}
		}()
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if got := text(t, d.Conn(),
		"SELECT (SELECT count(*) FROM docs), (SELECT count(*) FROM t), (SELECT count(*) FROM docs.tokens)"); got !=
		"column\tcolumn\tcolumn\n80\t80\t240\n" {
		t.Errorf("after concurrent insertions: %s", got)
	}
	script(t, d.Conn(), "CHECK DATABASE")
}

// TestCancelAndResume cancels a training and resumes it.
func TestCancelAndResume(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS docs;
LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities));`)
	ctx, cancel := context.WithCancel(context.Background())
	c.OnProgress(func(p db.Progress) {
		if p.Step >= 3 {
			cancel()
		}
	})
	train := "TRAIN crf AS ner ON docs WITH (epsilon = 0, delta = 0, iterations = 8)"
	if _, err := c.Exec(ctx, train); code(err) != "57014" {
		t.Fatalf("a cancelled training gives %v", err)
	}
	c.OnProgress(func(db.Progress) {})
	if got := text(t, c, "SELECT state FROM system.jobs"); got != "state\ncancelled\n" {
		t.Errorf("jobs: %s", got)
	}
	if got := text(t, c, "SELECT count(*) FROM system.models"); got != "count\n0\n" {
		t.Errorf("a cancelled training leaves a model: %s", got)
	}
	script(t, c, "RESUME JOB 1")
	script(t, c, train)
	hashes := text(t, c, "SELECT count(DISTINCT weights), count(*) FROM ner.versions")
	if hashes != "count\tcount\n1\t2\n" {
		t.Errorf("the resumed model differs: %s", hashes)
	}
}

func TestAsynchronousTraining(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS docs;
LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON docs WITH (iterations = 10) ASYNC;`)
	ended(t, c)
	if got := text(t, c, "SELECT state, error FROM system.jobs"); got != "state\terror\ndone\t∅\n" {
		t.Errorf("jobs: %s", got)
	}
	if got := text(t, c, "SELECT count(*) > 0 FROM docs.entities USING ner"); got != "column\ntrue\n" {
		t.Errorf("predictions: %s", got)
	}
	_, err := c.Exec(context.Background(), "CANCEL JOB 1")
	if code(err) != "55000" {
		t.Errorf("cancelling a job that is over gives %v", err)
	}
}

// TestEmbeddedByAnotherModule builds and runs a module that requires this one.
func TestEmbeddedByAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sum))
	// The requirements of this module, under another name.
	write("go.mod", "module embedder\n"+string(mod[len("module parlance"):])+
		"\nrequire parlance v0.0.0\nreplace parlance => "+root+"\n")
	write("main.go", `package main

import (
	"context"
	"fmt"

	"parlance/db"
)

func main() {
	d, err := db.Open("", db.Options{})
	if err != nil {
		panic(err)
	}
	defer d.Close()
	r, err := d.Exec(context.Background(), "CREATE CORPUS docs")
	fmt.Println(r.Tag, err)
}
`)
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "CREATE CORPUS <nil>\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestParametersUseIndexes looks rows up by parameters of the column's type and of another.
func TestParametersUseIndexes(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE LEXICON t (word TEXT, n INTEGER); INSERT INTO t VALUES ('a', 1), ('b', 2); CREATE INDEX ON t (n)")
	for _, p := range []any{2, 2.0, nil, 3} {
		rows, err := c.Query(context.Background(), "SELECT word FROM t WHERE n = $1", p)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for rows.Next() {
			n++
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 1, false: 0}[p == 2 || p == 2.0]; n != want {
			t.Errorf("n = %v finds %d rows, want %d", p, n, want)
		}
	}
}
