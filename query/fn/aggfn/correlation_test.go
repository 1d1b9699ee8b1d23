package aggfn

import (
	"math"
	"testing"

	"parlance/query/fn"
	"parlance/storage/value"
)

// TestPairs compares with what PostgreSQL 15 gives.
func TestPairs(t *testing.T) {
	table, err := fn.NewTable(Functions)
	if err != nil {
		t.Fatal(err)
	}
	data := [][2]value.Value{{value.Int(1), value.Int(2)}, {value.Int(2), value.Int(3)}, {value.Int(9), {}}, {value.Int(4), value.Int(9)}}
	for name, want := range map[string]float64{"corr": 0.9798637100971994} {
		a := table.Aggregate(name).New()
		if v := a.Value(); !v.IsNull() {
			t.Errorf("%s of nothing is %v", name, v)
		}
		for _, d := range data {
			if err := a.Add([]value.Value{d[1], d[0]}); err != nil {
				t.Fatal(err)
			}
		}
		if got := a.Value().Float(); math.Abs(got-want) > 1e-14 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
}
