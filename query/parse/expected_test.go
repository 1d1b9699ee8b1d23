package parse_test

import (
	"slices"
	"strings"
	"testing"

	"parlance/query/parse"
)

// TestNextPlaces knows what may stand behind words of all sorts, also where the grammar looks ahead. It tells when
// another version of participle writes another trace.
func TestNextPlaces(t *testing.T) {
	for _, test := range []struct {
		text  string
		words string // some of those that follow
		not   string // some that do not
		name  bool
	}{
		{"", "SELECT WITH INSERT LOAD TRAIN", "FROM WHERE", false},
		{"SELECT a FROM ", "", "SELECT FROM", true},
		{"SELECT (", "SELECT WITH CASE NOT", "FROM", true},
		{"SELECT a FROM b WHERE x IN (", "SELECT CASE", "FROM", true},
		{"SELECT text FROM entities(", "SELECT WITH CASE", "FROM", true},
		{"SELECT text FROM entities(TEXT ", "CASE NULL", "SELECT", true},
		{"SELECT f(a) OVER (", "ORDER", "SELECT", true},
		{"SELECT f(a) OVER ", "FROM", "SELECT", true},
		{"SELECT a FROM b WHERE f(x) ", "AND OR LIKE ORDER", "SELECT FROM", false},
		{"SELECT a FROM b FETCH ", "FIRST NEXT", "ROWS", false},
		{"SELECT a FROM b OFFSET 2 ", "ROW ROWS LIMIT", "FROM", false},
		{"INSERT INTO a SELECT x FROM b JOIN c ON CONFLICT ", "DO REPLACE SKIP", "", false},
		{"INSERT INTO a VALUES (1), (2) ", "ON RETURNING", "SELECT", false},
		{"CREATE CORPUS IF ", "NOT AS WITH", "EXISTS", false},
		{"FETCH NEXT ", "FROM IN", "", true},
		{"LOAD 'a' INTO MODEL ", "WITH", "INTO", true},
		{"SET TIME ", "ZONE TO", "", false},
		{"TRAIN crf ON docs WITH (l2 = ", "", "", true},
		{"SELECT a a a", "", "FROM", false},
		{"WITH a AS (SELECT 1) ", "SELECT", "UNION", false},
	} {
		words, name := parse.Next(test.text)
		for _, w := range strings.Fields(test.words) {
			if !slices.Contains(words, w) {
				t.Errorf("after %s: %v lack %s", test.text, words, w)
			}
		}
		for _, w := range strings.Fields(test.not) {
			if slices.Contains(words, w) {
				t.Errorf("after %s: %v have %s", test.text, words, w)
			}
		}
		if name != test.name {
			t.Errorf("after %s: name %v", test.text, name)
		}
	}
}
