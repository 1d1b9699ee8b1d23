package logistic

import "math"

// plane moves, after each sweep, to about the lowest point of the plane through the weights that is
// spanned by what the sweep did and by the move before it: what conjugate gradients do, with sweeps
// in place of gradients. Sweeps alone are slow where features overlap. It keeps two numbers a label
// and context.
type plane struct {
	f       *fit
	last    []float64 // weights after the sweep
	sweep   []float64 // what the sweep added to the weights
	ratio   []float64 // S before the sweep; then what the sweep added to log S
	move    []float64 // what the move before added to the weights
	scores  []float64 // and to log S
	refresh int       // of the state when the sweep began
}

// begin notes where a sweep begins.
func (q *plane) begin() {
	st := q.f.st
	if q.last == nil {
		q.allocate()
	}
	copy(q.sweep, st.w)
	copy(q.ratio, st.s)
	q.refresh = st.fresh
}

func (q *plane) allocate() {
	weights, cells := len(q.f.st.w), len(q.f.st.s)
	q.last, q.sweep, q.move = make([]float64, weights), make([]float64, weights), make([]float64, weights)
	q.ratio, q.scores = make([]float64, cells), make([]float64, cells)
}

// end moves on from the weights after a sweep, whose objective is given, and returns the objective
// there.
func (q *plane) end(objective float64) float64 {
	st := q.f.st
	if st.fresh != q.refresh { // S before and after do not compare
		clear(q.move)
		clear(q.scores)
		return objective
	}
	q.ratios()
	copy(q.last, st.w)
	for k, w := range st.w {
		q.sweep[k] = w - q.sweep[k]
	}
	a, b := q.lowest()
	a, b, objective = q.search(a, b, objective)
	n := st.p.m.contexts
	st.chunks(func(_, from, to int) {
		for y := range st.p.labels {
			for i := y*n + from; i < y*n+to; i++ {
				q.scores[i] = q.ratio[i]*(1+a) + q.scores[i]*b
			}
		}
	})
	for k := range q.move {
		q.move[k] = q.sweep[k]*(1+a) + q.move[k]*b
	}
	return objective
}

// ratios turns S before the sweep into the logarithm of what it was multiplied by. Scores so low
// that S is 0 do not matter.
func (q *plane) ratios() {
	st := q.f.st
	n := st.p.m.contexts
	st.chunks(func(_, from, to int) {
		for y := range st.p.labels {
			before, s := q.ratio[y*n:], st.column(y)
			for x := from; x < to; x++ {
				if before[x] > 0 && s[x] > 0 {
					before[x] = math.Log(s[x] / before[x])
				} else {
					before[x] = 0
				}
			}
		}
	})
}

// sums are Σ_x c(x)·moments over the labels of the two directions.
type sums struct{ a, b, aa, ab, bb float64 }

// lowest is the Newton step (a, b) in the plane.
func (q *plane) lowest() (a, b float64) {
	st := q.f.st
	n := st.p.m.contexts
	parts := make([]sums, (n+chunk-1)/chunk)
	st.chunks(func(i, from, to int) {
		buf := make([][5]float64, to-from)
		for y := range st.p.labels {
			s, da, db := st.column(y)[from:to], q.ratio[y*n+from:y*n+to], q.scores[y*n+from:y*n+to]
			for x := range buf {
				p := s[x] / st.t[from+x]
				u, v := p*da[x], p*db[x]
				m := &buf[x]
				m[0] += u
				m[1] += v
				m[2] += u * da[x]
				m[3] += u * db[x]
				m[4] += v * db[x]
			}
		}
		var t sums
		for x := range buf {
			m, c := &buf[x], st.p.m.count[from+x]
			t.a += c * m[0]
			t.b += c * m[1]
			t.aa += c * (m[2] - m[0]*m[0])
			t.ab += c * (m[3] - m[0]*m[1])
			t.bb += c * (m[4] - m[1]*m[1])
		}
		parts[i] = t
	})
	var t sums
	for _, u := range parts {
		t.a, t.b, t.aa, t.ab, t.bb = t.a+u.a, t.b+u.b, t.aa+u.aa, t.ab+u.ab, t.bb+u.bb
	}
	for k, w := range st.w {
		da, db := q.sweep[k], q.move[k]
		g := q.f.o.L2*w - st.p.observed[k]
		t.a += da * g
		t.b += db * g
		t.aa += q.f.o.L2 * da * da
		t.ab += q.f.o.L2 * da * db
		t.bb += q.f.o.L2 * db * db
	}
	det := t.aa*t.bb - t.ab*t.ab
	switch {
	case det > 1e-9*t.aa*t.bb:
		return (t.b*t.ab - t.a*t.bb) / det, (t.a*t.ab - t.b*t.aa) / det
	case t.aa > 0:
		return -t.a / t.aa, 0
	}
	return 0, 0
}

// rounding is the share of an objective that may be errors of its sum.
const rounding = 1e-13

// search takes the step, or a shorter one that lowers the objective, or none. It returns what it
// took and the objective there.
func (q *plane) search(a, b, objective float64) (float64, float64, float64) {
	st := q.f.st
	for range 3 {
		if a == 0 && b == 0 {
			break
		}
		q.take(a, b)
		if now := st.loss() + q.f.penalty(); now < objective-rounding*math.Abs(objective) {
			return a, b, now
		}
		copy(st.w, q.last)
		st.refresh()
		a, b = a/4, b/4
	}
	return 0, 0, objective
}

// take adds a times the sweep and b times the move before.
func (q *plane) take(a, b float64) {
	st := q.f.st
	n := st.p.m.contexts
	for k := range st.w {
		st.w[k] += a*q.sweep[k] + b*q.move[k]
	}
	st.chunks(func(_, from, to int) {
		clear(st.t[from:to])
		for y := range st.p.labels {
			s, da, db := st.column(y), q.ratio[y*n:], q.scores[y*n:]
			for x := from; x < to; x++ {
				if s[x] != 0 {
					s[x] *= math.Exp(a*da[x] + b*db[x])
				}
				st.t[x] += s[x]
			}
		}
	})
}
