package solver

import (
	"context"
	"math"
	"math/rand/v2"
)

// CrammerSinger trains one machine for all classes (Crammer and Singer 2001) by solving its dual one
// sample after the other, each exactly (Keerthi, Sundararajan, Chang, Hsieh and Lin 2008):
//
//	min ½·Σ_c |w_c|² + C·Σ_i (max_c m_ic − w_y·x_i),   m_ic = w_c·x_i + e_ic,   e_ic = 1 where c ≠ y_i, else 0
//
// In the dual, every sample spreads a mass of C over the classes, p_ic ≥ 0 and Σ_c p_ic = C, and
//
//	max Σ_ic e_ic·p_ic − ½·Σ_c |w_c|²,   w_c = Σ_i (C·[c = y_i] − p_ic)·x_i
//
// The gap between the two is Σ_i Σ_c p_ic·(max_d m_id − m_ic): at the optimum mass lies on classes of the
// largest m alone. The violation of a sample is how far the least m of a class with mass is below the largest.
// Training ends when no sample has one above Epsilon; the gap is then at most C·Epsilon a sample.
//
// Weights are by column and class, w[column·classes + class], the bias last; Alpha of the result is the mass by
// sample and class. Squared is not used. progress is told the largest violation of each pass. Restore sets the
// state to that of an earlier training to go on from, save is called after passes that others follow; both may be nil.
func (o Linear) CrammerSinger(ctx context.Context, x *Rows, class []uint16, classes int,
	progress func(pass int, violation float64), restore, save func(*JointState) error) (*Result, error) {
	s := newJoint(o, x, class, classes)
	if restore != nil {
		if err := s.restore(restore); err != nil {
			return nil, err
		}
	}
	r, rng := &Result{}, rand.New(s.Random)
	for s.Passes < o.Iterations && !r.Converged {
		r.Visits += int64(s.toVisit())
		worst, err := s.pass(ctx, rng)
		if err != nil {
			return nil, err
		}
		s.Passes++
		progress(s.Passes, worst)
		r.Converged = s.schedule(worst)
		if save != nil && s.Passes < o.Iterations && !r.Converged {
			if err := save(&s.JointState); err != nil {
				return nil, err
			}
		}
	}
	r.Weights, r.Alpha, r.Dual, r.Iterations = s.Weights, s.Mass, s.dual(), s.Passes
	return r, nil
}

// JointState is what CrammerSinger goes on from after a pass. It is live: what is written into it is the state.
type JointState struct {
	Passes  int
	Target  float64 // violation at which passes over some samples end
	Whole   bool    // the next pass is over all samples and classes
	Random  *rand.PCG
	Weights []float64
	Mass    []float64 // by sample and class
	Active  []uint32  // samples of the next pass that is not over all
	Rivals  []uint16  // by sample: the classes of such a pass, in rising order, with as many places as there are classes
	Count   []uint16  // of them, by sample
}

// joint is a training under way.
type joint struct {
	Linear
	JointState
	x       *Rows
	class   []uint16
	classes int
	square  []float64 // x·x
	m       []float64 // m of the rivals of a sample
	moved   []float64 // mass that a class of the sample has lost
	of      []uint16  // these classes
}

func newJoint(o Linear, x *Rows, class []uint16, classes int) *joint {
	n := x.Len()
	s := &joint{Linear: o, x: x, class: class, classes: classes, square: o.squares(x), m: make([]float64, classes),
		JointState: JointState{Whole: true, Target: math.Inf(1), Random: rand.NewPCG(o.Seed, 0xc5),
			Weights: make([]float64, (x.Width+1)*classes), Mass: make([]float64, n*classes), Active: sequence(n),
			Rivals: make([]uint16, n*classes), Count: make([]uint16, n)}}
	for i, y := range class {
		if s.square[i] == 0 && classes > 1 { // x = 0: any other class has the largest m
			y = (y + 1) % uint16(classes)
		}
		s.Mass[i*classes+int(y)] = o.C
	}
	return s
}

// toVisit is the number of samples that the next pass visits.
func (s *joint) toVisit() int {
	if s.Whole {
		return s.x.Len()
	}
	return len(s.Active)
}

// A pass over all samples and classes finds which of them to go on with, those that violate the conditions or
// tie, and how far from the optimum the machine is. Passes over these alone follow, which leave out more of them,
// until they have brought the violation down to a part of what it was over all, or to Epsilon.
const goal = 0.5

// schedule chooses the next pass by the largest violation of the last; true is the end.
func (s *joint) schedule(worst float64) (ends bool) {
	switch {
	case s.Whole && worst <= s.Epsilon:
		return true
	case s.Whole:
		s.Whole, s.Target = !s.Shrinking, max(goal*worst, s.Epsilon)
	default:
		s.Whole = worst <= s.Target
	}
	return false
}

// dual is Σ e·p − ½·Σ |w_c|².
func (s *joint) dual() float64 {
	sum := 0.0
	for _, w := range s.Weights {
		sum -= 0.5 * w * w
	}
	for i, y := range s.class {
		sum += s.C - s.Mass[i*s.classes+int(y)]
	}
	return sum
}

// pass visits samples once, in random order, and returns the largest violation that was met.
func (s *joint) pass(ctx context.Context, rng *rand.Rand) (worst float64, err error) {
	if s.Whole {
		s.Active = s.Active[:s.x.Len()]
		for i := range s.Active {
			s.Active[i] = uint32(i)
		}
	}
	s.Active, err = sweep(ctx, rng, s.Active, func(i int) bool {
		if s.square[i] == 0 {
			return false
		}
		if s.Whole {
			s.meetAll(i)
		}
		worst = max(worst, s.visit(i))
		return s.Count[i] > 1
	})
	return worst, err
}

// meetAll makes all classes rivals for a sample.
func (s *joint) meetAll(i int) {
	rivals := s.Rivals[i*s.classes:][:s.classes]
	for c := range rivals {
		rivals[c] = uint16(c)
	}
	s.Count[i] = uint16(s.classes)
}

// visit solves the problem of a sample and its rivals while the other samples keep their mass and returns the
// violation that there was. Then all mass is on classes at one level of m: a class below it, which has none, would
// not move and is no rival any more.
func (s *joint) visit(i int) (violation float64) {
	rivals, mass, q := s.Rivals[i*s.classes:][:s.Count[i]], s.Mass[i*s.classes:][:s.classes], s.square[i]
	m := s.scores(i, rivals)
	high, low := math.Inf(-1), math.Inf(1)
	for k, c := range rivals {
		high = max(high, m[k])
		if mass[c] > 0 {
			low = min(low, m[k])
		}
	}
	level := low
	if high > low {
		level = s.spread(i, rivals, m, mass, q)
	}
	keep := rivals[:0]
	for k, c := range rivals {
		if mass[c] > 0 || m[k] >= level {
			keep = append(keep, c)
		}
	}
	s.Count[i] = uint16(len(keep))
	return high - low
}

// spread moves the mass of a sample to where the dual is largest. Moving p_c changes m_c by −x·x times as much,
// so that s_c = m_c + x·x·p_c stays, and the classes with mass are those that reach a level λ:
//
//	p_c = max(0, s_c − λ) / x·x,   Σ_c max(0, s_c − λ) = x·x·C
//
// The sum is convex and falls with λ. Newton's method from a λ that is too small is never too large: it drops
// classes from the sum until none is left to drop. It returns λ.
func (s *joint) spread(i int, rivals []uint16, m, mass []float64, q float64) (level float64) {
	top := math.Inf(-1)
	for k, c := range rivals {
		m[k] += q * mass[c]
		top = max(top, m[k])
	}
	level = top - q*s.C
	for last := len(m) + 1; ; {
		sum, count := -q*s.C, 0
		for _, v := range m {
			if v >= level {
				sum += v
				count++
			}
		}
		if count == 0 || count >= last { // rounding may miss the last class, or meet one again
			break
		}
		level, last = sum/float64(count), count
	}
	s.of, s.moved = s.of[:0], s.moved[:0]
	for k, c := range rivals {
		now := max(0, m[k]-level) / q
		if d := mass[c] - now; d != 0 {
			s.of, s.moved, mass[c] = append(s.of, c), append(s.moved, d), now
		}
		m[k] -= q * now
	}
	s.shift(i)
	return level
}

// scores sets m of the rivals of a sample.
func (s *joint) scores(i int, rivals []uint16) []float64 {
	m := s.m[:len(rivals)]
	for k, c := range rivals {
		m[k] = 1
		if c == s.class[i] {
			m[k] = 0
		}
	}
	cols, vals := s.x.Row(i)
	for j, col := range cols {
		s.gather(m, rivals, int(col), value(vals, j))
	}
	if s.Bias != 0 {
		s.gather(m, rivals, s.x.Width, s.Bias)
	}
	return m
}

// value is the value of a column of a row.
func value(vals []float32, j int) float64 {
	if vals == nil {
		return 1
	}
	return float64(vals[j])
}

// gather adds what a column of value v adds to the scores of rivals.
func (s *joint) gather(m []float64, rivals []uint16, col int, v float64) {
	w := s.Weights[col*s.classes:][:s.classes]
	if len(rivals) == len(w) {
		m = m[:len(w)]
		for c, u := range w {
			m[c] += v * u
		}
		return
	}
	m = m[:len(rivals)]
	for k, c := range rivals {
		m[k] += v * w[c]
	}
}

// shift adds to the weights what the mass that has moved is worth.
func (s *joint) shift(i int) {
	cols, vals := s.x.Row(i)
	for j, col := range cols {
		s.scatter(int(col), value(vals, j))
	}
	if s.Bias != 0 {
		s.scatter(s.x.Width, s.Bias)
	}
}

func (s *joint) scatter(col int, v float64) {
	w, moved := s.Weights[col*s.classes:][:s.classes], s.moved[:len(s.of)]
	for k, c := range s.of {
		w[c] += v * moved[k]
	}
}
