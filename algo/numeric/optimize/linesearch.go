package optimize

import (
	"context"
	"math"
)

// Constants of the line searches.
const (
	sufficient = 1e-4  // decrease wanted, as a part of what the slope promises
	curvature  = 0.9   // slope left over at most, as a part of the first slope
	narrowest  = 1e-16 // relative width of an interval not worth splitting
	shortest   = 1e-20
	longest    = 1e20
)

// trial is a step with the value and slope of the function there.
type trial struct{ step, value, slope float64 }

// moreThuente looks for a step along d from xp that satisfies the strong Wolfe conditions
//
//	f(x + t·d) ≤ f(x) + 1e-4·t·g·d   and   |g(x + t·d)·d| ≤ 0.9·|g·d|
//
// by safeguarded cubic and quadratic interpolation within an interval of uncertainty.
func (r *run) moreThuente(ctx context.Context, t float64) (float64, bool, error) {
	st := r.st
	slope := r.vec.dot(r.gp, r.d)
	if slope > 0 || math.IsNaN(slope) {
		return 0, false, nil
	}
	var (
		first      = st.Objective
		wanted     = sufficient * slope
		best       = trial{0, first, slope} // lowest value so far
		other      = best                   // other end of the interval
		bracketed  bool
		stageOne   = true // before a step with a nonnegative slope of the modified function
		refused    bool   // the last interpolation made no sense
		width      = longest - shortest
		widthSoFar = 2 * width
	)
	for count := 1; ; count++ {
		lo, hi := best.step, t+4*(t-best.step)
		if bracketed {
			lo, hi = min(best.step, other.step), max(best.step, other.step)
		}
		t = min(max(t, shortest), longest)
		tiny := bracketed && hi-lo <= narrowest*hi
		if bracketed && (t <= lo || hi <= t || count >= r.searches || refused) || tiny {
			t = best.step // an unusual end: back to the lowest point
		}
		r.vec.step(st.X, r.xp, t, r.d)
		if err := r.evaluate(ctx, st.Iteration+1); err != nil {
			return 0, false, err
		}
		now := trial{t, st.Objective, r.vec.dot(st.G, r.d)}
		line := first + t*wanted
		switch {
		case bracketed && (t <= lo || hi <= t || refused), tiny,
			t == longest && now.value <= line && now.slope <= wanted,
			t == shortest && (line < now.value || wanted <= now.slope),
			count >= r.searches:
			return t, false, nil
		case now.value <= line && math.Abs(now.slope) <= curvature*-slope:
			return t, true, nil
		}
		if stageOne && now.value <= line && min(sufficient, curvature)*slope <= now.slope {
			stageOne = false
		}
		if stageOne && line < now.value && now.value <= best.value {
			b, o, n := best.minus(wanted), other.minus(wanted), now.minus(wanted)
			t, refused = narrow(&b, &o, n, lo, hi, &bracketed)
			best, other = b.minus(-wanted), o.minus(-wanted)
		} else {
			t, refused = narrow(&best, &other, now, lo, hi, &bracketed)
		}
		if bracketed {
			if 0.66*widthSoFar <= math.Abs(other.step-best.step) {
				t = best.step + 0.5*(other.step-best.step)
			}
			widthSoFar = width
			width = math.Abs(other.step - best.step)
		}
	}
}

// minus subtracts a line through the origin from the function.
func (p trial) minus(slope float64) trial {
	return trial{p.step, p.value - p.step*slope, p.slope - slope}
}

// narrow updates the interval of uncertainty with a trial and returns the next step, or
// true for an interval that makes no sense (Moré and Thuente, section 4).
func narrow(best, other *trial, now trial, lo, hi float64, bracketed *bool) (float64, bool) {
	if *bracketed {
		if now.step <= min(best.step, other.step) || max(best.step, other.step) <= now.step ||
			0 <= best.slope*(now.step-best.step) || hi < lo {
			return now.step, true
		}
	}
	turned := now.slope*(best.slope/math.Abs(best.slope)) < 0
	var t float64
	var safeguard bool
	switch {
	case best.value < now.value: // higher: the minimum is bracketed
		*bracketed, safeguard = true, true
		c, q := cubic(*best, now), quadratic(*best, now)
		if t = c + 0.5*(q-c); math.Abs(c-best.step) < math.Abs(q-best.step) {
			t = c
		}
	case turned: // lower, slopes of opposite sign: bracketed
		*bracketed = true
		c, q := cubic(*best, now), secant(*best, now)
		if t = q; math.Abs(c-now.step) > math.Abs(q-now.step) {
			t = c
		}
	case math.Abs(now.slope) < math.Abs(best.slope): // lower, same sign, flatter
		safeguard = true
		c, q := cubicWithin(*best, now, lo, hi), secant(*best, now)
		t = q
		if closer := math.Abs(now.step-c) < math.Abs(now.step-q); closer == *bracketed &&
			math.Abs(now.step-c) != math.Abs(now.step-q) {
			t = c
		}
	case *bracketed: // lower, same sign, not flatter
		t = cubic(now, *other)
	case best.step < now.step:
		t = hi
	default:
		t = lo
	}
	if best.value < now.value {
		*other = now
	} else {
		if turned {
			*other = *best
		}
		*best = now
	}
	t = max(min(t, hi), lo)
	if *bracketed && safeguard {
		limit := best.step + 0.66*(other.step-best.step)
		if best.step < other.step {
			t = min(t, limit)
		} else {
			t = max(t, limit)
		}
	}
	return t, false
}

// cubic returns the minimiser of the cubic with the values and slopes at u and v.
func cubic(u, v trial) float64 {
	d := v.step - u.step
	theta := (u.value-v.value)*3/d + u.slope + v.slope
	s := max(math.Abs(theta), math.Abs(u.slope), math.Abs(v.slope))
	a := theta / s
	gamma := s * math.Sqrt(a*a-u.slope/s*(v.slope/s))
	if v.step < u.step {
		gamma = -gamma
	}
	p := gamma - u.slope + theta
	q := gamma - u.slope + gamma + v.slope
	return u.step + p/q*d
}

// cubicWithin is cubic, or an end of the interval if the cubic has no minimum beyond v.
func cubicWithin(u, v trial, lo, hi float64) float64 {
	d := v.step - u.step
	theta := (u.value-v.value)*3/d + u.slope + v.slope
	s := max(math.Abs(theta), math.Abs(u.slope), math.Abs(v.slope))
	a := theta / s
	gamma := s * math.Sqrt(max(0, a*a-u.slope/s*(v.slope/s)))
	if u.step < v.step {
		gamma = -gamma
	}
	p := gamma - v.slope + theta
	q := gamma - v.slope + gamma + u.slope
	switch r := p / q; {
	case r < 0 && gamma != 0:
		return v.step - r*d
	case d > 0:
		return hi
	}
	return lo
}

// quadratic returns the minimiser of the parabola with both values and the slope at u.
func quadratic(u, v trial) float64 {
	a := v.step - u.step
	return u.step + u.slope/((u.value-v.value)/a+u.slope)/2*a
}

// secant returns the minimiser of the parabola with the slopes at u and v.
func secant(u, v trial) float64 {
	return v.step + v.slope/(v.slope-u.slope)*(u.step-v.step)
}
