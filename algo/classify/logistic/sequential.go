package logistic

import (
	"context"
	"math"
	"math/rand/v2"

	"parlance/algo/numeric/buffer"
	"parlance/algo/numeric/parallel"
)

// tiny is a step that is not worth taking.
const tiny = 1e-12

// warmUp is the number of sweeps that go through the classes in their order, frequent attributes
// first, and of which cd makes steps of |z|·f ≤ 1 only: otherwise rare features, met first, explain
// what frequent ones should, and are slow to give it back.
const warmUp = 2

// tally is what was done to some features.
type tally struct {
	steps, trials, places int
	squares               float64 // Σ of squared derivatives
}

func (t *tally) add(u tally) {
	t.steps += u.steps
	t.trials += u.trials
	t.places += u.places
	t.squares += u.squares
}

// sequential returns a sweep of a sequential method, class by class: attributes of a class share no
// context, so that they may be done side by side, each with its labels one after the other.
func (f *fit) sequential() func(*Sweep) error {
	r := rand.New(rand.NewPCG(f.o.Seed, 0x636f6f7264))
	order := make([]int, len(f.p.groups))
	for i := range order {
		order[i] = i
	}
	free := make(chan *coordinateSolver, f.st.workers)
	for range f.st.workers {
		free <- f.coordinateSolver()
	}
	drawn, turn := warmUp, uint32(0)
	return func(s *Sweep) error {
		for ; !f.o.Cyclic && drawn < s.Number; drawn++ { // also for the sweeps before those of a resumed fit
			r.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
			turn = r.Uint32()
		}
		var all tally
		for _, g := range order {
			if f.ctx.Err() != nil {
				return context.Cause(f.ctx)
			}
			all.add(f.group(free, &f.p.groups[g], turn, s.Number <= warmUp))
			if f.st.lost.Load() {
				f.st.refresh()
			}
		}
		v := <-free
		for i := range f.p.tied {
			all.add(v.tie(i))
		}
		free <- v
		s.Steps, s.Trials, s.Places = all.steps, all.trials, all.places
		s.GradientNorm = math.Sqrt(all.squares)
		return nil
	}
}

// group visits the attributes of a group. Parts of it do not depend on the number of workers, so
// that neither do sums.
func (f *fit) group(free chan *coordinateSolver, g *group, turn uint32, warm bool) (all tally) {
	parts := make([]tally, len(g.cuts)-1)
	parallel.Each(f.st.workers, len(parts), func(_, i int) {
		v := <-free
		v.warm = warm
		for _, a := range g.attrs[g.cuts[i]:g.cuts[i+1]] {
			v.attribute(a, turn, &parts[i])
		}
		free <- v
	})
	for _, t := range parts {
		all.add(t)
	}
	return all
}

// coordinateSolver moves features one after the other. It belongs to one goroutine.
type coordinateSolver struct {
	f        *fit
	solver   solver
	newton   newton // the solver, where one Newton step is taken
	oneStep  bool
	warm     bool // steps are short
	c        column
	p, v, ct []float64
}

func (f *fit) coordinateSolver() *coordinateSolver {
	v := &coordinateSolver{f: f}
	switch f.o.Method {
	case CD:
		v.newton, v.oneStep = newNewton(f.o.Shrink, f.o.Gamma), true
		v.solver = v.newton
	case CDExact:
		v.solver = exact{}
	default:
		v.solver = scaled{}
	}
	return v
}

// attribute moves the features of an attribute; the label to begin with follows from turn.
func (v *coordinateSolver) attribute(a, turn uint32, t *tally) {
	first, n := v.f.p.first[a], v.f.p.first[a+1]-v.f.p.first[a]
	if n == 0 {
		return
	}
	from := uint32(0)
	if turn != 0 {
		from = uint32(uint64(turn*(a|1)) * uint64(n) >> 32)
	}
	for i := range n {
		k := from + i
		if k >= n {
			k -= n
		}
		v.feature(first+k, a, t)
	}
}

// feature moves one feature.
func (v *coordinateSolver) feature(k, a uint32, t *tally) {
	f, st, m := v.f, v.f.st, v.f.p.m
	xs := m.at[m.start[a]:m.start[a+1]]
	s := st.column(int(f.p.label[k]))
	l1 := 0.0
	if f.o.Widths != nil {
		l1 = f.o.Widths[k]
	}
	w, observed, high := st.w[k], f.p.observed[k], m.high[a]
	var g, h float64
	if m.unit {
		g, h = unitDerivatives(s, st.t, xs)
	} else {
		g, h = v.derivatives(s, xs, a)
	}
	g += f.o.L2*w - observed
	h += f.o.L2
	size := violation(g, l1, w)
	t.squares += size * size
	t.places += len(xs)
	if math.Abs(size) < tiny {
		return
	}
	z, trials := soft(g, h, l1, w), 1
	if !v.oneStep || !v.newton.within(z, high) {
		v.c = column{w: w, observed: observed, high: high, l2: f.o.L2, l1: l1}
		v.load(s, xs, a)
		z, trials = v.solver.step(&v.c, g, h)
		t.places += trials * len(xs)
	}
	if math.Abs(z) < tiny {
		return
	}
	if v.oneStep && v.warm {
		z = max(min(z, 1/high), -1/high)
	}
	if st.w[k] += z; l1 > 0 && math.Abs(st.w[k]) < tiny*math.Abs(w) {
		st.w[k] = 0
	}
	t.steps++
	t.trials += trials
	v.commit(s, xs, a, z)
}

// unitDerivatives returns Σ p and Σ p·(1−p) of binary attributes, p = S/T.
func unitDerivatives(s, t []float64, xs []uint32) (g, h float64) {
	var p0, p1, q0, q1 float64
	for ; len(xs) >= 2; xs = xs[2:] {
		i, j := xs[0], xs[1]
		a, b := s[i]/t[i], s[j]/t[j]
		p0 += a
		p1 += b
		q0 += a * a
		q1 += b * b
	}
	if len(xs) > 0 {
		a := s[xs[0]] / t[xs[0]]
		p0 += a
		q0 += a * a
	}
	p := p0 + p1
	return p, max(0, p-(q0+q1))
}

// derivatives returns Σ c·f·p and Σ c·f²·p·(1−p).
func (v *coordinateSolver) derivatives(s []float64, xs []uint32, a uint32) (g, h float64) {
	m, t := v.f.p.m, v.f.st.t
	if m.values == nil {
		for _, x := range xs {
			p := s[x] / t[x]
			c := m.count[x] * p
			g += c
			h += c * (1 - p)
		}
		return g, max(0, h)
	}
	values := m.values[m.start[a]:m.start[a+1]]
	for i, x := range xs {
		p, f := s[x]/t[x], float64(values[i])
		c := m.count[x] * f * p
		g += c
		h += c * f * (1 - p)
	}
	return g, max(0, h)
}

// load fills the column with a feature.
func (v *coordinateSolver) load(s []float64, xs []uint32, a uint32) {
	m, t := v.f.p.m, v.f.st.t
	n := len(xs)
	v.p, v.v, v.ct = buffer.Resize(v.p, n), buffer.Resize(v.v, n), buffer.Resize(v.ct, n)
	v.c.p, v.c.values, v.c.count = v.p, v.v, v.ct
	for i, x := range xs {
		v.p[i], v.v[i], v.ct[i] = min(1, s[x]/t[x]), 1, m.count[x]
		if m.values != nil {
			v.v[i] = float64(m.values[m.start[a]+uint32(i)])
		}
	}
}

// commit changes S and T after a step.
func (v *coordinateSolver) commit(s []float64, xs []uint32, a uint32, z float64) {
	m, t := v.f.p.m, v.f.st.t
	low, top := math.Inf(1), 0.0
	if m.values == nil {
		e := math.Exp(z)
		for _, x := range xs {
			before := s[x]
			after := before * e
			s[x] = after
			now := t[x] + (after - before)
			t[x] = now
			low, top = min(low, now), max(top, now)
		}
	} else {
		values := m.values[m.start[a]:m.start[a+1]]
		for i, x := range xs {
			before := s[x]
			after := before * math.Exp(z*float64(values[i]))
			s[x] = after
			now := t[x] + (after - before)
			t[x] = now
			low, top = min(low, now), max(top, now)
		}
	}
	if !(low > lowest && top < highest) {
		v.f.st.lost.Store(true)
	}
}

// tie moves a tied feature, after the others.
func (v *coordinateSolver) tie(i int) (t tally) {
	p, st := v.f.p, v.f.st
	f, k := p.tied[i], len(p.attr)+i
	v.c = column{w: st.w[k], observed: p.observed[k], high: p.high(k), l2: v.f.o.L2, values: f.Values}
	if v.f.o.Widths != nil {
		v.c.l1 = v.f.o.Widths[k]
	}
	for j, x := range f.Contexts {
		v.c.p, v.c.count = append(v.c.p, st.column(int(f.Labels[j]))[x]/st.t[x]), append(v.c.count, p.m.count[x])
	}
	g, h := v.c.derivatives(0)
	size := violation(g, v.c.l1, v.c.w)
	t.squares, t.places = size*size, len(f.Contexts)
	if math.Abs(size) < tiny {
		return t
	}
	z, trials := v.solver.step(&v.c, g, h)
	t.steps, t.trials = 1, trials
	st.w[k] += z
	for j, x := range f.Contexts {
		s := st.column(int(f.Labels[j]))
		before := s[x]
		s[x] = before * math.Exp(z*f.Values[j])
		st.t[x] += s[x] - before
	}
	return t
}
