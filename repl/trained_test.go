package repl_test

import (
	"regexp"
	"testing"
)

// TestTrained: behind its tag stands what a training was, where notices stand; -q and formats for programs leave it
// out.
func TestTrained(t *testing.T) {
	t.Chdir("..")
	const load = `CREATE CORPUS notes;
LOAD 'testdata/own/reviews.csv' INTO notes FORMAT csv;
`
	for _, c := range []struct{ train, want string }{
		{"TRAIN maxent AS topic ON notes WHERE split(id) = 'train'",
			`^topic@1: 329 documents, 2 labels, [0-9.]+ s, objective [0-9.]+ after \d+ steps\n$`},
		{`TRAIN maxent AS "my topic" ON notes`, "^my topic@1: 400 documents, 2 labels, "},
		{"TRAIN maxent AS topic ON notes WHERE split(id) = 'train' VALIDATE ON notes WHERE split(id) = 'dev'",
			`^topic@1: 329 documents, 2 labels, [0-9.]+ s, objective [0-9.]+ after \d+ steps?, held-out f1 [01]\.\d{4}\n$`},
		{"TRAIN lda AS themes ON notes WITH (topics = 2, iterations = 3, seed = 1)", `^themes@1: 400 documents, [0-9.]+ s`},
	} {
		_, errs, code := outcome(t, "", "exec", "-c", load+c.train)
		if code != 0 || !regexp.MustCompile(c.want).MatchString(errs) {
			t.Errorf("%s: exit code %d, %q, want %s", c.train, code, errs, c.want)
		}
		for _, quiet := range []string{"-q", "--csv"} {
			if _, errs, code := outcome(t, "", "exec", quiet, "-c", load+c.train); code != 0 || errs != "" {
				t.Errorf("%s %s: exit code %d, %q", quiet, c.train, code, errs)
			}
		}
	}
}
