package transe

import (
	"context"
	"math"
	"testing"

	"parlance/algo/kb/triples"
)

// TestExplain: the parts of a score sum to it, and distances are those of the norm.
func TestExplain(t *testing.T) {
	for _, absolute := range []bool{true, false} {
		m := &model{vectors: vectors{dim: 2, absolute: absolute, EntityVectors: []float64{0, 0, 3, -4},
			RelationVectors: []float64{1, -1}}}
		m.Graph = &triples.Graph{Entities: triples.NewNames([]string{"a", "b"}), Relations: triples.NewNames([]string{"r"})}
		m.measure()
		for s := range int32(2) {
			for o := range int32(2) {
				x := triples.Triple{Subject: s, Object: o}
				list, err := m.Contributions(context.Background(), x)
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for _, c := range list {
					sum += c.Value * c.Weight
				}
				if math.Abs(sum-m.Score(x)) > 1e-12 {
					t.Errorf("%v scores %v, its parts sum to %v", x, m.Score(x), sum)
				}
			}
		}
		want := 5.0
		if absolute {
			want = 7
		}
		if got := m.Distance(0, 1); got != want {
			t.Errorf("distance %v, want %v", got, want)
		}
	}
}
