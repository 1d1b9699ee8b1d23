package depparser

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
)

// TestPool: each place once, in the order in which places first come, with the sum of its coefficients.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var u update
		u.places[1] = rapid.SliceOf(rapid.Uint32Range(0, 40)).Draw(t, "places")
		rare := [tables][]bool{1: make([]bool, 41)}
		rare[1][7] = true
		want, order := map[uint32]float32{}, []uint32(nil)
		for _, p := range u.places[1] {
			c := rapid.Float64Range(-2, 2).Draw(t, "coefficient")
			u.coef[1] = append(u.coef[1], c)
			if p == 7 {
				continue
			}
			if _, ok := want[p]; !ok {
				order = append(order, p)
			}
			want[p] += float32(c)
		}
		u.pool(&rare)
		got, norm := map[uint32]float32{}, 0.0
		for j, p := range u.at[1] {
			got[p] = u.sums[1][j]
			norm += float64(u.sums[1][j]) * float64(u.sums[1][j])
		}
		if !slices.Equal(u.at[1], order) || !maps.Equal(got, want) || math.Abs(norm-u.norm) > 1e-5*(1+norm) {
			t.Fatalf("places %v, sums %v, norm %v; want %v, %v, %v", u.at[1], got, u.norm, order, want, norm)
		}
	})
}

// TestApplyShards: the weights are the same bits with any number of workers.
func TestApplyShards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var us [maxBatch]update
		for i := range us {
			us[i].places[0] = rapid.SliceOfN(rapid.Uint32Range(0, 1<<10-1), 0, 50).Draw(t, "places")
			for range us[i].places[0] {
				us[i].coef[0] = append(us[i].coef[0], rapid.Float64Range(-1, 1).Draw(t, "coefficient"))
			}
		}
		var one *table
		for workers := 1; workers <= 3; workers++ {
			l := &learner{tables: [tables]*table{newTable(10)}}
			for i := range us {
				us[i].pool(&l.rare)
			}
			l.apply(us[:], func(_ *gradient, norm float64) float64 { return min(0.01, 1/norm) }, make([]*worker, workers))
			if one == nil {
				one = l.tables[0]
			}
			if !slices.Equal(one.w, l.tables[0].w) || !slices.Equal(one.total, l.tables[0].total) {
				t.Fatalf("%d workers: other weights than one", workers)
			}
		}
	})
}

// TestBatchIterates: L-BFGS goes on until its iterations are done, and the objective falls.
func TestBatchIterates(t *testing.T) {
	m := configured(t, arg("factorization", "arc"), arg("objective", logLinear), arg("optimizer", "lbfgs"),
		arg("epochs", 5), arg("labels", noLabels))
	var values []float64
	tr := &kind.Training{On: kind.Documents(treed(kindtest.Sample(10))), Seed: 1, Workers: 1, Notice: func(string) {},
		Report: func(p kind.Progress) { values = append(values, p.Objective) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	if len(values) != 5 || !slices.IsSortedFunc(values, func(a, b float64) int { return cmp.Compare(b, a) }) {
		t.Errorf("objectives %v, want 5 that fall", values)
	}
}
