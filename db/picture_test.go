package db_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPictures writes pages and pictures of a corpus, of predictions and of a training.
func TestPictures(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	c := open(t, "").Conn()
	script(t, c, `CREATE CORPUS people;
LOAD '../testdata/quickstart/people.test.conll' INTO people FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON people WITH (layer = 'entities', iterations = 5);
COPY people TO '`+dir+`/gold.html' FORMAT html WITH (title = 'Gold', layers = ('entities'));
COPY (SELECT d.id AS doc, d.text AS document_text, e.char_start, e.char_end, e.label
  FROM people d LEFT JOIN people.entities e USING ner ON e.doc = d.id) TO '`+dir+`/ner.html' FORMAT html;
COPY (SELECT * FROM people.entities) TO '`+dir+`/table.html' FORMAT html;
COPY (SELECT * FROM people.entities LIMIT 9) TO '`+dir+`/spans.svg' FORMAT svg;
COPY (SELECT step, objective FROM ner.trace) TO '`+dir+`/trace.svg' FORMAT svg`)
	for name, want := range map[string][]string{
		"gold.html":  {"<h1>Gold</h1>", `<h2>people.test.conll:1</h2>`, ">PER</small>", `<div class="legend">`, "</html>\n"},
		"ner.html":   {`<h2>people.test.conll:1</h2>`, "</html>\n"},
		"table.html": {"<th>label</th>", "<td>PER</td>", "</html>\n"},
		"spans.svg":  {">PER</text>", "</svg>\n"},
		"trace.svg":  {">objective</text>", ">step</text>", "</svg>\n"},
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(b), w) {
				t.Errorf("%s has no %q", name, w)
			}
		}
	}
}
