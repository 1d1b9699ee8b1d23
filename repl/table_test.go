package repl

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"parlance/db"
	"parlance/storage/value"
)

// TestLayOut bounds texts so that rows are no wider than the screen, where they can be: numbers and identifiers keep
// their width.
func TestLayOut(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	id := strings.Repeat("i", 30)
	for _, c := range []struct {
		types  []string
		row    []string
		screen int
		want   []int // bounds of the columns, 0 for none
		fits   bool
	}{
		{[]string{"text", "text"}, []string{words(4), words(80)}, 0, []int{100, 100}, true},
		{[]string{"text", "text"}, []string{words(4), words(80)}, 110, []int{19, 86}, true},
		{[]string{"text", "text"}, []string{words(4), words(6)}, 110, []int{19, 29}, true},
		{[]string{"text", "text", "integer"}, []string{words(40), words(80), "1234567890"}, 79, []int{30, 30, 0}, true},
		{[]string{"text", "text"}, []string{words(40), words(80)}, 20, []int{24, 24}, false},
		{[]string{"text", "text", "text"}, []string{id, words(80), words(80)}, 90, []int{30, 26, 26}, true},
		{[]string{"text", "text"}, []string{words(4), words(80)}, 1000, []int{19, 100}, true},
		{[]string{"text"}, []string{words(80)}, 80, []int{0}, false},
	} {
		var columns []db.Column
		for _, typ := range c.types {
			columns = append(columns, db.Column{Name: "x", Type: typ})
		}
		var got []int
		out, fits := layOut(columns, [][]string{c.row}, c.screen)
		for _, column := range out {
			got = append(got, column.most)
		}
		if !slices.Equal(got, c.want) || fits != c.fits {
			t.Errorf("%q on a screen of %d: %v %t, want %v %t", c.row, c.screen, got, fits, c.want, c.fits)
		}
	}
}

// TestTablesFitTheScreen: no line of a table or of vertical rows is wider than the screen, no word, number or
// identifier is broken, and where something is left out … and the line below tell it.
func TestTablesFitTheScreen(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("several words of a document ", 40))
	columns := []db.Column{{Name: "doc", Type: "text"}, {Name: "sent", Type: "integer"}, {Name: "prob", Type: "float"},
		{Name: "text", Type: "text"}}
	for name, x := range map[string]struct {
		row  []string
		want []string
		not  []string
	}{
		"document": {[]string{"weblog-blogspot.com:00012", "12", "0.973684", long}, []string{"weblog-blogspot.com:00012",
			"0.973684", "several words", " …", `(1 row; … stands for more, which \x shows)`}, nil},
		"short": {[]string{"d1", "1", "0.5", "a few words"}, []string{"a few words", "(1 row)"}, []string{"…"}},
		"link": {[]string{"weblog-blogspot.com:00012", "12", "0.973684", "see https://example.org/" +
			strings.Repeat("path/", 20) + " there"}, []string{"https://example.org/pat", "…", "there"}, nil},
	} {
		for _, screen := range []int{60, 80, 132} {
			values := make([]value.Value, len(x.row))
			for i, s := range x.row {
				if values[i] = value.Str(s); columns[i].Type != "text" {
					f, _ := strconv.ParseFloat(s, 64)
					values[i] = value.Real(f)
				}
			}
			auto := newLook("table")
			auto.expanded = "auto"
			var got strings.Builder
			if err := show(&got, panel{columns, [][]value.Value{values}}.rows(&listed{}), auto, screen); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(got.String()) {
				if text.StringWidth(strings.TrimRight(line, "\n")) > screen {
					t.Errorf("%s on %d: a line is wider than the screen:\n%s", name, screen, got.String())
					break
				}
			}
			for _, w := range x.want {
				if screen >= 80 && !strings.Contains(got.String(), w) {
					t.Errorf("%s on %d lacks %q:\n%s", name, screen, w, got.String())
				}
			}
			for _, w := range x.not {
				if strings.Contains(got.String(), w) {
					t.Errorf("%s on %d has %q:\n%s", name, screen, w, got.String())
				}
			}
		}
	}
}

// TestShorten ends texts in … and breaks no character.
func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{{"short", 5, "short"}, {"longer", 5, "long…"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"cafe\u0301s", 4, "caf…"},
		{"x", 1, "x"}, {"xy", 1, "…"}} {
		if got := shorten(c.in, c.most); got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

// TestWrap breaks texts between words where it can, and never within a character.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string // lines between |
	}{
		{"a linear chain", 14, "a linear chain"},
		{"a linear chain", 13, "a linear|chain"},
		{"a  linear   chain", 8, "a|linear|chain"},
		{"unbreakable", 5, "unbre|akabl|e"},
		{"so unbreakable", 5, "so|unbre|akabl|e"},
		{"日本語です", 5, "日本|語で|す"},
		{"x 日本語", 5, "x|日本|語"},
		{"👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4, "👩‍👩‍👧👩‍👩‍👧|👩‍👩‍👧"},
		{"cafe\u0301 cafe\u0301", 4, "cafe\u0301|cafe\u0301"},
		{"日本", 1, "日|本"},
		{"ends   ", 4, "ends"},
	} {
		if got := strings.Join(wrap(c.in, c.most), "|"); got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.in, c.most, got, c.want)
		}
	}
	draw := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "bc", " ", "日", "e\u0301", "👩‍👩‍👧"}
	for range 2000 {
		var b strings.Builder
		for range draw.IntN(30) {
			b.WriteString(alphabet[draw.IntN(len(alphabet))])
		}
		most := 2 + draw.IntN(8)
		lines := wrap(b.String(), most)
		for _, l := range lines {
			if len(lines) > 1 && text.StringWidth(l) > most {
				t.Fatalf("%q in %d cells: %q", b.String(), most, lines)
			}
		}
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(b.String(), " ", "") {
			t.Fatalf("%q in %d cells: %q", b.String(), most, lines)
		}
	}
}

// TestGrid keeps the lines between columns in place beside characters of two cells, and of several
// code points.
func TestGrid(t *testing.T) {
	got, _ := grid([]column{{name: "text", most: 10}, {name: "n", right: true}, {name: "note"}}, [][]string{
		{"日本", "1", ""}, {"👩‍👩‍👧 नमस्ते", "-20", "x"}, {"a linear chain", "3", ""},
	}, newLook("table"))
	want := ` text     │   n │ note
──────────┼─────┼──────
 日本     │   1 │
 👩‍👩‍👧 नमस्ते  │ -20 │ x
 a linear │   3 │
 chain    │     │
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// listed are rows of integers.
type listed struct {
	rows
	columns []db.Column
	n, at   int
}

func (l *listed) Columns() []db.Column { return l.columns }
func (l *listed) Next() bool           { l.at++; return l.at <= l.n }
func (l *listed) Err() error           { return nil }
func (l *listed) Values() []value.Value {
	out := make([]value.Value, len(l.columns))
	for i := range out {
		out[i] = value.Int(int64(l.at))
	}
	return out
}

// TestExpanded shows every row once, as vertical where the table would be one cell wider than the screen.
func TestExpanded(t *testing.T) {
	auto := newLook("table")
	auto.expanded = "auto"
	for _, n := range []int{0, 1, tableRows - 1, tableRows, tableRows + 1} {
		for screen, want := range map[string]string{"": "table", "19": "table", "18": "vertical"} {
			width, _ := strconv.Atoi(screen)
			list := func() *listed {
				return &listed{columns: []db.Column{{Name: "abcdef", Type: "integer"}, {Name: "ghijklmn", Type: "integer"}}, n: n}
			}
			var got, plain strings.Builder
			if err := errors.Join(show(&got, list(), auto, width), show(&plain, list(), newLook(want), width)); err != nil {
				t.Fatal(err)
			}
			if got.String() != plain.String() {
				t.Errorf("%d rows on a screen of %q:\n%.300s\nwant\n%.300s", n, screen, got.String(), plain.String())
			}
		}
	}
}
