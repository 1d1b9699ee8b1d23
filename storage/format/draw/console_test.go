package draw

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var sequences = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestConsoleColours: labels and corrections have their colours, and what overlaps has brackets too.
func TestConsoleColours(t *testing.T) {
	p := NewPalette("")
	c := Console{Width: 40, Colour: true}
	per, org := p.Class("PER"), p.Class("ORG")
	got := c.Flow(Cut("Ann of 日本 Ltd",
		[]Mark{{From: 0, To: 3, Class: per, Tag: "PER"}, {From: 7, To: 17, Class: org, Tag: "ORG"},
			{From: 7, To: 13, Class: per, Tag: "PER"}}), false, p)
	soft, _ := p.of("PER")
	if want := "\x1b[" + string(softInk(soft.soft)) + "mAnn\x1b[0m\x1b[" + string(strongInk(soft.strong)) +
		"m PER \x1b[0m of "; !strings.HasPrefix(got, want) {
		t.Errorf("the line is %q, want it to begin with %q", got, want)
	}
	if plain := sequences.ReplaceAllString(got, ""); plain != "Ann PER  of [[日本 PER ] Ltd ORG ]\n" {
		t.Errorf("without colours it is %q", plain)
	}
	got = c.Flow(Cut("He go", []Mark{{From: 3, To: 5, Tag: "goes", Title: "VERB"}}), true, p)
	if want := "He \x1b[9;31mgo\x1b[0m\x1b[1;32mgoes\x1b[0m\x1b[2m(VERB)\x1b[0m\n"; got != want {
		t.Errorf("the correction is %q, want %q", got, want)
	}
}

// TestConsoleCube: the nearest colours of the palette of a terminal.
func TestConsoleCube(t *testing.T) {
	for hex, want := range map[string]int{"#000000": 16, "#ffffff": 231, "#ff0000": 196, "#5f87af": 67,
		"#d7d7d7": 188, "no": 231} {
		if got := cube(hex); got != want {
			t.Errorf("%s is %d, want %d", hex, got, want)
		}
	}
}

// TestConsoleHolds: pictures of whatever texts hold all their words, no line is wider than the screen where it could be
// narrower, and nothing but their own sequences reaches the terminal.
func TestConsoleHolds(t *testing.T) {
	forms := []string{"a", "longer", "字", "日本語", "", "é", "\x1b[31mred", "\x07", "tab\there", "\u202eright", "👩‍👩‍👧"}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "words")
		words := make([]Word, n)
		for i := range words {
			words[i] = Word{rapid.SampledFrom(forms).Draw(t, "form"), rapid.SampledFrom([]string{"", "NN", "日"}).Draw(t, "tag")}
		}
		var arcs []Arc
		for i := range n {
			arcs = append(arcs,
				Arc{rapid.IntRange(-2, n).Draw(t, "head"), i, rapid.SampledFrom([]string{"", "nsubj", "主语"}).Draw(t, "label")})
		}
		var nodes []Node
		for i := range rapid.IntRange(0, 6).Draw(t, "nodes") {
			nodes = append(nodes, Node{rapid.IntRange(-1, i).Draw(t, "parent"), rapid.IntRange(-1, n).Draw(t, "first"),
				rapid.IntRange(-1, n).Draw(t, "last"),
				rapid.SampledFrom([]string{"NP", "S", "VP-SBJ"}).Draw(t, "label")})
		}
		c := Console{Width: rapid.IntRange(20, 90).Draw(t, "width"), Colour: rapid.Bool().Draw(t, "colour")}
		for name, got := range map[string]string{"arcs": c.Arcs(words, arcs), "tree": c.Tree(words, nodes)} {
			plain := sequences.ReplaceAllString(got, "")
			if strings.ContainsAny(plain, "\x1b\x07\t\u202e") || !c.Colour && plain != got {
				t.Fatalf("%s: a control character in %q", name, got)
			}
			for _, w := range words {
				if !strings.Contains(plain, harmless(w.Form)) {
					t.Fatalf("%s: no %q in\n%s", name, w.Form, plain)
				}
			}
		}
		var text strings.Builder
		for _, w := range words {
			text.WriteString(w.Form + " ")
		}
		var marks []Mark
		for range rapid.IntRange(0, 4).Draw(t, "marks") {
			from := rapid.IntRange(0, text.Len()).Draw(t, "from")
			marks = append(marks, Mark{From: from, To: from + rapid.IntRange(0, 9).Draw(t, "length"), Tag: "T"})
		}
		flow := sequences.ReplaceAllString(c.Flow(Cut(text.String(), marks), rapid.Bool().Draw(t, "corrected"),
			NewPalette("")), "")
		for line := range strings.SplitSeq(flow, "\n") {
			if strings.ContainsAny(line, "\x1b\x07\t\u202e") ||
				cells(strings.TrimRight(line, " ")) > c.Width && strings.Contains(strings.TrimSpace(line), " a ") {
				t.Fatalf("width %d: a line of %d cells: %q", c.Width, cells(line), line)
			}
		}
	})
}
