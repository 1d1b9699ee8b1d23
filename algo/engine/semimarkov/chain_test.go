package semimarkov

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/engine/chain"
	"parlance/algo/numeric/optimize"
)

// TestChain: with segments of one position and token attributes alone, objective and weights are those of a linear
// chain.
func TestChain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const labels, attributes = 4, 30
	cd := &chain.Data{Labels: labels, Attributes: attributes, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	d := &Data{Attributes: attributes}
	for range 20 {
		n := 1 + r.IntN(7)
		s := Sequence{N: n, Token: Rows{Offsets: []uint32{0}}}
		var gold []Segment
		for i := range n {
			y := r.IntN(labels)
			for range 3 {
				a := uint32(r.IntN(attributes))
				s.Token.Attrs, cd.Attrs = append(s.Token.Attrs, a), append(cd.Attrs, a)
			}
			s.Token.Offsets, cd.AttrOffsets = append(s.Token.Offsets,
				uint32(len(s.Token.Attrs))), append(cd.AttrOffsets, uint32(len(cd.Attrs)))
			gold, cd.Gold = append(gold, Segment{int32(i), int32(i + 1), int32(y)}), append(cd.Gold, uint16(y))
		}
		d.Sequences, d.Gold, cd.Offsets = append(d.Sequences, s), append(d.Gold, gold), append(cd.Offsets,
			uint32(len(cd.Gold)))
	}
	ctx := context.Background()
	m, sum, err := chain.Train(ctx, cd, chain.Options{L2: 0.5, Iterations: 1000, Epsilon: 1e-8, Workers: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLabels(Labels{N: labels})
	if err != nil {
		t.Fatal(err)
	}
	lay, err := NewLayout(d, l, 1, Features{})
	if err != nil {
		t.Fatal(err)
	}
	o := &Objective{Layout: lay, Sequences: d.Sequences, Observed: Observe(lay, d), L2: 0.5, Workers: 1}
	w := make([]float64, lay.Size())
	res, err := o.Fit(ctx, w, optimize.LBFGS{Epsilon: 1e-8, Iterations: 1000}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(res.Objective-sum.Objective) > 1e-7 {
		t.Errorf("objective %.9f, that of the chain %.9f", res.Objective, sum.Objective)
	}
	p := m.Parts()
	want := append(append([]float64{}, p.Weights...), p.TransWeights...)
	if len(want) != len(w) {
		t.Fatalf("%d weights, the chain has %d", len(w), len(want))
	}
	for i := range w {
		if math.Abs(w[i]-want[i]) > 1e-6 {
			t.Fatalf("weight %d: %g, that of the chain %g", i, w[i], want[i])
		}
	}
}
