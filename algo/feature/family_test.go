package feature

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFamilies compares look-ups by family with those of template after template, on sentences of
// more than one block.
func TestFamilies(t *testing.T) {
	set := must(t, "form[-1]|form[0], form[0]|form[1], form[0], form[2]|form[3], form[1]|form[0], form[0]|form[2], "+
		"xpos[-2]|xpos[-1]|xpos[0], xpos[0]|xpos[1]|xpos[2], xpos[-1]|xpos[0]|form[0], bos|form[0], form[-20]|form[20], "+
		"form[0..2]|xpos[0]|xpos[1]")
	r := rand.New(rand.NewPCG(1, 1))
	sentence := func(n, forms int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("w%d/T%d", r.IntN(forms), r.IntN(6))
		}
		return strings.Join(out, " ")
	}
	a := NewAlphabet(set)
	e, err := NewExtractor(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	var grown Rows
	train := document(sentence(700, 12), sentence(3, 12), sentence(1, 12))
	e.Grow(train, &grown)
	a.Freeze()
	var again Rows
	e.Extract(train, &again)
	if !slices.Equal(again.Attrs, grown.Attrs) || !slices.Equal(again.Offsets, grown.Offsets) {
		t.Error("extracting gives other attributes than growing")
	}
	unseen := document(sentence(600, 15), sentence(2, 15))
	var got Rows
	e.Extract(unseen, &got)
	bounds := unseen.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		e.sentence(unseen.Layer("tokens"), from, to, &Rows{Offsets: []uint32{0}}) // sets the values
		for i := range to - from {
			var want []uint32
			for k := range set.templates {
				if id := e.attribute(k, i, to-from); id != 0 {
					want = append(want, id-1)
				}
			}
			if attrs := got.Attrs[got.Offsets[from+i]:got.Offsets[from+i+1]]; !slices.Equal(attrs, want) {
				t.Fatalf("sentence %d, token %d: %v, want %v", s, i, attrs, want)
			}
		}
	}
	if n := len(a.families); n != 10 {
		t.Errorf("there are %d families", n)
	}
}
