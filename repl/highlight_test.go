package repl

import (
	"regexp"
	"strings"
	"testing"

	"parlance/db"
)

var inkMarks = regexp.MustCompile("\x1b\\[([0-9;]+)m([^\x1b]*)\x1b\\[0m")

// TestHighlight colours statements as they are typed, and changes no character of them.
func TestHighlight(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := newLocal(d, "", false)
	rows, err := conn.Query(t.Context(), "CREATE CORPUS people (year INTEGER)")
	if err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	h := &highlighter{completer: &completer{conn: conn}}
	for typed, want := range map[string]string{
		"SELECT year, nope FROM people WHERE id = 'a' -- é": "1;34 SELECT|36 year|1;34 FROM|36 people|1;34 WHERE|36 id|32 " +
			"'a'|2 -- é",
		"SELECT n FROM people.entities": "1;34 SELECT|1;34 FROM|36 people|36 entities",
		"TRAIN crf AS ner ON people":    "1;34 TRAIN|36 crf|1;34 AS|1;34 ON|36 people",
		"SELECT 2 2;":                   "1;34 SELECT|35 2|4;31 2",
		"SELECT :x;":                    "1;34 SELECT",
		"SELECT 'two\nlines":            "1;34 SELECT|32 'two|32 lines",
		`\viz`:                          `1;34 \viz`,
		`SELECT 1 \viz`:                 `1;34 SELECT|35 1|1;34 \viz`,
		`\vi`:                           "",
		`\nope x`:                       `4;31 \nope`,
	} {
		got := h.colour([]rune(typed))
		var found []string
		for _, m := range inkMarks.FindAllStringSubmatch(got, -1) {
			found = append(found, m[1]+" "+m[2])
		}
		if g := strings.Join(found, "|"); g != want {
			t.Errorf("%q is coloured %q, want %q", typed, g, want)
		}
		if plain := inkMarks.ReplaceAllString(got, "$2"); plain != typed {
			t.Errorf("%q becomes %q", typed, plain)
		}
	}
}
