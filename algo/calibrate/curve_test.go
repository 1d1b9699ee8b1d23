package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// draw makes rows of few different probabilities, so that some tie.
func draw(rng *rand.Rand, n int) []row {
	rows := make([]row, n)
	for i := range rows {
		p := float64(rng.IntN(6)) / 5
		rows[i] = row{p, rng.Float64() < p*p}
	}
	return rows
}

// best is the least sum of squares of rising steps over runs of blocks, by trying every division into runs.
func best(blocks []block) float64 {
	least := math.Inf(1)
	for cuts := range 1 << (len(blocks) - 1) {
		sum, last, rising := 0.0, -1.0, true
		for from := 0; from < len(blocks); {
			to, b := from, block{}
			for to == from || to < len(blocks) && cuts>>(to-1)&1 == 0 {
				b.n, b.right = b.n+blocks[to].n, b.right+blocks[to].right
				to++
			}
			mean := b.right / b.n
			rising = rising && mean >= last
			sum, last, from = sum+squares(blocks[from:to], mean), mean, to
		}
		if rising {
			least = min(least, sum)
		}
	}
	return least
}

// squares is Σ (y − v)² over the rows of blocks.
func squares(blocks []block, v float64) (sum float64) {
	for _, b := range blocks {
		sum += b.right*(1-v)*(1-v) + (b.n-b.right)*v*v
	}
	return sum
}

func TestPoolIsTheLeastOfAllRisingSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		blocks := make([]block, 1+rng.IntN(9))
		for i := range blocks {
			n := float64(1 + rng.IntN(4))
			blocks[i] = block{n: n, x: n * float64(i), right: float64(rng.IntN(int(n) + 1))}
		}
		got, at := 0.0, 0
		for _, p := range pool(slices.Clone(blocks)) {
			from, n := at, 0.0
			for n < p.n {
				n += blocks[at].n
				at++
			}
			got += squares(blocks[from:at], p.right/p.n)
		}
		if want := best(blocks); at != len(blocks) || math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v: %v squares over %d blocks, the least is %v", blocks, got, at, want)
		}
	}
}

func TestCurveRisesWithinBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		rows := draw(rng, 1+rng.IntN(40))
		c := isotonic(rows)
		if !c.sound() {
			t.Fatalf("%v of %v", c, rows)
		}
		last := 0.0
		for i := range 201 {
			y := c.at(float64(i) / 200)
			if !(y >= last && y <= 1) || y == 0 || y == 1 {
				t.Fatalf("%v at %v after %v: of a few rows nothing is certain", y, float64(i)/200, last)
			}
			last = y
		}
	}
}

// TestCurveKeepsMeans: the curve of many rows gives each bin the share that is right.
func TestCurveKeepsMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var rows []row
	for range 20000 {
		p := rng.Float64()
		rows = append(rows, row{p, rng.Float64() < p*p})
	}
	c := isotonic(rows)
	for _, p := range []float64{0.2, 0.5, 0.8, 0.95} {
		if y := c.at(p); math.Abs(y-p*p) > 0.04 {
			t.Errorf("%v of rows with %v are right, the curve says %v", p*p, p, y)
		}
	}
}

func TestTemperatureIsTheBestOfAGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		rows := make([]row, 300)
		flat := math.Exp(rng.NormFloat64())
		for i := range rows {
			p := rng.Float64()
			rows[i] = row{p, rng.Float64() < soften(p, flat)}
		}
		loss := func(x float64) float64 {
			return logLoss(rows, func(p float64) float64 { return soften(p, math.Exp(x)) })
		}
		at, err := lowest(func(x float64) (float64, error) { return loss(x), nil })
		if err != nil {
			t.Fatal(err)
		}
		found := loss(at)
		for k := -120; k <= 120; k++ {
			if x := float64(k) / 20; loss(x) < found-1e-2 {
				t.Fatalf("ln T %v has loss %v, found was %v with %v", x, loss(x), at, found)
			}
		}
	}
}

func TestSoften(t *testing.T) {
	for _, T := range []float64{math.Exp(-span), 0.3, 1, 4, math.Exp(span)} {
		last := 0.0
		for i := range 1001 {
			p := soften(float64(i)/1000, T)
			if !(p >= last && p <= 1) {
				t.Fatalf("T %v: %v after %v", T, p, last)
			}
			last = p
		}
		if soften(0, T) != 0 || soften(1, T) != 1 || math.Abs(soften(0.5, T)-0.5) > 1e-15 {
			t.Errorf("T %v moves 0, ½ or 1", T)
		}
	}
	if p := soften(0.9, 2); math.Abs(p-0.75) > 1e-12 { // odds 9 become 3
		t.Errorf("0.9 at temperature 2 is %v", p)
	}
	for _, c := range []curve{{}, {X: []float64{0.1}, Y: []float64{2}}, {X: []float64{0.2, 0.1}, Y: []float64{0, 1}},
		{X: []float64{0.1, 0.2}, Y: []float64{1, 0}}, {X: []float64{math.NaN()}, Y: []float64{0}}} {
		if c.sound() {
			t.Errorf("%v passes", c)
		}
	}
}
