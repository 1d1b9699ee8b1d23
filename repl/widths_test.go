package repl

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parlance/db"
	"parlance/query/ast"
	"parlance/query/parse"
)

// TestLeastWidths: how narrow columns may be, and how wide they are within a bound, at the edges of what they hold.
func TestLeastWidths(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    extent
		least [levels]int // by how far columns yield
		at    int         // at level 2 within a bound of 30
	}{
		{"number", extent{most: 7, word: 7, name: 9, part: 4}, [levels]int{9, 7, 7}, 7},
		{"number, wide part of its name", extent{most: 3, word: 3, name: 9, part: 5}, [levels]int{9, 5, 5}, 5},
		{"short text", extent{most: 8, word: 5, name: 4, part: 4, text: true}, [levels]int{8, 8, 5}, 8},
		{"text", extent{most: 40, word: 5, name: 4, part: 4, text: true}, [levels]int{12, 12, 5}, 30},
		{"text of the widest", extent{most: 100, word: 5, name: 4, part: 4, text: true}, [levels]int{12, 12, 5}, 30},
		{"long text", extent{most: 101, word: 5, name: 4, part: 4, text: true}, [levels]int{24, 24, 24}, 30},
		{"long text of a long word", extent{most: 101, word: 36, name: 4, part: 4, text: true}, [levels]int{36, 36, 36}, 36},
		{"long name", extent{most: 8, word: 5, name: 40, part: 6, text: true}, [levels]int{40, 8, 6}, 8},
	} {
		for level, want := range c.least {
			if got := c.of.least(level); got != want {
				t.Errorf("%s, level %d: at least %d cells, not %d", c.name, level, got, want)
			}
		}
		if got := c.of.at(levels-1, 30); got != c.at {
			t.Errorf("%s, within 30 cells: %d, not %d", c.name, got, c.at)
		}
	}
}

// TestExtents: the widest value, word and part of a name of a column. Numbers do not break; texts that are one word in
// every row keep 40 cells of it, others 24.
func TestExtents(t *testing.T) {
	long := strings.Repeat("x", 50)
	for _, c := range []struct {
		of     column
		values []string
		want   extent
	}{
		{column{name: "n", right: true}, []string{"1", "-12", "7"}, extent{most: 3, word: 3, name: 1, part: 1}},
		{column{name: "char_start", right: true}, nil, extent{name: 10, part: 5}},
		{column{name: "name"}, []string{"a bcd", "efghij"}, extent{most: 6, word: 6, name: 4, part: 4, text: true}},
		{column{name: "name"}, []string{"efghi jk lm", "z"}, extent{most: 11, word: 5, name: 4, part: 4, text: true}},
		{column{name: "id"}, []string{long}, extent{most: 50, word: 40, name: 2, part: 2, text: true}},
		{column{name: "id"}, []string{long, "a b"}, extent{most: 50, word: 24, name: 2, part: 2, text: true}},
		{column{name: "id"}, []string{long[:24] + " b"}, extent{most: 26, word: 24, name: 2, part: 2, text: true}},
		{column{name: "id"}, []string{"日本語"}, extent{most: 6, word: 0, name: 2, part: 2, text: true}},
		{column{name: "id"}, []string{"äöü"}, extent{most: 3, word: 3, name: 2, part: 2, text: true}},
	} {
		var cells [][]string
		for _, v := range c.values {
			cells = append(cells, []string{"other", v})
		}
		if got := extentOf(c.of, cells, 1); got != c.want {
			t.Errorf("%s of %.60q: %+v, not %+v", c.of.name, c.values, got, c.want)
		}
	}
}

// TestLayOutFits: rows of two columns fit from the width on that both have with the line and the blanks between them;
// below it, names are broken, then texts.
func TestLayOutFits(t *testing.T) {
	columns := []db.Column{{Name: "char_start", Type: "integer"}, {Name: "text", Type: "text"}}
	cells := [][]string{{"123", "the quick brown fox jumped"}} // 26 cells, words of 6
	for _, c := range []struct {
		screen, number, text int
		names                []string
		fits                 bool
	}{
		{41, 0, 26, nil, true},                        // 10 + 26, two blanks for each, the line: all of it
		{40, 0, 25, nil, true},                        // the text yields first
		{27, 0, 12, nil, true},                        // down to 12 cells
		{26, 0, 16, []string{"char_", "start"}, true}, // then the name: 5 + 16 + 5
		{22, 0, 12, []string{"char_", "start"}, true}, // and the text again
		{21, 0, 11, []string{"char_", "start"}, true}, // and then below 12 cells
		{16, 0, 6, []string{"char_", "start"}, true},  // until it is as its words are
		{15, 0, 6, []string{"char_", "start"}, false}, // it does not get narrower
		{1, 0, 6, []string{"char_", "start"}, false},
		{0, 0, widestText, nil, true}, // no screen
	} {
		got, fits := layOut(columns, cells, c.screen)
		if fits != c.fits || got[0].most != c.number || got[1].most != c.text || !slices.Equal(got[0].names, c.names) {
			t.Errorf("%d cells: %+v, fits %v; want %d, %d cells, name %q, fits %v", c.screen, got, fits, c.number, c.text,
				c.names, c.fits)
		}
		if cut := c.screen > 0; got[0].cut != cut || got[1].cut != cut {
			t.Errorf("%d cells: %+v", c.screen, got)
		}
	}
	one := []db.Column{{Name: "plan", Type: "text"}} // one column is never narrower than its values
	for screen, fits := range map[int]bool{0: true, 25: false, 26: false, 27: false, 28: true, 29: true} {
		// The room of one column is the screen without two blanks.
		if got, is := layOut(one, [][]string{{"the quick brown fox jumped"}}, screen); is != fits || got[0].most != 0 {
			t.Errorf("%d cells: one column %+v, fits %v", screen, got, is)
		}
	}
	for _, c := range [][3]int{{0, 80, 80}, {1, 80, 80}, {2, 80, 78}, {2, 3, 1}, {2, 2, 1}, {2, 1, 1}, {2, 0, 0}} {
		if got := (&look{border: c[0]}).room(c[1]); got != c[2] {
			t.Errorf("border %d on %d cells: room for %d, not %d", c[0], c[1], got, c[2])
		}
	}
}

// TestBrokenTexts: where texts are broken and shortened, at the exact width, one less and one more.
func TestBrokenTexts(t *testing.T) {
	for _, c := range []struct{ got, want any }{
		{packed([]string{"aa_", "bb_", "c"}, 7), []string{"aa_bb_c"}},
		{packed([]string{"aa_", "bb_", "c"}, 6), []string{"aa_bb_", "c"}},
		{packed([]string{"aa_", "bb_", "c"}, 5), []string{"aa_", "bb_c"}},
		{packed([]string{"aa_", "bb_", "c"}, 1), []string{"aa_", "bb_", "c"}},
		{words("a bc,d 1,5 2,x"), []string{"a ", "bc,", "d ", "1,5 ", "2,", "x"}},
		{words(",a, "), []string{",", "a,", " "}},
		{words(" "), []string{" "}},
		{words("9,"), []string{"9,"}},
		{words(""), []string{""}},
		{words("0,9,/,:,1"), []string{"0,9,", "/,", ":,", "1"}},
		{shorten("abcde", 5), "abcde"},
		{shorten("abcde", 4), "abc…"},
		{shorten("abcde", 1), "…"},
		{shorten("日本語", 6), "日本語"},
		{shorten("日本語", 5), "日本…"},
		{shorten("日本語", 4), "日…"},
		{fold("the quick fox", 9), []string{"the quick", "fox"}},
		{fold("the quick fox", 8), []string{"the", "quick", "fox"}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
	for _, c := range []struct {
		text, want string
		most       int
		more       bool
	}{
		{"abcdef gh", "abcdef gh", 6, false}, {"abcdef gh", "abcd… gh", 5, true}, {"ab cdefgh", "ab cdefgh", 9, false},
		{"äöü bcd", "äöü bcd", 3, false}, {"日本語語 a", "日本語語 a", 4, false}, {"abc   defg", "abc   de…", 3, true},
	} {
		if got, more := clip(c.text, c.most); got != c.want || more != c.more {
			t.Errorf("%q within %d cells: %q, %v, not %q", c.text, c.most, got, more, c.want)
		}
	}
}

// TestTallestText: a text of twelve lines is shown whole, of one more the last line ends in ….
func TestTallestText(t *testing.T) {
	c := &column{most: 6, cut: true}
	for n, last := range map[int]string{11: "word", 12: "word", 13: "word …"} {
		lines, more := c.fit(strings.TrimSuffix(strings.Repeat("word ", n), " "))
		if len(lines) != min(n, 12) || more != (n > 12) || lines[len(lines)-1] != last {
			t.Errorf("%d words: lines %q, more %v", n, lines, more)
		}
	}
	c.most = 5 // no room for a blank and …
	if lines, more := c.fit(strings.Repeat("word ", 13)); !more || lines[11] != "word…" {
		t.Errorf("lines %q, more %v", lines, more)
	}
	c.most = 4
	if lines, more := c.fit(strings.Repeat("word ", 13)); !more || lines[11] != "wor…" {
		t.Errorf("lines %q, more %v", lines, more)
	}
}

// TestEscapesOfArguments: what stands behind a backslash within single quotes, and where digits end.
func TestEscapesOfArguments(t *testing.T) {
	for typed, want := range map[string]string{
		`'\n\t\b\r\f'`: "\n\t\b\r\f", `'\101'`: "A", `'\1012'`: "A2", `'\7'`: "\a", `'\78'`: "\a8", `'\377'`: "\xff",
		`'\400'`: " 0", `'\x41'`: "A", `'\x412'`: "A2", `'\x9'`: "\t", `'\xg'`: "xg", `'\x'`: "x", `'\8'`: "8", `'\q'`: "q",
		`'\\'`: `\`, `'\''`: "'", `'a''b'`: "a'b", `''`: "", `''''`: "'",
	} {
		a := argumentReader{line: typed + " rest"}
		got, err := a.quoted()
		if err != nil || got != want || a.line[a.at:] != " rest" {
			t.Errorf("%s: %q, %v, not %q; %q is left", typed, got, err, want, a.line[a.at:])
		}
	}
	for _, typed := range []string{`'`, `'a`, `'a''`, `'\'`, `'\`} {
		if got, err := (&argumentReader{line: typed}).quoted(); err == nil {
			t.Errorf("%s: %q, though it has no end", typed, got)
		}
	}
}

// TestCaret points at places of lines up to a hundred characters wide and beyond, where the line is cut on both sides.
func TestCaret(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for _, c := range []struct {
		statement, shown string
		line, col, at    int
	}{
		{"SELECT x", "SELECT x", 1, 1, 0}, {"SELECT x", "SELECT x", 1, 8, 7}, {"SELECT x", "SELECT x", 1, 9, 8},
		{"SELECT x", "SELECT x", 1, 20, 8}, {"a\r\nbc", "a", 1, 1, 0}, {"a\r\nbc", "bc", 2, 2, 1},
		{"日本 x", "日本 x", 1, 4, 5}, {"", "", 1, 1, 0},
		{long, long[:120], 1, 100, 99}, {long, long[1:121], 1, 101, 99}, {long, long[200:300], 1, 300, 99},
		{long, long[201:300], 1, 301, 99},
	} {
		var b bytes.Buffer
		(&runner{errs: &b}).caret(c.statement, c.line, c.col)
		if want := "  " + c.shown + "\n  " + strings.Repeat(" ", c.at) + "^\n"; b.String() != want {
			t.Errorf("line %d, column %d of %.20q…:\n%swant\n%s", c.line, c.col, c.statement, b.String(), want)
		}
	}
	var b bytes.Buffer
	if (&runner{errs: &b}).caret("one\ntwo", 3, 1); b.Len() > 0 {
		t.Errorf("behind the last line: %q", b.String())
	}
}

// TestQualifiedNames: a word with the schema before it or the name behind it.
func TestQualifiedNames(t *testing.T) {
	text := "SELECT x FROM people.entities"
	parts := parse.Highlight(text)
	for i, p := range parts {
		want := text[p.From:p.To]
		if want == "people" || want == "entities" {
			want = "people.entities"
		}
		if want == "." {
			continue
		}
		if got := qualified(text, parts, i); got != want {
			t.Errorf("part %d: %q, not %q", i, got, want)
		}
	}
	for _, text := range []string{"people.", "people.entities"} {
		parts := parse.Highlight(text)
		if got := qualified(text, parts, 0); got != text {
			t.Errorf("first of %q: %q", text, got)
		}
	}
	if parts := parse.Highlight(".entities"); qualified(".entities", parts, len(parts)-1) != ".entities" {
		t.Error("a dot without a schema")
	}
}

// TestReport: an error without a place is at the first character, one without code or hint does not name them.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		line, col        int
		code, hint, want string
	}{
		{0, 0, "", "", "f:1:1: error: m\n"}, {1, 1, "42601", "", "f:1:1: error 42601: m\n"},
		{2, 5, "42601", "h", "f:2:5: error 42601: m\nhint: h\n"},
	} {
		if got := report("f", position(c.line, c.col), c.code, "m", c.hint); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

func position(line, col int) ast.Pos { return ast.Pos{Line: line, Col: col} }
