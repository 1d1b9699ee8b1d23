package significance

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// accuracy and F1 of the columns tp, fp, fn.
func scores(s, out []float64) {
	out[0] = over(s[0], s[0]+s[1])
	out[1] = over(2*s[0], 2*s[0]+s[1]+s[2])
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func table(rows [][]float64) *Counts {
	c := NewCounts(3)
	for _, r := range rows {
		c.Add(r)
	}
	return c
}

func drawRows(t *rapid.T, n int, name string) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		for range 3 {
			rows[i] = append(rows[i], float64(rapid.IntRange(0, 3).Draw(t, name)))
		}
	}
	return rows
}

// enumerate counts the ways to swap units that give a difference as large as the observed one.
func enumerate(a, b [][]float64) []float64 {
	difference := func(mask int) []float64 {
		var sa, sb [3]float64
		for i := range a {
			x, y := a[i], b[i]
			if mask>>i&1 == 1 {
				x, y = y, x
			}
			for k := range sa {
				sa[k] += x[k]
				sb[k] += y[k]
			}
		}
		u, v := make([]float64, 2), make([]float64, 2)
		scores(sa[:], u)
		scores(sb[:], v)
		return []float64{math.Abs(u[0] - v[0]), math.Abs(u[1] - v[1])}
	}
	observed := difference(0)
	p := make([]float64, 2)
	for mask := range 1 << len(a) {
		for k, d := range difference(mask) {
			if d >= observed[k]-1e-12 {
				p[k] += 1 / float64(int(1)<<len(a))
			}
		}
	}
	return p
}

func TestRandomisationEnumerates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "units")
		a, b := drawRows(t, n, "a"), drawRows(t, n, "b")
		got, err := Randomisation(context.Background(), table(a), table(b), 2, scores, Draws{N: 256, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range enumerate(a, b) {
			if math.Abs(got[k]-want) > 1e-9 {
				t.Fatalf("p of score %d is %v, want %v", k, got[k], want)
			}
		}
	})
}

// TestRandomisationSamples compares sampled p with that of all swaps of 12 units.
func TestRandomisationSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var a, b [][]float64
	for range 12 {
		a = append(a, []float64{float64(2 + rng.IntN(3)), float64(rng.IntN(2)), float64(rng.IntN(2))})
		b = append(b, []float64{float64(1 + rng.IntN(3)), float64(rng.IntN(3)), float64(rng.IntN(3))})
	}
	const n = 4000 // fewer than 2¹² = 4096
	got, err := Randomisation(context.Background(), table(a), table(b), 2, scores, Draws{N: n, Seed: 7, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range enumerate(a, b) {
		if sd := math.Sqrt(want * (1 - want) / n); math.Abs(got[k]-want) > 4*sd+1.0/n {
			t.Errorf("p of score %d is %v, want %v ± %v", k, got[k], want, sd)
		}
	}
}

// TestRandomisationLevel checks that of systems that differ by chance alone a share of p lies
// below p.
func TestRandomisationLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const trials = 400
	below := 0
	for trial := range trials {
		var a, b [][]float64
		for range 100 {
			x, y := float64(rng.IntN(2)), float64(rng.IntN(2))
			a, b = append(a, []float64{x, 1 - x, 0}), append(b, []float64{y, 1 - y, 0})
		}
		p, err := Randomisation(context.Background(), table(a), table(b), 2, scores,
			Draws{N: 200, Seed: uint64(trial), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if p[0] <= 0.1 {
			below++
		}
	}
	if share := float64(below) / trials; share > 0.15 || share < 0.03 {
		t.Errorf("p ≤ 0.1 in %v of the trials", share)
	}
}

func TestSmallestP(t *testing.T) {
	var a, b [][]float64
	for range 50 {
		a, b = append(a, []float64{1, 0, 0}), append(b, []float64{0, 1, 1})
	}
	p, err := Randomisation(context.Background(), table(a), table(b), 2, scores, Draws{N: 999, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p[0] != 0.001 {
		t.Errorf("p is %v, want 1/1000 of 999 shuffles", p[0])
	}
}

func TestBootstrapOfConstant(t *testing.T) {
	var rows [][]float64
	for range 30 {
		rows = append(rows, []float64{3, 1, 1})
	}
	got, err := Bootstrap(context.Background(), table(rows), 2, scores, 0.95, Draws{N: 100, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Interval{0.75, 0.75}); got[0] != want || got[1] != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestBootstrapOfTwo has two units: the score of a resample is 0, ½ or 1 with probability ¼, ½, ¼.
func TestBootstrapOfTwo(t *testing.T) {
	c := table([][]float64{{1, 0, 0}, {0, 1, 0}})
	for _, k := range []struct {
		confidence float64
		want       Interval
	}{{0.4, Interval{0.5, 0.5}}, {0.6, Interval{0, 1}}} {
		got, err := Bootstrap(context.Background(), c, 2, scores, k.confidence, Draws{N: 4000, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got[0] != k.want {
			t.Errorf("at %v: %v, want %v", k.confidence, got[0], k.want)
		}
	}
}

func TestBootstrapWithoutUnits(t *testing.T) {
	got, err := Bootstrap(context.Background(), table(nil), 2, scores, 0.95, Draws{N: 10, Workers: 1})
	if err != nil || got[0] != (Interval{}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestWorkersAndBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var a, b [][]float64
	for range 100 {
		a = append(a, []float64{float64(rng.IntN(4)), float64(rng.IntN(3)), float64(rng.IntN(3))})
		b = append(b, []float64{float64(rng.IntN(4)), float64(rng.IntN(3)), float64(rng.IntN(3))})
	}
	run := func(workers int, seed uint64) []Interval {
		d := Draws{N: 300, Seed: seed, Workers: workers}
		intervals, err := Bootstrap(context.Background(), table(a), 2, scores, 0.9, d)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Randomisation(context.Background(), table(a), table(b), 2, scores, d)
		if err != nil {
			t.Fatal(err)
		}
		return append(intervals, Interval{p[0], p[1]})
	}
	one := run(1, 1)
	for _, workers := range []int{2, 3, 16, 1000} {
		if got := run(workers, 1); !slices.Equal(got, one) {
			t.Errorf("%d workers: %v, one: %v", workers, got, one)
		}
	}
	if slices.Equal(run(1, 2), one) {
		t.Error("another seed gives the same draws")
	}
	c := table(a)
	many := func(s, out []float64) {
		for k := range out {
			out[k] = s[0] + float64(k)
		}
	}
	// So many scores that they are computed in three blocks.
	n := blockCells/1000*2 + 1
	got, err := Bootstrap(context.Background(), c, n, many, 0.9, Draws{N: 1000, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for k := range got {
		if got[k].Low != got[0].Low+float64(k) || got[k].High != got[0].High+float64(k) {
			t.Fatalf("score %d: %v, the first %v", k, got[k], got[0])
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := table([][]float64{{1, 0, 0}, {0, 1, 0}})
	if _, err := Bootstrap(ctx, c, 2, scores, 0.9, Draws{N: 100, Workers: 2}); err == nil {
		t.Error("a bootstrap goes on")
	}
	if _, err := Randomisation(ctx, c, c, 2, scores, Draws{N: 100, Workers: 2}); err == nil {
		t.Error("a randomisation goes on")
	}
}

// TestMcNemar compares with binomial sums of exact integers, and with the worked 2·56/1024 of
// 2 against 8.
func TestMcNemar(t *testing.T) {
	if p := McNemar(8, 2); math.Abs(p-0.109375) > 1e-15 {
		t.Errorf("8 against 2 has p %v, want 0.109375", p)
	}
	for n := range 60 {
		sum := new(big.Int)
		for k := 0; 2*k <= n; k++ {
			sum.Add(sum, new(big.Int).Binomial(int64(n), int64(k)))
			want, _ := new(big.Rat).SetFrac(new(big.Int).Lsh(sum, 1), new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
			want = min(1, want)
			for _, got := range []float64{McNemar(k, n-k), McNemar(n-k, k)} {
				if math.Abs(got-want) > 1e-13*want {
					t.Fatalf("%d of %d has p %v, want %v", k, n, got, want)
				}
			}
		}
	}
	if p := McNemar(1000000, 0); p != 0 {
		t.Errorf("p %v", p)
	}
}

func BenchmarkBootstrap(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := NewCounts(60)
	row := make([]float64, 60)
	for range 14000 {
		clear(row)
		for range 10 {
			row[rng.IntN(60)]++
		}
		c.Add(row)
	}
	for b.Loop() {
		if _, err := Bootstrap(context.Background(), c, 2, scores, 0.95, Draws{N: 1000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRandomisationIsMcNemar compares both tests where they coincide: units of one item that is
// right or wrong.
func TestRandomisationIsMcNemar(t *testing.T) {
	for onlyA := range 7 {
		for onlyB := range 6 {
			var a, b [][]float64
			add := func(n int, x, y float64) {
				for range n {
					a, b = append(a, []float64{x, 1 - x, 0}), append(b, []float64{y, 1 - y, 0})
				}
			}
			add(20, 1, 1)
			add(onlyA, 1, 0)
			add(onlyB, 0, 1)
			add(3, 0, 0)
			got, err := Randomisation(context.Background(), table(a), table(b), 2, scores, Draws{N: 1 << 12, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if want := McNemar(onlyA, onlyB); math.Abs(got[0]-want) > 1e-12 {
				t.Errorf("%d against %d: %v, McNemar %v", onlyA, onlyB, got[0], want)
			}
		}
	}
}

func BenchmarkRandomisation(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := NewCounts(60), NewCounts(60)
	row := make([]float64, 60)
	for i := range 14000 {
		clear(row)
		for range 10 {
			row[rng.IntN(60)]++
		}
		x.Add(row)
		if i%5 == 0 { // systems that differ in a fifth of the units, by two counts
			row[rng.IntN(60)]++
			row[rng.IntN(60)]++
		}
		y.Add(row)
	}
	for b.Loop() {
		if _, err := Randomisation(context.Background(), x, y, 2, scores, Draws{N: 10000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
