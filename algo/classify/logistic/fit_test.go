package logistic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var methods = []Method{GIS, IIS, SCGIS, CDExact, CD, BLMVM}

// TestMethodsAgree: the objective is strictly convex, so that all find the same weights, and the
// scaling methods and plain coordinate descent never raise it.
func TestMethodsAgree(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		p := random(t, 100+seed, seed%3 == 0)
		var want []float64
		for _, plain := range []bool{true, false} {
			for _, m := range methods {
				last := math.Inf(1)
				w, _, err := Fit(background, p, Options{Method: m, L2: 0.3, Plain: plain, Sweeps: 20000, Epsilon: 1e-7, Seed: seed},
					func(s Sweep) bool {
						if s.Objective > last+1e-8 {
							t.Fatalf("seed %d: %s rises from %.12g to %.12g in sweep %d", seed, m, last, s.Objective, s.Number)
						}
						last = s.Objective
						return false
					})
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = w
				}
				for k := range w {
					near(t, fmt.Sprintf("seed %d, %s: weight %d", seed, m, k), w[k], want[k], 1e-4)
				}
				if r := p.Residual(w, 0.3, nil); r > 1e-4 {
					t.Errorf("seed %d: %s leaves a gradient of %g", seed, m, r)
				}
			}
		}
	}
}

// objective is F from nothing but the definition.
func objective(p *Problem, w []float64, l2 float64) float64 {
	total := 0.0
	scores := make([]float64, p.m.contexts*p.labels)
	for k, a := range p.attr {
		for i := p.m.start[a]; i < p.m.start[a+1]; i++ {
			v := 1.0
			if p.m.values != nil {
				v = float64(p.m.values[i])
			}
			scores[int(p.m.at[i])*p.labels+int(p.label[k])] += w[k] * v
		}
		total += 0.5*l2*w[k]*w[k] - w[k]*p.observed[k]
	}
	for x := range p.m.contexts {
		sum := 0.0
		for _, s := range scores[x*p.labels : (x+1)*p.labels] {
			sum += math.Exp(s)
		}
		total += p.m.count[x] * math.Log(sum)
	}
	return total
}

// TestSurrogates checks on random weights that A_CD ≤ A_SCGIS ≤ A_GIS and A_CD ≤ A_IIS ≤ A_GIS
// (Huang et al. 2009, eq. 14), that all have the derivative of F at 0, and that columns have the
// values and derivatives of A_CD.
func TestSurrogates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for seed := range uint64(30) {
		p := random(t, 200+seed, false)
		const l2 = 0.5
		f := &fit{p: p, o: Options{Method: IIS, L2: l2}, st: newState(p, 1), ctx: background}
		for k := range f.st.w {
			f.st.w[k] = r.NormFloat64()
		}
		f.st.refresh()
		f.sums()
		w := f.st.w
		e := make([]float64, len(w))
		f.st.expectations(e)
		v := f.coordinateSolver()
		for k, a := range p.attr {
			z := r.NormFloat64()
			q := 0.5*l2*(2*w[k]*z+z*z) - z*p.observed[k]
			up := func(high float64) float64 { return (math.Exp(z*high)-1)/high*e[k] + q }
			var terms terms
			f.gather(&terms, k)
			iis := q
			for i, x := range terms.a {
				iis += x * (math.Exp(z*terms.b[i]) - 1) / terms.b[i]
			}
			v.c = column{w: w[k], observed: p.observed[k], l2: l2}
			v.load(f.st.column(int(p.label[k])), p.m.at[p.m.start[a]:p.m.start[a+1]], a)
			cd := v.c.change(z)
			if !(cd <= up(p.high(k))+1e-9 && up(p.high(k)) <= up(f.most)+1e-9 && cd <= iis+1e-9 && iis <= up(f.most)+1e-9) {
				t.Fatalf("z = %g: cd %g, scgis %g, iis %g, gis %g", z, cd, up(p.high(k)), iis, up(f.most))
			}
			const small = 1e-5
			at := func(z float64) float64 { c := slices.Clone(w); c[k] += z; return objective(p, c, l2) }
			near(t, "change", cd, at(z)-at(0), 1e-8)
			g, h := v.c.derivatives(z)
			near(t, "first derivative", g, (at(z+small)-at(z-small))/(2*small), 1e-5)
			near(t, "second derivative", h, (at(z+1e-3)-2*at(z)+at(z-1e-3))/1e-6, 1e-3)
			g, _ = v.c.derivatives(0)
			near(t, "derivative at 0", e[k]-p.observed[k]+l2*w[k], g, 1e-9)
		}
	}
}

// TestStepsOnTheInstance are values of the surrogates at weights 0, feature 1, by hand.
func TestStepsOnTheInstance(t *testing.T) {
	p := tiny5(t)
	f := &fit{p: p, o: Options{Method: IIS, L2: 0.5}, st: newState(p, 1), ctx: background}
	f.st.refresh()
	f.sums()
	near(t, "objective", f.st.loss()/5, 1.0986122887, 1e-10)
	e := make([]float64, 4)
	f.st.expectations(e)
	for k, want := range []float64{-0.2, -0.0666667, -0.1333333, -0.1666667} {
		near(t, "gradient", (e[k]-p.observed[k])/5, want, 1e-7)
	}
	near(t, "f#", f.most, 2, 0)
	c := column{p: []float64{1. / 3}, values: []float64{1}, count: []float64{3}, observed: 2, l2: 0.5}
	for z, want := range map[float64]float64{0.5: -0.070041, 1.5: -0.025279, -1: 0.308030} {
		near(t, "change", c.change(z)/5, want, 1e-6)
	}
}

// TestStepsWithoutTrial: steps that need no trial are those that the first trial would take.
func TestStepsWithoutTrial(t *testing.T) {
	n := newNewton(0.5, 0.01)
	near(t, "bound on e^a − a − 1", math.Exp(n.safe)-n.safe-1, 0.99*n.safe*n.safe, 1e-9)
	tried := n
	tried.safe = 0
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		c := column{l2: r.Float64(), w: r.NormFloat64(), observed: 3 * r.Float64()}
		for range 1 + r.IntN(4) {
			v := 0.1 + r.Float64()
			c.p, c.values, c.count = append(c.p, r.Float64()), append(c.values, v), append(c.count, 1)
			c.high = max(c.high, v)
		}
		g, h := c.derivatives(0)
		z, trials := tried.step(&c, g, h)
		if newton, _ := n.step(&c, g, h); n.within(newton, c.high) && (newton != z || trials != 1) {
			t.Fatalf("step %g without a trial, %g with %d", newton, z, trials)
		}
	}
}

// TestIncremental: S and T after sweeps are those that follow from the weights.
func TestIncremental(t *testing.T) {
	for seed := range uint64(10) {
		p := random(t, 300+seed, seed%2 == 0)
		f := &fit{p: p, o: Options{Method: CD, L2: 0.1, Shrink: 0.5, Gamma: 0.001}, st: newState(p, 1), ctx: background}
		f.st.refresh()
		sweep := f.sequential()
		for n := 1; n <= 3; n++ {
			if err := sweep(&Sweep{Number: n}); err != nil {
				t.Fatal(err)
			}
		}
		other := newState(p, 1)
		copy(other.w, f.st.w)
		other.refresh()
		for x := range p.m.contexts {
			for y := range p.labels {
				near(t, "probability", f.st.column(y)[x]/f.st.t[x], other.column(y)[x]/other.t[x], 1e-9)
			}
		}
		near(t, "loss", f.st.loss(), other.loss(), 1e-9)
	}
}

// TestTwoLabels: one binary feature that all events have is a logistic regression on a constant.
func TestTwoLabels(t *testing.T) {
	p := only(t, []uint16{1, 1, 1, 0}, []float64{1}, []float64{1}, []float64{1}, []float64{1})
	for _, m := range methods {
		w, _ := fitted(t, p, Options{Method: m, Epsilon: 1e-9})
		near(t, string(m), w[0], math.Log(3), 1e-7) // Σ p = Σ observed
	}
}

// TestSameBits: weights do not depend on the number of workers.
func TestSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	rows, gold := make([][]float64, 20000), make([]uint16, 20000)
	for i := range rows {
		rows[i] = make([]float64, 12)
		for range 3 {
			rows[i][r.IntN(12)] = 1
		}
		gold[i] = uint16(r.IntN(5))
	}
	for i := range rows { // distinct contexts
		rows[i] = append(rows[i], float64(i)/20000)
	}
	p := events(t, 5, gold, rows...)
	sweeps, step := 4, 1
	if testing.Short() {
		sweeps, step = 1, 2
	}
	for _, m := range methods {
		var want []float64
		for workers := 1; workers <= 3; workers += step {
			w, _, err := Fit(background, p, Options{Method: m, L2: 1, Sweeps: sweeps, Workers: workers, Seed: 3}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = w
			}
			if !slices.Equal(w, want) {
				t.Errorf("%s: %d workers give other weights than one", m, workers)
			}
		}
	}
}

func TestContextsAreMerged(t *testing.T) {
	p := events(t, 2, []uint16{0, 1, 1, 0}, []float64{1, 2}, []float64{0, 2}, []float64{1, 2}, []float64{1, 2})
	if p.m.contexts != 2 || p.m.count[0] != 3 || p.observed[0] != 2 || p.observed[1] != 1 {
		t.Errorf("%d contexts of %v events, observed %v", p.m.contexts, p.m.count, p.observed)
	}
}

func TestFaults(t *testing.T) {
	p := events(t, 2, []uint16{0, 1}, []float64{1, -1}, []float64{0, 2})
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Method: GIS}, "at least 0"},
		{Options{Method: "newton"}, "no method"},
		{Options{Method: CD, L2: math.NaN()}, "L2"},
		{Options{Method: CD, Gamma: 0.7}, "gamma"},
		{Options{Method: CD, Widths: []float64{1}}, "widths"},
	} {
		if _, _, err := Fit(background, p, c.o, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	if _, _, err := Fit(background, events(t, 2, []uint16{0, 1}, []float64{1}, []float64{0}),
		Options{Method: SCGIS, Widths: []float64{1, 1}}, nil); err == nil {
		t.Error("scgis takes widths")
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	for _, m := range methods {
		if _, _, err := Fit(ctx, random(t, 1, true), Options{Method: m, L2: 1}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a cancelled fit gives %v", m, err)
		}
	}
}

// TestExtremes: values of some hundreds and hardly a penalty drive probabilities to 0 and 1 within
// the accuracy of numbers, yet the objective falls to what L-BFGS would find.
func TestExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	rows, gold := make([][]float64, 60), make([]uint16, 60)
	for i := range rows {
		rows[i] = make([]float64, 30)
		for range 5 {
			rows[i][r.IntN(30)] = 300 * r.Float64()
		}
		gold[i] = uint16(r.IntN(4))
	}
	p := events(t, 4, gold, rows...)
	best := math.Inf(1)
	for _, m := range []Method{CD, CDExact, BLMVM, SCGIS, GIS, IIS} {
		for _, plain := range []bool{false, true} {
			last := math.Inf(1)
			_, _, err := Fit(background, p, Options{Method: m, L2: 1e-4, Plain: plain, Sweeps: 300}, func(s Sweep) bool {
				if !(s.Objective <= last*(1+1e-9)+1e-6) {
					t.Fatalf("%s, plain %v: the objective rises from %g to %g in sweep %d", m, plain, last, s.Objective, s.Number)
				}
				last = s.Objective
				return false
			})
			if err != nil {
				t.Fatal(err)
			}
			if best = min(best, last); m == CD && last > 10 {
				t.Errorf("%s, plain %v: the objective ends at %g", m, plain, last)
			}
			t.Log(m, plain, last)
		}
	}
}
