package repl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const spansQuery = "SELECT 'Ann met Bob' AS document_text, 0 AS char_start, 3 AS char_end, 'PER' AS label"

// TestPictureFormat draws rows where they are shown, and says which columns are wanted where they are not there.
func TestPictureFormat(t *testing.T) {
	if got := succeed(t, "", "exec", "--format", "picture", "-c", spansQuery); got != "\n[Ann PER] met Bob\n" && got != "[Ann PER] met Bob\n" {
		t.Errorf("the picture is %q", got)
	}
	if got := succeed(t, "", "exec", "--format", "picture", "-c", spansQuery+" WHERE false"); got != "(0 rows)\n" {
		t.Errorf("the picture of no rows is %q", got)
	}
	_, errs, code := outcome(t, "", "exec", "--format", "picture", "-c", "SELECT 'a' AS x")
	if code != 1 || !strings.Contains(errs, "error 0A000") || !strings.Contains(errs, "tok, form and head (dependencies)") {
		t.Errorf("rows that cannot be drawn: exit code %d\n%s", code, errs)
	}
}

// TestViz draws the statement before it, or the rows that were shown last; it runs no statement again.
func TestViz(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.txt")
	got := succeed(t, "CREATE CORPUS c;\nINSERT INTO c (id, text) VALUES ('a', 'x');\n"+
		"\\pset format csv\n"+spansQuery+";\n\\viz\n"+spansQuery+"\n\\viz\n\\o "+path+"\n\\viz\n\\o\n\\format jsonl\nSELECT 1 AS n;\n", "exec")
	const picture = "[Ann PER] met Bob\n"
	if n := strings.Count(got, picture); n != 2 || strings.Count(got, "document_text,") != 1 || !strings.Contains(got, "{\"n\":1}") {
		t.Errorf("\\viz shows %d pictures in\n%s", n, got)
	}
	if file, err := os.ReadFile(path); err != nil || string(file) != picture {
		t.Errorf("%v, the file holds %q", err, file)
	}
	_, errs, _ := outcome(t, "\\viz\n", "exec")
	if !strings.Contains(errs, `\viz draws the rows of the statement before it`) {
		t.Errorf("\\viz without rows: %s", errs)
	}
}
