package repl_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEvaluationForPeople: tables of EVALUATE have a row a label and keep the metrics that have no labels; other
// formats and EVALUATE as a table stay long. DIFF MODEL is a table for each sort of difference, without empty columns.
func TestEvaluationForPeople(t *testing.T) {
	t.Chdir("..")
	file := filepath.Join(t.TempDir(), "people.parlance")
	if _, errs, code := outcome(t, "", "exec", "-q", "--db", file, "-c", `CREATE CORPUS people;
		LOAD 'testdata/quickstart/people.test.conll' INTO people FORMAT conll WITH (columns = (form, entities));
		TRAIN crf AS a ON people WITH (iterations = 2); TRAIN crf AS b ON people WITH (iterations = 4)`); code != 0 {
		t.Fatal(errs)
	}
	ask := func(statement string, more ...string) []string {
		out, errs, code := outcome(t, "", append([]string{"exec", "--db", file, "-c", statement}, more...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		return strings.Split(out, "\n")
	}
	const evaluate = "EVALUATE a, b ON people WITH (samples = 0)"
	long := ask("SELECT * FROM ("+evaluate+")", "--format", "unaligned")
	value := map[string]string{} // by model, label and metric
	for _, line := range long[1 : len(long)-2] {
		c := strings.Split(line, "|")
		value[c[0]+" "+c[2]+" "+c[1]] = c[3]
	}
	both, rows := ask("-- scores\n"+evaluate), 0
	if got := strings.Fields(both[0]); strings.Join(got[:5], " ") != "model │ metric │ value" {
		t.Errorf("the summary does not come first: %s", both[0])
	}
	second := slices.IndexFunc(both, func(l string) bool { return strings.HasPrefix(l, " model │ label") })
	if second < 0 {
		t.Fatalf("no table of labels in %q", both)
	}
	wide := both[second:]
	names := strings.Fields(strings.ReplaceAll(wide[0], "│", " "))
	if got := strings.Join(names, " "); got != "model label precision recall f1 f1.low f1.high support" {
		t.Fatalf("columns %s", got)
	}
	for _, line := range wide[2:] {
		c := strings.Split(line, "│")
		if len(c) != len(names) {
			break
		}
		rows++
		for k, name := range names[2:5] {
			got, want := strings.TrimSpace(c[2+k]), value[strings.TrimSpace(c[0])+" "+strings.TrimSpace(c[1])+" "+name]
			if got == "" || !strings.HasPrefix(want, got[:min(len(got), 5)]) {
				t.Errorf("%s: %s is %s, the row source has %s", line, name, got, want)
			}
		}
	}
	if rows != 8 {
		t.Errorf("%d rows, want ALL, LOC, ORG and PER of two models", rows)
	}
	for _, name := range []string{"macro_f1 ", "f1.difference "} {
		if !strings.Contains(strings.Join(both[:second], "\n"), name) {
			t.Errorf("%s is not shown", name)
		}
	}
	if got := ask(evaluate, "--format", "unaligned"); got[0] != long[0] || len(got) != len(long) {
		t.Errorf("unaligned has columns %s and %d lines", got[0], len(got))
	}
	if got := ask("SELECT * FROM (" + evaluate + ")"); len(got) != len(long)+1 {
		t.Errorf("as a table it has %d lines, want %d", len(got), len(long)+1)
	}
	diff := strings.Join(ask("DIFF MODEL a, b ON people WITH (limit = 1)"), "\n")
	for _, want := range []string{"label │ precision.a │ precision.b │ precision.p │ recall.a",
		"option │ iterations │ 2 │ 4 │     2\n",
		"metric │ macro_f1 │"} {
		if !strings.Contains(diff, want) {
			t.Errorf("DIFF MODEL shows no %s:\n%s", want, diff)
		}
	}
}
