package conll

import (
	"slices"
	"testing"

	"parlance/algo/text"
)

// TestBracketCells writes spans that end where the sentence does, and refuses those that lie beyond or cross.
func TestBracketCells(t *testing.T) {
	for _, c := range []struct {
		spans []labelled
		want  []string // nil: refused
	}{
		{nil, []string{"*", "*", "*"}},
		{[]labelled{{"A", 1, 3}, {"B", 3, 3}, {"C", 1, 1}}, []string{"(A(C*)", "*", "(B*))"}},
		{[]labelled{{"A", 0, 1}}, nil},
		{[]labelled{{"A", 3, 4}}, nil},
		{[]labelled{{"A", 4, 4}}, nil},
		{[]labelled{{"A", 2, 1}}, nil},
		{[]labelled{{"A", 1, 2}, {"B", 2, 3}}, nil},
		{[]labelled{{"", 1, 1}}, nil},
		{[]labelled{{"A(", 1, 1}}, nil},
	} {
		got, ok := bracketCells(c.spans, 3)
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%v gives %q, %t", c.spans, got, ok)
		}
		if !ok {
			continue
		}
		var back bracketColumn
		for i, cell := range got {
			ok = ok && back.cell(cell, int32(i+1))
		}
		if !ok || len(back.open) > 0 || len(back.spans) != len(c.spans) {
			t.Errorf("%q is read as %v", got, back)
		}
	}
}

// TestClusterCells does so with mentions of clusters, of which those of one must not cross.
func TestClusterCells(t *testing.T) {
	for _, c := range []struct {
		mentions []labelled
		want     []string
	}{
		{nil, []string{"-", "-", "-"}},
		{[]labelled{{"1", 1, 3}, {"2", 3, 3}}, []string{"(1", "-", "(2)|1)"}},
		{[]labelled{{"1", 1, 1}, {"1", 2, 3}}, []string{"(1)", "(1", "1)"}},
		{[]labelled{{"1", 1, 2}, {"2", 2, 3}}, []string{"(1", "(2|1)", "2)"}},
		{[]labelled{{"1", 1, 2}, {"1", 2, 3}}, nil},
		{[]labelled{{"1", 0, 1}}, nil},
		{[]labelled{{"1", 3, 4}}, nil},
		{[]labelled{{"1", 3, 2}}, nil},
		{[]labelled{{"", 1, 1}}, nil},
		{[]labelled{{"1|2", 1, 1}}, nil},
	} {
		if got, ok := clusterCells(c.mentions, 3); ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%v gives %q, %t", c.mentions, got, ok)
		}
	}
}

// TestBracketsThatDoNotFit reads cells whose brackets close nothing or have no label.
func TestBracketsThatDoNotFit(t *testing.T) {
	for _, cell := range []string{")", "(*", "(A*))", "A", "(", "(A"} {
		if new(bracketColumn).cell(cell, 1) {
			t.Errorf("%q is read", cell)
		}
	}
	for _, cell := range []string{"1)", "1", "()", "(1)|", "((1"} {
		if new(clusterColumn).cell(cell, 1) {
			t.Errorf("%q is read as a mention", cell)
		}
	}
}

// TestFramesStayInTheirSentences gathers roles of a document of two sentences of two tokens and one.
func TestFramesStayInTheirSentences(t *testing.T) {
	for _, c := range []struct {
		sent, predicate, first, last int32
		ok                           bool
	}{
		{1, 2, 1, 2, true}, {2, 1, 1, 1, true},
		{0, 1, 1, 1, false}, {3, 1, 1, 1, false},
		{1, 0, 1, 1, false}, {1, 3, 1, 1, false}, {2, 2, 1, 1, false},
		{1, 1, 0, 1, false}, {1, 1, 1, 3, false}, {1, 1, 2, 1, false}, {2, 1, 1, 2, false},
	} {
		d := &text.Document{ID: "d", Text: "a b c"}
		toks := text.NewLayer(text.Tokens)
		toks.N = 3
		toks.SetInts("sent", []int32{1, 1, 2})
		toks.SetInts("tok", []int32{1, 2, 1})
		toks.SetInts("char_start", []int32{0, 2, 4})
		toks.SetInts("char_end", []int32{1, 3, 5})
		d.SetLayer(toks)
		l := text.NewLayer(text.Roles)
		l.N = 1
		l.SetInts("sent", []int32{c.sent})
		l.SetInts("predicate", []int32{c.predicate})
		l.SetInts("tok_start", []int32{c.first})
		l.SetInts("tok_end", []int32{c.last})
		l.SetStrs("label", []string{"A0"})
		d.SetLayer(l)
		if got, ok := frames(d); ok != c.ok || ok && len(got[c.sent]) != 1 {
			t.Errorf("%+v gives %v, %t", c, got, ok)
		}
	}
}
