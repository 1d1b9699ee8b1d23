package db_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parlance/db"
)

// confined is a database with something of everything that can be written to files, a session
// that may use a folder, and a file beside the folder.
func confined(t *testing.T) (c *db.Conn, data, outside string) {
	t.Helper()
	top := t.TempDir()
	data, outside = filepath.Join(top, "data"), filepath.Join(top, "outside")
	for _, dir := range []string{data, outside} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, filepath.Join(data, "own.parlance"))
	script(t, d.Conn(), `CREATE CORPUS docs;
		INSERT INTO docs (id, text) VALUES ('a', 'Ann left.'), ('b', 'Bob stayed here.');
		INSERT INTO docs.labels (doc, label) VALUES ('a', 'x'), ('b', 'y');
		CREATE GAZETTEER names; CREATE LEXICON terms (word TEXT, bits TEXT);
		TRAIN maxent AS m ON docs WITH (iterations = 1);
		COPY docs TO '`+outside+`/docs.jsonl' FORMAT jsonl;
		COPY MODEL m TO '`+outside+`/m.model'`)
	for name, text := range map[string]string{"a.txt": "Ann left.\n", "words.tsv": "a\tb\n", "x.ann": "T1\tPER 0 3\tAnn\n",
		"x.txt": "Ann left."} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out": "../outside", "absolute": outside,
		"linked.jsonl": "../outside/docs.jsonl", "x.ann": "../outside/x.ann"} {
		if err := os.Symlink(to, filepath.Join(data, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(data, "x.txt"), []byte("Ann left."), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(data, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	folder, err := db.DataDir(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	c = d.Conn()
	c.Files(folder)
	return c, data, outside
}

// statementsWithPaths are all that open files; %s is the path.
var statementsWithPaths = []struct {
	writes bool
	text   string
}{
	{false, "LOAD '%s' INTO docs FORMAT jsonl"},
	{false, "LOAD 'a.txt', '%s' INTO docs FORMAT lines"},
	{false, "LOAD '%s' INTO docs FORMAT brat"},
	{false, "LOAD '%s' INTO names FORMAT gazetteer"},
	{false, "LOAD '%s' INTO terms FORMAT tsv"},
	{false, "COPY docs FROM '%s' FORMAT jsonl"},
	{false, "COPY terms FROM '%s' FORMAT csv"},
	{false, "LOAD '%s' INTO MODEL other"},
	{true, "COPY docs TO '%s' FORMAT jsonl"},
	{true, "COPY docs TO '%s' FORMAT html"},
	{true, "COPY docs TO '%s' FORMAT svg"},
	{true, "COPY (SELECT 1 AS one) TO '%s' FORMAT csv"},
	{true, "COPY (SELECT 1 AS one) TO '%s.gz' FORMAT tsv"},
	{true, "COPY names TO '%s' FORMAT gazetteer"},
	{true, "COPY MODEL m TO '%s'"},
	{true, "BACKUP TO '%s'"},
}

// TestPathsCannotEscape tries to leave the folder by every statement that takes a path.
func TestPathsCannotEscape(t *testing.T) {
	c, data, outside := confined(t)
	if err := os.WriteFile(filepath.Join(data, "a.txt"), []byte("Cy ran.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := listed(t, outside)
	for _, s := range statementsWithPaths {
		paths := []string{"../outside/new", outside + "/new", "out/new", "absolute/new", data + "/../outside/new",
			"/dev/full", "sub/../../outside/new"}
		if !s.writes {
			paths = []string{"../outside/docs.jsonl", outside + "/docs.jsonl", "out/docs.jsonl", "absolute/docs.jsonl",
				"linked.jsonl", "../outside/*", outside + "/*", "pipe", "/dev/zero", "own.parlance"}
		}
		for _, p := range paths {
			text := strings.Replace(s.text, "%s", p, 1)
			if _, err := c.Exec(context.Background(), text); code(err) != "42501" {
				t.Errorf("%s: %v", text, err)
			}
			if _, err := c.Exec(context.Background(), strings.Replace(s.text, "'%s'", "$1", 1), p); code(err) != "42501" &&
				strings.Contains(s.text, "'%s'") {
				t.Errorf("%s with a parameter: %v", text, err)
			}
		}
	}
	for _, own := range []string{"COPY docs TO 'own.parlance' FORMAT jsonl", "COPY MODEL m TO 'own.parlance'",
		"COPY docs TO '" + data + "/own.parlance' FORMAT jsonl"} {
		if _, err := c.Exec(context.Background(), own); code(err) != "42501" {
			t.Errorf("%s: %v", own, err)
		}
	}
	if after := listed(t, outside); after != before {
		t.Errorf("outside there was\n%s and is\n%s", before, after)
	}
	script(t, c, "CHECK DATABASE")
	for _, p := range []string{"*/*.jsonl", "out/*"} {
		if _, err := c.Exec(context.Background(), "LOAD '"+p+"' INTO docs FORMAT jsonl"); code(err) != "58P01" {
			t.Errorf("the pattern %s: %v", p, err)
		}
	}
}

// TestFilesBeside loads formats whose files name others.
func TestFilesBeside(t *testing.T) {
	c, data, _ := confined(t)
	if _, err := c.Exec(context.Background(), "LOAD 'x.txt' INTO docs FORMAT brat"); err == nil ||
		strings.Contains(text(t, c, "SELECT count(*) FROM docs"), "3") {
		t.Errorf("the annotation beside was read through a link: %v", err)
	}
	beside := filepath.Join(data, "x.ann")
	if err := os.Remove(beside); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(beside, []byte("T1\tPER 0 3\tAnn\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	script(t, c, "LOAD 'x.txt' INTO docs FORMAT brat")
}

// TestPathsInside uses every statement that takes a path as it is meant to be used.
func TestPathsInside(t *testing.T) {
	c, data, _ := confined(t)
	script(t, c, `COPY docs TO 'one.jsonl' FORMAT jsonl; COPY docs TO '`+data+
		`/two.jsonl.gz' FORMAT jsonl; COPY docs TO 'x.html' FORMAT html;
		CREATE CORPUS again; LOAD 'one.jsonl' INTO again FORMAT jsonl; DELETE FROM again; LOAD '`+data+`/t*.gz' INTO again FORMAT jsonl;
		COPY MODEL m TO 'm.model'; LOAD './m.model' INTO MODEL other; BACKUP TO 'backup.parlance'`)
	if _, err := c.Exec(context.Background(), "BACKUP TO 'backup.parlance'"); code(err) != "58P02" {
		t.Errorf("a second backup: %v", err)
	}
	copied, err := db.Open(filepath.Join(data, "backup.parlance"), db.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, copied.Conn(), "SELECT count(*) FROM again"); got != "count\n2\n" {
		t.Errorf("the backup holds %s", got)
	}
	if err := copied.Close(); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"none", "none/none", "none*"} {
		if _, err := c.Exec(context.Background(), "LOAD '"+p+"' INTO docs FORMAT jsonl"); code(err) != "58P01" {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// TestNoFiles refuses every path; streams of the client stay.
func TestNoFiles(t *testing.T) {
	c, data, _ := confined(t)
	c.Files(db.NoFiles)
	for _, s := range statementsWithPaths {
		for _, p := range []string{"a.txt", data + "/new", "*"} {
			_, err := c.Exec(context.Background(), strings.Replace(s.text, "%s", p, 1))
			if code(err) != "42501" || !strings.Contains(err.Error(), "--data-dir") {
				t.Errorf("%s with %s: %v", s.text, p, err)
			}
		}
	}
	var out strings.Builder
	c.Stdout(&out)
	c.Stdin(strings.NewReader(`{"id": "z", "text": "Zoe."}`))
	script(t, c, "COPY docs TO STDOUT FORMAT jsonl; LOAD STDIN INTO docs FORMAT jsonl")
	if !strings.Contains(out.String(), "Ann left.") {
		t.Errorf("copied %s", out.String())
	}
}

func TestDataDirIsAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "x"), filepath.Join(t.TempDir(), "none")} {
		if _, err := db.DataDir(dir); err == nil {
			t.Errorf("%s is a folder for data", dir)
		}
	}
}

// listed is the names and contents of a folder's files.
func listed(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + " " + string(raw) + "\n")
	}
	return b.String()
}
