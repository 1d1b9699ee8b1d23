package feature

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// sentenceOf is a document of one sentence.
func sentenceOf(forms []string) *text.Document {
	toks := text.NewLayer(text.Tokens)
	toks.N = len(forms)
	sent, tok := make([]int32, len(forms)), make([]int32, len(forms))
	for i := range forms {
		sent[i], tok[i] = 1, int32(i+1)
	}
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetStrs("form", forms)
	d := &text.Document{}
	d.SetLayer(toks)
	return d
}

// TestPassingForms compares an extractor that has met some forms often, some once and some never with
// a new one, for documents with few and with many forms.
func TestPassingForms(t *testing.T) {
	set, err := Parse("form[0], form[-1]|form[0], prefix(2)[-1..1], suffix(2)[0], shape[0], substring(2)[0], length[0]")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	draw := func(n, of int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("w%d", r.IntN(of))
		}
		return out
	}
	a := NewAlphabet(set)
	grower, err := NewExtractor(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows Rows
	for range 20 {
		grower.Grow(sentenceOf(draw(30, 200)), &rows)
	}
	a.Freeze()
	old := grower.Clone()
	for i := range 300 {
		forms := draw(1+r.IntN(40), []int{50, 400, 1 << 20}[i%3])
		if i%50 == 0 {
			forms = draw(3*maxPassing, 1<<20)
		}
		var got, want Rows
		if err := old.ExtractUntil(context.Background(), sentenceOf(forms), &got); err != nil {
			t.Fatal(err)
		}
		grower.Clone().Extract(sentenceOf(forms), &want)
		if !slices.Equal(got.Attrs, want.Attrs) || !slices.Equal(got.Offsets, want.Offsets) {
			t.Fatalf("document %d, %q: attributes %v, want %v", i, forms, got.Attrs, want.Attrs)
		}
	}
	if n := len(old.forms.texts); n > 4000 {
		t.Errorf("%d forms are remembered, most of them met once", n)
	}
}

func TestInterner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in interner
		model := map[string]uint32{}
		for _, s := range rapid.SliceOf(rapid.StringN(0, 10, -1)).Draw(t, "texts") {
			if got := in.find(s); got != model[s] {
				t.Fatalf("%q has number %d, want %d", s, got, model[s])
			}
			if model[s] == 0 {
				model[s] = uint32(len(model) + 1)
			}
			if got := in.add(s); got != model[s] || in.texts[got-1] != s {
				t.Fatalf("%q gets number %d, want %d", s, got, model[s])
			}
		}
	})
}
