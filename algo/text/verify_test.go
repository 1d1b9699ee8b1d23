package text

import (
	"slices"
	"strings"
	"testing"
)

// verified is "Ä bé. C d e." in two sentences of 3 and 4 tokens.
func verified() *Document {
	d := &Document{ID: "d", Text: "Ä bé. C d e."}
	l := NewLayer(Tokens)
	l.N = 7
	l.SetInts("sent", []int32{1, 1, 1, 2, 2, 2, 2})
	l.SetInts("tok", []int32{1, 2, 3, 1, 2, 3, 4})
	l.SetInts("char_start", []int32{0, 3, 6, 8, 10, 12, 13})
	l.SetInts("char_end", []int32{2, 6, 7, 9, 11, 13, 14})
	l.SetStrs("form", []string{"Ä", "bé", ".", "C", "d", "e", "."})
	d.SetLayer(l)
	return d
}

func entities(d *Document) *Layer {
	return d.SpanLayer(Entities, []Span{{1, 1, 2, "X"}, {2, 2, 2, "Y"}, {2, 3, 4, "X"}})
}

func trees(*Document) *Layer {
	l := NewLayer(Dependencies)
	l.N = 7
	l.SetInts("sent", []int32{1, 1, 1, 2, 2, 2, 2})
	l.SetInts("tok", []int32{1, 2, 3, 1, 2, 3, 4})
	l.SetInts("head", []int32{0, 1, 1, 2, 0, 2, 2})
	return l
}

func tags(d *Document) *Layer {
	l := *d.Layer("tokens")
	l.Cols = slices.Clone(l.Cols)
	l.SetStrs("upos", []string{"A", "B", "C", "A", "B", "C", "D"})
	return &l
}

func phrases(*Document) *Layer {
	l := NewLayer(Constituents)
	l.N = 2
	for i, v := range [][]int32{{1, 1}, {1, 2}, {0, 1}, {0, 3}, {7, 6}, {1, 2}, {3, 2}} {
		l.SetInts([]string{"sent", "node", "parent", "char_start", "char_end", "tok_start", "tok_end"}[i], v)
	}
	return l
}

func classes(*Document) *Layer {
	l := NewLayer(Labels)
	l.N = 1
	l.SetStrs("label", []string{"X"})
	return l
}

// TestVerify damages sound layers, each in one place.
func TestVerify(t *testing.T) {
	set := func(column string, row int, x int32) func(*Layer) {
		return func(l *Layer) {
			c := slices.Clone(l.Ints(column))
			c[row] = x
			l.SetInts(column, c)
		}
	}
	for _, c := range []struct {
		name   string
		make   func(*Document) *Layer
		damage func(*Layer)
		want   string // part of the error, "" for a sound layer
	}{
		{"entities", entities, func(*Layer) {}, ""},
		{"trees", trees, func(*Layer) {}, ""},
		{"tags", tags, func(*Layer) {}, ""},
		{"phrases", phrases, func(*Layer) {}, ""},
		{"classes", classes, func(*Layer) {}, ""},
		{"no rows", entities, func(l *Layer) { *l = *NewLayer(Entities) }, ""},
		{"no relations", trees, func(l *Layer) { l.SetStrs("deprel", nil) }, ""},
		{"no tokens touched", entities, func(l *Layer) {
			set("tok_start", 0, 0)(l)
			set("tok_end", 0, 0)(l)
			set("sent", 0, 0)(l)
		}, ""},
		{"n best", trees, func(l *Layer) {
			set("tok", 1, 1)(l)
			set("head", 1, 2)(l)
			l.Rank = []int32{1, 2, 1, 1, 1, 1, 1}
		}, ""},
		{"n best by rank", entities, func(l *Layer) {
			set("sent", 1, 1)(l)
			set("sent", 0, 2)(l)
			l.Rank = []int32{1, 2, 2}
		}, ""},

		{"other columns", entities, func(l *Layer) { l.Def = Chunks; l.Cols = l.Cols[:5] }, "columns of its definition"},
		{"short column", entities, func(l *Layer) { l.SetStrs("label", []string{"X", "Y"}) },
			"column label has 2 values for 3 rows"},
		{"long column", trees, func(l *Layer) { l.SetInts("head", append(l.Ints("head"), 1)) },
			"column head has 8 values for 7 rows"},
		{"no column", entities, func(l *Layer) { l.SetInts("tok_end", nil) }, "column tok_end has 0 values for 3 rows"},
		{"no heads", trees, func(l *Layer) { l.SetInts("head", nil) }, "column head has 0 values"},
		{"no label", classes, func(l *Layer) { l.SetStrs("label", nil) }, "column label has 0 values"},
		{"type", classes, func(l *Layer) { l.Cols[0] = Col{Ints: []int32{1}} },
			"column label has values that are not of type text"},
		{"probabilities", trees, func(l *Layer) { l.Prob = make([]float64, 6) }, "6 probabilities for 7 rows"},
		{"ranks", trees, func(l *Layer) { l.Rank = make([]int32, 6) }, "6 ranks for 7 rows"},
		{"rank 0", trees, func(l *Layer) { l.Rank = []int32{1, 1, 1, 1, 0, 1, 1} }, "row 5 has rank 0"},
		{"end beyond the text", entities, set("char_end", 2, 15), "char_end of row 3 is byte 15 of a text of 14"},
		{"negative start", entities, set("char_start", 0, -1), "char_start of row 1 is byte -1"},
		{"half a character", entities, set("char_start", 0, 1), "char_start of row 1, byte 1, divides a character"},
		{"end before the start", entities, set("char_end", 1, 9), "row 2 ends at byte 9, before it begins, 10"},
		{"sentence", entities, set("sent", 2, 3), "row 3 is in sentence 3 of 2"},
		{"negative sentence", entities, set("sent", 0, -1), "row 1 is in sentence -1"},
		{"sentences out of order", entities, set("sent", 2, 1), "row 3, of sentence 1, follows one of sentence 2"},
		{"rows out of order", entities, func(l *Layer) { set("char_start", 2, 9)(l) }, "row 3 is out of reading order"},
		{"tokens out of order", trees, func(l *Layer) { set("tok", 1, 1)(l); set("head", 1, 0)(l) },
			"row 2 is out of reading order"},
		{"first token", entities, set("tok_start", 0, 0), "row 1: tokens 0 to 2 of a sentence of 3"},
		{"last token", entities, set("tok_end", 2, 5), "row 3: tokens 3 to 5 of a sentence of 4"},
		{"tokens reversed", entities, set("tok_end", 2, 2), "tokens 3 to 2"},
		{"token", trees, set("tok", 6, 5), "row 7: tok is 5 in a sentence of 4 tokens"},
		{"head", trees, set("head", 2, 4), "row 3: the head of token 3 is 4 in a sentence of 3 tokens"},
		{"negative head", trees, set("head", 0, -1), "the head of token 1 is -1"},
		{"own head", trees, set("head", 3, 1), "the head of token 1 is 1"},
		{"parent", phrases, set("parent", 1, 2), "row 2: node 2 has the parent 2"},
		{"other tokens", tags, func(l *Layer) { l.N = 6 }, "values for 6 rows"},
		{"moved tokens", tags, set("char_end", 0, 3), "column char_end is not that of the tokens"},
		{"fewer tokens", tags, func(l *Layer) { *l = *NewLayer(Tokens) }, "0 rows for 7 tokens"},
	} {
		d := verified()
		l := c.make(d)
		def := l.Def
		c.damage(l)
		err := d.Verify(l, def, d.Layer("tokens"))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestVerifyBytes takes each byte that is no UTF-8 for a character.
func TestVerifyBytes(t *testing.T) {
	s := "a\x80\x80é\xc3b"
	want := []bool{false, false, false, false, true, false, false, false}
	for i := range want {
		if got := i < len(s) && divides(s, i); got != want[i] {
			t.Errorf("byte %d divides a character: %v", i, got)
		}
	}
}

// TestVerifyWithoutTokens has no place for spans of tokens.
func TestVerifyWithoutTokens(t *testing.T) {
	l := entities(verified())
	d := &Document{Text: verified().Text}
	if err := d.Verify(l, Entities, nil); err == nil || !strings.Contains(err.Error(), "sentence 1 of 0") {
		t.Error(err)
	}
}
