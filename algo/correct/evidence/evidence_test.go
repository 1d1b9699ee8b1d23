package evidence

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// TestThreshold compares with all thresholds.
func TestThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		var list []Scored
		gold := 1
		for range rng.IntN(12) {
			s := Scored{float64(rng.IntN(6)), rng.IntN(3) == 0}
			if list = append(list, s); s.Right {
				gold++
			}
		}
		beta := []float64{0.5, 1, 2}[rng.IntN(3)]
		best := 0.0
		for limit := range 7 {
			right, made := 0, 0
			for _, s := range list {
				if s.Score >= float64(limit) {
					made++
					if s.Right {
						right++
					}
				}
			}
			best = max(best, F(right, made, gold, beta))
		}
		threshold, f, made := Threshold(list, gold, beta)
		if math.Abs(f-best) > 1e-12 {
			t.Fatalf("%v: F %v, the best is %v", list, f, best)
		}
		right, n := 0, 0
		for _, s := range list {
			if s.Score >= threshold {
				n++
				if s.Right {
					right++
				}
			}
		}
		if n != made || F(right, n, gold, beta) != f {
			t.Fatalf("%v: at %v there are %d edits with F %v, told were %d with %v", list, threshold, n,
				F(right, n, gold, beta), made, f)
		}
	}
	if limit, _, made := Threshold([]Scored{{1, false}}, 3, 1); !math.IsInf(limit, 1) || made != 0 {
		t.Errorf("nothing is right: threshold %v, %d edits", limit, made)
	}
}

// TestPrintedF has F0.5 of printed precisions and recalls.
func TestPrintedF(t *testing.T) {
	for _, x := range []struct{ p, r, beta, want float64 }{{43.70, 22.04, 0.5, 36.52}, {44.28, 22.57, 0.5, 37.14},
		{52.44, 29.89, 0.5, 45.56},
		{44.22, 21.54, 0.5, 36.53}, {46, 23, 1, 30.67}} {
		// counts with this precision and recall
		right := 1e8
		got := 100 * F(int(right), int(right/x.p*100), int(right/x.r*100), x.beta)
		if math.Abs(got-x.want) > 0.006 {
			t.Errorf("F%v of %v and %v: %v, want %v", x.beta, x.p, x.r, got, x.want)
		}
	}
}

func TestRegressionGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	rows := &Rows{}
	for range 40 {
		rows.Put(0, 1)
		for f := range 5 {
			if rng.IntN(2) == 0 {
				rows.Put(uint32(1+f), rng.NormFloat64())
			}
		}
		rows.Add(rng.IntN(2) == 0)
	}
	w, l2 := make([]float64, 6), []float64{0, 1, 1, 0.5, 2, 1}
	for i := range w {
		w[i] = rng.NormFloat64()
	}
	grad, none := make([]float64, 6), make([]float64, 6)
	use := func(i int) bool { return i%3 > 0 }
	ctx := context.Background()
	if _, err := rows.objective(ctx, w, l2, grad, use); err != nil {
		t.Fatal(err)
	}
	const h = 1e-6
	for i := range w {
		keep := w[i]
		w[i] = keep + h
		up, _ := rows.objective(ctx, w, l2, none, use)
		w[i] = keep - h
		down, _ := rows.objective(ctx, w, l2, none, use)
		w[i] = keep
		if d := (up - down) / 2 / h; math.Abs(d-grad[i]) > 1e-4 {
			t.Errorf("weight %d: %v, by difference %v", i, grad[i], d)
		}
	}
	if err := rows.Fit(ctx, w, l2, use, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := rows.objective(ctx, w, l2, grad, use); err != nil {
		t.Fatal(err)
	}
	for i, g := range grad {
		if math.Abs(g) > 0.05 {
			t.Errorf("at the minimum the derivative of weight %d is %v", i, g)
		}
	}
}
