package aggfn

import (
	"math"
	"testing"

	"parlance/query/fn"
	"parlance/storage/value"
)

// permuted calls f for each order of a list.
func permuted(list []float64, f func([]float64)) {
	var swap func(k int)
	swap = func(k int) {
		if k == len(list) {
			f(list)
			return
		}
		for i := k; i < len(list); i++ {
			list[k], list[i] = list[i], list[k]
			swap(k + 1)
			list[k], list[i] = list[i], list[k]
		}
	}
	swap(0)
}

// TestSumsInAnyOrder: what small numbers add to large ones is not lost, whatever the order and the signs.
func TestSumsInAnyOrder(t *testing.T) {
	table, err := fn.NewTable(Functions)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]float64{{1e100, 1, -1e100}, {-1e100, -1, 1e100}, {1e17, 3, -1e17, 0.5}, {2, -2, 0.25}} {
		want := 0.0
		for _, x := range list {
			if math.Abs(x) < 1e10 {
				want += x
			}
		}
		permuted(list, func(order []float64) {
			sum, comp := 0.0, 0.0
			for _, x := range order {
				sum, comp = AddCompensated(sum, comp, x)
			}
			if got := Compensated(sum, comp); got != want {
				t.Errorf("the sum of %v is %v, want %v", order, got, want)
			}
			for name, want := range map[string]float64{"sum": want, "avg": want / float64(len(order))} {
				a := table.Aggregate(name).New()
				for _, x := range order {
					if err := a.Add([]value.Value{value.Real(x)}); err != nil {
						t.Fatal(err)
					}
				}
				if got := a.Value().Float(); got != want {
					t.Errorf("%s of %v is %v, want %v", name, order, got, want)
				}
			}
		})
	}
	inf := math.Inf(1)
	for _, x := range []float64{inf, -inf} {
		sum, comp := AddCompensated(1, 0, x)
		if sum, comp = AddCompensated(sum, comp, 5); Compensated(sum, comp) != x {
			t.Errorf("with %v: %v", x, Compensated(sum, comp))
		}
	}
}

// TestWholeSumsAtTheirBounds: whole numbers are summed up to the ends of their range, and an error tells of what lies
// beyond.
func TestWholeSumsAtTheirBounds(t *testing.T) {
	table, err := fn.NewTable(Functions)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		list []int64
		want int64
		ok   bool
	}{
		{[]int64{math.MaxInt64 - 1, 1}, math.MaxInt64, true},
		{[]int64{math.MaxInt64, 0}, math.MaxInt64, true},
		{[]int64{math.MaxInt64, 1}, 0, false},
		{[]int64{math.MinInt64 + 1, -1}, math.MinInt64, true},
		{[]int64{math.MinInt64, 0}, math.MinInt64, true},
		{[]int64{math.MinInt64, -1}, 0, false},
		{[]int64{math.MinInt64, math.MaxInt64}, -1, true},
		{[]int64{0, math.MinInt64, math.MaxInt64, 1}, 0, true},
	} {
		a := table.Aggregate("sum").New()
		var err error
		for _, x := range test.list {
			if err == nil {
				err = a.Add([]value.Value{value.Int(x)})
			}
		}
		if (err == nil) != test.ok || test.ok && a.Value() != value.Int(test.want) {
			t.Errorf("the sum of %v is %v, %v; want %d, %t", test.list, a.Value(), err, test.want, test.ok)
		}
	}
}
