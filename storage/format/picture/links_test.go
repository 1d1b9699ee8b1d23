package picture

import (
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// linkedPair is a document of two sentences with links, and its partner.
func linkedPair() (a, b *text.Document) {
	make := func(id string, lines ...string) *text.Document {
		var out layers.Builder
		for _, l := range lines {
			out.Sentence()
			for _, w := range strings.Fields(l) {
				out.Token(w, false)
			}
		}
		d, _ := out.Document(id)
		return d
	}
	a, b = make("a", "uno dos", "tres"), make("b", "two one", "three <&>")
	l := text.NewLayer(text.Alignments)
	l.N = 5
	l.SetInts("sent", []int32{1, 1, 2, 2, 2})
	l.SetInts("tok", []int32{1, 2, 1, 1, 9})
	l.SetStrs("other_doc", []string{"b", "b", "b", "b", "b"})
	l.SetInts("other_sent", []int32{1, 1, 1, 2, 2})
	l.SetInts("other_tok", []int32{2, 1, 3, 1, 1})
	l.SetStrs("label", []string{"sure", "possible", "sure", "sure", "sure"})
	a.SetLayer(l)
	return a, b
}

// TestPicturesOfLinks: alignments are drawn with the words of the other document, whether it stands before or behind;
// possible links are dashed, links of words that are not there are left out, and without the other document its words
// are numbers.
func TestPicturesOfLinks(t *testing.T) {
	a, b := linkedPair()
	third := &text.Document{ID: "c", Text: "alone"}
	for _, format := range []string{"svg", "html"} {
		for name, docs := range map[string][]*text.Document{"behind": {a, b}, "before": {b, a},
			"behind, another": {a, b, third}} {
			s, err := drawn(t, suite.Configure(t, format), docs...)
			if err != nil {
				t.Fatal(err)
			}
			for what, n := range map[string]int{">two<": 1, ">one<": 1, ">three<": 1, "&lt;&amp;&gt;<": 1, "stroke-dasharray": 1,
				`<path class="a"`: 3} {
				if got := strings.Count(s, what); got < n || what[0] == '<' && got != n || what[0] == 's' && got != n {
					t.Errorf("%s, %s: %d of %q, want %d", format, name, got, what, n)
				}
			}
		}
		s, err := drawn(t, suite.Configure(t, format), a, third)
		if err != nil || strings.Contains(s, ">three<") || !strings.Contains(s, ">2</text>") ||
			strings.Index(s, "uno") > strings.Index(s, "alone") {
			t.Errorf("%s without the other document: %v", format, err)
		}
		if s, err = drawn(t, suite.Configure(t, format, formattest.Arg("layers", value.Str("tokens"))), a,
			b); format == "html" &&
			(err != nil || strings.Contains(s, `<path class="a"`)) {
			t.Errorf("layers = tokens draws links: %v", err)
		}
	}
	for _, docs := range [][]*text.Document{{a, b}, {b, a}} {
		s := inFormat(t, suite.Configure(t, "picture", formattest.Arg("layers", value.Str("alignments"))), docs...)
		if !strings.Contains(s, "uno  dos\none  (two)\n2    (1)\n") ||
			!strings.Contains(s, "2\ntres\nthree\n3\nnot linked: ") {
			t.Errorf("links in a terminal:\n%s", s)
		}
	}
	far := *a
	l := *a.Layer("alignments")
	l.Cols = append([]text.Col(nil), l.Cols...)
	l.SetInts("other_tok", []int32{1 << 30, 1, 1, 1, 1})
	far.SetLayer(&l)
	if s, err := drawn(t, suite.Configure(t, "svg"), &far); err != nil || len(s) > 500_000 {
		t.Errorf("a link far away: %d bytes, %v", len(s), err)
	}
}
