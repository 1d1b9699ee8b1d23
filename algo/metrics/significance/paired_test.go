package significance

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func close9(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// TestSignByHand: 8 of 10 differences that are no ties are positive, 2·(1+10+45)/1024.
func TestSignByHand(t *testing.T) {
	p, above, below := Sign([]float64{1, 1, 1, 1, 1, 1, 1, 1, -1, -1, 0, 0, 1e-14})
	close9(t, "p", p, 112.0/1024)
	if above != 8 || below != 2 {
		t.Errorf("%d above and %d below", above, below)
	}
	p, _, _ = Sign(nil)
	close9(t, "p of nothing", p, 1)
}

// TestStudent compares with closed forms: 1 degree of freedom is Cauchy's distribution, 2 have
// p = 1 − |t|/√(2+t²), many are all but normal; and with the tables.
func TestStudent(t *testing.T) {
	for _, x := range []float64{0, 0.1, 0.5, 1, 2.5, 12.706, 300, -3} {
		close9(t, "df 1", StudentT(x, 1), 1-2/math.Pi*math.Atan(math.Abs(x)))
		close9(t, "df 2", StudentT(x, 2), 1-math.Abs(x)/math.Sqrt(2+x*x))
		if p := StudentT(x, 1e7); math.Abs(p-math.Erfc(math.Abs(x)/math.Sqrt2)) > 1e-6 {
			t.Errorf("t %v with many degrees of freedom has p %v", x, p)
		}
	}
	if p := StudentT(2.228138852, 10); math.Abs(p-0.05) > 1e-9 {
		t.Errorf("the 5%% point of 10 degrees of freedom has p %v", p)
	}
}

// TestPairedTByHand: differences 1, 2, 3, 4 have mean 2.5, s² = 5/3 and t = 2.5/√(5/12).
func TestPairedTByHand(t *testing.T) {
	x, p := PairedT([]float64{1, 2, 3, 4})
	close9(t, "t", x, 2.5/math.Sqrt(5.0/12))
	close9(t, "p", p, 0.030466291662)
	for _, c := range []struct {
		list []float64
		want float64
	}{{nil, 1}, {[]float64{3}, 1}, {[]float64{0, 0, 0}, 1}, {[]float64{2, 2, 2}, 0}, {[]float64{1, -1}, 1}} {
		_, p := PairedT(c.list)
		close9(t, "p", p, c.want)
	}
}

// TestTestsHoldTheirLevel draws differences without any effect: p ≤ 0.05 must come up about so often.
func TestTestsHoldTheirLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const rounds = 4000
	sign, student := 0, 0
	for range rounds {
		d := make([]float64, 25)
		for i := range d {
			d[i] = rng.NormFloat64()
		}
		if p, _, _ := Sign(d); p <= 0.05 {
			sign++
		}
		if _, p := PairedT(d); p <= 0.05 {
			student++
		}
	}
	// The exact test of 25 signs has the level 0.0433.
	if math.Abs(float64(sign)/rounds-0.0433) > 0.012 || math.Abs(float64(student)/rounds-0.05) > 0.012 {
		t.Errorf("%d and %d of %d are significant at 5%%", sign, student, rounds)
	}
}

// TestUnitsLikeSums: scores of sums come out the same when they are computed from units.
func TestUnitsLikeSums(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "units")
		a, b := drawRows(t, n, "a"), drawRows(t, n, "b")
		weighted := func() Weighted {
			return func(times, out []float64) {
				var sums [3]float64
				for i, x := range times {
					for k := range sums {
						sums[k] += x * a[i][k]
					}
				}
				scores(sums[:], out)
			}
		}
		d := Draws{N: 50, Seed: 3, Workers: rapid.IntRange(1, 4).Draw(t, "workers")}
		want, err := Bootstrap(ctx, table(a), 2, scores, 0.9, Draws{N: 50, Seed: 3, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, err := BootstrapUnits(ctx, n, 2, weighted, 0.9, d)
		if err != nil || got[0] != want[0] || got[1] != want[1] {
			t.Fatalf("intervals %v by units and %v by sums (%v)", got, want, err)
		}
		d.N = 1 << n
		all := enumerate(a, b)
		p, err := RandomisationUnits(ctx, n, func() Swapped {
			return func(swap []bool) (float64, float64) {
				var sa, sb [3]float64
				for i, s := range swap {
					x, y := a[i], b[i]
					if s {
						x, y = y, x
					}
					for k := range sa {
						sa[k] += x[k]
						sb[k] += y[k]
					}
				}
				var u, v [2]float64
				scores(sa[:], u[:])
				scores(sb[:], v[:])
				return u[1], v[1]
			}
		}, d)
		if err != nil || math.Abs(p-all[1]) > 1e-12 {
			t.Fatalf("p is %v, want %v (%v)", p, all[1], err)
		}
	})
}
