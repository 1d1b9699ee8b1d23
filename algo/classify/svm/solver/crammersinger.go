package solver

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
)

// CrammerSinger trains one machine for all classes (Crammer and Singer 2001) by the sequential
// dual method of Keerthi, Sundararajan, Chang, Hsieh and Lin 2008:
//
//	min ½·Σ_c |w_c|² + C·Σ_i max_c (e_ci − (w_{y_i} − w_c)·x_i),   e_ci = 1 where c ≠ y_i, else 0
//
// Weights are by column and class, w[column·classes + class], the bias last. Squared is not used. Restore sets the
// state to that of an earlier training to go on from, save is called after passes that others follow; both may be nil.
func (o Linear) CrammerSinger(ctx context.Context, x *Rows, class []uint16, classes int,
	progress func(pass int, violation float64), restore, save func(*JointState) error) (*Result, error) {
	s := newCrammer(o, x, class, classes)
	at := s.state(max(10*o.Epsilon, 1))
	if restore != nil {
		if err := s.restore(at, restore); err != nil {
			return nil, err
		}
	}
	r, rng := &Result{}, rand.New(at.Random)
	for at.Passes < o.Iterations {
		worst, err := s.pass(ctx, rng)
		if err != nil {
			return nil, err
		}
		at.Passes++
		progress(at.Passes, worst)
		switch {
		case worst >= at.Shrink:
			at.Whole = false
		case worst < o.Epsilon && at.Whole:
			r.Converged = true
		default:
			s.unshrink()
			at.Shrink, at.Whole = max(at.Shrink/2, o.Epsilon), true
		}
		if r.Converged {
			break
		}
		if at.Active = s.active; save != nil && at.Passes < o.Iterations {
			if err := save(at); err != nil {
				return nil, err
			}
		}
	}
	r.Weights, r.Alpha, r.Dual, r.Iterations = s.w, s.alpha, s.dual(), at.Passes
	return r, nil
}

// JointState is what CrammerSinger goes on from after a pass. It is live: what is written into it is the state.
type JointState struct {
	Passes         int
	Shrink         float64 // violation below which a pass ends with all samples and classes active again
	Whole          bool    // the next pass is the first over all of them
	Random         *rand.PCG
	Weights, Alpha []float64
	Active         []uint32 // samples
	Order          []uint16 // by sample: classes, the active ones first
	Live           []uint16 // by sample: active classes
}

func (s *crammer) state(shrink float64) *JointState {
	return &JointState{Shrink: shrink, Whole: true, Random: rand.NewPCG(s.Seed, 0xc5), Weights: s.w, Alpha: s.alpha,
		Active: s.active, Order: s.order, Live: s.live}
}

// errState tells that a state is not that of the training.
var errState = errors.New("the state is of other samples or classes")

// restore sets the state. Lists of other lengths and numbers beyond the samples and classes are refused.
func (s *crammer) restore(at *JointState, set func(*JointState) error) error {
	if err := set(at); err != nil {
		return err
	}
	if len(at.Active) > len(s.active) || len(at.Order) != len(s.order) || len(at.Live) != len(s.live) {
		return errState
	}
	for _, i := range at.Active {
		if int(i) >= len(s.live) {
			return errState
		}
	}
	for _, c := range at.Order {
		if int(c) >= s.classes {
			return errState
		}
	}
	for _, n := range at.Live {
		if int(n) > s.classes {
			return errState
		}
	}
	s.active = s.active[:copy(s.active, at.Active)]
	copy(s.order, at.Order)
	copy(s.live, at.Live)
	at.Active, at.Order, at.Live = s.active, s.order, s.live
	return nil
}

// crammer keeps α by sample and class: α ≤ 0 for other classes, ≤ C for the sample's own, with
// a sum of 0 for every sample, and w_c = Σ_i α_ic·x_i.
type crammer struct {
	Linear
	x       *Rows
	class   []uint16
	classes int
	w       []float64
	alpha   []float64
	square  []float64
	active  []uint32 // samples
	order   []uint16 // by sample: classes, the active ones first
	live    []uint16 // active classes of a sample
	g, b, d []float64
	changed []uint16
	delta   []float64
}

func newCrammer(o Linear, x *Rows, class []uint16, classes int) *crammer {
	n := x.Len()
	s := &crammer{Linear: o, x: x, class: class, classes: classes, w: make([]float64, (x.Width+1)*classes),
		alpha:  make([]float64, n*classes),
		square: o.squares(x), active: make([]uint32, n), order: make([]uint16, n*classes), live: make([]uint16, n),
		g: make([]float64, classes), b: make([]float64, classes), d: make([]float64, classes)}
	for i := range n {
		for c := range classes {
			s.order[i*classes+c] = uint16(c)
		}
		if s.square[i] == 0 && classes > 1 { // x = 0, whose loss is the same everywhere
			s.alpha[i*classes+int(class[i])] = o.C
			s.alpha[i*classes+(int(class[i])+1)%classes] = -o.C
		}
	}
	s.unshrink()
	return s
}

func (s *crammer) unshrink() {
	s.active = s.active[:s.x.Len()]
	for i := range s.live {
		s.active[i] = uint32(i)
		s.live[i] = uint16(s.classes)
	}
}

// dual is −½·Σ_c |w_c|² − Σ_ic e_ci·α_ic, which is to be maximised.
func (s *crammer) dual() float64 {
	sum := 0.0
	for _, w := range s.w {
		sum -= 0.5 * w * w
	}
	for i := range s.class {
		sum += s.alpha[i*s.classes+int(s.class[i])] // the others sum to its negative
	}
	return sum
}

// pass improves every active sample once and returns the largest violation that was met.
func (s *crammer) pass(ctx context.Context, rng *rand.Rand) (worst float64, err error) {
	worst = math.Inf(-1)
	s.active, err = sweep(ctx, rng, s.active, func(i int) bool {
		if s.square[i] == 0 {
			return true
		}
		s.gradient(i)
		low, high := s.bounds(i)
		if s.Shrinking {
			s.shrink(i, low)
		}
		if s.live[i] <= 1 {
			return false
		}
		if high-low > 1e-12 {
			worst = max(worst, high-low)
			s.improve(i)
		}
		return true
	})
	return worst, err
}

// gradient sets g_k = w_c·x + e_c for the active classes c of the sample, in their order.
func (s *crammer) gradient(i int) {
	live := s.order[i*s.classes:][:s.live[i]]
	g := s.g[:len(live)]
	for k, c := range live {
		g[k] = 1
		if c == s.class[i] {
			g[k] = 0
		}
	}
	cols, vals := s.x.Row(i)
	for j, col := range cols {
		v := 1.0
		if vals != nil {
			v = float64(vals[j])
		}
		s.gather(int(col), v, live)
	}
	if s.Bias != 0 {
		s.gather(s.x.Width, s.Bias, live)
	}
}

func (s *crammer) gather(col int, v float64, live []uint16) {
	w := s.w[col*s.classes:][:s.classes]
	g := s.g[:len(live)]
	for k, c := range live {
		g[k] += v * w[c]
	}
}

// upper is the bound of α for a class of a sample.
func (s *crammer) upper(i int, c uint16) float64 {
	if c == s.class[i] {
		return s.C
	}
	return 0
}

// bounds returns the least gradient of classes below their bound and the largest of all; they
// are equal at the optimum.
func (s *crammer) bounds(i int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for k, c := range s.order[i*s.classes:][:s.live[i]] {
		if s.alpha[i*s.classes+int(c)] < s.upper(i, c) {
			low = min(low, s.g[k])
		}
		high = max(high, s.g[k])
	}
	return low, high
}

// shrink leaves out classes that are at their bound with a gradient below low.
func (s *crammer) shrink(i int, low float64) {
	order := s.order[i*s.classes:][:s.live[i]]
	n := len(order)
	for k := 0; k < n; {
		c := order[k]
		if s.g[k] < low && s.alpha[i*s.classes+int(c)] == s.upper(i, c) {
			n--
			order[k], order[n] = order[n], order[k]
			s.g[k], s.g[n] = s.g[n], s.g[k]
			continue
		}
		k++
	}
	s.live[i] = uint16(n)
}

// improve solves the problem of one sample with the others fixed (Crammer and Singer 2001,
// section 6): α_c = min(U_c, (β − B_c)/A) with B_c = g_c − A·α_c, A = x·x and β such that
// Σ_c α_c = 0.
func (s *crammer) improve(i int) {
	a, live := s.square[i], s.order[i*s.classes:][:s.live[i]]
	alpha := s.alpha[i*s.classes:][:s.classes]
	d := s.d[:len(live)]
	for k, c := range live {
		s.b[k] = s.g[k] - a*alpha[c]
		d[k] = s.b[k] + a*s.upper(i, c)
	}
	slices.SortFunc(d, func(x, y float64) int {
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	beta, r := d[0]-a*s.C, 1
	for ; r < len(d) && beta < float64(r)*d[r]; r++ {
		beta += d[r]
	}
	beta /= float64(r)
	s.changed, s.delta = s.changed[:0], s.delta[:0]
	for k, c := range live {
		now, top := (beta-s.b[k])/a, s.upper(i, c)
		if now > top-1e-12*s.C { // a bound that rounding misses would be violated forever
			now = top
		}
		if by := now - alpha[c]; math.Abs(by) >= 1e-12 {
			s.changed, s.delta = append(s.changed, c), append(s.delta, by)
			alpha[c] = now
		}
	}
	s.apply(i)
}

// apply adds what has changed to the weights.
func (s *crammer) apply(i int) {
	cols, vals := s.x.Row(i)
	for j, col := range cols {
		v := 1.0
		if vals != nil {
			v = float64(vals[j])
		}
		s.scatter(int(col), v)
	}
	if s.Bias != 0 {
		s.scatter(s.x.Width, s.Bias)
	}
}

func (s *crammer) scatter(col int, v float64) {
	w := s.w[col*s.classes:][:s.classes]
	for k, c := range s.changed {
		w[c] += v * s.delta[k]
	}
}
