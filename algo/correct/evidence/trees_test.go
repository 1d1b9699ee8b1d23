package evidence

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// tableOf is rows whose gold is an exclusive or of two inputs, with a third that tells nothing.
func tableOf(n int, seed uint64) *Table {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := &Table{Columns: make([][]float32, 3)}
	for range n {
		for f := range t.Columns {
			t.Columns[f] = append(t.Columns[f], float32(rng.IntN(9)))
		}
		i := len(t.Gold)
		t.Gold, t.Base = append(t.Gold, (t.Columns[0][i] > 4) != (t.Columns[1][i] > 2)), append(t.Base, rng.NormFloat64())
	}
	return t
}

func (t *Table) row(i int) (x []float32) {
	for _, c := range t.Columns {
		x = append(x, c[i])
	}
	return x
}

func (t *Table) loss(trees *Trees) (sum float64) {
	for i, gold := range t.Gold {
		p := Sigmoid(t.Base[i] + trees.Score(t.row(i)))
		if !gold {
			p = 1 - p
		}
		sum -= math.Log(p)
	}
	return sum / float64(len(t.Gold))
}

// TestTreesPart compares the first part of a tree with all that are possible.
func TestTreesPart(t *testing.T) {
	for seed := range uint64(20) {
		data := tableOf(40, seed)
		how := Growth{Trees: 1, Depth: 1, Rate: 1, L2: 1, Least: 2}
		trees, err := data.Grow(t.Context(), how, nil)
		if err != nil {
			t.Fatal(err)
		}
		side := func(use func(i int) bool) (gain, h, value float64) {
			g := 0.0
			for i, gold := range data.Gold {
				if use(i) {
					p := Sigmoid(data.Base[i])
					h += p * (1 - p)
					if g -= p; gold {
						g++
					}
				}
			}
			return g * g / (h + 1), h, g / (h + 1)
		}
		whole, _, alone := side(func(int) bool { return true })
		best, want := 1e-3, [2]float64{alone, alone}
		var part func(i int) bool
		for f := range data.Columns {
			for at := range 9 {
				below := func(i int) bool { return data.Columns[f][i] <= float32(at) }
				a, ha, va := side(below)
				b, hb, vb := side(func(i int) bool { return !below(i) })
				if a+b-whole > best+1e-12 && ha >= how.Least && hb >= how.Least {
					best, want, part = a+b-whole, [2]float64{va, vb}, below
				}
			}
		}
		for i := range data.Gold {
			value := want[0]
			if part != nil && !part(i) {
				value = want[1]
			}
			if got := trees.Score(data.row(i)); math.Abs(got-value) > 1e-9 {
				t.Fatalf("seed %d, row %d: %v, want %v", seed, i, got, value)
			}
		}
	}
}

// TestTreesLearn learns an exclusive or, which no sum of inputs tells, of the rows that are used.
func TestTreesLearn(t *testing.T) {
	data, held := tableOf(600, 1), tableOf(300, 2)
	how := Growth{Trees: 30, Depth: 2, Rate: 0.3, L2: 1, Least: 1}
	last := math.Inf(1)
	for _, n := range []int{0, 1, 5, 30} {
		how.Trees = n
		trees, err := data.Grow(t.Context(), how, nil)
		if err != nil {
			t.Fatal(err)
		}
		if loss := data.loss(trees); loss >= last {
			t.Errorf("%d trees: loss %v, with fewer %v", n, loss, last)
		} else {
			last = loss
		}
		if n == 30 && held.loss(trees) > 0.15 {
			t.Errorf("loss of other rows %v", held.loss(trees))
		}
	}
	half, err := data.Grow(t.Context(), how, func(i int) bool { return i < 300 })
	if err != nil {
		t.Fatal(err)
	}
	for i := range data.Gold[300:] {
		data.Gold[300+i] = !data.Gold[300+i]
	}
	again, err := data.Grow(t.Context(), how, func(i int) bool { return i < 300 })
	if err != nil || !reflect.DeepEqual(half, again) {
		t.Errorf("rows that are not used change the trees: %v", err)
	}
	b, err := json.Marshal(half)
	var read Trees
	if err == nil {
		err = json.Unmarshal(b, &read)
	}
	if err != nil || !reflect.DeepEqual(&read, half) || !half.Fits(3) || half.Fits(1) {
		t.Errorf("stored trees differ or do not fit: %v", err)
	}
}

func TestTreesBad(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tableOf(50, 3).Grow(ctx, Growth{Trees: 3, Depth: 2, Rate: 0.1, L2: 1, Least: 1}, nil); err == nil {
		t.Error("a training goes on that was stopped")
	}
	for _, bad := range []*Trees{
		{Roots: []int32{1}, Nodes: []TreeNode{{}}},
		{Roots: []int32{0}, Nodes: []TreeNode{{Left: 1}}},
		{Roots: []int32{0}, Nodes: []TreeNode{{}, {Left: 1}, {}}},
		{Roots: []int32{0}, Nodes: []TreeNode{{Input: 3, Left: 1}, {}, {}}},
		{Roots: []int32{-1}, Nodes: []TreeNode{{}}},
	} {
		if bad.Fits(3) {
			t.Errorf("%v fits", bad)
		}
	}
}
