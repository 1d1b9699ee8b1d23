package optimize

import (
	"context"
	"math"
)

// Constants of the strong Wolfe conditions for quasi-Newton directions (Nocedal and Wright 2006, section 3.1).
const (
	sufficient = 1e-4 // c₁: part of the fall that the first slope promises
	curvature  = 0.9  // c₂: part of the first slope that may be left
)

// mark is a step along a line with the value and the slope of the function there.
type mark struct{ step, value, slope float64 }

// search looks for a step t along a line, φ(t) = f(x + t·d), that satisfies the strong Wolfe conditions
//
//	φ(t) ≤ φ(0) + c₁·t·φ'(0),   |φ'(t)| ≤ c₂·|φ'(0)|
//
// Where the evaluations end before, the lowest step that satisfies the first of them is taken; to go back
// there may take one more.
type search struct {
	start mark // at t = 0, with a slope below 0
	left  int  // evaluations
	at    func(ctx context.Context, t float64) (mark, error)
}

func (s *search) falls(m mark) bool {
	return m.value <= s.start.value+sufficient*m.step*s.start.slope
}

func (s *search) levels(m mark) bool { return math.Abs(m.slope) <= -curvature*s.start.slope }

// widen takes longer and longer steps until one satisfies the conditions or has passed steps that do
// (Nocedal and Wright 2006, algorithm 3.5). The last step that was evaluated is the one it returns.
func (s *search) widen(ctx context.Context, t float64) (mark, bool, error) {
	last := s.start
	for s.left > 0 {
		s.left--
		m, err := s.at(ctx, t)
		switch {
		case err != nil:
			return m, false, err
		case !s.falls(m) || last.step > 0 && m.value >= last.value:
			return s.narrow(ctx, last, m)
		case s.levels(m):
			return m, true, nil
		case m.slope >= 0:
			return s.narrow(ctx, m, last)
		}
		t, last = beyond(last, m), m
	}
	return last, last.step > 0, nil
}

// narrow halves, or better, the interval between two steps that has steps with both conditions in it
// (Nocedal and Wright 2006, algorithm 3.6): low is the lowest step so far that falls enough, and
// φ falls from there towards high.
func (s *search) narrow(ctx context.Context, low, high mark) (mark, bool, error) {
	for n := 1; s.left > 0; n++ {
		t := between(low, high)
		if n%3 == 0 { // cubics may come near one end for ever
			t = (low.step + high.step) / 2
		}
		if t == low.step || t == high.step {
			break // nothing is left between them
		}
		s.left--
		m, err := s.at(ctx, t)
		switch {
		case err != nil:
			return m, false, err
		case !s.falls(m) || m.value >= low.value:
			high = m
			continue
		case s.levels(m):
			return m, true, nil
		case m.slope*(high.step-low.step) >= 0:
			high = low
		}
		low = m
	}
	if low.step == 0 {
		return low, false, nil
	}
	m, err := s.at(ctx, low.step)
	return m, err == nil, err
}

// Bounds of steps that are not known, in parts of the interval that is.
const (
	nearest  = 0.1 // of narrow: from either end
	shortest = 1   // of widen: beyond the longest step
	longest  = 9
)

// between is the step inside an interval to try next: the minimum of the cubic, kept away from the ends.
func between(a, b mark) float64 {
	t, width := cubic(a, b), b.step-a.step
	part := (t - a.step) / width
	if math.IsNaN(part) {
		part = 0.5
	}
	return a.step + min(max(part, nearest), 1-nearest)*width
}

// beyond is the step to try next after b, where φ still falls steeply: the minimum of the cubic if that is
// further on, within bounds.
func beyond(a, b mark) float64 {
	width := b.step - a.step
	part := (cubic(a, b) - b.step) / width
	if !(part > 0) {
		part = longest
	}
	return b.step + min(max(part, shortest), longest)*width
}

// cubic is the minimum of the cubic with the values and slopes of a and b; NaN where it has none
// (Nocedal and Wright 2006, equation 3.59).
func cubic(a, b mark) float64 {
	d1 := a.slope + b.slope - 3*(a.value-b.value)/(a.step-b.step)
	d2 := math.Copysign(math.Sqrt(d1*d1-a.slope*b.slope), b.step-a.step)
	return b.step - (b.step-a.step)*(b.slope+d2-d1)/(b.slope-a.slope+2*d2)
}
