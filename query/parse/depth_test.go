package parse

import (
	"strings"
	"testing"
)

// TestDepthIsGivenBack: what a construct adds to the depth it takes back, or many of them side by side would be refused
// as too complex.
func TestDepthIsGivenBack(t *testing.T) {
	tried := 0
	for _, text := range append(Statements(t), "SELECT ARRAY[[1, a], [2, b + 1]], ARRAY[[[c]]]",
		"SELECT a::text::json FROM ((a JOIN b ON a.x = b.x) LEFT JOIN c ON true) JOIN d USING (x)",
		"(SELECT 1 UNION (SELECT 2 LIMIT 1)) EXCEPT (SELECT 3)",
		"SELECT CASE WHEN NOT - a > + b AND (SELECT 1) IN (SELECT 2) THEN (x) ELSE f(-y::int) END") {
		in, err := Scan(text)
		if err != nil {
			continue
		}
		form, err := in.Parse()
		if err != nil {
			continue
		}
		c := &converter{from: in}
		if _, err := form.convert(c); err != nil {
			continue
		}
		if tried++; c.depth != 0 {
			t.Errorf("%s leaves a depth of %d", text, c.depth)
		}
	}
	if tried < 100 {
		t.Errorf("%d statements were tried", tried)
	}
}

// TestNearest: a word is suggested if it is at most 2 edits away, and fewer than half of its letters.
func TestNearest(t *testing.T) {
	for _, test := range []struct{ word, words, want string }{
		{"SELCT", "INSERT SELECT UPDATE", "SELECT"},
		{"SLECET", "SELECT", "SELECT"},
		{"SLCT", "SELECT", "SELECT"},
		{"SLT", "SELECT", ""},
		{"DISTRIBUTD", "DISTRIBUTE", "DISTRIBUTE"},
		{"DISTRXXXTE", "DISTRIBUTE", ""},
		{"DISTRXXUTE", "DISTRIBUTE", "DISTRIBUTE"},
		{"SEL", "SET", "SET"},
		{"OM", "ON", ""},
		{"ABXX", "ABCD", ""},
		{"ABXXE", "ABCDE", "ABCDE"},
		{"ABCXF", "ABCDE ABCDF ABCXE", "ABCDF"},
		{"ABCD", "ABCE ABCD", ""},
		{"ABCD", "", ""},
	} {
		if got := nearest(test.word, strings.Fields(test.words)); got != test.want {
			t.Errorf("nearest(%s) of %s is %q, want %q", test.word, test.words, got, test.want)
		}
	}
}
