package repl

import (
	"strings"
	"testing"

	"parlance/db"
	"parlance/db/manual"
	"parlance/storage/value"

	"github.com/jedib0t/go-pretty/v6/text"
)

// TestReflow: paragraphs fill the screen; code, lists and tables keep their lines.
func TestReflow(t *testing.T) {
	const in = "TRAIN\n\none two three\nfour five\n\n  SELECT one, two, three;\n  SELECT 1;\n\n| a | b |\n- x\nlast\n"
	for screen, want := range map[int]string{
		0:  in,
		80: "TRAIN\n\none two three four five\n\n  SELECT one, two, three;\n  SELECT 1;\n\n| a | b |\n- x\nlast\n",
		20: "TRAIN\n\none two three four\nfive\n\n  SELECT one, two,\n      three;\n  SELECT 1;\n\n| a | b |\n- x\nlast\n",
	} {
		if got := reflow(in, screen); got != want {
			t.Errorf("%d cells:\n%s\nwant\n%s", screen, got, want)
		}
	}
}

// TestHelpFitsScreen: no line of the manual or of the list of commands is wider than the screen, and no word is lost.
func TestHelpFitsScreen(t *testing.T) {
	all, err := manual.Sections()
	if err != nil {
		t.Fatal(err)
	}
	for _, screen := range []int{60, 80, 120} {
		for _, s := range all {
			got := reflow(s.Text, screen)
			if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(s.Text), " ") && !brokenWord(s.Text,
				screen) {
				t.Errorf("%s: words are lost at %d cells", s.Title, screen)
			}
			for _, l := range strings.Split(got, "\n") {
				if text.StringWidth(l) > screen {
					t.Errorf("%s: %q is wider than %d cells", s.Title, l, screen)
				}
			}
		}
		for _, l := range strings.Split(commandList(screen), "\n") {
			if text.StringWidth(l) > screen {
				t.Errorf("%q is wider than %d cells", l, screen)
			}
		}
	}
}

// brokenWord reports whether a word is wider than a line behind its margin.
func brokenWord(s string, screen int) bool {
	for _, w := range strings.Fields(s) {
		if text.StringWidth(w) > screen-10 {
			return true
		}
	}
	return false
}

// TestPlansAreNoRecords: plans keep their lines also where rows are shown as vertical.
func TestPlansAreNoRecords(t *testing.T) {
	one := panel{columns: []db.Column{{Name: "plan", Type: "text"}}, list: [][]value.Value{{value.Str("project a")},
		{value.Str("  scan")}}}
	for statement, want := range map[string]string{
		"EXPLAIN SELECT 1":         " plan\n───────────\n project a\n   scan\n(2 rows)\n",
		"explain analyze SELECT 1": " plan\n───────────\n project a\n   scan\n(2 rows)\n",
		"SELECT 1":                 "-[ row 1 ]\nplan | project a\n-[ row 2 ]\nplan |   scan\n(2 rows)\n",
		"EXPLAIN PREDICTION OF m FOR TEXT 'Ann' AT 1, 1 ": "-[ row 1 ]\nplan | project a\n-[ row 2 ]\nplan |   scan\n(2 " +
			"rows)\n",
	} {
		for _, expanded := range []string{"on", "auto"} {
			l := newLook("table")
			l.expanded = expanded
			var b strings.Builder
			if err := showStatement(&b, statement, one.rows(noRows{}), l, map[string]int{"auto": 5}[expanded]); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			if expanded == "auto" && strings.HasPrefix(want, "-[") { // values are wrapped
				if !strings.HasPrefix(got, "-[ row 1 ]") {
					t.Errorf("%s, %s:\n%s", statement, expanded, got)
				}
				continue
			}
			if strings.ReplaceAll(got, " \n", "\n") != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", statement, expanded, got, want)
			}
		}
	}
}
