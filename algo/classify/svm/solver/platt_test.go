package solver

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// plattLoss is −Σ t·log p + (1 − t)·log(1 − p) by definition, with the targets of Lin, Lin and Weng (2007).
func plattLoss(a, b float64, f []float64, y []int8) float64 {
	pos, neg, sum := 0.0, 0.0, 0.0
	for _, l := range y {
		if l > 0 {
			pos++
		} else {
			neg++
		}
	}
	for i, l := range y {
		t := 1 / (neg + 2)
		if l > 0 {
			t = (pos + 1) / (pos + 2)
		}
		z := a*f[i] + b
		// log p = −log(1 + eᶻ), log(1 − p) = −log(1 + e⁻ᶻ)
		sum += t*math.Log(1+math.Exp(z)) + (1-t)*math.Log(1+math.Exp(-z))
	}
	return sum
}

// lowest looks through a grid around a point, which it moves and makes finer where no neighbour is lower.
func lowest(loss func(a, b float64) float64, step float64) (a, b, least float64) {
	for least = loss(0, 0); step > 1e-9; {
		x, y, found := a, b, false
		for da := -1.0; da <= 1; da++ {
			for db := -1.0; db <= 1; db++ {
				if v := loss(a+da*step, b+db*step); v < least {
					x, y, least, found = a+da*step, b+db*step, v, true
				}
			}
		}
		if a, b = x, y; !found {
			step /= 2
		}
	}
	return a, b, least
}

// TestSigmoidIsTheBest compares with a search over a grid.
func TestSigmoidIsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		f, y := make([]float64, n), make([]int8, n)
		for i := range f {
			f[i] = float64(rapid.IntRange(-30, 30).Draw(t, "f")) / 10
			y[i] = rapid.SampledFrom([]int8{-1, 1}).Draw(t, "y")
		}
		s := FitSigmoid(f, y)
		_, _, want := lowest(func(a, b float64) float64 { return plattLoss(a, b, f, y) }, 1)
		if got := plattLoss(s.A, s.B, f, y); !(math.Abs(got-want) < 1e-9*(1+want)) {
			t.Fatalf("%v has the loss %v, the best has %v", s, got, want)
		}
	})
}

// TestSigmoidHasNoSlopeLeft: the derivatives of the loss, by differences, are 0 whatever the scale of the values,
// of one class too, and with values that are far apart or all the same.
func TestSigmoidHasNoSlopeLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		scale := math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "scale")))
		spread, flip := rapid.SampledFrom([]float64{0, .01, .3, 3}).Draw(t, "spread"), rapid.Float64Range(0, 1).Draw(t,
			"flip")
		f, y := make([]float64, n), make([]int8, n)
		for i := range f {
			f[i] = 1 + spread*float64(rapid.IntRange(-1000, 1000).Draw(t, "f"))/1000
			y[i] = 1
			if (f[i] > 1) != (rapid.Float64Range(0, 1).Draw(t, "u") < flip) {
				y[i] = -1
			}
			f[i] *= scale
		}
		s := FitSigmoid(f, y)
		of := func(a, b float64) float64 { return plattLoss(s.A+a/scale, s.B+b, f, y) }
		const h = 1e-4
		for _, d := range []float64{of(h, 0) - of(-h, 0), of(0, h) - of(0, -h)} {
			if d /= 2 * h; !(math.Abs(d) < 1e-5*float64(n)) {
				t.Fatalf("the loss of %v still falls by %v", s, d)
			}
		}
	})
}

func TestSigmoid(t *testing.T) {
	// Values and labels of a known sigmoid: A = −2, B = 0.5.
	rng := rand.New(rand.NewPCG(8, 9))
	var f []float64
	var y []int8
	for range 20000 {
		x := 4*rng.Float64() - 2
		f, y = append(f, x), append(y, -1)
		if rng.Float64() < 1/(1+math.Exp(-2*x+.5)) {
			y[len(y)-1] = 1
		}
	}
	s := FitSigmoid(f, y)
	near(t, "A", s.A, -2, .1)
	near(t, "B", s.B, .5, .1)
	// Two values fit their targets exactly: (2+1)/(2+2) of 2 positives, 1/(3+2) of 3 negatives (Platt 1999).
	s = FitSigmoid([]float64{1, -1, 1, -1, -1}, []int8{1, -1, 1, -1, -1})
	near(t, "target of positives", s.Of(1), 0.75, 1e-9)
	near(t, "target of negatives", s.Of(-1), 0.2, 1e-9)
	// Values that are all the same have the mean of the targets, 0.75·2/5 + 0.2·3/5.
	s = FitSigmoid([]float64{7, 7, 7, 7, 7}, []int8{1, -1, 1, -1, -1})
	near(t, "mean of the targets", s.Of(7), 0.42, 1e-9)
	if s := FitSigmoid(nil, nil); s.Of(3) != 0.5 {
		t.Errorf("without samples %v", s)
	}
	near(t, "far below", Sigmoid{A: -1}.Of(-1e4), 0, 0)
	near(t, "far above", Sigmoid{A: -1}.Of(1e4), 1, 0)
}

// TestSigmoidOfAnOutlier: whole Newton steps run away from one sample far from many others.
func TestSigmoidOfAnOutlier(t *testing.T) {
	for _, far := range []float64{5, 50, 500} {
		f, y := []float64{far}, []int8{1}
		for i := range 400 {
			f, y = append(f, math.Sin(float64(i))), append(y, -1)
		}
		s := FitSigmoid(f, y)
		_, _, want := lowest(func(a, b float64) float64 { return plattLoss(a, b, f, y) }, 1)
		near(t, "the loss", plattLoss(s.A, s.B, f, y), want, 1e-8*want)
	}
}
