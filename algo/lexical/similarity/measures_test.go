package similarity

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/lexical/cooccurrence"
)

// dense makes a matrix of counts, rows of words; contexts are kept whether a word has them or not.
func dense(rows ...[]float64) *cooccurrence.Matrix {
	m := &cooccurrence.Matrix{Rows: &cooccurrence.Index{Start: []int{0}}}
	for k := range rows[0] {
		m.Contexts = append(m.Contexts, fmt.Sprintf("f%d", k))
	}
	for i, row := range rows {
		m.Words = append(m.Words, fmt.Sprintf("w%d", i))
		for k, c := range row {
			if c > 0 {
				m.Rows.IDs, m.Rows.Counts = append(m.Rows.IDs, uint32(k)), append(m.Rows.Counts, c)
			}
		}
		m.Rows.Start = append(m.Rows.Start, len(m.Rows.IDs))
	}
	m.Ready()
	return m
}

func vectorsOf(t interface{ Fatal(...any) }, m *cooccurrence.Matrix, s settings) *vectors {
	v, err := newVectors(m, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func near(t *testing.T, what string, got, want, eps float64) {
	t.Helper()
	if !(math.Abs(got-want) <= eps) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

func bayes(alpha float64) settings {
	return settings{measure: bcb, alpha: alpha, d: 0.5, prior: "uniform"}
}

var example = [][]float64{{3, 1, 0, 0}, {1, 0, 2, 0}}

func TestGammaRatio(t *testing.T) {
	for x, want := range map[float64]float64{0.5: 0.564189584, 1.5: 1.128379167, 2.5: 1.504505556, 3.5: 1.805406667} {
		near(t, fmt.Sprintf("h(%v)", x), gammaRatio(x, 0.5), want, 1e-9)
	}
	// h(n) = √π n C(2n,n) / 4ⁿ, exactly
	sqrtPi := new(big.Float).SetPrec(200).Sqrt(
		mustFloat("3.14159265358979323846264338327950288419716939937510582097494459"))
	for _, n := range []int64{1, 2, 7, 39, 40, 41, 1000, 5000} {
		c := new(big.Float).SetPrec(200).SetInt(new(big.Int).Binomial(2*n, n))
		c.Mul(c, sqrtPi).Mul(c, big.NewFloat(float64(n)))
		want, _ := c.SetMantExp(c, -2*int(n)).Float64()
		if got := gammaRatio(float64(n), 0.5); math.Abs(got/want-1) > 1e-13 {
			t.Errorf("h(%d) = %.17g, want %.17g", n, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x, d := math.Exp(rapid.Float64Range(-12, 18).Draw(t, "ln x")), rapid.Float64Range(1e-3, 10).Draw(t, "d")
		// Γ(x+1+d)/Γ(x+1) = Γ(x+d)/Γ(x) · (x+d)/x
		if a, b := gammaRatio(x+1, d), gammaRatio(x, d)*(x+d)/x; math.Abs(a/b-1) > 1e-12 {
			t.Fatalf("x %v, d %v: %v and %v", x, d, a, b)
		}
		if got := gammaRatio(x, 1); math.Abs(got/x-1) > 1e-13 {
			t.Fatalf("Γ(x+1)/Γ(x) = %v at %v", got, x)
		}
	})
}

func mustFloat(s string) *big.Float {
	f, _, err := big.ParseFloat(s, 10, 200, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return f
}

// TestWorkedExample checks the numbers worked out by hand for two words.
func TestWorkedExample(t *testing.T) {
	m := dense(example...)
	v := vectorsOf(t, m, bayes(0.5))
	near(t, "N1", v.p[0], 0.416832708, 1e-9)
	near(t, "N2", v.p[1], 0.458515979, 1e-9)
	near(t, "BCb", v.similarity(0, 1), 0.734097438, 1e-9)
	one := bayes(0.5)
	one.d = 1
	near(t, "d = 1", vectorsOf(t, m, one).similarity(0, 1), 0.25, 1e-12)
	logs := bayes(0.5)
	logs.logs = true
	near(t, "log counts", vectorsOf(t, m, logs).similarity(0, 1), 0.748374531, 1e-9)
	near(t, "BC", vectorsOf(t, m, settings{measure: bc}).similarity(0, 1), 0.5, 1e-12)
	near(t, "JS", vectorsOf(t, m, settings{measure: js}).similarity(0, 1), 1-0.358807889/math.Ln2, 1e-9)
	near(t, "BCa", vectorsOf(t, m, settings{measure: bca, delta: 0.5}).similarity(0, 1), 0.861423747, 1e-9)
	near(t, "eq. 9", vectorsOf(t, m, settings{measure: dirichlet, alpha: 0.5, prior: "uniform"}).similarity(0, 1),
		0.365842821, 1e-9)
	near(t, "PMI", vectorsOf(t, m, settings{measure: pmi}).similarity(0, 1), -0.234587, 1e-6)
	raw := &vectors{measure: bcb, start: m.Rows.Start, ids: m.Rows.IDs, x: append([]float64(nil), m.Rows.Counts...), k: 4,
		p: make([]float64, 2), t: make([]float64, 2)}
	raw.bayesian(&prior{of: []float64{0.1, 0.2, 0.3, 0.4}, total: 1}, 0.5)
	near(t, "alpha of each context", raw.similarity(0, 1), 0.629059354, 1e-9)
}

// TestDivergences checks distributions against worked divergences.
func TestDivergences(t *testing.T) {
	for _, c := range []struct {
		p, q []float64
		want float64
	}{{[]float64{.9, .1}, []float64{.2, .8}, 0.275396115}, {[]float64{1, 0}, []float64{0, 1}, math.Ln2},
		{[]float64{.7, .2, .1}, []float64{.6, .3, .1}, 0.006958856}, {[]float64{.5, .5}, []float64{.5, .5}, 0}} {
		for _, measure := range []string{js, classes} {
			got := vectorsOf(t, dense(c.p, c.q), settings{measure: measure}).similarity(0, 1)
			near(t, fmt.Sprint(measure, c.p, c.q), (1-got)*math.Ln2, c.want, 1e-9)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		var rows [][]float64
		for range 3 {
			rows = append(rows, rapid.SliceOfN(rapid.Float64Range(1e-9, 1), 5, 5).Draw(t, "row"))
		}
		v := vectorsOf(t, dense(rows...), settings{measure: js})
		d := func(i, j int) float64 { return math.Sqrt(max(0, 1-v.score(i, j, v.common(i, j)))) }
		if d(0, 2) > d(0, 1)+d(1, 2)+1e-7 || d(0, 1) != d(1, 0) {
			t.Fatalf("the root of the divergence is no metric: %v %v %v", d(0, 1), d(1, 2), d(0, 2))
		}
	})
}

// TestManyContexts has 10,000 contexts with all counts on one: the more of them, the more alike (checked with 40
// digits).
func TestManyContexts(t *testing.T) {
	row := func(n float64) []float64 {
		r := make([]float64, 10000)
		r[0] = n
		return r
	}
	v := vectorsOf(t, dense(row(10), row(2), row(10), row(20)), bayes(1))
	for j, want := range []float64{0, 0.785412964, 0.785628925, 0.785654664} {
		if j > 0 {
			near(t, fmt.Sprint("word ", j), v.similarity(0, j), want, 1e-9)
		}
	}
}

func TestLimits(t *testing.T) {
	for times, want := range map[float64]float64{1: 0.734097, 10: 0.611805, 100: 0.538359, 1e4: 0.503924} {
		rows := [][]float64{{3 * times, times, 0, 0}, {times, 0, 2 * times, 0}}
		near(t, fmt.Sprint("counts times ", times), vectorsOf(t, dense(rows...), bayes(0.5)).similarity(0, 1), want, 1e-6)
	}
	for alpha, want := range map[float64]float64{10: 0.980639, 1000: 0.999812} {
		near(t, fmt.Sprint("alpha ", alpha), vectorsOf(t, dense(example...), bayes(alpha)).similarity(0, 1), want, 1e-6)
	}
}

// bruteForce is a measure by its definition over all contexts, by lgamma.
func bruteForce(a, b []float64, s settings, alphas []float64) float64 {
	sum := func(x []float64) (n float64) {
		for _, c := range x {
			n += c
		}
		return n
	}
	a0, b0, out := sum(a), sum(b), 0.0
	switch s.measure {
	case bc:
		for k := range a {
			out += math.Sqrt(a[k] / a0 * b[k] / b0)
		}
	case js:
		for k := range a {
			p, q := a[k]/a0, b[k]/b0
			if p > 0 {
				out += p * math.Log(2*p/(p+q)) / 2
			}
			if q > 0 {
				out += q * math.Log(2*q/(p+q)) / 2
			}
		}
		out = 1 - out/math.Ln2
	case bca:
		p, q := discount(a, a0, s.delta), discount(b, b0, s.delta)
		for k := range a {
			out += math.Sqrt(p[k] * q[k])
		}
	case bcb:
		h := func(x float64) float64 { return math.Exp(lgamma(x+s.d) - lgamma(x)) }
		for k := range a {
			out += h(alphas[k]+a[k]) * h(alphas[k]+b[k])
		}
		out /= h(sum(alphas)+a0) * h(sum(alphas)+b0)
	case dirichlet:
		out = (lgamma(sum(alphas)+a0)+lgamma(sum(alphas)+b0))/2 - lgamma(sum(alphas)+(a0+b0)/2)
		for k := range a {
			out += lgamma(alphas[k]+(a[k]+b[k])/2) - (lgamma(alphas[k]+a[k])+lgamma(alphas[k]+b[k]))/2
		}
		out = math.Exp(out)
	}
	return out
}

// discount is the profile after absolute discounting, which adds up to 1.
func discount(c []float64, total, delta float64) []float64 {
	n, out := 0.0, make([]float64, len(c))
	for _, x := range c {
		if x > 0 {
			n++
		}
	}
	left := delta * n / total
	for k, x := range c {
		switch {
		case x == 0:
			out[k] = left / (float64(len(c)) - n)
		case n == float64(len(c)):
			out[k] = (x - delta) / (total - delta*n)
		default:
			out[k] = (x - delta) / total
		}
	}
	return out
}

func randomRow(t *rapid.T, k int) []float64 {
	row := make([]float64, k)
	for i := range row {
		row[i] = max(0, float64(rapid.IntRange(-6, 9).Draw(t, "count")))
	}
	row[rapid.IntRange(0, k-1).Draw(t, "at")] = 1
	return row
}

// TestSparseIsDense compares the sparse forms of all measures with their definitions.
func TestSparseIsDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 12).Draw(t, "contexts")
		a, b := randomRow(t, k), randomRow(t, k)
		s := settings{alpha: math.Exp(rapid.Float64Range(-8, 3).Draw(t, "ln alpha")),
			d: rapid.Float64Range(0.01, 2).Draw(t, "d"), delta: rapid.Float64Range(0, 0.9).Draw(t, "delta")}
		total := 0.0
		for f := range a {
			total += a[f] + b[f]
		}
		for _, s.measure = range []string{bc, js, bca, bcb, dirichlet} {
			for _, s.prior = range []string{"uniform", "proportional"} {
				alphas, unused := make([]float64, k), false
				for f := range alphas {
					alphas[f] = s.alpha
					if s.prior == "proportional" {
						alphas[f] *= float64(k) * (a[f] + b[f]) / total
					}
					unused = unused || a[f]+b[f] == 0
				}
				if unused && s.prior == "proportional" {
					continue // a matrix that is read has no context without a word
				}
				v := vectorsOf(t, dense(a, b), s)
				got, want := v.similarity(0, 1), bruteForce(a, b, s, alphas)
				if math.Abs(got-want) > 1e-11*(1+want) {
					t.Fatalf("%s %s: %.15g, want %.15g", s.measure, s.prior, got, want)
				}
				if got != v.similarity(1, 0) || s.measure == bcb && s.d == 0.5 && !(got > 0 && got <= 1+1e-12) {
					t.Fatalf("%s: %v and %v", s.measure, got, v.similarity(1, 0))
				}
			}
		}
	})
}

// TestPMI compares cosines with those of dense vectors, with and without negative values.
func TestPMI(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 9).Draw(t, "contexts")
		rows := [][]float64{randomRow(t, k), randomRow(t, k), randomRow(t, k)}
		positive := rapid.Bool().Draw(t, "positive")
		n, of := 0.0, make([]float64, k)
		for _, r := range rows {
			for f, c := range r {
				n += c
				of[f] += c
			}
		}
		vec := make([][]float64, 3)
		for i, r := range rows {
			total := 0.0
			for _, c := range r {
				total += c
			}
			for f, c := range r {
				x := 0.0
				if c > 0 {
					x = math.Log(c * n / (total * of[f]))
				}
				if positive {
					x = max(x, 0)
				}
				vec[i] = append(vec[i], x)
			}
		}
		v := vectorsOf(t, dense(rows...), settings{measure: pmi, positive: positive})
		dot := func(a, b []float64) (s float64) {
			for f := range a {
				s += a[f] * b[f]
			}
			return s
		}
		if norm := dot(vec[0], vec[0]) * dot(vec[1], vec[1]); norm > 1e-20 {
			want := dot(vec[0], vec[1]) / math.Sqrt(norm)
			if got := v.similarity(0, 1); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	})
}

// TestMonteCarlo draws profiles from the posteriors and averages their coefficients.
func TestMonteCarlo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(c []float64) []float64 {
		p, total := make([]float64, len(c)), 0.0
		for k := range p {
			p[k] = gammaDraw(rng, c[k]+0.5)
			total += p[k]
		}
		for k := range p {
			p[k] /= total
		}
		return p
	}
	sum, squares := 0.0, 0.0
	const n = 50000
	for range n {
		p, q, s := draw(example[0]), draw(example[1]), 0.0
		for k := range p {
			s += math.Sqrt(p[k] * q[k])
		}
		sum += s
		squares += s * s
	}
	mean := sum / n
	deviation := math.Sqrt((squares/n - mean*mean) / n)
	near(t, "mean", mean, 0.734097438, 4*deviation)
	if deviation > 0.001 {
		t.Errorf("the mean is known to %v only", deviation)
	}
}

// gammaDraw draws from the gamma distribution (Marsaglia and Tsang 2000).
func gammaDraw(rng *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gammaDraw(rng, shape+1) * math.Pow(rng.Float64(), 1/shape)
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v = v * v * v; v > 0 && math.Log(1-rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

func TestXLnX(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Exp(rapid.Float64Range(-700, 1).Draw(t, "ln x"))
		if got, want := xlnx(x), x*math.Log(x); math.Abs(got-want) > 4e-16*max(math.Abs(want), x) {
			t.Fatalf("%v: %v, want %v", x, got, want)
		}
	})
	for x, want := range map[float64]float64{0: 0, 1: 0, 2: 2 * math.Ln2} {
		near(t, fmt.Sprint(x, " ln ", x), xlnx(x), want, 1e-15)
	}
}

var sink float64

func BenchmarkXLnX(b *testing.B) {
	for i := range b.N {
		sink += xlnx(float64(i%1000+1) / 1000)
	}
}

func BenchmarkLog(b *testing.B) {
	for i := range b.N {
		x := float64(i%1000+1) / 1000
		sink += x * math.Log(x)
	}
}
