package repl

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parlance/db"

	"github.com/reeflective/readline"
)

func TestComplete(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx := context.Background()
	conn := d.Conn()
	for _, s := range []string{"CREATE CORPUS news (year INTEGER)", "INSERT INTO news (id, text) VALUES ('a', 'x')", "CREATE LEXICON moods (word TEXT, tone TEXT)"} {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	c := &completer{local{conn}}
	for _, test := range []struct{ text, prefix, want, not string }{
		{"SEL", "SEL", "SELECT", "SET"},
		{"sel", "sel", "", "SELECT"},
		{"se", "se", "select set", "SELECT"},
		{"SELECT 1; TRA", "TRA", "TRAIN", ""},
		{"; TRA", "TRA", "TRAIN", ""},
		{"SELECT", "SELECT", "SELECT", ""},
		{"SELECT ye", "ye", "year", "news"},
		{"SELECT n", "n", "news not", "moods"},
		{"SELECT year\nFROM n", "n", "news news.sentences news.tokens", "moods"},
		{"SELECT * FROM news.to", "news.to", "news.tokens", "news"},
		{"SELECT * FROM system.co", "system.co", "system.corpora", ""},
		{"TRAIN c", "c", "contexts crf", "hmm"},
		{"LOAD 'x' INTO news FORMAT conll2", "conll2", "conll2000 conll2012", "conllu"},
		{"SELECT tone FROM moods WHERE tone = 'x", "x", "", "moods"},
		{`\ti`, `\ti`, `\timing`, `\d`},
		{`\d ne`, "", "", "news"},
	} {
		prefix, found := c.complete(ctx, test.text)
		got := " " + strings.Join(found, " ") + " "
		if prefix != test.prefix {
			t.Errorf("%q ends with %q, want %q", test.text, prefix, test.prefix)
		}
		for _, w := range strings.Fields(test.want) {
			if !strings.Contains(got, " "+w+" ") {
				t.Errorf("%q: %s lacks %s", test.text, got, w)
			}
		}
		if !slices.IsSorted(found) || len(slices.Compact(slices.Clone(found))) < len(found) {
			t.Errorf("%q: %s is out of order", test.text, got)
		}
		if test.not != "" && strings.Contains(got, " "+test.not+" ") {
			t.Errorf("%q: %s offers %s", test.text, got, test.not)
		}
	}
}

// TestOffer: the only word is offered with the space after it.
func TestOffer(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := &completer{local{d.Conn()}}
	for line, want := range map[string]string{"TRAI": "TRAIN ", "se": "select|set"} {
		var words []string
		found := c.offer([]rune(line+" after the cursor"), len(line))
		found.EachValue(func(w readline.Completion) readline.Completion {
			words = append(words, w.Value)
			return w
		})
		if slices.Sort(words); strings.Join(words, "|") != want || found.PREFIX != line {
			t.Errorf("%q becomes %q, replacing %q", line, words, found.PREFIX)
		}
	}
}
