package tagger

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/seq/bio"
)

// TestFormScores compares scores with those of all attributes, with room for all forms and for few.
func TestFormScores(t *testing.T) {
	set, err := feature.Resolve("ner")
	if err != nil {
		t.Fatal(err)
	}
	target, err := NewTarget("entities", bio.Scheme("bio"))
	if err != nil {
		t.Fatal(err)
	}
	docs := kind.Documents(kindtest.Sample(30))
	data, err := Read(context.Background(), docs[:20], set, target, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	p := chain.Parts{Labels: data.Labels, Attributes: data.Attributes, AttrStart: []uint32{0}}
	for range data.Attributes {
		for y := range data.Labels {
			if r.IntN(2) > 0 {
				p.PairLabel, p.Weights = append(p.PairLabel, uint16(y)), append(p.Weights, r.NormFloat64())
			}
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	}
	c, err := chain.NewModel(p)
	if err != nil {
		t.Fatal(err)
	}
	full, err := feature.NewExtractor(data.Alphabet, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := c.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{formBytes, 2000, 0} {
		e := full.Clone()
		f := NewFormScores(c, e)
		if f == nil {
			t.Fatal("the set ner has no templates of single forms")
		}
		f.most = most
		d := whole.Clone()
		for range 2 {
			for _, doc := range docs {
				var all, rest feature.Rows
				full.Extract(doc, &all)
				e.Extract(doc, &rest)
				if len(rest.Attrs) >= len(all.Attrs)/2 {
					t.Fatalf("%d of %d attributes are left", len(rest.Attrs), len(all.Attrs))
				}
				bounds := doc.SentenceTokens()
				for s := 1; s < len(bounds); s++ {
					from, to := int(bounds[s-1]), int(bounds[s])
					whole.Load(chain.Sequence{AttrOffsets: all.Offsets[from : to+1], Attrs: all.Attrs})
					d.LoadAnd(chain.Sequence{AttrOffsets: rest.Offsets[from : to+1], Attrs: rest.Attrs}, func(scores []float64) {
						f.Add(from, to, scores)
					})
					for i := range to - from {
						for y, want := range whole.TokenScores(i) {
							if got := d.TokenScores(i)[y]; math.Abs(got-want) > 1e-9 {
								t.Fatalf("%s, sentence %d, token %d, label %d: %g, want %g", doc.ID, s, i, y, got, want)
							}
						}
					}
				}
			}
		}
	}
}
