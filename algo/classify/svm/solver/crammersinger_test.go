package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// classed draws samples of some classes.
func classed(t *rapid.T, most int) (x *Rows, class []uint16, classes int) {
	x, _ = sample(t, most)
	classes = rapid.IntRange(2, 6).Draw(t, "classes")
	class = make([]uint16, x.Len())
	for i := range class {
		class[i] = uint16(rapid.IntRange(0, classes-1).Draw(t, "class"))
	}
	return x, class, classes
}

func score(x *Rows, w []float64, classes int, bias float64, i, c int) float64 {
	sum := bias * w[x.Width*classes+c]
	cols, vals := x.Row(i)
	for k, col := range cols {
		v := 1.0
		if vals != nil {
			v = float64(vals[k])
		}
		sum += v * w[int(col)*classes+c]
	}
	return sum
}

// TestCrammerSingerIsOptimal checks what a solution is: mass of C a sample, none below 0, weights that are those of
// the masses, mass on classes of the largest m alone, and a primal objective that is the dual one.
func TestCrammerSingerIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, class, classes := classed(t, 30)
		o := Linear{C: rapid.SampledFrom([]float64{.1, 1}).Draw(t, "c"), Bias: rapid.SampledFrom([]float64{0, 1}).Draw(t,
			"bias"), Epsilon: 1e-6, Iterations: 30000, Shrinking: rapid.Bool().Draw(t, "shrinking"), Seed: 1}
		r, err := o.CrammerSinger(background, x, class, classes, func(int, float64) {}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, len(r.Weights))
		primal, gap := 0.0, 0.0
		for i, y := range class {
			mass := r.Alpha[i*classes:][:classes]
			top, sum, at := math.Inf(-1), 0.0, 0.0
			for c, p := range mass {
				m := score(x, r.Weights, classes, o.Bias, i, c)
				if c != int(y) {
					m++
				}
				top, sum, at = max(top, m), sum+p, at+p*m
				move(x, w, classes, o.Bias, i, c, -p)
				if p < 0 {
					t.Fatalf("mass %v", p)
				}
			}
			move(x, w, classes, o.Bias, i, int(y), o.C)
			if math.Abs(sum-o.C) > 1e-9*o.C {
				t.Fatalf("mass of %v, want %v", sum, o.C)
			}
			for c, p := range mass {
				m := score(x, r.Weights, classes, o.Bias, i, c)
				if c != int(y) {
					m++
				}
				if p > 0 && m < top-1e-4 {
					t.Fatalf("mass %v on a class with m = %v, the largest is %v", p, m, top)
				}
			}
			primal += o.C * (top - score(x, r.Weights, classes, o.Bias, i, int(y)))
			gap += o.C*top - at
		}
		for j := range w {
			primal += .5 * r.Weights[j] * r.Weights[j]
			if math.Abs(w[j]-r.Weights[j]) > 1e-8*(1+o.C) {
				t.Fatalf("weight %v, that of the masses is %v", r.Weights[j], w[j])
			}
		}
		if math.Abs(primal-r.Dual) > 1e-4*(1+primal) || math.Abs(primal-r.Dual-gap) > 1e-7*(1+primal) {
			t.Fatalf("primal %v, dual %v, gap of the samples %v", primal, r.Dual, gap)
		}
	})
}

// move adds v·x to the weights of a class.
func move(x *Rows, w []float64, classes int, bias float64, i, c int, v float64) {
	w[x.Width*classes+c] += v * bias
	cols, vals := x.Row(i)
	for k, col := range cols {
		u := v
		if vals != nil {
			u *= float64(vals[k])
		}
		w[int(col)*classes+c] += u
	}
}

// TestSpreadIsTheBest compares the solution for one sample with that by sorting (Crammer and Singer
// 2001).
func TestSpreadIsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 9).Draw(t, "classes")
		width := rapid.IntRange(1, 9).Draw(t, "columns")
		row := make([]float32, width)
		for i := range row {
			row[i] = float32(rapid.IntRange(1, 6).Draw(t, "value")) / 3
		}
		o := Linear{C: rapid.Float64Range(1e-3, 100).Draw(t, "c"), Bias: 1}
		s := newJoint(o, dense([][]float32{row}), []uint16{0}, k)
		for j := range s.Weights {
			s.Weights[j] = rapid.Float64Range(-3, 3).Draw(t, "w")
		}
		left, mass := o.C, s.Mass
		for c := range k - 1 { // any masses to begin with
			mass[c] = left * rapid.SampledFrom([]float64{0, 0, .3, 1}).Draw(t, "share")
			left -= mass[c]
		}
		mass[k-1] = left
		s.meetAll(0)
		rest := make([]float64, k) // s_c
		for c := range rest {
			rest[c] = score(s.x, s.Weights, k, 1, 0, c) + s.square[0]*mass[c]
			if c != 0 {
				rest[c]++
			}
		}
		s.visit(0)
		sorted := slices.Clone(rest)
		slices.SortFunc(sorted, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
		level, sum := 0.0, -s.square[0]*o.C
		for n, v := range sorted {
			if n > 0 && v <= sum/float64(n) {
				break
			}
			sum += v
			level = sum / float64(n+1)
		}
		for c, p := range mass {
			if want := max(0, rest[c]-level) / s.square[0]; math.Abs(p-want) > 1e-9*(1+o.C) {
				t.Fatalf("mass %v of class %d, want %v", p, c, want)
			}
			if m := score(s.x, s.Weights, k, 1, 0, c); math.Abs(m+s.square[0]*p-rest[c]+sign01(c)) > 1e-8*(1+o.C) {
				t.Fatalf("the weights of class %d give %v with mass %v, want a sum of %v", c, m, p, rest[c])
			}
		}
	})
}

func sign01(c int) float64 {
	if c == 0 {
		return 0
	}
	return 1
}

// groups are binary samples of classes that overlap.
func groups(n, classes int) (*Rows, []uint16) {
	rng := rand.New(rand.NewPCG(6, 7))
	x, class := &Rows{Width: 200, Offsets: []uint32{0}}, make([]uint16, n)
	for i := range n {
		class[i] = uint16(rng.IntN(classes))
		for c := range uint32(200) {
			p := 0.02
			if int(c)%classes == int(class[i]) {
				p = 0.15
			}
			if rng.Float64() < p {
				x.Columns = append(x.Columns, c)
			}
		}
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
	}
	return x, class
}

// TestJointVisitsWhatMoves: with shrinking at most two thirds of the samples are visited, the answer is as good, and no
// sample violates the conditions by more than epsilon of its last visit.
func TestJointVisitsWhatMoves(t *testing.T) {
	x, class := groups(2000, 8)
	o := Linear{C: .3, Bias: 1, Epsilon: .01, Iterations: 1000, Seed: 1}
	none := func(int, float64) {}
	want, err := o.CrammerSinger(background, x, class, 8, none, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Shrinking = true
	got, err := o.CrammerSinger(background, x, class, 8, none, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the dual", got.Dual, want.Dual, 1e-4*want.Dual)
	if want.Visits != int64(want.Iterations*x.Len()) {
		t.Errorf("%d visits in %d passes over all", want.Visits, want.Iterations)
	}
	if !got.Converged || 3*got.Visits > 2*want.Visits {
		t.Errorf("%d visits, %d without shrinking", got.Visits, want.Visits)
	}
	violation := 0.0
	for i, y := range class {
		top, low := math.Inf(-1), math.Inf(1)
		for c := range 8 {
			m := score(x, got.Weights, 8, 1, i, c)
			if c != int(y) {
				m++
			}
			if top = max(top, m); got.Alpha[i*8+c] > 0 {
				low = min(low, m)
			}
		}
		violation = max(violation, top-low)
	}
	if violation > 3*o.Epsilon { // the last pass moves weights while it measures
		t.Errorf("violation %v", violation)
	}
}
