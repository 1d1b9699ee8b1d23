// Package reloadtest makes copies of a database at two times, for tests of servers that exchange their file.
package reloadtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"parlance/db"
)

// Word reads the text of the only document, old or new.
const Word = "SELECT text FROM docs"

// Both reads the text of the document, the least and the greatest term of 3,000, and their number. In a statement that
// reads one file the three are the same.
const Both = "SELECT d.text, min(w.term), max(w.term), count(*) FROM docs AS d, terms AS w GROUP BY d.text"

// Copies makes backups of a database at two times: in the first one, the text of the only document of docs and all
// terms of the lexicon terms are old, in the second one new. Both have the users that a script makes.
func Copies(t testing.TB, users string) (old, fresh string) {
	t.Helper()
	dir := t.TempDir()
	d, err := db.Open(filepath.Join(dir, "primary.parlance"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	run := func(script string) {
		t.Helper()
		if err := c.Script(context.Background(), script, nil); err != nil {
			t.Fatal(err)
		}
	}
	run("CREATE CORPUS docs; CREATE LEXICON terms (term TEXT, n INTEGER); " + users)
	for _, word := range []string{"old", "new"} {
		run("DELETE FROM docs; DELETE FROM terms; INSERT INTO docs (id, text) VALUES ('a', '" + word + "'); " +
			"INSERT INTO terms SELECT '" + word + "', x FROM generate_series(1, 3000) AS s(x); " +
			"BACKUP TO '" + filepath.Join(dir, word) + "'")
	}
	return filepath.Join(dir, "old"), filepath.Join(dir, "new")
}

// Put renames a copy of a file over a path.
func Put(t testing.TB, file, path string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(path+".part", raw, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".part", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}
