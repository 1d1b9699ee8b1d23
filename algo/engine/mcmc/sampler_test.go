package mcmc

import (
	"math"
	"testing"

	"parlance/algo/engine/partition"
)

var tenFactors = []float64{1.2, .8, -.4, 2, .5, 1.1, 0, .9, 1.5, .4}

// inOrder draws factors as they stand.
func inOrder(list []float64) func() float64 {
	k := -1
	return func() float64 { k++; return list[k] }
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// TestIntervals has the widths of the intervals after 2 to 10 of ten factors.
func TestIntervals(t *testing.T) {
	want := []float64{.739162, 1.661974, 1.600333, 1.155495, .852622, .684077, .485075, .320889, 0}
	s := Sampler{Z: 1.96}
	for k := 2; k <= 10; k++ {
		mean, squares := 0.0, 0.0
		for _, x := range tenFactors[:k] {
			mean += x / float64(k)
		}
		for _, x := range tenFactors[:k] {
			squares += (x - mean) * (x - mean)
		}
		near(t, "width", s.interval(10, k, squares), want[k-2], 1e-6)
	}
	for _, c := range []struct {
		width float64
		n     int
		sum   float64
	}{{1, 2, 10}, {.7, 7, 7.428571}, {.5, 8, 7.625}, {0, 10, 8}} {
		s := Sampler{Strategy: Confidence, Width: c.width, Z: 1.96}
		sum, n := s.Sum(10, inOrder(tenFactors))
		if n != c.n {
			t.Errorf("width %v: %d factors, want %d", c.width, n, c.n)
		}
		near(t, "estimate", sum, c.sum, 1e-6)
	}
}

// TestEqualFactors: an interval of equal factors is empty, and the estimate exact.
func TestEqualFactors(t *testing.T) {
	s := Sampler{Strategy: Confidence, Width: .1, Z: 1.96, Least: 3}
	sum, n := s.Sum(50, func() float64 { return .25 })
	if n != 3 {
		t.Errorf("%d factors, want 3", n)
	}
	near(t, "estimate", sum, 12.5, 1e-12)
}

// TestUnbiased averages estimates over many draws, and compares their variance with that of draws without replacement,
// |F|² σ²/|S| · (|F| − |S|)/|F|.
func TestUnbiased(t *testing.T) {
	s := Sampler{Strategy: Uniform, Proportion: .4}
	r := NewRand(2)
	var d draws
	const tries = 200000
	sum, squares := 0.0, 0.0
	for range tries {
		x, n := s.Sum(10, func() float64 { return tenFactors[d.next(10, r)] })
		if n != 4 {
			t.Fatalf("%d factors", n)
		}
		d.reset()
		sum += x
		squares += x * x
	}
	mean := sum / tries
	near(t, "mean", mean, 8, .03)
	near(t, "variance", squares/tries-mean*mean, 100*.708676*.708676/4*.6, .1)
	for i, x := range d.list {
		if int(x) != i {
			t.Fatalf("the order is not taken back: %v", d.list)
		}
	}
}

// star is one variable with factors whose differences are given.
func star(differences []float64) *Labels {
	var unary []float64
	for _, d := range differences {
		unary = append(unary, 0, d)
	}
	return NewLabels(2, [][]float64{unary})
}

// TestBias has the bias that drawing k of four factors brings, for Gibbs steps and for proposals that flip.
func TestBias(t *testing.T) {
	gibbs := []float64{.723994, .809201, .908235, .952574}
	flips := []float64{.726174, .778285, .901016, .952574}
	const n = 150000
	for k := 1; k <= 4; k++ {
		s := Sampler{Strategy: Uniform, Proportion: float64(k) / 4}
		w := star([]float64{2, -1, .5, 1.5})
		r, draw := NewRand(1), NewRand(2)
		ones := 0.0
		for range n {
			if used := w.Gibbs(0, &s, 1, r, draw); used != k {
				t.Fatalf("%d factors, want %d", used, k)
			}
			ones += float64(w.Y[0])
		}
		near(t, "Gibbs", ones/n, gibbs[k-1], .005)
		w = star([]float64{2, -1, .5, 1.5})
		c := NewChain(w, 3)
		c.Sampler = s
		ones = 0
		for range n {
			c.Step()
			ones += float64(w.Y[0])
		}
		near(t, "flips", ones/n, flips[k-1], .007)
	}
}

// TestStar is the synthetic model of typing: a hundred factors N(±½, 1), the error of the marginal by the share drawn.
func TestStar(t *testing.T) {
	r := NewRand(8)
	normal := func() float64 {
		return math.Sqrt(-2*math.Log(r.Float64())) * math.Cos(2*math.Pi*r.Float64())
	}
	for _, c := range []struct{ p, want, within float64 }{{.05, .06, .015}, {.1, .012, .006}, {.2, .001, .002}, {1, 0,
		.001}} {
		sum := 0.0
		for range 40 {
			d := make([]float64, 100)
			total := 0.0
			for i := range d {
				d[i] = normal() + .5 - (normal() - .5)
				total += d[i]
			}
			w := star(d)
			s := Sampler{Strategy: Uniform, Proportion: c.p}
			a, b := NewRand(1), NewRand(2)
			ones := 0.0
			const n = 1000
			for range n {
				w.Gibbs(0, &s, 1, a, b)
				ones += float64(w.Y[0])
			}
			sum += math.Abs(ones/n-1/(1+math.Exp(-total))) / 40
		}
		near(t, "error", sum, c.want, c.within)
	}
}

func TestMetropolis(t *testing.T) {
	r, n := NewRand(4), 0
	for range 200000 {
		if Metropolis(-.7/.5, r) {
			n++
		}
	}
	near(t, "acceptance", float64(n)/200000, .246597, .004)
	if Metropolis(-800, r) || !Metropolis(800, r) || Metropolis(math.Inf(-1), r) {
		t.Error("extreme differences")
	}
	if k := Choose([]float64{-800, 800, math.Inf(-1)}, .01, r); k != 1 {
		t.Errorf("chosen %d", k)
	}
}

func TestMoments(t *testing.T) {
	m := NewMoments(10)
	if !math.IsNaN(m.Mean()) || !math.IsNaN(m.Error()) {
		t.Error("a mean of nothing")
	}
	r := NewRand(6)
	for range 10000 {
		m.Add(r.Float64())
	}
	near(t, "mean", m.Mean(), .5, .01)
	near(t, "error", m.Error(), math.Sqrt(1.0/12/10000), 3e-4)
}

// TestAgree has chains of which everything is known.
func TestAgree(t *testing.T) {
	a := Agree([][]float64{{1, 2, 3}, {2, 3, 4}}) // W = 1, B/n = ½
	near(t, "mean", a.Mean, 2.5, 1e-12)
	near(t, "error", a.Error, .5, 1e-12)
	near(t, "R̂", a.Rhat, math.Sqrt(2.0/3+.5), 1e-12)
	if a = Agree([][]float64{{5, 5}, {5, 5}}); a.Rhat != 1 || a.Error != 0 {
		t.Errorf("chains that stand still agree: %+v", a)
	}
	if a = Agree([][]float64{{5, 5}, {6, 6}}); !math.IsInf(a.Rhat, 1) {
		t.Errorf("chains that stand still in different places: %+v", a)
	}
	if a = Agree([][]float64{{1, 3, 5, 7}}); a.Mean != 4 || !math.IsNaN(a.Rhat) {
		t.Errorf("one chain: %+v", a)
	}
	near(t, "error of batches of two", a.Error, 2, 1e-12) // means 2 and 6: √(8/2)
	if a = Agree(nil); !math.IsNaN(a.Mean) {
		t.Errorf("no chain: %+v", a)
	}
}

// TestErrors: in 19 of 20 runs the marginal of enumeration lies within about two standard errors of four chains.
func TestErrors(t *testing.T) {
	f := four()
	law := f.law(4, nil)
	want := 0.0
	for y, p := range law {
		if y[0] == y[1] {
			want += p
		}
	}
	inside := 0
	for run := range uint64(100) {
		var chains [][]float64
		for k := range uint64(4) {
			c := NewChain(NewPartition(partition.New(4), f, PartitionOptions{}), run, k)
			c.Hastings, c.Gibbs = true, k%2 == 0
			var list []float64
			for range 200 {
				for range 4 {
					c.Step()
				}
				x := 0.0
				if c.World.(*Partition).State.Cluster(0) == c.World.(*Partition).State.Cluster(1) {
					x = 1
				}
				list = append(list, x)
			}
			chains = append(chains, list)
		}
		a := Agree(chains)
		if math.Abs(a.Mean-want) < 3.18*a.Error { // Student's t of three degrees of freedom
			inside++
		}
		if a.Rhat > 1.1 {
			t.Errorf("run %d: R̂ %.3f", run, a.Rhat)
		}
	}
	if inside < 88 {
		t.Errorf("%d of 100 intervals hold %.4f", inside, want)
	}
}

// TestLabels compares a chain with a skip edge with enumeration, by proposals and by Gibbs steps.
func TestLabels(t *testing.T) {
	build := func() *Labels {
		r := NewRand(12)
		some := func(n int) []float64 {
			out := make([]float64, n)
			for i := range out {
				out[i] = 2*r.Float64() - 1
			}
			return out
		}
		w := NewLabels(3, [][]float64{some(3), some(6), some(3), some(3)})
		for i := range 3 {
			w.Connect(i, i+1, some(9))
		}
		w.Connect(0, 3, some(9))
		return w
	}
	w := build()
	exact, z := make([]float64, 12), 0.0
	for k := range 81 {
		for i := range 4 {
			w.Y[i] = int32(k / []int{27, 9, 3, 1}[i] % 3)
		}
		p := math.Exp(w.Score())
		z += p
		for i, y := range w.Y {
			exact[3*i+int(y)] += p
		}
	}
	const n = 60000
	for _, gibbs := range []bool{false, true} {
		w, c := build(), make([]float64, 12)
		chain := NewChain(w, 5)
		chain.Gibbs = gibbs
		for range n {
			before, gain := w.Score(), chain.Trace.Gain
			chain.Step()
			near(t, "δ", chain.Trace.Gain-gain, w.Score()-before, 1e-9)
			for i, y := range w.Y {
				c[3*i+int(y)]++
			}
		}
		for i := range c {
			near(t, "marginal", c[i]/n, exact[i]/z, .02)
		}
	}
	s, a, b := Sampler{Strategy: Uniform, Proportion: .5}, NewRand(1), NewRand(2)
	if used := w.Gibbs(0, &s, 1, a, b); used != 2 { // one factor of its own and two edges, half of them rounded up
		t.Errorf("%d factors", used)
	}
}

// TestChosen: a choice of probability 0 is never drawn, at the ends of the interval of random numbers either.
func TestChosen(t *testing.T) {
	inf := math.Inf(-1)
	for _, c := range []struct {
		scores []float64
		u      float64
		want   int
	}{
		{[]float64{inf, 0, inf, 0, inf}, 0, 1},
		{[]float64{inf, 0, inf, 0, inf}, .5, 1},
		{[]float64{inf, 0, inf, 0, inf}, 1, 1},
		{[]float64{inf, 0, inf, 0, inf}, 1.5, 3},
		{[]float64{inf, 0, inf, 0, inf}, 2, 3},
		{[]float64{inf, 0, inf, 0, inf}, 2.5, 3},
		{[]float64{0, inf}, 1.5, 0},
		{[]float64{-1e9, 0}, 0, 1},
	} {
		if got := chosen(c.scores, 1, 0, c.u); got != c.want {
			t.Errorf("%v at %v: %d, want %d", c.scores, c.u, got, c.want)
		}
	}
}
