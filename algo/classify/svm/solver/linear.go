package solver

import (
	"cmp"
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
	Iterations int     // passes over all samples at most, or as many visits of some
	Shrinking  bool    // leaves samples alone that are at a bound and would not move
	Seed       uint64

	columns int // up to which weights are at hand; 0: atHand
}

// Result is what a machine has learned.
type Result struct {
	Weights    []float64 // by column, the bias last
	Alpha      []float64 // of the samples, in [0, C], or from 0 with squared loss
	Dual       float64   // Σ α − ½·αᵀQα
	Iterations int       // passes, over all samples or some
	Visits     int64     // of samples
	Converged  bool
}

// linear is one machine under way.
type linear struct {
	Linear
	all    *Rows
	y      []int8
	alpha  []float64
	square []float64  // Q_ii without the term of the loss
	set    workingSet // what passes visit
	active []uint32   // places in the set
	m      *ColumnMap
	upper  float64 // of alpha
	diag   float64 // added to Q_ii
}

// Passes over the active samples end at a tolerance that falls from loosest·ε to ε by tighter:
// what they settle more exactly is moved again by samples that join later.
const (
	loosest = 25
	tighter = 5
)

// atHand is how many columns have weights that stay in a cache near the processor (1 MB): to copy samples so that they
// lie closer is slower than to visit them where they are.
const atHand = 1 << 17

// Binary trains one machine by coordinate descent on the dual (Hsieh, Chang, Lin, Keerthi and
// Sundararajan 2008, algorithm 3); y is +1 or −1. It depends on nothing but its arguments; m is
// overwritten. Samples at a bound that would not move are left out at once, and all return when the
// others are optimal; it ends with a pass over all that finds none to move by more than Epsilon.
// A pass costs the columns of the active samples.
func (o Linear) Binary(ctx context.Context, x *Rows, y []int8, m *ColumnMap) (*Result, error) {
	s := o.start(x, y, m)
	rng := rand.New(rand.NewPCG(o.Seed, 0x5f))
	r, tolerance := &Result{}, loosest*o.Epsilon
	most := int64(o.Iterations) * int64(x.Len())
	for r.Visits < most && !r.Converged {
		whole := len(s.active) == x.Len()
		r.Visits += int64(len(s.active))
		worst, err := s.pass(ctx, rng)
		if err != nil {
			return nil, err
		}
		r.Iterations++
		switch {
		case whole && worst <= o.Epsilon:
			r.Converged = true
		case worst > tolerance:
			if x.Width > cmp.Or(o.columns, atHand) && 2*len(s.active) < len(s.set.ids) {
				s.narrow()
			}
		default:
			tolerance = max(tolerance/tighter, o.Epsilon)
			if !whole {
				s.widen()
			}
		}
	}
	r.Weights, r.Alpha = s.weights(), s.alpha
	r.Dual = s.dual(r.Weights)
	return r, nil
}

// start is the machine before its first pass.
func (o Linear) start(x *Rows, y []int8, m *ColumnMap) *linear {
	s := &linear{Linear: o, all: x, y: y, alpha: make([]float64, x.Len()), square: o.squares(x), m: m, upper: o.C}
	if o.Squared {
		s.upper, s.diag = math.Inf(1), 0.5/o.C
	}
	s.widen()
	return s
}

// squares returns Q_ii without the term of the loss: x·x with the bias.
func (o Linear) squares(x *Rows) []float64 {
	out := make([]float64, x.Len())
	for i := range out {
		out[i] = x.square(i) + o.Bias*o.Bias
	}
	return out
}

// weights is Σ α·y·x, the bias last.
func (s *linear) weights() []float64 {
	w := make([]float64, s.all.Width+1)
	for i, a := range s.alpha {
		if a != 0 {
			d := a * float64(s.y[i])
			s.all.add(w, i, d)
			w[s.all.Width] += d * s.Bias
		}
	}
	return w
}

// dual is Σ α − ½·|w|² − ½·D·Σ α².
func (s *linear) dual(weights []float64) float64 {
	sum := 0.0
	for _, a := range s.alpha {
		sum += a - 0.5*s.diag*a*a
	}
	for _, w := range weights {
		sum -= 0.5 * w * w
	}
	return sum
}

// pass visits the active samples once and returns how far their projected gradients are from 0 and
// from each other.
func (s *linear) pass(ctx context.Context, rng *rand.Rand) (worst float64, err error) {
	high, low := 0.0, 0.0 // equal ones are not enough: there is no Σ y·α = 0
	s.active, err = sweep(ctx, rng, s.active, func(p int) bool {
		pg, stays := s.visit(p)
		high, low = max(high, pg), min(low, pg)
		return stays
	})
	return high - low, err
}

// visit improves the sample at a place and returns its projected gradient; stays is false where it
// is left out of the passes to come.
func (s *linear) visit(p int) (pg float64, stays bool) {
	// G = y·w·x − 1 + D·α
	i := s.set.ids[p]
	y, a := float64(s.y[i]), s.alpha[i]
	g := y*(s.set.x.dot(s.set.w, p)+s.Bias*s.set.w[s.set.x.Width]+s.set.rest[p]) - 1 + (s.diag+s.set.own[p])*a
	if a == 0 && g > 0 || a >= s.upper && g < 0 {
		return 0, !s.Shrinking
	}
	if g != 0 {
		s.step(p, y, g)
	}
	return g, true
}

// step is α ← min(max(α − G/Q, 0), U), w ← w + (α − α′)·y·x.
func (s *linear) step(p int, y, g float64) {
	i := s.set.ids[p]
	q, old := s.square[i]+s.diag, s.alpha[i]
	if q == 0 { // x = 0, whose loss is the same everywhere
		s.alpha[i] = s.upper
		return
	}
	s.alpha[i] = min(max(old-g/q, 0), s.upper)
	if d := (s.alpha[i] - old) * y; d != 0 {
		s.set.x.add(s.set.w, p, d)
		s.set.w[s.set.x.Width] += d * s.Bias
	}
}
