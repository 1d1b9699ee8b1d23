package solver

import (
	"context"
	"math"
)

// Machine are the settings of a kernel machine:
//
//	max Σ α_i − ½·Σ_ij α_i α_j y_i y_j k(x_i, x_j)   with 0 ≤ α_i ≤ C, Σ α_i y_i = 0
type Machine struct {
	Kernel
	C         float64
	Epsilon   float64 // ends when the violation of the optimality conditions is no larger
	Shrinking bool
	Cache     int64 // bytes of kernel rows that are kept
}

// Solution is what a kernel machine has learned: f(x) = Σ β_i·k(x_i, x) + b.
type Solution struct {
	Coef       []float64 // β_i = y_i·α_i of the samples, in their order
	B          float64
	Dual       float64
	Iterations int
}

// Status of a sample: which of the two sets of a working pair it may be in.
const (
	mayRise uint8 = 1 << iota // β below its upper bound
	mayFall                   // β above its lower bound
)

// smo is a machine under way. In terms of β the bounds are 0 and C for y = 1, −C and 0 for y = −1,
// a step is β_i + d, β_j − d, and v = y − Kβ is what −y·gradient is in terms of α.
type smo struct {
	Machine
	x      *Rows
	y      []int8 // of all samples
	ids    []uint32
	m      *ColumnMap
	gram   Gram      // in place of x, ids and m
	beta   []float64 // of all samples
	active []uint32  // positions of the samples that are not shrunk
	k      *matrix   // of the active ones, as what follows
	v      []float64
	b      []float64
	low    []float64 // bounds of b
	status []uint8
	top    int     // argmax of v where it may rise
	most   float64 // its v
	least  float64 // min of v where it may fall
	steps  int
	whole  snapshot
}

// snapshot is β and v of all samples when the last of them were left out.
type snapshot struct{ beta, v []float64 }

// Train solves the machine for the samples ids of x by sequential minimal optimisation with
// second-order choice of the working pair (Fan, Chen and Lin 2005) and shrinking (Joachims 1999);
// y is +1 or −1, by position in ids; m is overwritten. It ends after two million steps, or
// ten thousand a sample where that is more, at the latest. The answer depends on nothing but the arguments.
func (o Machine) Train(ctx context.Context, x *Rows, ids []uint32, y []int8, m *ColumnMap) (*Solution, error) {
	s := &smo{Machine: o, x: x, y: y, ids: ids, m: m}
	return s.train(ctx)
}

// TrainGram is Train on a matrix of kernels, for all of its samples; the kernel of the settings is not used. It asks
// for whole rows, and for those that are kept once.
func (o Machine) TrainGram(ctx context.Context, g Gram, y []int8) (*Solution, error) {
	s := &smo{Machine: o, gram: g, y: y, ids: sequence(g.Len())}
	return s.train(ctx)
}

func (s *smo) train(ctx context.Context) (*Solution, error) {
	s.beta = make([]float64, len(s.ids))
	s.begin()
	if err := s.k.check(); err != nil {
		return nil, err
	}
	err := s.run(ctx)
	return s.solution(), err
}

// begin makes all samples active at β = 0, v = y.
func (s *smo) begin() {
	n := len(s.ids)
	if s.gram != nil {
		s.k = newGramMatrix(s.gram, s.ids, s.Cache)
	} else {
		s.k = newMatrix(s.Kernel, s.x, s.ids, s.m, s.Cache)
	}
	s.active, s.v, s.b, s.low, s.status = make([]uint32, n), make([]float64, n), make([]float64, n), make([]float64, n),
		make([]uint8, n)
	for t := range n {
		s.active[t] = uint32(t)
		s.v[t] = float64(s.y[t])
		if s.y[t] < 0 {
			s.low[t] = -s.C
		}
		s.mark(t)
	}
	s.scan()
}

func (s *smo) mark(t int) {
	s.status[t] = 0
	if s.b[t] < s.low[t]+s.C {
		s.status[t] |= mayRise
	}
	if s.b[t] > s.low[t] {
		s.status[t] |= mayFall
	}
}

// scan finds the ends of v.
func (s *smo) scan() {
	s.top, s.most, s.least = -1, math.Inf(-1), math.Inf(1)
	for t, v := range s.v {
		if s.status[t]&mayRise != 0 && v > s.most {
			s.top, s.most = t, v
		}
		if s.status[t]&mayFall != 0 && v < s.least {
			s.least = v
		}
	}
}

// early is the violation, in parts of Epsilon, at which all samples come back for the first time: those left out
// too soon are found while there is still work to do.
const early = 8

// run takes steps until all samples satisfy the conditions.
func (s *smo) run(ctx context.Context) error {
	goal, look := early*s.Epsilon, s.pause()
	for most := max(2_000_000, 10_000*len(s.ids)); s.steps < most; {
		if s.steps&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		whole := len(s.active) == len(s.ids)
		switch {
		case s.most-s.least > goal && s.steps >= look && s.Shrinking:
			s.shrink()
			look = s.steps + s.pause()
		case s.most-s.least > goal:
			if !s.move() {
				return nil
			}
			s.steps++
		case whole && goal <= s.Epsilon:
			return nil
		default:
			goal, look = s.Epsilon, s.steps // what is wrong with those that come back shows at once
			s.reopen()
		}
	}
	return nil
}

// pause is the steps between two looks for samples to leave out. A look costs a step, and a smaller matrix many.
func (s *smo) pause() int { return 8 * int(math.Sqrt(float64(len(s.active)))) }

// move takes a step along the best pair; false where there is none.
func (s *smo) move() bool {
	i := s.top
	ki := s.k.row(i)
	j := s.second(i, ki)
	if j < 0 {
		return false
	}
	s.step(i, j, ki, s.k.row(j))
	return true
}

// tiny stands for curvatures that are not above 0.
const tiny = 1e-10

// second is the sample that, with i, promises the largest gain: argmax (v_i − v_j)²/η_ij with
// η_ij = k_ii + k_jj − 2·k_ij (Fan et al. 2005, eq. 10).
func (s *smo) second(i int, ki line) int {
	best, num, den := -1, 0.0, 1.0
	top, dii, diag, status := s.most, s.k.diag[i], s.k.diag, s.status
	v := s.v
	diag, status = diag[:len(v)], status[:len(v)]
	if ki.keys != nil {
		keys, table := ki.keys[:len(v)], s.k.table
		for t, vt := range v {
			d := top - vt
			if d <= 0 || status[t]&mayFall == 0 {
				continue
			}
			eta := max(dii+diag[t]-2*table[keys[t]], tiny)
			if d*d*den > num*eta {
				best, num, den = t, d*d, eta
			}
		}
		return best
	}
	row := ki.vals[:len(v)]
	for t, vt := range v {
		d := top - vt
		if d <= 0 || status[t]&mayFall == 0 {
			continue
		}
		eta := max(dii+diag[t]-2*row[t], tiny)
		if d*d*den > num*eta {
			best, num, den = t, d*d, eta
		}
	}
	return best
}

// step moves along the pair as far as the bounds allow and brings v up to date:
// v_t ← v_t − d·(k_ti − k_tj).
func (s *smo) step(i, j int, ki, kj line) {
	eta := max(s.k.diag[i]+s.k.diag[j]-2*s.k.at(ki, j), tiny)
	d := (s.v[i] - s.v[j]) / eta
	up, down := s.low[i]+s.C-s.b[i], s.b[j]-s.low[j]
	switch {
	case d >= up && up <= down:
		d = up
		s.b[i] = s.low[i] + s.C
		s.b[j] -= d
		if up == down {
			s.b[j] = s.low[j]
		}
	case d >= down:
		d = down
		s.b[i] += d
		s.b[j] = s.low[j]
	default:
		s.b[i] += d
		s.b[j] -= d
	}
	s.mark(i)
	s.mark(j)
	s.update(d, ki, kj)
}

// update changes v and finds its ends in the same pass.
func (s *smo) update(d float64, ki, kj line) {
	v := s.v
	status := s.status[:len(v)]
	top, most, least := -1, math.Inf(-1), math.Inf(1)
	if ki.keys != nil {
		a, b, table := ki.keys[:len(v)], kj.keys[:len(v)], s.k.table
		for t, x := range v {
			x -= d * (table[a[t]] - table[b[t]])
			v[t] = x
			if x > most && status[t]&mayRise != 0 {
				top, most = t, x
			}
			if x < least && status[t]&mayFall != 0 {
				least = x
			}
		}
	} else {
		a, b := ki.vals[:len(v)], kj.vals[:len(v)]
		for t, x := range v {
			x -= d * (a[t] - b[t])
			v[t] = x
			if x > most && status[t]&mayRise != 0 {
				top, most = t, x
			}
			if x < least && status[t]&mayFall != 0 {
				least = x
			}
		}
	}
	s.top, s.most, s.least = top, most, least
}

// shrink leaves out samples at a bound whose v says that they stay there.
func (s *smo) shrink() {
	keep := make([]uint32, 0, len(s.active))
	for t, v := range s.v {
		if st := s.status[t]; st == mayFall && v > s.most || st == mayRise && v < s.least {
			continue
		}
		keep = append(keep, uint32(t))
	}
	if gone := len(s.active) - len(keep); gone*16 < len(s.active) || len(keep) < 2 {
		return
	}
	if len(s.active) == len(s.ids) {
		s.whole.beta, s.whole.v = append(s.whole.beta[:0], s.b...), append(s.whole.v[:0], s.v...)
	}
	s.store()
	s.k = s.k.restrict(s.x, keep, s.m, s.Cache)
	for i, t := range keep {
		s.active[i], s.v[i], s.b[i], s.low[i], s.status[i] = s.active[t], s.v[t], s.b[t], s.low[t], s.status[t]
	}
	n := len(keep)
	s.active, s.v, s.b, s.low, s.status = s.active[:n], s.v[:n], s.b[:n], s.low[:n], s.status[:n]
	s.scan()
}

// store writes β of the active samples to its place among all.
func (s *smo) store() {
	for t, p := range s.active {
		s.beta[p] = s.b[t]
	}
}

// reopen makes all samples active again. What v of those left out has lost since all were active,
// Σ_j Δβ_j·k_tj, takes only the rows of samples whose β has changed since: most support vectors
// are at a bound by then and stay there.
func (s *smo) reopen() {
	if len(s.active) == len(s.ids) {
		return
	}
	s.store()
	known, at := s.v, s.active
	s.begin()
	copy(s.b, s.beta)
	copy(s.v, s.whole.v)
	for j, b := range s.beta {
		if d := b - s.whole.beta[j]; d != 0 {
			s.lower(d, s.k.row(j))
		}
	}
	for t, p := range at {
		s.v[p] = known[t]
	}
	for t := range s.b {
		s.mark(t)
	}
	s.scan()
}

// lower takes d times a row from v.
func (s *smo) lower(d float64, row line) {
	v := s.v
	if row.keys != nil {
		keys, table := row.keys[:len(v)], s.k.table
		for t := range v {
			v[t] -= d * table[keys[t]]
		}
		return
	}
	vals := row.vals[:len(v)]
	for t := range v {
		v[t] -= d * vals[t]
	}
}

// solution is b = mean of v over free samples, or the middle of its ends, and the dual
// ½·Σ β·(y + v).
func (s *smo) solution() *Solution {
	s.reopen()
	r := &Solution{Coef: s.b, Iterations: s.steps}
	sum, free := 0.0, 0
	for t, v := range s.v {
		if s.status[t] == mayRise|mayFall {
			sum += v
			free++
		}
		r.Dual += 0.5 * s.b[t] * (float64(s.y[t]) + v)
	}
	switch {
	case free > 0:
		r.B = sum / float64(free)
	case !math.IsInf(s.most, 0) && !math.IsInf(s.least, 0):
		r.B = (s.most + s.least) / 2
	}
	return r
}
