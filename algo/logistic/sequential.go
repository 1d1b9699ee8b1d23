package logistic

import (
	"context"
	"math"
	"math/rand/v2"
)

// tiny is a step that is not worth taking.
const tiny = 1e-12

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

// sequential returns a sweep of a sequential method: label by label, so that the odds of the label
// are all that changes, and class by class, so that features of a class may be done side by side.
func (f *fit) sequential() func(*Sweep) error {
	var how solver
	switch f.o.Method {
	case CD:
		how = newNewton(f.o.Shrink, f.o.Gamma)
	case CDExact:
		how = exact{}
	default:
		how = scaled{}
	}
	r := rand.New(rand.NewPCG(f.o.Seed, 0x636f6f7264))
	labels := identity(f.p.labels)
	visitors := make([]visitor, f.st.workers)
	free := make(chan *visitor, len(visitors))
	for i := range visitors {
		visitors[i] = visitor{f: f, how: how}
		free <- &visitors[i]
	}
	return func(s *Sweep) error {
		if !f.o.Cyclic {
			shuffle(r, labels)
		}
		var all tally
		for _, y := range labels {
			f.st.open(y)
			groups := identity(len(f.p.groups[y]))
			if !f.o.Cyclic {
				shuffle(r, groups)
			}
			for _, g := range groups {
				if f.ctx.Err() != nil {
					return context.Cause(f.ctx)
				}
				all.add(f.group(free, y, &f.p.groups[y][g]))
			}
			f.st.close(y)
			if f.st.worst {
				f.st.refresh()
			}
		}
		for i := range f.p.tied {
			all.add(visitors[0].tie(i))
		}
		s.Steps, s.Trials, s.Places = all.steps, all.trials, all.places
		s.GradientNorm = math.Sqrt(all.squares)
		return nil
	}
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func shuffle(r *rand.Rand, list []int) {
	r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
}

// group visits the features of a group. Parts of it are cut by the number of places alone, so that
// sums do not depend on the number of workers.
func (f *fit) group(free chan *visitor, y int, g *group) tally {
	var all tally
	parts := make([]tally, len(g.cuts)-1)
	parallel(f.st.workers, len(parts), func(i int) {
		v := <-free
		parts[i] = v.visit(y, g.features[g.cuts[i]:g.cuts[i+1]])
		free <- v
	})
	for _, t := range parts {
		all.add(t)
	}
	return all
}

// visitor moves features one after the other. It belongs to one goroutine.
type visitor struct {
	f      *fit
	how    solver
	c      column
	filled [3][]float64
}

// visit moves features of the open label.
func (v *visitor) visit(y int, features []uint32) tally {
	f, st, m := v.f, v.f.st, v.f.p.m
	newton, isNewton := v.how.(newton)
	_, isScaled := v.how.(scaled)
	var t tally
	for _, k := range features {
		a := f.p.attr[k]
		xs := m.at[m.start[a]:m.start[a+1]]
		l1 := 0.0
		if f.o.Widths != nil {
			l1 = f.o.Widths[k]
		}
		w, observed, high := st.w[k], f.p.observed[k], m.high[a]
		t.places += len(xs)
		var g, h float64
		if m.unit {
			g, h = unitDerivatives(st.odds, xs)
		} else {
			g, h = v.derivatives(xs, a)
		}
		g += f.o.L2*w - observed
		h += f.o.L2
		size := violation(g, l1, w)
		t.squares += size * size
		if math.Abs(size) < tiny {
			continue
		}
		z, trials := 0.0, 1
		if d := soft(g, h, l1, w); isNewton && newton.within(d, high) {
			z = d
		} else {
			v.c = column{w: w, observed: observed, high: high, l2: f.o.L2, l1: l1}
			if !isScaled {
				v.load(xs, a)
			}
			z, trials = v.how.step(&v.c, g, h)
			t.places += trials * len(xs)
		}
		if math.Abs(z) < tiny {
			continue
		}
		if st.w[k] += z; l1 > 0 && math.Abs(st.w[k]) < tiny*math.Abs(w) {
			st.w[k] = 0
		}
		t.steps++
		t.trials += trials
		v.commit(xs, a, z)
	}
	return t
}

// unitDerivatives returns Σ p and Σ p·(1−p) of binary attributes, p = odds/(1+odds).
func unitDerivatives(odds []float64, xs []uint32) (g, h float64) {
	var r0, r1, q0, q1 float64
	n := len(xs)
	for ; len(xs) >= 2; xs = xs[2:] {
		a, b := 1/(1+odds[xs[0]]), 1/(1+odds[xs[1]])
		r0 += a
		r1 += b
		q0 += a * a
		q1 += b * b
	}
	if len(xs) > 0 {
		a := 1 / (1 + odds[xs[0]])
		r0 += a
		q0 += a * a
	}
	r := r0 + r1
	return float64(n) - r, r - (q0 + q1)
}

// derivatives returns Σ c·f·p and Σ c·f²·p·(1−p).
func (v *visitor) derivatives(xs []uint32, a uint32) (g, h float64) {
	m, odds := v.f.p.m, v.f.st.odds
	if m.values == nil {
		for _, x := range xs {
			r := 1 / (1 + odds[x])
			p := m.count[x] * (1 - r)
			g += p
			h += p * r
		}
		return g, h
	}
	values := m.values[m.start[a]:m.start[a+1]]
	for i, x := range xs {
		r, f := 1/(1+odds[x]), float64(values[i])
		p := m.count[x] * f * (1 - r)
		g += p
		h += p * f * r
	}
	return g, h
}

// load fills the column with a feature of the open label.
func (v *visitor) load(xs []uint32, a uint32) {
	m, odds := v.f.p.m, v.f.st.odds
	n := len(xs)
	for i := range v.filled {
		v.filled[i] = resize(v.filled[i], n)
	}
	v.c.odds, v.c.values, v.c.count = v.filled[0], v.filled[1], v.filled[2]
	for i, x := range xs {
		v.c.odds[i], v.c.count[i], v.c.values[i] = odds[x], m.count[x], 1
		if m.values != nil {
			v.c.values[i] = float64(m.values[m.start[a]+uint32(i)])
		}
	}
}

func resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, n+n/2)
	}
	return s[:n]
}

// commit changes the odds after a step.
func (v *visitor) commit(xs []uint32, a uint32, z float64) {
	m, odds := v.f.p.m, v.f.st.odds
	if m.values == nil {
		e := math.Exp(z)
		for _, x := range xs {
			odds[x] *= e
		}
		return
	}
	values := m.values[m.start[a]:m.start[a+1]]
	for i, x := range xs {
		odds[x] *= math.Exp(z * float64(values[i]))
	}
}

// tie moves a tied feature, between the turns of labels.
func (v *visitor) tie(i int) (t tally) {
	p, st := v.f.p, v.f.st
	f, k := p.tied[i], len(p.attr)+i
	v.c = column{w: st.w[k], observed: p.observed[k], high: p.high(k), l2: v.f.o.L2, values: f.Values}
	if v.f.o.Widths != nil {
		v.c.l1 = v.f.o.Widths[k]
	}
	for j, x := range f.Contexts {
		s := st.column(int(f.Labels[j]))[x]
		v.c.odds, v.c.count = append(v.c.odds, s/max(st.t[x]-s, 1e-100)), append(v.c.count, p.m.count[x])
	}
	g, h := v.c.derivatives(0)
	size := violation(g, v.c.l1, v.c.w)
	t.squares, t.places = size*size, len(f.Contexts)
	if math.Abs(size) < tiny {
		return t
	}
	z, trials := v.how.step(&v.c, g, h)
	t.steps, t.trials = 1, trials
	st.w[k] += z
	for j, x := range f.Contexts {
		s := &st.column(int(f.Labels[j]))[x]
		next := *s * math.Exp(z*f.Values[j])
		st.t[x] += next - *s
		*s = next
	}
	return t
}
