package logistic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// only is a problem whose features fire for label 1 alone.
func only(t *testing.T, gold []uint16, rows ...[]float64) *Problem {
	t.Helper()
	p := events(t, 2, gold, rows...)
	p.attr, p.label, p.observed, p.seen = nil, nil, nil, nil
	p.groups, p.first, p.ofLabel = nil, make([]uint32, len(rows[0])+1), make([][]uint32, 2)
	for a := range rows[0] {
		var f Tied
		for x := range p.m.contexts {
			for i := p.m.start[a]; i < p.m.start[a+1]; i++ {
				if int(p.m.at[i]) == x {
					v := 1.0
					if p.m.values != nil {
						v = float64(p.m.values[i])
					}
					f.Contexts, f.Labels, f.Values = append(f.Contexts, uint32(x)), append(f.Labels, 1), append(f.Values, v)
				}
			}
		}
		if err := p.Tie(gold, f); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func fitted(t *testing.T, p *Problem, o Options) ([]float64, float64) {
	t.Helper()
	objective := float64(p.m.Events()) * math.Log(float64(p.labels)) // of weights 0
	o.Sweeps = 20000
	if o.Epsilon == 0 {
		o.Epsilon = 1e-10
	}
	w, _, err := Fit(background, p, o, func(s Sweep) bool { objective = s.Objective; return false })
	if err != nil {
		t.Fatal(err)
	}
	return w, objective
}

// TestOneFeature: 10 events with one feature, 8 of label 1.
func TestOneFeature(t *testing.T) {
	gold := []uint16{1, 1, 1, 1, 1, 1, 1, 1, 0, 0}
	rows := make([][]float64, 10)
	for i := range rows {
		rows[i] = []float64{1}
	}
	p := only(t, gold, rows...)
	for _, c := range []struct {
		name      string
		l2, width float64 // of means
		want      float64
	}{
		{"A = 0.1", 0, 0.1, 0.8472978604},
		{"A = 0.3", 0, 0.3, 0},
		{"A = 0.1, C = 5", 0.1, 0.1, 0.5828259717},
		{"σ² = 10", 0.1, 0, 0.8968933436},
	} {
		for _, m := range []Method{CD, CDExact, BLMVM} {
			w, _ := fitted(t, p, Options{Method: m, L2: 10 * c.l2, Widths: p.Single(10 * c.width)})
			near(t, c.name+" "+string(m), w[0], c.want, 1e-8)
		}
	}
	near(t, "variance", variance(8, 10), 0.0144230769, 1e-10)
	near(t, "standard deviation", p.Bayes(1)[0]/10, 0.0379777263, 1e-10)
}

var (
	six     = [][]float64{{1, 0, 0.5}, {0.75, 0.5, 0}, {0, 1, 0}, {0.25, 0.75, 0.5}, {0, 0, 1}, {0.5, 0.5, 0.5}}
	sixGold = []uint16{1, 1, 0, 0, 1, 0}
)

// TestSixDocuments is the instance with values 0.8, 0.6; 0.2, 0.9, 0.4, whose optima are known. The
// matrix keeps values in 32 bits, which moves them by some 1e-7.
func TestSixDocuments(t *testing.T) {
	rows := [][]float64{{1, 0, 0.5}, {0.8, 0.6, 0}, {0, 1, 0}, {0.2, 0.9, 0.4}, {0, 0, 1}, {0.5, 0.5, 0.5}}
	p := only(t, sixGold, rows...)
	for _, c := range []struct {
		name      string
		l2        float64
		widths    []float64
		w         [3]float64
		objective float64
	}{
		{"inequality 0.05", 0, p.Single(0.05), [3]float64{4.844815, -5.620000, 0.807392}, 0.35633658},
		{"inequality 0.3", 0, p.Single(0.3), [3]float64{1.409291, -1.707453, 0}, 0.58810329},
		{"inequality 0.6", 0, p.Single(0.6), [3]float64{0.162292, -0.566595, 0}, 0.67979180},
		{"inequality 0.899", 0, p.Single(0.899), [3]float64{0, -0.001343, 0}, 0.69314706},
		{"inequality 0.9", 0, p.Single(0.9001), [3]float64{0, 0, 0}, 0.69314718},
		{"2-norm 0.3, C = 5", 6. / 10, p.Single(0.3), [3]float64{0.348532, -0.569908, 0.014144}, 0.65752324},
		{"2-norm 0.3, C = 50", 6. / 100, p.Single(0.3), [3]float64{1.065505, -1.359721, 0}, 0.60709169},
		{"2-norm 0.6, C = 5", 6. / 10, p.Single(0.6), [3]float64{0.006382, -0.250660, 0}, 0.68691342},
		{"σ² = 10", 6. / 10, nil, [3]float64{0.652541, -0.924197, 0.305086}, 0.58730099},
		{"bayes 0.5", 0, p.Bayes(0.5), [3]float64{2.600372, -3.038016, 0.445647}, 0.46777569},
		{"bayes 1", 0, p.Bayes(1), [3]float64{1.567009, -1.868698, 0.081684}, 0.57179143},
		{"bayes 2", 0, p.Bayes(2), [3]float64{0.402506, -0.742225, 0}, 0.67129948},
	} {
		for _, m := range []Method{CD, CDExact, BLMVM} {
			w, objective := fitted(t, p, Options{Method: m, L2: c.l2, Widths: c.widths, Epsilon: 1e-9})
			for k := range w {
				if c.name != "inequality 0.899" {
					near(t, fmt.Sprint(c.name, " ", m, " weight ", k), w[k], c.w[k], 2e-6)
				}
				if c.w[k] == 0 && w[k] != 0 {
					t.Errorf("%s %s: weight %d is %g, want exactly 0", c.name, m, k, w[k])
				}
			}
			if c.name == "inequality 0.899" && w[1] == 0 {
				t.Errorf("%s %s: no weight is active below the largest useful width", c.name, m)
			}
			near(t, c.name+" "+string(m)+" objective", objective/6, c.objective, 1e-7)
			if r := p.Residual(w, c.l2, c.widths); r > 1e-6 {
				t.Errorf("%s %s: residual %g", c.name, m, r)
			}
		}
	}
	for i, want := range []float64{0.04375709, 0.04619566, 0.04058110} {
		near(t, "standard deviation", p.Bayes(1)[i]/6, want, 1e-7)
	}
}

// TestBayesOfValues compares widths of features of both labels with sums over the events.
func TestBayesOfValues(t *testing.T) {
	p := events(t, 2, sixGold, six...)
	widths := p.Bayes(2)
	for k, a := range p.attr {
		n, both, squares := 0.0, 0.0, 0.0
		for i, row := range six {
			if f := row[a]; f != 0 {
				n++
				squares += f * f
				if sixGold[i] == uint16(p.label[k]) {
					both++
				}
			}
		}
		near(t, "width", widths[k], 2*math.Sqrt(squares*(1+both)*(1+n-both)/((2+n)*(2+n)*(3+n))), 1e-9)
	}
}

// TestBothLabels: with features for both labels the 2-norm has a symmetric optimum, and single
// width the same objective as with features for one.
func TestBothLabels(t *testing.T) {
	rows := [][]float64{{1, 0, 0.5}, {0.8, 0.6, 0}, {0, 1, 0}, {0.2, 0.9, 0.4}, {0, 0, 1}, {0.5, 0.5, 0.5}}
	p := events(t, 2, sixGold, rows...)
	for _, m := range []Method{CD, BLMVM} {
		w, objective := fitted(t, p, Options{Method: m, L2: 6. / 10, Widths: p.Single(0.3), Epsilon: 1e-9})
		for k, want := range []float64{-0.279252, 0.279252, 0.411221, -0.411221, -0.006568, 0.006568} {
			near(t, "weight", w[k], want, 2e-6)
		}
		near(t, "objective", objective/6, 0.64096305, 1e-7)
		_, objective = fitted(t, p, Options{Method: m, Widths: p.Single(0.3), Epsilon: 1e-9})
		near(t, "objective", objective/6, 0.58810329, 1e-7)
	}
}

// random is a problem with values of at least 0.
func random(t testing.TB, seed uint64, binary bool) *Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	n, attrs, labels := 10+r.IntN(40), 2+r.IntN(6), 2+r.IntN(3)
	gold, rows := make([]uint16, n), make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, attrs)
		for a := range rows[i] {
			if r.IntN(2) == 0 {
				rows[i][a] = 1
				if !binary {
					rows[i][a] = math.Round(r.Float64()*32) / 16
				}
			}
		}
		gold[i] = uint16(r.IntN(labels))
	}
	return events(t, labels, gold, rows...)
}

// TestBoundedAgrees compares coordinate descent with BLMVM on random problems.
func TestBoundedAgrees(t *testing.T) {
	for seed := range uint64(20) {
		p := random(t, seed, seed%2 == 0)
		widths := p.Bayes(0.5)
		a, fa := fitted(t, p, Options{Method: CD, L2: 0.2, Widths: widths, Epsilon: 1e-9})
		b, fb := fitted(t, p, Options{Method: BLMVM, L2: 0.2, Widths: widths, Epsilon: 1e-9})
		near(t, "objective", fa, fb, 1e-7)
		for k := range a {
			near(t, "weight", a[k], b[k], 1e-5)
		}
		_, fa = fitted(t, p, Options{Method: CD, Widths: p.Single(0.4), Epsilon: 1e-8})
		_, fb = fitted(t, p, Options{Method: BLMVM, Widths: p.Single(0.4), Epsilon: 1e-8})
		near(t, "objective of inequalities", fa, fb, 1e-6)
	}
}

// TestDualIsPrimal: at the optimum of inequalities the entropy of the model is the objective less
// what it costs that expected sums lie off.
func TestDualIsPrimal(t *testing.T) {
	p := only(t, sixGold, six...)
	w, objective := fitted(t, p, Options{Method: CD, Widths: p.Single(0.3)})
	st := newState(p, 1)
	copy(st.w, w)
	st.refresh()
	entropy := 0.0
	for x := range p.m.contexts {
		for y := range p.labels {
			q := st.column(y)[x] / st.t[x]
			entropy -= p.m.count[x] * q * math.Log(q)
		}
	}
	near(t, "entropy", entropy, objective, 1e-8)
}
