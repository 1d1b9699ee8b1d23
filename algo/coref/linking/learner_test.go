package linking

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dot is the gradient by two weights whose features are those of two candidates.
func worked(g float64, gold []bool) (loss float64, grad []float64) {
	r := Ranking{Temperature: g, FalseLink: 1, MissedLink: 1, WrongLink: 1}
	grad = make([]float64, 2)
	loss = r.Gradient([]float64{.5, .2}, gold, grad)
	return loss, grad
}

func TestWorkedGradients(t *testing.T) {
	for _, c := range []struct {
		gold       []bool
		g          float64
		loss, x, y float64
	}{
		{[]bool{true, false}, 1, 1.539546, -.785522, .431906},
		{[]bool{true, false}, .2, .767020, -.978401, .715268},
		{[]bool{true, false}, 0, .7, -1, 1},
		{[]bool{true, true}, 1, .666339, -.279417, -.206997},
		{[]bool{true, true}, 0, .5, -1, 0},
		{[]bool{false, false}, 1, 2.174957, .509178, .377209},
		{[]bool{false, false}, 0, 1.5, 1, 0},
	} {
		loss, grad := worked(c.g, c.gold)
		near(t, "loss", loss, c.loss)
		near(t, "first", grad[0], c.x)
		near(t, "second", grad[1], c.y)
	}
}

func randomGold(r *rand.Rand, n int) []bool {
	gold := make([]bool, n)
	for j := range gold {
		gold[j] = r.IntN(3) == 0
	}
	return gold
}

func TestGradientsByDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, g := range []float64{0, .1, .5, 1} {
		rank := Ranking{Temperature: g, FalseLink: .5, MissedLink: 2, WrongLink: 1}
		for range 30 {
			row := make([]float64, 1+r.IntN(5))
			for j := range row {
				row[j] = r.NormFloat64()
			}
			gold, coef := randomGold(r, len(row)), make([]float64, len(row))
			if loss := rank.Gradient(row, gold, coef); loss < 0 {
				t.Fatalf("loss %v", loss)
			}
			for j := range row {
				const h = 1e-6
				at := func(d float64) float64 {
					moved := slices.Clone(row)
					moved[j] += d
					return rank.Gradient(moved, gold, make([]float64, len(row)))
				}
				near(t, "derivative", coef[j], (at(h)-at(-h))/(2*h))
			}
		}
	}
}

func TestColdLossIsTheHinge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		row := make([]float64, 1+r.IntN(5))
		for j := range row {
			row[j] = r.NormFloat64()
		}
		gold, coef := randomGold(r, len(row)), make([]float64, len(row))
		hot := Ranking{Temperature: .01, FalseLink: 1, MissedLink: 1, WrongLink: 1}
		cold := hot
		cold.Temperature = 0
		a, b := hot.Gradient(row, gold, coef), cold.Gradient(row, gold, coef)
		if d := math.Abs(a - b); d > .01*math.Log(float64(len(row)+1))+1e-12 {
			t.Errorf("the losses differ by %v", d)
		}
	}
}

// TestPerceptronUpdates follows algorithm 1 of Chang et al. (2012) on three mentions of one cluster: features name
// match, pronoun agrees, name after pronoun, and neighbours.
func TestPerceptronUpdates(t *testing.T) {
	const a, b, c, near = 0, 1, 2, 3
	train := func(w []float64, features map[[2]int][]int, passes int) {
		rank := Ranking{FalseLink: 1, MissedLink: 1, WrongLink: 1}
		for range passes {
			for i := range 3 {
				row, gold := make([]float64, i), make([]bool, i)
				for j := range i {
					for _, f := range features[[2]int{j, i}] {
						row[j] += w[f]
					}
					gold[j] = true
				}
				coef := make([]float64, i)
				rank.Gradient(row, gold, coef)
				for j := range i {
					for _, f := range features[[2]int{j, i}] {
						w[f] -= coef[j]
					}
				}
			}
		}
	}
	w := []float64{.2, .3, .1, 0}
	features := map[[2]int][]int{{0, 1}: {b}, {0, 2}: {a}, {1, 2}: {c}}
	for range 2 {
		train(w, features, 1)
		if !slices.Equal(w, []float64{1.2, 1.3, .1, 0}) {
			t.Fatalf("weights %v", w)
		}
	}
	w = make([]float64, 4)
	train(w, map[[2]int][]int{{0, 1}: {b, near}, {0, 2}: {a}, {1, 2}: {c, near}}, 1)
	if !slices.Equal(w, []float64{0, 1, 1, 2}) {
		t.Errorf("from nothing: weights %v", w)
	}
}

func TestBoundTouchesTheLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rank := Ranking{FalseLink: 1, MissedLink: 1.5, WrongLink: 1}
	for range 100 {
		n := 1 + r.IntN(5)
		row, other := make([]float64, n), make([]float64, n)
		for j := range row {
			row[j], other[j] = r.NormFloat64(), r.NormFloat64()
		}
		gold, coef := randomGold(r, n), make([]float64, n)
		right := Completion(row, gold)
		near(t, "bound", rank.Bound(row, gold, right, coef), rank.Gradient(row, gold, make([]float64, n)))
		if rank.Bound(other, gold, right, coef) < rank.Gradient(other, gold, make([]float64, n))-1e-12 {
			t.Error("the bound is below the loss")
		}
	}
}

func TestWorkedSurrogates(t *testing.T) {
	x := tableOf(4, .3, .6, .1, .2, .4, .45) // 01, 02, 12, 03, 13, 23
	one := []int32{0, 0, 0, 0}
	for _, c := range []struct {
		step Step
		want []uint8
	}{{StepTree, []uint8{0, 1, 0, 0, 1, 1}}, {StepGold, []uint8{1, 1, 1, 1, 1, 1}},
		{StepStrict, []uint8{0, 1, 0, 0, 1, 1}}} {
		got := make([]uint8, 6)
		if err := Surrogate(context.Background(), x, one, c.step, .5, got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v %v", c.step, got, err)
		}
	}
	y, gold := tableOf(3, .8, .2, .7), []int32{0, 1, 0} // 01, 02, 12
	for step, want := range map[Step][]uint8{StepTree: {0, 0, 0}, StepGold: {0, 0, 0}, StepStrict: {0, 1, 0},
		StepDrop: {0, 2, 0}} {
		got := make([]uint8, 3)
		if err := Surrogate(context.Background(), y, gold, step, .5, got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v", step, got, err)
		}
	}
	if err := Surrogate(context.Background(), y, gold, "soft", .5, make([]uint8, 3)); err == nil {
		t.Error("an unknown step is taken")
	}
}

// closure of labels of pairs.
func closure(x *Table, y []uint8) []int32 {
	t := NewTable(x.Len(), 0)
	for p := range t.Score {
		t.Score[p] = float64(y[p])
	}
	labels, _ := Closed(context.Background(), t, .5)
	return labels
}

func sameClusters(a, b []int32) bool {
	for i := range a {
		for j := range i {
			if (a[i] == a[j]) != (b[i] == b[j]) {
				return false
			}
		}
	}
	return true
}

func TestSurrogatesAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		n := 2 + r.IntN(3)
		x, gold := NewTable(n, 0), make([]int32, n)
		for p := range x.Score {
			x.Score[p] = .01 + .98*r.Float64()
		}
		for i := range gold {
			gold[i] = int32(r.IntN(3))
		}
		likelihood := func(y []uint8) (sum float64) {
			for p, v := range y {
				if v == Yes {
					sum += math.Log(x.Score[p])
				} else {
					sum += math.Log(1 - x.Score[p])
				}
			}
			return sum
		}
		best, y := math.Inf(-1), make([]uint8, len(x.Score))
		for bits := range 1 << len(y) {
			for p := range y {
				y[p] = uint8(bits >> p & 1)
			}
			if sameClusters(closure(x, y), gold) {
				best = max(best, likelihood(y))
			}
		}
		if err := Surrogate(context.Background(), x, gold, StepStrict, .5, y); err != nil || !sameClusters(closure(x, y),
			gold) {
			t.Fatalf("strict: %v", err)
		}
		near(t, "strict", likelihood(y), best)
		crosses := false
		closed, _ := Closed(context.Background(), x, .5)
		for i := range n {
			for j := range i {
				crosses = crosses || x.At(j, i) > .5 && gold[i] != gold[j]
			}
		}
		for _, step := range []Step{StepTree, StepGold} {
			if err := Surrogate(context.Background(), x, gold, step, .5, y); err != nil {
				t.Fatal(err)
			}
			if !crosses && !sameClusters(closure(x, y), gold) {
				t.Errorf("%s: closure of %v is not %v", step, y, gold)
			}
			if sameClusters(closed, gold) {
				for p := range y {
					if (y[p] == Yes) != (x.Score[p] > .5) {
						t.Errorf("%s changes labels whose closure is right", step)
					}
				}
			}
		}
	}
}

// fit minimises the loss of pairs of one feature that is always 1, with the prior w²/2, by bisection of its derivative.
func fit(positives, negatives int, form Form, beta float64) float64 {
	low, high := -10.0, 10.0
	for range 100 {
		w := (low + high) / 2
		_, p := PairLoss(w, true, form, beta)
		_, n := PairLoss(w, false, FormWeight, 1)
		if float64(positives)*p+float64(negatives)*n+w > 0 {
			high = w
		} else {
			low = w
		}
	}
	return low
}

func TestBiasedPotentials(t *testing.T) {
	for _, c := range []struct {
		positives, negatives int
		form                 Form
		beta, want           float64
	}{{3, 1, FormWeight, 1, .505240}, {3, 1, FormWeight, 1.5, .756608}, {3, 1, FormWeight, 3, 1.241591},
		{3, 1, FormMargin, 1.5, .655345}, {3, 1, FormMargin, 3, .919262}, {3, 1, FormLiteral, 1.5, .505240},
		{3, 1, FormLiteral, 3, .505240},
		{2, 3, FormWeight, 1, -.222731}, {2, 3, FormWeight, 1.5, 0}, {2, 3, FormWeight, 3, .467300}} {
		near(t, string(c.form), fit(c.positives, c.negatives, c.form, c.beta), c.want)
	}
	_, plain := PairLoss(.5, true, FormWeight, 1)
	_, weight := PairLoss(.5, true, FormWeight, 3)
	margin, steep := PairLoss(.5, true, FormMargin, 3)
	near(t, "plain", plain, -.377541)
	near(t, "weight", weight, -1.132622)
	near(t, "margin", steep, -.645339)
	near(t, "margin", math.Exp(-margin), .354661)
	// The printed form: β multiplies both potentials of the pair.
	literal, _ := PairLoss(.5, true, FormLiteral, 3)
	near(t, "literal", math.Exp(-literal), 3*math.Exp(.5)/(3*math.Exp(.5)+3))
	for _, f := range []Form{FormWeight, FormMargin, FormLiteral} {
		for _, yes := range []bool{true, false} {
			const h = 1e-6
			_, d := PairLoss(.3, yes, f, 2)
			up, _ := PairLoss(.3+h, yes, f, 2)
			down, _ := PairLoss(.3-h, yes, f, 2)
			near(t, "derivative", d, (up-down)/(2*h))
		}
	}
}
