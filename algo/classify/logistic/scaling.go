package logistic

import (
	"context"
	"math"

	"parlance/algo/numeric/parallel"
)

// parallel returns an iteration of generalized (Darroch and Ratcliff 1972) or improved iterative
// scaling (Della Pietra, Della Pietra and Lafferty 1997): all steps from the same weights. The
// surrogates along a feature are (Huang et al. 2009, eq. 12)
//
//	GIS  A(z) = (e^{z·f#} − 1)/f#·E + Q(z)
//	IIS  A(z) = Σ_{x,y} c(x)·p(y|x)·f(x, y)·(e^{z·f#(x,y)} − 1)/f#(x, y) + Q(z)
//
// with f#(x, y) = Σ_k f_k(x, y) and f# the highest of them.
func (f *fit) parallel() func(*Sweep) error {
	f.sums()
	steps := make([]float64, f.p.Features())
	return func(s *Sweep) error {
		if f.ctx.Err() != nil {
			return context.Cause(f.ctx)
		}
		f.st.expectations(steps)
		squares := 0.0
		for k, e := range steps {
			g := e - f.p.observed[k] + f.o.L2*f.st.w[k]
			squares += g * g
		}
		if f.o.Method == GIS {
			for k, e := range steps {
				steps[k] = surrogate(e, f.most, f.p.observed[k]-f.o.L2*f.st.w[k], f.o.L2)
			}
		} else if err := f.improved(steps); err != nil {
			return err
		}
		for k, z := range steps {
			f.st.w[k] += z
		}
		f.st.refresh()
		s.GradientNorm = math.Sqrt(squares)
		s.Steps, s.Trials, s.Places = len(steps), len(steps), f.p.places()
		return nil
	}
}

// sums computes f#(x, y) and f#.
func (f *fit) sums() {
	p, m := f.p, f.p.m
	f.sum = make([]float64, m.contexts*p.labels)
	for k, a := range p.attr {
		sum := f.sum[int(p.label[k])*m.contexts:]
		for i := m.start[a]; i < m.start[a+1]; i++ {
			v := 1.0
			if m.values != nil {
				v = float64(m.values[i])
			}
			sum[m.at[i]] += v
		}
	}
	for _, t := range p.tied {
		for i, x := range t.Contexts {
			f.sum[int(t.Labels[i])*m.contexts+int(x)] += t.Values[i]
		}
	}
	for _, s := range f.sum {
		f.most = max(f.most, s)
	}
}

// improved replaces expectations by the steps of improved iterative scaling.
func (f *fit) improved(steps []float64) error {
	p := f.p
	workers := make([]terms, f.st.workers)
	free := make(chan *terms, len(workers))
	for i := range workers {
		free <- &workers[i]
	}
	const part = 1 << 10
	n := len(steps)
	parallel.Each(f.st.workers, (n+part-1)/part, func(_, i int) {
		t := <-free
		defer func() { free <- t }()
		if f.ctx.Err() != nil {
			return
		}
		for k := i * part; k < min(n, (i+1)*part); k++ {
			f.gather(t, k)
			steps[k] = t.root(steps[k], p.observed[k]-f.o.L2*f.st.w[k], f.o.L2)
		}
	})
	return context.Cause(f.ctx)
}

// terms is the sum Σ a·e^{z·b} of one feature.
type terms struct{ a, b []float64 }

// gather takes c(x)·p(y|x)·f(x, y) and f#(x, y) of feature k.
func (f *fit) gather(t *terms, k int) {
	p, m, st := f.p, f.p.m, f.st
	t.a, t.b = t.a[:0], t.b[:0]
	add := func(y int, x uint32, v float64) {
		t.a = append(t.a, m.count[x]*st.column(y)[x]/st.t[x]*v)
		t.b = append(t.b, f.sum[y*m.contexts+int(x)])
	}
	if k >= len(p.attr) {
		tied := p.tied[k-len(p.attr)]
		for i, x := range tied.Contexts {
			add(int(tied.Labels[i]), x, tied.Values[i])
		}
		return
	}
	for i := m.start[p.attr[k]]; i < m.start[p.attr[k]+1]; i++ {
		v := 1.0
		if m.values != nil {
			v = float64(m.values[i])
		}
		add(int(p.label[k]), m.at[i], v)
	}
}

// root solves Σ a·e^{z·b} + L2·z = rest as surrogate does, e being Σ a.
func (t *terms) root(e, rest, l2 float64) float64 {
	least := math.Inf(1)
	for _, b := range t.b {
		least = min(least, b)
	}
	if e <= 0 || l2 == 0 && rest <= 0 {
		return surrogate(e, least, rest, l2)
	}
	z := 0.0
	if e < rest {
		z = math.Log(rest/e) / least
	}
	for range mostSteps {
		d, h := l2*z-rest, l2
		for i, a := range t.a {
			x := a * math.Exp(z*t.b[i])
			d += x
			h += t.b[i] * x
		}
		if math.Abs(d) <= flat {
			break
		}
		z -= d / h
	}
	return z
}
