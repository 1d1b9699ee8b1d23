package repl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangeDatabase opens other files in place of the one that is open, and loses nothing that is not saved.
func TestChangeDatabase(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name+".parlance") }
	in := strings.Join([]string{"CREATE LEXICON a (word TEXT);", `\c ` + file("two"), `\dt`,
		"CREATE LEXICON b (word TEXT);",
		`\c '` + file("one") + "'", `\dt`, "BEGIN;", "INSERT INTO a VALUES ('x');", `\c ` + file("two"), "COMMIT;", `\c ` +
			file("one"),
		`\c ` + file("typo"), `\c ` + file("two"), `\c ` + filepath.Join(dir, "no", "folder"), `\c`, `\dt`}, "\n")
	out, errs, code := outcome(t, "\\format csv\n"+in+"\n", file("one"))
	on := func(name string) string { return "The session is on " + file(name) + ".\n" }
	isNew := "The file is new; it stays if something is written to it.\n"
	want := on("two") + isNew + "name,type\n" + on("one") + "name,type\na,BASE TABLE\n" + "The session is on " +
		file("one") + " already.\n" +
		on("typo") + isNew + on("two") + on("two") + "name,type\nb,BASE TABLE\n"
	if out != want {
		t.Errorf("the shell shows\n%s\nwant\n%s", out, want)
	}
	for _, w := range []string{"error: \\c: the transaction block is open", "error: \\c " + filepath.Join(dir, "no",
		"folder") + ": "} {
		if !strings.Contains(errs, w) {
			t.Errorf("the errors %s lack %s", errs, w)
		}
	}
	if _, err := os.Stat(file("typo")); !os.IsNotExist(err) || code != 1 {
		t.Errorf("exit code %d, a file that nothing was written to: %v", code, err)
	}
	if got := succeed(t, "", "exec", "--db", file("one"), "--format", "csv", "-c",
		"SELECT word FROM a"); got != "word\nx\n" {
		t.Errorf("the first file holds %q", got)
	}
	out, _, _ = outcome(t, `\c `+file("one")+"\n")
	if want := "The temporary database is removed.\n" + on("one"); out != want {
		t.Errorf("from a temporary database: %q, want %q", out, want)
	}
}

// TestChangeToServer goes to a server and back.
func TestChangeToServer(t *testing.T) {
	url, file := listen(t), filepath.Join(t.TempDir(), "f.parlance")
	got := succeed(t, "\\format csv\nCREATE LEXICON here (word TEXT);\n\\c "+url+
		"\nCREATE LEXICON there (word TEXT);\nSELECT name FROM system.lexicons;\n"+
		"\\c "+file+"\nSELECT name FROM system.lexicons;\n", file)
	if !strings.Contains(got, "name\nthere\n") || !strings.HasSuffix(got, "name\nhere\n") {
		t.Errorf("the shell shows\n%s", got)
	}
}
