package logistic

import (
	"context"
	"math"
	"testing"

	"parlance/algo/engine/chain"
)

var background = context.Background()

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.10g, want %.10g", what, got, want)
	}
}

// events builds a problem from rows of values by attribute; values of 0 are left out.
func events(t testing.TB, labels int, gold []uint16, rows ...[]float64) *Problem {
	t.Helper()
	d := &chain.Data{Labels: labels, Attributes: len(rows[0]), Offsets: []uint32{0}, AttrOffsets: []uint32{0}, Gold: gold}
	for _, row := range rows {
		for a, v := range row {
			if v != 0 {
				d.Attrs, d.Values = append(d.Attrs, uint32(a)), append(d.Values, float32(v))
			}
		}
		d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
		d.Offsets = append(d.Offsets, uint32(len(d.AttrOffsets)-1))
	}
	m, err := NewMatrix(background, d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(m, gold, labels)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tiny5 is an instance of two contexts with events A, A, B and B, C, whose features are
// f1(x1,A) = 1; f2(x1,B) = f2(x2,B) = 1; f3(x2,C) = 2; f4(x1,A) = 0.5, f4(x2,B) = 1. As no attribute
// makes all of them, each context has an attribute that nothing is learned for.
func tiny5(t *testing.T) *Problem {
	gold := []uint16{0, 0, 1, 1, 2}
	p := events(t, 3, gold, []float64{1, 0}, []float64{1, 0}, []float64{1, 0}, []float64{0, 1}, []float64{0, 1})
	p.attr, p.label, p.observed, p.seen = nil, nil, nil, nil
	p.groups, p.first, p.ofLabel = nil, make([]uint32, 3), make([][]uint32, 3)
	err := p.Tie(gold,
		Tied{[]uint32{0}, []uint16{0}, []float64{1}},
		Tied{[]uint32{0, 1}, []uint16{1, 1}, []float64{1, 1}},
		Tied{[]uint32{1}, []uint16{2}, []float64{2}},
		Tied{[]uint32{0, 1}, []uint16{0, 1}, []float64{0.5, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTable follows five methods on the instance. The figures are means over 5 events with
// σ² = 10; sums have five times the loss, and L2 = 5/10.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		method Method
		w      [4]float64
		loss   [4]float64 // after sweeps 1, 2, 5, 10
		gap    [2]int     // sweeps to relative gaps of 1e-4 and 1e-6
	}{
		{GIS, [4]float64{0.306688, 0.080940, 0.179744, 0.238729}, [4]float64{0.99316901, 0.95316335, 0.92148987, 0.91587944},
			[2]int{13, 24}},
		{IIS, [4]float64{0.393129, 0.109391, 0.179744, 0.262633}, [4]float64{0.97991020, 0.94345445, 0.91883515, 0.91561464},
			[2]int{11, 19}},
		{SCGIS, [4]float64{0.546299, 0.243868, 0.218657, 0.332873},
			[4]float64{0.95262205, 0.92660134, 0.91599414, 0.91548584}, [2]int{7, 12}},
		{CDExact, [4]float64{0.815981, 0.402424, 0.365582, 0.545445},
			[4]float64{0.92349439, 0.91646044, 0.91548505, 0.91548170}, [2]int{4, 6}},
		{CD, [4]float64{0.857143, 0.437078, 0.411782, 0.567994}, [4]float64{0.92072754, 0.91606331, 0.91548359, 0.91548170},
			[2]int{3, 6}},
	} {
		const optimum = 0.9154817034
		reached := [2]int{}
		w, _, err := Fit(background, tiny5(t), Options{Method: c.method, L2: 0.5, Cyclic: true, Plain: true, Sweeps: 200},
			func(s Sweep) bool {
				loss := s.Objective / 5
				if s.Number == 1 {
					for k, w := range s.Weights {
						near(t, string(c.method)+" weight", w, c.w[k], 1e-6)
					}
				}
				for i, n := range []int{1, 2, 5, 10} {
					if s.Number == n {
						near(t, string(c.method)+" objective", loss, c.loss[i], 1.1e-8)
					}
				}
				for i, gap := range []float64{1e-4, 1e-6} {
					if reached[i] == 0 && (loss-optimum)/optimum <= gap {
						reached[i] = s.Number
					}
				}
				return false
			})
		if err != nil {
			t.Fatal(err)
		}
		if reached != c.gap {
			t.Errorf("%s: gaps of 1e-4 and 1e-6 after %v sweeps, want %v", c.method, reached, c.gap)
		}
		for k, want := range []float64{0.79277017, 0.51125410, 0.57369573, 0.65340097} {
			near(t, string(c.method)+" optimum", w[k], want, 1e-7)
		}
	}
}
