package dual

import "math"

// stepper follows a rule. The zero value of all but the rule begins.
type stepper struct {
	rule  Step
	begun bool
	delta float64 // first gap
	last  float64 // dual value
	rose  int     // times that it rose
	least float64 // dual value
	stall int     // iterations since it fell
	scale float64
}

const (
	polyakScale    = 1.5
	polyakDecay    = 0.7
	polyakPatience = 20
)

// next returns the step for a dual value that is gap above a tree, where n prices change.
func (s *stepper) next(dual, gap float64, n int) float64 {
	if math.IsInf(gap, 1) { // no tree with all its parts yet
		gap = 1 + math.Abs(dual)
	}
	if !s.begun {
		s.begun, s.delta, s.last, s.least, s.scale = true, gap, dual, dual, polyakScale
	}
	if s.rule == Decreasing {
		if dual > s.last {
			s.rose++
		}
		s.last = dual
		return s.delta / float64(1+s.rose)
	}
	if s.stall++; dual < s.least-1e-9*math.Abs(s.least) {
		s.least, s.stall = dual, 0
	}
	if s.stall >= polyakPatience {
		s.scale, s.stall = s.scale*polyakDecay, 0
	}
	return s.scale * gap / float64(max(1, n))
}
