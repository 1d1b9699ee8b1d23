package agreement

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(t rapid.TB, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %.10f, want %.10f", what, got, want)
	}
}

func TestCorrelationsByHand(t *testing.T) {
	near(t, "pearson", Pearson([]float64{1, 2, 3}, []float64{1, 2, 4}), 0.9819805061)
	// Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4.
	near(t, "spearman with ties", Spearman([]float64{1, 5, 5, 9}, []float64{10, 20, 30, 40}), 0.9486832981)
	near(t, "spearman", Spearman([]float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 7}), 0.8207826817)
	near(t, "reversed", Spearman([]float64{1, 2, 3}, []float64{9, 4, 1}), -1)
	near(t, "constant", Pearson([]float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}), 0)
	near(t, "nothing", Pearson(nil, nil), 0)
	near(t, "far from 0", Pearson([]float64{1e9 + 1, 1e9 + 2, 1e9 + 3}, []float64{1, 2, 4}), 0.9819805061)
}

func TestKappaByHand(t *testing.T) {
	table := NewTable(2)
	for _, c := range []struct {
		a, b  int32
		times float64
	}{{0, 0, 20}, {0, 1, 5}, {1, 0, 10}, {1, 1, 15}} {
		table.Add(c.a, c.b, c.times)
	}
	near(t, "cohen", table.Kappa(), 0.4)
	near(t, "one label", Cohen([]int32{1, 1}, []int32{1, 1}, 2), 1)
	near(t, "nothing", Cohen(nil, nil, 3), 0)
	// The table of Fleiss as it is reprinted everywhere: 10 items, 14 raters, 5 labels.
	near(t, "fleiss", Fleiss([][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}}), 0.20993070442)
	near(t, "one rater", Fleiss([][]int{{1, 0}, {0, 1}}), 0)
}

// TestProperties: ranks add up, correlations are symmetric and lie between −1 and 1, and times count.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		x, y := make([]float64, n), make([]float64, n)
		a, b := make([]int32, n), make([]int32, n)
		var m, repeated Moments
		table, pairs := NewTable(4), [2][]int32{}
		for i := range x {
			x[i], y[i] = float64(rapid.IntRange(-3, 3).Draw(t, "x")), float64(rapid.IntRange(-3, 3).Draw(t, "y"))
			a[i], b[i] = int32(rapid.IntRange(0, 3).Draw(t, "a")), int32(rapid.IntRange(0, 3).Draw(t, "b"))
			times := rapid.IntRange(0, 3).Draw(t, "times")
			m.Add(x[i], y[i], float64(times))
			table.Add(a[i], b[i], float64(times))
			for range times {
				repeated.Add(x[i], y[i], 1)
				pairs[0], pairs[1] = append(pairs[0], a[i]), append(pairs[1], b[i])
			}
		}
		near(t, "repeated pairs", m.Correlation(), repeated.Correlation())
		near(t, "repeated labels", table.Kappa(), Cohen(pairs[0], pairs[1], 4))
		near(t, "other order of raters", Cohen(a, b, 4), Cohen(b, a, 4))
		near(t, "sum of ranks", Mean(Ranks(x))*float64(n), float64(n*(n+1))/2)
		if r := Spearman(x, y); r < -1 || r > 1 || r != Spearman(y, x) {
			t.Errorf("spearman is %v one way and %v the other", r, Spearman(y, x))
		}
		// With two raters Fleiss takes the mean of their distributions for chance.
		rows := make([][]int, n)
		for i := range rows {
			rows[i] = make([]int, 4)
			rows[i][a[i]]++
			rows[i][b[i]]++
		}
		near(t, "fleiss of two", Fleiss(rows), Cohen(append(a, b...), append(b, a...), 4))
	})
}
