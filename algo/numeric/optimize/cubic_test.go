package optimize

import (
	"context"
	"math"
	"testing"
)

// valley is t³ − 3t, whose only minimum is at 1.
func valley(t float64) mark { return mark{step: t, value: t*t*t - 3*t, slope: 3*t*t - 3} }

// TestCubicMeetsTheMinimum: through two marks of a cubic goes this cubic alone, in whatever order they come.
func TestCubicMeetsTheMinimum(t *testing.T) {
	for _, ends := range [][2]float64{{0, 3}, {0, 0.5}, {-0.5, 2}, {0.9, 1.1}, {2, 5}} {
		for _, c := range [][2]mark{{valley(ends[0]), valley(ends[1])}, {valley(ends[1]), valley(ends[0])}} {
			if got := cubic(c[0], c[1]); math.Abs(got-1) > 1e-9 {
				t.Errorf("from %v to %v the minimum is at %v, not 1", c[0].step, c[1].step, got)
			}
		}
	}
}

// TestStepsKeepWithinBounds: a step inside an interval keeps a tenth of it from both ends; one beyond goes as far again
// at least, and nine times as far at most, which is also where no cubic has a minimum.
func TestStepsKeepWithinBounds(t *testing.T) {
	rising := func(x float64) mark { return mark{step: x, value: x*x*x + 3*x, slope: 3*x*x + 3} }
	falling := func(x float64) mark { return mark{step: x, value: -x, slope: -1} }
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"inside, the minimum", between(valley(0), valley(3)), 1},
		{"inside, from above", between(valley(3), valley(0)), 1},
		{"inside, near the lower end", between(valley(0.99), valley(10)), 0.99 + 0.901},
		{"inside, near the upper end", between(valley(0), valley(1.01)), 0.909},
		{"inside, without a minimum", between(rising(0), rising(1)), 0.5},
		{"beyond, the minimum", beyond(valley(0), valley(0.2)), 1},
		{"beyond, the minimum from elsewhere", beyond(valley(0.5), valley(0.7)), 1},
		{"beyond, the minimum is near", beyond(valley(0), valley(0.8)), 1.6},
		{"beyond, the minimum is far", beyond(valley(0), valley(0.01)), 0.1},
		{"beyond, without a minimum", beyond(falling(0), falling(1)), 10},
		{"beyond, the minimum is behind", beyond(valley(2), valley(3)), 12},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v, not %v", c.name, c.got, c.want)
		}
	}
}

// TestStepsOfASearch: without a minimum in sight each step of widen is nine times the last one longer; where the cubic
// stays at the low end, narrow takes a tenth of the interval twice and then a half.
func TestStepsOfASearch(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(*search) error
		at   func(float64) mark
		want []float64
	}{
		{"widen", func(s *search) error { _, _, err := s.widen(context.Background(), 1); return err },
			func(x float64) mark { return mark{x, -x, -1} }, []float64{1, 10, 91, 820, 7381, 66430}},
		{"narrow", func(s *search) error {
			_, _, err := s.narrow(context.Background(), s.start, mark{1, 1e9, 1e9})
			return err
		}, func(x float64) mark { return mark{x, 1e9, 1e9} }, []float64{0.1, 0.01, 0.005, 5e-4, 5e-5, 2.5e-5}},
	} {
		var steps []float64
		s := search{start: mark{0, 0, -1}, left: len(c.want), at: func(_ context.Context, x float64) (mark, error) {
			steps = append(steps, x)
			return c.at(x), nil
		}}
		if err := c.run(&s); err != nil || len(steps) != len(c.want) {
			t.Errorf("%s: steps %v, error %v", c.name, steps, err)
			continue
		}
		for i, x := range steps {
			if math.Abs(x-c.want[i]) > 1e-9*c.want[i] {
				t.Errorf("%s: step %d is %v, not %v", c.name, i+1, x, c.want[i])
			}
		}
	}
}
