package draw

import (
	"strings"
	"testing"
)

// TestConsoleLinks: below each word stands what it is linked to and where that stands, within the width of the screen.
func TestConsoleLinks(t *testing.T) {
	words := func(s string) (out []Word) {
		for _, w := range strings.Fields(s) {
			out = append(out, Word{Form: w})
		}
		return out
	}
	list := []Link{{0, 0, false}, {1, 2, true}, {1, 1, false}, {2, 9, false}, {9, 0, false}}
	got := Console{Width: 40}.Links(words("他 没有 看见"), words("he did not see"), list)
	want := "他  没有       看见\nhe  (not) did  ·\n1   (3) 2\nnot linked: see 4\n"
	if got != want {
		t.Errorf("the links are\n%s\nwant\n%s", got, want)
	}
	got = Console{Width: 20}.Links(words("one two three four five"), words("1 2 3 4 5"),
		[]Link{{0, 0, false}, {1, 1, false}, {2, 2, false}, {3, 3, false}, {4, 4, false}})
	if want := "one  two  three\n1    2    3\n\nfour  five\n4     5\n"; got != want {
		t.Errorf("narrow links of numbers are\n%s\nwant\n%s", got, want)
	}
}

// TestConsoleRelations: arcs where they fit, else the text and a line a relation.
func TestConsoleRelations(t *testing.T) {
	words := []Word{{Form: "Ann"}, {Form: "met"}, {Form: "Bob"}}
	list := []Arc{{0, 2, "knows"}, {2, 0, "likes"}}
	if got := (Console{Width: 40}).Relations(words, list); !strings.Contains(got, "knows") ||
		strings.Count(got, "▼") != 2 {
		t.Errorf("the relations are\n%s", got)
	}
	want := "Ann met\nBob\n  Ann ─ knows → Bob\n  Bob ─ likes → Ann\n"
	if got := (Console{Width: 9}).Relations(words, list); got != want {
		t.Errorf("narrow relations are\n%s\nwant\n%s", got, want)
	}
}

// TestMatrixFigure: the fuller a cell the larger its part of its row; names that are wide are turned.
func TestMatrixFigure(t *testing.T) {
	m := NewMatrix([]string{"a", "a", "b"}, []string{"a", "b", "b"}, []int{3, 1, 5})
	got := m.Figure()
	for _, want := range []string{`class="r" fill-opacity="0.47"`, `class="w" fill-opacity="0.23"`,
		`class="r" fill-opacity="0.60"`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("no %s in %s", want, got.Body)
		}
	}
	if strings.Contains(got.Body, "rotate") {
		t.Error("short names are turned")
	}
	wide := NewMatrix([]string{"a name of a label"}, []string{"a name of a label"}, []int{1}).Figure()
	if !strings.Contains(wide.Body, "rotate(-50)") || wide.W < Width("a name of a label", labelSize) {
		t.Errorf("a wide name: %.1f wide, %s", wide.W, wide.Body)
	}
}
