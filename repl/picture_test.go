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
	if got := succeed(t, "", "exec", "--format", "picture", "-c", spansQuery); got != "\n[Ann PER] met Bob\n" &&
		got != "[Ann PER] met Bob\n" {
		t.Errorf("the picture is %q", got)
	}
	if got := succeed(t, "", "exec", "--format", "picture", "-c", spansQuery+" WHERE false"); got != "(0 rows)\n" {
		t.Errorf("the picture of no rows is %q", got)
	}
	_, errs, code := outcome(t, "", "exec", "--format", "picture", "-c", "SELECT 'a' AS x")
	if code != 1 || !strings.Contains(errs, "error 0A000") ||
		!strings.Contains(errs, "tok, form and head (dependencies)") {
		t.Errorf("rows that cannot be drawn: exit code %d\n%s", code, errs)
	}
}

// TestViz draws the statement before it, or the rows that were shown last; it runs no statement again.
func TestViz(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.txt")
	got := succeed(t, "CREATE CORPUS c;\nINSERT INTO c (id, text) VALUES ('a', 'x');\n"+
		"\\pset format csv\n"+spansQuery+";\n\\viz\n"+spansQuery+"\n\\viz\n\\o "+path+
		"\n\\viz\n\\o\n\\format jsonl\nSELECT 1 AS n;\n", "exec")
	const picture = "[Ann PER] met Bob\n"
	if n := strings.Count(got, picture); n != 2 || strings.Count(got, "document_text,") != 1 || !strings.Contains(got,
		"{\"n\":1}") {
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

// TestVizFindsText draws spans in their sentences, which the shell looks up where rows lack them, and tells what is
// missing where it cannot.
func TestVizFindsText(t *testing.T) {
	setup := "CREATE CORPUS c;\nINSERT INTO c (id, text) VALUES ('a', 'Zoë met Ann. It rained. Bob left.'), ('b', 'Eve " +
		"spoke.');\n" +
		"INSERT INTO c.entities (doc, sent, tok_start, tok_end, label) VALUES ('a', 1, 1, 1, 'PER'), ('a', 3, 1, 1, " +
		"'PER'), ('b', 1, 1, 1, 'PER');\n" +
		"INSERT INTO c.relations (doc, label, subject_start, subject_end, object_start, object_end) VALUES " +
		"('a', 'met', 0, 3, 8, 11), ('b', 'spoke', 0, 3, 4, 9);\n" +
		"CREATE CORPUS plain;\nINSERT INTO plain (id, text) VALUES ('p', 'Ann met Bob.');\n"
	const sentences = "a\n[Zoë PER] met Ann. … [Bob PER] left.\n\nb\n[Eve PER] spoke.\n"
	for query, want := range map[string]string{
		"SELECT * FROM c.entities":                                          sentences,
		"SELECT doc, sent, char_start, char_end, label FROM c.entities":     sentences,
		"SELECT label, e.doc, sent, char_start, char_end FROM c.entities e": sentences,
		"SELECT doc, char_start, char_end, label FROM c.entities WHERE doc = 'a'": "a\n[Zoë PER] met Ann. It rained. " +
			"[Bob PER] left.\n",
		"SELECT * FROM c.relations": "a\n ┌──met──┐\n │       ▼\nZoë met Ann\n\nb\n ┌─spoke─┐\n │       ▼\nEve    spoke\n",
		"SELECT doc, label, subject_start, subject_end, object_start, " +
			"object_end FROM c.relations WHERE doc = 'b'": "b\n ┌─spoke─┐\n │       ▼\nEve    spoke\n",
		"SELECT char_start, char_end, 'PER' AS label " +
			"FROM tokens(TEXT 'It''s ' || 'Ann.') WHERE form = 'Ann'": "It's [Ann PER].\n",
	} {
		for how, text := range map[string]string{"before": query + " \\viz\n", "after": "\\o /dev/null\n" + query +
			";\n\\o\n\\viz\n"} {
			got := succeed(t, setup+text, "exec", "-q")
			if got != want {
				t.Errorf("%s, %s: %q, want %q", query, how, got, want)
			}
		}
		if got := succeed(t, "", "exec", "-q", "--format", "picture", "-c", setup+query, "--connect",
			listen(t)); got != want {
			t.Errorf("%s on a server: %q, want %q", query, got, want)
		}
	}
	_, errs, _ := outcome(t, setup+"SELECT char_start, char_end, label FROM c.entities \\viz\n", "exec", "-q")
	if !strings.Contains(errs, "select the column doc of a layer too") {
		t.Errorf("spans without documents: %s", errs)
	}
}
