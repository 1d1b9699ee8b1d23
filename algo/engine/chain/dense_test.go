package chain

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDense compares rows of all labels with the general path, which sums in the same order.
func TestDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, labels := range []int{1, 2, 3, 4, 5, 8, 9, 12, 13, 20} {
		for _, valued := range []bool{false, true} {
			d := &Data{Labels: labels, Attributes: 40, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
			for range 300 {
				if rng.IntN(9) == 0 { // a sequence without items
					d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
				}
				for range rng.IntN(12) { // attributes
					d.Attrs = append(d.Attrs, uint32(rng.IntN(1+rng.IntN(40))))
					if valued {
						d.Values = append(d.Values, float32(rng.NormFloat64()))
					}
				}
				d.Gold = append(d.Gold, uint16(rng.IntN(labels)))
				d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
				d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
			}
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			l, err := newLayout(d, false, false)
			if err != nil {
				t.Fatal(err)
			}
			rows, general := newObjective(d, l, 0.5, 1), newObjective(d, l, 0.5, 1)
			if rows.rows == nil {
				t.Fatal("no rows")
			}
			general.rows = nil
			for _, scale := range []float64{0, 1, 30, 3000} {
				w, g, h := make([]float64, l.size()), make([]float64, l.size()), make([]float64, l.size())
				for i := range w {
					w[i] = scale * rng.NormFloat64()
				}
				a, err := rows.evaluate(context.Background(), w, g)
				b, err2 := general.evaluate(context.Background(), w, h)
				if err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
				if scale <= 1 && (a != b || !slices.Equal(g, h)) {
					t.Fatalf("%d labels, values %v: objective %v, in general %v; gradients %v and %v", labels, valued, a, b, g, h)
				}
				for i := range g { // in general, scores far apart are added up as logarithms
					if math.Abs(g[i]-h[i]) > 1e-9*(1+math.Abs(h[i])) {
						t.Fatalf("%d labels, scale %g: gradient %d is %v, in general %v", labels, scale, i, g[i], h[i])
					}
				}
				if math.Abs(a-b) > 1e-9*(1+math.Abs(b)) {
					t.Fatalf("%d labels, scale %g: objective %v, in general %v", labels, scale, a, b)
				}
			}
		}
	}
}

// TestDenseIsForFewItems: sequences with neighbours, and attributes that most labels lack, have no rows.
func TestDenseIsForFewItems(t *testing.T) {
	two := &Data{Labels: 2, Attributes: 1, Offsets: []uint32{0, 2}, AttrOffsets: []uint32{0, 1, 2}, Attrs: []uint32{0, 0},
		Gold: []uint16{0, 1}}
	rare := &Data{Labels: 400, Attributes: 4000, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for i := range 4000 {
		rare.Attrs, rare.Gold = append(rare.Attrs, uint32(i)), append(rare.Gold, uint16(i%400))
		rare.AttrOffsets, rare.Offsets = append(rare.AttrOffsets, uint32(i+1)), append(rare.Offsets, uint32(i+1))
	}
	for name, d := range map[string]*Data{"two items": two, "rare pairs": rare} {
		l, err := newLayout(d, false, false)
		if err != nil {
			t.Fatal(err)
		}
		if newDense(d, l) != nil {
			t.Errorf("%s: there are rows", name)
		}
	}
}
