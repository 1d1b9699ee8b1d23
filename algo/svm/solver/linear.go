package solver

import (
	"context"
	"math"
	"math/rand/v2"
)

// Linear are the settings of linear machines:
//
//	min ½·|w|² + C·Σ max(0, 1 − y·w·x)    (L1 loss), or with the square of the hinge (L2 loss)
//
// where w and x have one more coordinate for the bias, of value Bias in every x.
type Linear struct {
	C          float64 // above 0
	Squared    bool    // squared hinge loss
	Bias       float64 // value of the coordinate for the bias; 0: none
	Epsilon    float64 // ends when projected gradients differ from 0, and from each other, by no more
	Iterations int     // passes over the samples at most
	Shrinking  bool    // leaves samples alone that stay at a bound
	Seed       uint64
}

// Result is what a machine has learned.
type Result struct {
	Weights    []float64 // by column, the bias last
	Alpha      []float64 // of the samples, in [0, C], or from 0 with squared loss
	Dual       float64   // Σ α − ½·αᵀQα
	Iterations int
	Converged  bool
}

// linear is one machine under way.
type linear struct {
	Linear
	x       *Rows
	y       []int8
	w       []float64
	alpha   []float64
	square  []float64 // Q_ii
	active  []uint32
	upper   float64 // of alpha
	diag    float64 // added to Q_ii
	highest float64 // bounds of projected gradients in the last pass, for shrinking
	lowest  float64
}

// Binary trains one machine by coordinate descent on the dual (Hsieh, Chang, Lin, Keerthi and
// Sundararajan 2008, algorithm 3); y is +1 or −1. It depends on nothing but its arguments.
func (o Linear) Binary(ctx context.Context, x *Rows, y []int8) (*Result, error) {
	s := &linear{Linear: o, x: x, y: y, w: make([]float64, x.Width+1), alpha: make([]float64, x.Len()),
		square: o.squares(x), active: make([]uint32, x.Len()), upper: o.C}
	if o.Squared {
		s.upper, s.diag = math.Inf(1), 0.5/o.C
	}
	s.all()
	rng := rand.New(rand.NewPCG(o.Seed, 0x5f))
	s.reset()
	r := &Result{}
	for r.Iterations < o.Iterations && !r.Converged {
		high, low, err := s.pass(ctx, rng)
		if err != nil {
			return nil, err
		}
		r.Iterations++
		if max(high, 0)-min(low, 0) <= o.Epsilon { // equal ones are not enough: there is no Σ y·α = 0
			if len(s.active) == x.Len() {
				r.Converged = true
				break
			}
			s.all()
			s.reset()
			continue
		}
		s.highest, s.lowest = high, low
		if s.highest <= 0 {
			s.highest = math.Inf(1)
		}
		if s.lowest >= 0 {
			s.lowest = math.Inf(-1)
		}
	}
	r.Weights, r.Alpha, r.Dual = s.w, s.alpha, s.dual()
	return r, nil
}

// squares returns Q_ii without the term of the loss: x·x with the bias.
func (o Linear) squares(x *Rows) []float64 {
	out := make([]float64, x.Len())
	for i := range out {
		out[i] = x.square(i) + o.Bias*o.Bias
	}
	return out
}

// all makes every sample active.
func (s *linear) all() {
	s.active = s.active[:len(s.y)]
	for i := range s.active {
		s.active[i] = uint32(i)
	}
}

func (s *linear) reset() { s.highest, s.lowest = math.Inf(1), math.Inf(-1) }

// dual is Σ α − ½·|w|² − ½·D·Σ α².
func (s *linear) dual() float64 {
	sum := 0.0
	for _, a := range s.alpha {
		sum += a - 0.5*s.diag*a*a
	}
	for _, w := range s.w {
		sum -= 0.5 * w * w
	}
	return sum
}

// pass visits the active samples once and returns the bounds of their projected gradients.
func (s *linear) pass(ctx context.Context, rng *rand.Rand) (high, low float64, err error) {
	high, low = math.Inf(-1), math.Inf(1)
	s.active, err = sweep(ctx, rng, s.active, func(i int) bool {
		pg, keep := s.visit(i)
		if keep {
			high, low = max(high, pg), min(low, pg)
		}
		return keep
	})
	if len(s.active) == 0 {
		high, low = 0, 0
	}
	return high, low, err
}

// visit improves one sample and returns its projected gradient; keep is false where it is left out
// of the passes to come.
func (s *linear) visit(i int) (pg float64, keep bool) {
	// G = y·w·x − 1 + D·α
	y, a := float64(s.y[i]), s.alpha[i]
	g := y*(s.x.dot(s.w, i)+s.Bias*s.w[s.x.Width]) - 1 + s.diag*a
	pg = g
	switch {
	case a == 0:
		if g > s.highest && s.Shrinking {
			return 0, false
		}
		pg = min(g, 0)
	case a >= s.upper:
		if g < s.lowest && s.Shrinking {
			return 0, false
		}
		pg = max(g, 0)
	}
	if math.Abs(pg) > 1e-12 {
		s.step(i, y, g)
	}
	return pg, true
}

// step is α ← min(max(α − G/Q, 0), U), w ← w + (α − α′)·y·x.
func (s *linear) step(i int, y, g float64) {
	q := s.square[i] + s.diag
	if q == 0 { // x = 0, whose loss is the same everywhere
		s.alpha[i] = s.upper
		return
	}
	old := s.alpha[i]
	s.alpha[i] = min(max(old-g/q, 0), s.upper)
	if d := (s.alpha[i] - old) * y; d != 0 {
		s.x.add(s.w, i, d)
		s.w[s.x.Width] += d * s.Bias
	}
}
