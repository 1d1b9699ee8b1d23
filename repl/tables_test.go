package repl_test

import (
	"strings"
	"testing"
)

// TestTablesWithoutModels: \dt lists corpora, layers and tables, not the relations of models.
func TestTablesWithoutModels(t *testing.T) {
	t.Chdir("..")
	out, _, _ := outcome(t, `CREATE CORPUS people;
LOAD 'testdata/quickstart/people.test.conll' INTO people FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS tagger ON people WITH (iterations = 1);
\dt
`)
	if !strings.Contains(out, "people.entities") || strings.Contains(out, "tagger.") {
		t.Errorf("it lists\n%s", out)
	}
}
