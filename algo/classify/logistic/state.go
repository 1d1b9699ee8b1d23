package logistic

import (
	"math"
	"sync/atomic"

	"parlance/algo/numeric/parallel"
)

// state is weights and what follows from them.
type state struct {
	p       *Problem
	workers int
	w       []float64
	s       []float64 // S(x, y)·e^{−shift(x)}, by label and context
	t       []float64 // Σ_y of it
	shift   []float64
	lost    atomic.Bool // a sum T is too far from where refresh left it
	fresh   int         // times that refresh was called
}

func newState(p *Problem, workers int) *state {
	n := p.m.contexts
	return &state{p: p, workers: max(1, workers), w: make([]float64, p.Features()), s: make([]float64, n*p.labels),
		t: make([]float64, n), shift: make([]float64, n)}
}

// chunk is the number of contexts that are worked on at once.
const chunk = 1 << 14

func (st *state) chunks(work func(i, from, to int)) {
	n := st.p.m.contexts
	parallel.Each(st.workers, (n+chunk-1)/chunk, func(_, i int) { work(i, i*chunk, min(n, (i+1)*chunk)) })
}

// column returns S of a label by context.
func (st *state) column(y int) []float64 {
	n := st.p.m.contexts
	return st.s[y*n : (y+1)*n]
}

// Sums between these are exact enough: refresh leaves them between 1 and the number of labels.
const (
	lowest  = 1e-6
	highest = 1e100
	least   = 1e-300 // of S: 0 could never grow
)

// refresh computes S and T from the weights.
func (st *state) refresh() {
	p, m := st.p, st.p.m
	parallel.Each(st.workers, p.labels, func(_, y int) {
		s := st.column(y)
		clear(s)
		for _, k := range p.ofLabel[y] {
			w := st.w[k]
			if w == 0 {
				continue
			}
			from, to := m.start[p.attr[k]], m.start[p.attr[k]+1]
			if m.values == nil {
				for _, x := range m.at[from:to] {
					s[x] += w
				}
				continue
			}
			for i := from; i < to; i++ {
				s[m.at[i]] += w * float64(m.values[i])
			}
		}
	})
	for i, f := range p.tied {
		for j, x := range f.Contexts {
			st.column(int(f.Labels[j]))[x] += st.w[len(p.attr)+i] * f.Values[j]
		}
	}
	st.chunks(func(_, from, to int) { st.exponentiate(from, to) })
	st.lost.Store(false)
	st.fresh++
}

// exponentiate turns scores of contexts into S, T and their shift, the highest score.
func (st *state) exponentiate(from, to int) {
	shift, t := st.shift[from:to], st.t[from:to]
	for i := range shift {
		shift[i] = math.Inf(-1)
	}
	for y := range st.p.labels {
		for i, v := range st.column(y)[from:to] {
			shift[i] = max(shift[i], v)
		}
	}
	clear(t)
	for y := range st.p.labels {
		s := st.column(y)[from:to]
		for i, v := range s {
			s[i] = max(math.Exp(v-shift[i]), least)
			t[i] += s[i]
		}
	}
}

// loss is Σ_x c(x)·log T(x) − Σ_k w_k·O_k.
func (st *state) loss() float64 {
	sums := make([]float64, (st.p.m.contexts+chunk-1)/chunk)
	st.chunks(func(i, from, to int) {
		sum := 0.0
		for x := from; x < to; x++ {
			sum += st.p.m.count[x] * (math.Log(st.t[x]) + st.shift[x])
		}
		sums[i] = sum
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	for k, w := range st.w {
		total -= w * st.p.observed[k]
	}
	return total
}

// expectations writes E_k = Σ_{x,y} c(x)·p(y|x)·f_k(x, y) to out.
func (st *state) expectations(out []float64) {
	p, m := st.p, st.p.m
	parallel.Each(st.workers, p.labels, func(_, y int) {
		s := st.column(y)
		for _, k := range p.ofLabel[y] {
			sum := 0.0
			for i := m.start[p.attr[k]]; i < m.start[p.attr[k]+1]; i++ {
				x, v := m.at[i], 1.0
				if m.values != nil {
					v = float64(m.values[i])
				}
				sum += m.count[x] * s[x] / st.t[x] * v
			}
			out[k] = sum
		}
	})
	for i, f := range p.tied {
		sum := 0.0
		for j, x := range f.Contexts {
			sum += m.count[x] * st.column(int(f.Labels[j]))[x] / st.t[x] * f.Values[j]
		}
		out[len(p.attr)+i] = sum
	}
}
