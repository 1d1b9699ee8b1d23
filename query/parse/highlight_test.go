package parse

import (
	"strings"
	"testing"
)

// TestParts of texts as they are typed.
func TestParts(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"SELECT n, 'a''b', 1.5 FROM t -- all": "keyword:SELECT word:n sign:, string:'a''b' sign:, number:1.5 " +
			"keyword:FROM word:t comment:-- all",
		"select $1 /* x */ + \"N\"":  "keyword:select parameter:$1 comment:/* x */ sign:+ word:\"N\"",
		"SELECT 'open":               "keyword:SELECT string:'open",
		"SELECT 1 /* open":           "keyword:SELECT number:1 comment:/* open",
		"TRAIN crf AS ner ON people": "keyword:TRAIN word:crf keyword:AS word:ner keyword:ON word:people",
		"SELECT FROM FROM t;":        "keyword:SELECT wrong:FROM keyword:FROM word:t sign:;",
		"SELECT 1; SELECT 2 2; SELECT 3": "keyword:SELECT number:1 sign:; keyword:SELECT number:2 wrong:2 " +
			"sign:; keyword:SELECT number:3",
		"SELECT 1 SEL":   "keyword:SELECT number:1 word:SEL", // may become SELECT
		"SELECT \\":      "keyword:SELECT wrong:\\",
		"SELECT 日本 FROM": "keyword:SELECT word:日本 keyword:FROM",
	} {
		var got []string
		end := 0
		for _, p := range Highlight(text) {
			if p.From < end || p.To <= p.From || p.To > len(text) {
				t.Fatalf("%q: part %+v", text, p)
			}
			end = p.To
			sort := []string{"sign", "keyword", "word", "string", "number", "parameter", "comment", "wrong"}[p.Class]
			if p.Class == Name && p.Keyword {
				sort = "keyword"
			}
			got = append(got, sort+":"+text[p.From:p.To])
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q:\n%s, want\n%s", text, g, want)
		}
	}
}

func FuzzParts(f *testing.F) {
	for _, s := range []string{"SELECT 'a", "/* /* */", "$x$ a", "1a 'b", "E'\\", "\"\"", "a\x00b", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, p := range Highlight(text) {
			if p.From < end || p.To < p.From || p.To > len(text) {
				t.Fatalf("%q: part %+v after %d", text, p, end)
			}
			end = p.To
		}
	})
}
