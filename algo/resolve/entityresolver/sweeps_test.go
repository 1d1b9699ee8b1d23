package entityresolver

import "testing"

// TestSweepRows: each sweep has the factors of its own, as it has proposals of its own; those of matrices, which are
// made before, stand with the first. The score is that of the state after a sweep.
func TestSweepRows(t *testing.T) {
	m := &model{}
	m.Info.Built = 100
	m.Info.Sweeps = []sweep{{Temperature: 3, Proposals: 10, Accepted: 4, Factors: 7, Gain: 1.5},
		{Temperature: 2, Proposals: 10, Accepted: 2, Factors: 5, Gain: -0.5}}
	want := [][2]float64{{107, 1.5}, {5, 1}}
	i := 0
	for row := range m.sweepRows() {
		if got := [2]float64{float64(row[4].Int()), row[5].Float()}; got != want[i] || row[0].Int() != int64(i+1) {
			t.Errorf("sweep %d: %v, want %v", i+1, got, want[i])
		}
		i++
	}
	if i != 2 {
		t.Errorf("%d rows", i)
	}
}
