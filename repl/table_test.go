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

// TestTextsFitTheScreen bounds texts so that rows are no wider than the screen, where they can be.
func TestTextsFitTheScreen(t *testing.T) {
	for _, c := range []struct {
		types  []string
		widths []int
		screen int
		want   []int // bounds of the columns, 0 for none
	}{
		{[]string{"text", "text"}, []int{20, 400}, 0, []int{100, 100}},
		{[]string{"text", "text"}, []int{20, 400}, 110, []int{85, 85}},
		{[]string{"text", "text"}, []int{20, 30}, 110, []int{100, 100}},
		{[]string{"text", "text", "integer"}, []int{200, 400, 10}, 79, []int{30, 30, 0}},
		{[]string{"text", "text"}, []int{200, 400}, 20, []int{12, 12}},
		{[]string{"text", "text"}, []int{20, 400}, 1000, []int{100, 100}},
		{[]string{"text"}, []int{400}, 80, []int{0}},
	} {
		var columns []db.Column
		var row []string
		for i, typ := range c.types {
			columns = append(columns, db.Column{Name: "x", Type: typ})
			row = append(row, strings.Repeat("x", c.widths[i]))
		}
		var got []int
		for _, column := range gridColumns(columns, [][]string{row}, c.screen) {
			got = append(got, column.most)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v of widths %v on a screen of %d: %v, want %v", c.types, c.widths, c.screen, got, c.want)
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
	got := grid([]column{{name: "text", most: 10}, {name: "n", right: true}, {name: "note"}}, [][]string{
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
