package treebank

import (
	"slices"
	"testing"

	"parlance/algo/text"
)

func TestSentences(t *testing.T) {
	d := &text.Document{}
	if n := count(d); n != 0 {
		t.Errorf("%d sentences without tokens", n)
	}
	toks := text.NewLayer(text.Tokens)
	toks.N = 3
	toks.SetInts("sent", []int32{1, 1, 3})
	toks.SetInts("tok", []int32{1, 2, 1})
	d.SetLayer(toks)
	arcs := text.NewLayer(text.Dependencies)
	arcs.N = 5
	arcs.SetInts("sent", []int32{1, 1, 1, 2, 3})
	arcs.SetInts("tok", []int32{2, 2, 9, 1, 1})
	arcs.SetInts("head", []int32{0, 1, 1, 0, 0})
	arcs.SetStrs("deprel", []string{"root", "x", "y", "z", "top"})
	arcs.Rank = []int32{1, 2, 1, 1, 1}
	d.SetLayer(arcs)
	var heads [][]int32
	var labels [][]string
	for s := range Sentences(d) {
		heads, labels = append(heads, slices.Clone(s.Heads)), append(labels, slices.Clone(s.Labels))
		if s.Bare() != (s.Number == 2) {
			t.Errorf("sentence %d: bare %v", s.Number, s.Bare())
		}
		if s.Attached() != (s.Number > 1) {
			t.Errorf("sentence %d: attached %v", s.Number, s.Attached())
		}
	}
	if len(heads) != 3 || !slices.Equal(heads[0], []int32{0, Missing, 0}) || len(heads[1]) != 1 ||
		!slices.Equal(labels[0], []string{"", "", "root"}) || !slices.Equal(labels[2], []string{"", "top"}) {
		t.Errorf("%v %q", heads, labels)
	}
	if n := count(d); n != 3 {
		t.Errorf("%d sentences", n)
	}
}

func count(d *text.Document) (n int) {
	for range Sentences(d) {
		n++
	}
	return n
}
