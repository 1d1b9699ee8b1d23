package linking

import (
	"context"
	"math"
	"slices"
	"testing"

	"parlance/algo/engine/partition"
)

// TestForestWithHardRules: an infinite weight counts as the greatest finite one, on either side, so that values stay
// numbers and opposite rules cancel each other.
func TestForestWithHardRules(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		rules  []Rule
		labels []int32
		weight float64
	}{
		{"forced", []Rule{{A: 0, B: 1, Weight: inf}}, []int32{0, 0, 1}, hard - 2},
		{"forbidden", []Rule{{A: 0, B: 2, Weight: -inf}}, []int32{0, 1, 2}, 0},
		{"both", []Rule{{A: 0, B: 1, Weight: inf}, {A: 0, B: 1, Weight: -inf}}, []int32{0, 1, 2}, 0},
		{"both and a soft one", []Rule{{A: 0, B: 1, Weight: -inf}, {A: 0, B: 1, Weight: inf}, {A: 0, B: 1, Weight: 5}},
			[]int32{0, 0, 1}, 3},
		{"beyond", []Rule{{A: 0, B: 1, Weight: 4 * hard}}, []int32{0, 0, 1}, hard - 2},
		{"soft", []Rule{{A: 0, B: 1, Weight: 3}}, []int32{0, 0, 1}, 1},
	} {
		x := NewTable(3, 0)
		copy(x.Score, []float64{-2, -2, -2})
		labels, weight, err := SpanningForest(context.Background(), x, NewRules(c.rules))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(labels, c.labels) || math.Abs(weight-c.weight) > 1e-6 {
			t.Errorf("%s: %v with %v, want %v with %v", c.name, labels, weight, c.labels, c.weight)
		}
	}
}

// TestSpanningJoinsAll: the best forest inside gold clusters joins what is connected, however low the scores.
func TestSpanningJoinsAll(t *testing.T) {
	f, err := spanning(context.Background(), 4,
		[]partition.Edge{{A: 0, B: 1, Weight: -5}, {A: 1, B: 2, Weight: -7}, {A: 0, B: 2, Weight: -9}})
	if err != nil || f.Weight != -12 || !slices.Equal(f.Labels, []int32{0, 0, 0, 1}) {
		t.Errorf("%v with %v, %v", f.Labels, f.Weight, err)
	}
}
