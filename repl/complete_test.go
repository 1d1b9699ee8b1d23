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
	for _, s := range []string{"CREATE CORPUS news (year INTEGER)", "INSERT INTO news (id, text) VALUES ('a', 'x')",
		"CREATE LEXICON moods (word TEXT, tone TEXT)"} {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	c := &completer{conn: local{Conn: conn}}
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
		{`\d ne`, "ne", "news news.tokens", "moods"},
		{`\format `, "", "csv vertical", "news"},
		{`\pset p`, "p", "pager", "news"},
		{`\h tr`, "tr", "TRAIN", "LOAD"},
		{`\x o`, "o", "on off", ""},
		{`\i complete_t`, "complete_t", "complete_test.go", "complete.go"},
		{`\i ./remote/c`, "./remote/c", "./remote/conn.go", ""},
		{`\o rem`, "rem", "remote/", ""},
		{`\c rem`, "rem", "remote/", ""},
		{`\i 'rem`, "'rem", "'remote/", "remote/"},
		{`\copy news from complete_t`, "news from complete_t", "complete_test.go", ""},
		{`\copy (select 1) to 'complete_t`, "(select 1) to 'complete_t", "'complete_test.go'", ""},
		{"LOAD 'complete_t", "complete_t", "complete_test.go'", "complete.go'"},
		{"LOAD 'a.csv', 'remote/co", "remote/co", "remote/conn.go'", "conn.go'"},
		{"SELECT 1; load\n'./rem", "./rem", "./remote/", ""},
		{"COPY news TO 'complete_t", "complete_t", "complete_test.go'", ""},
		{"COPY (SELECT 1 FROM news) TO 'complete_t", "complete_t", "complete_test.go'", ""},
		{"COPY news.tokens FROM 'complete_t", "complete_t", "complete_test.go'", ""},
		{"BACKUP TO 'complete_t", "complete_t", "complete_test.go'", ""},
		{"LOAD 'x' INTO news FORMAT conll WITH (separator = 'complete_t", "complete_t", "", "complete_test.go'"},
		{"COPY (SELECT 'complete_t", "complete_t", "", "complete_test.go'"},
		{"SELECT 'complete_t", "complete_t", "", "complete_test.go'"},
		{"SELECT 1;\n\\ti", `\ti`, `\timing`, ""},
		{"SELECT '\n\\ti", "ti", "", `\timing`},
		{"TRAIN crf AS m ON news WITH (", "", "l2 layer iterations seed", "LIKE news columns"},
		{"EVALUATE m ON news WITH (", "", "samples seed confusion", "l2 optimizer"},
		{"TRAIN crf AS m ON news WITH (l2 = 1, opt", "opt", "optimizer", "option"},
		{"TRAIN crf AS m ON news WITH (optimizer = ", "", "'pa' 'sgd'", "l2"},
		{"TRAIN crf AS m ON news WITH (constrained = f", "f", "false", "true"},
		{"TRAIN crf AS m ON news WITH (features = (", "", "", "l2"},
		{"TRAIN crf AS m ON news WITH (features = ('ner', 'pos'), l", "l", "l2 layer", "LIKE"},
		{"TRAIN crf AS m ON news WITH (l2 ", "", "", "layer"},
		{"TRAIN crf AS m ON ne", "ne", "news", "moods"},
		{"TRAIN crf AS m ON news WHERE y", "y", "year", "tone"},
		{"LOAD 'x' INTO news FORMAT conll WITH (sep", "sep", "separator", ""},
		{"LOAD 'x' INTO news FORMAT conll WITH (separator = ", "", "'tab'", "separator"},
		{"SELECT f FROM news.tokens WITH (", "", "", "form"},
		{"SELECT * FROM moods WHERE (to", "to", "tone", "tok_start"},
		{"SELECT m.t", "m.t", "", "moods.tone"},
		{"SELECT * FROM moods AS m, news.tokens n JOIN news d ON m.", "m.", "m.tone m.word", "m.form d.year news"},
		{"SELECT * FROM moods AS m, news.tokens n JOIN news d ON n.f", "n.f", "n.form", "n.id"},
		{"SELECT * FROM moods JOIN news ON moods.to", "moods.to", "moods.tone", "news"},
		{"WITH big AS (SELECT 1), wide (x, y) AS (SELECT 2, 3) SELECT * FROM ", "", "big wide news", "year"},
		{"TRAIN -- kinds\nc", "c", "crf", "char_end"},
		{"TRAIN /* kinds */ c", "c", "crf", "char_end"},
		{"SET ca", "ca", "cache", "news candidate"},
		{"SHOW ca", "ca", "cache", ""},
	} {
		prefix, found := c.complete(ctx, test.text, "")
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
		for _, w := range strings.Fields(test.not) {
			if strings.Contains(got, " "+w+" ") {
				t.Errorf("%q: %s offers %s", test.text, got, w)
			}
		}
	}
}

// TestCompleteReadsOn: names before FROM are those of the tables behind it.
func TestCompleteReadsOn(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	for _, s := range []string{"CREATE LEXICON moods (word TEXT, tone TEXT)",
		"CREATE LEXICON towns (word TEXT, town TEXT)"} {
		if _, err := conn.Exec(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	c := &completer{conn: local{Conn: conn}}
	for _, test := range []struct{ text, after, want string }{
		{"SELECT to", " FROM moods", "tone towns"},
		{"SELECT to", " FROM towns -- , moods", "town towns"},
		{"SELECT m.to", " FROM moods m", "m.tone"},
		{"SELECT x.to", " FROM moods m", ""},
		{"SELECT to", "; SELECT * FROM moods", "tone town towns"},
	} {
		if _, found := c.complete(context.Background(), test.text, test.after); strings.Join(found, " ") != test.want {
			t.Errorf("%q before %q: %q, want %s", test.text, test.after, found, test.want)
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
	c := &completer{conn: newLocal(d, "", false)}
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
	for line, want := range map[string]string{"LOAD 'complete_t|": "complete_test.go' ",
		"LOAD 'complete_t|'": "complete_test.go", "LOAD 'rem|'": "remote/"} {
		before, after, _ := strings.Cut(line, "|")
		found := c.offer([]rune(before+after), len(before))
		found.EachValue(func(w readline.Completion) readline.Completion {
			if w.Value != want {
				t.Errorf("%q becomes %q, want %q", line, w.Value, want)
			}
			return w
		})
	}
	for line, want := range map[string]string{"TRAIN crf ON docs WITH (": "(", "TRAIN crf ON docs WITH (l2 = 1, ": "",
		"TRAIN crf ON docs WITH (l2 = 1,": ","} {
		found := c.offer([]rune(line), len(line))
		found.EachValue(func(w readline.Completion) readline.Completion {
			if w.Value != want+w.Display {
				t.Errorf("%q: %s stands for %q", line, w.Display, w.Value)
			}
			return w
		})
		if found.PREFIX != want {
			t.Errorf("%q: %q is replaced, want %q", line, found.PREFIX, want)
		}
	}
}
