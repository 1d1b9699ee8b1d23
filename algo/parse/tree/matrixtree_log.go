package tree

import "math"

// logMarginals is Marginals over logarithms. p and ā become logarithms; what is subtracted are
// probabilities and expected numbers of arcs as before.
func (x *matrix) logMarginals(p *Parts, score, mu []float64, single bool) (float64, bool) {
	w := p.N + 1
	x.size(w)
	x.a = spread(p, score, math.Inf(-1), x.a)
	z, ok := x.logEliminate(p, single)
	if !ok {
		return z, false
	}
	if x.logDifferentiate(p, single); p.Ended() {
		return math.Inf(-1), false
	}
	x.places()
	for a, h := range p.Head {
		mu[a] = min(1, math.Exp(x.adj[int(x.place[h])*w+int(x.place[p.Mod[a]])]+score[a]))
	}
	return z, true
}

// logEliminate returns ln Z and leaves ln p in the columns. A token that nothing but the root enters
// changes places with the last one.
func (x *matrix) logEliminate(p *Parts, single bool) (float64, bool) {
	low, w, z := 0, p.N+1, 0.0
	if single {
		low = 1
	}
	for k := w - 1; k > low; k-- {
		if p.Ended() {
			return math.Inf(-1), false
		}
		d := x.logColumn(w, low, k)
		if math.IsInf(d, -1) && single {
			x.swap(w, 1, k)
			d = x.logColumn(w, low, k)
		}
		if math.IsInf(d, -1) {
			return d, false
		}
		x.d[k] = d
		z += d
		for i := range k {
			p := x.a[i*w+k] - d
			if x.a[i*w+k] = p; math.IsInf(p, -1) {
				continue
			}
			to := x.a[i*w : i*w+k]
			for j, v := range x.a[k*w : k*w+k] {
				if j > 0 {
					to[j] = logAdd(to[j], p+v)
				}
			}
		}
	}
	if single {
		x.d[1] = x.a[1]
		z += x.d[1]
		x.a[1] = 0
	}
	return z, !math.IsInf(z, -1)
}

func (x *matrix) logColumn(w, low, k int) float64 {
	q := x.q[:0]
	for i := low; i < k; i++ {
		q = append(q, x.a[i*w+k])
	}
	return logSum(q)
}

// logDifferentiate sets adj to the logarithms of ∂ ln Z / ∂ exp(a).
func (x *matrix) logDifferentiate(p *Parts, single bool) {
	w := p.N + 1
	for i := range x.adj {
		x.adj[i] = math.Inf(-1)
	}
	x.adj[1] = -x.d[1]
	low := 0
	if single {
		low = 1
	}
	for k := 2; k < w && !p.Ended(); k++ {
		sum := 0.0
		for i := range k { // q[i] is p[i]·q[i]
			x.q[i] = 0
			p := x.a[i*w+k]
			for j, adj := range x.adj[i*w : i*w+k] {
				x.q[i] += math.Exp(p + adj + x.a[k*w+j])
			}
			sum += x.q[i]
		}
		for i := range k {
			p := x.a[i*w+k]
			if i >= low {
				x.q[i] += math.Exp(p) * (1 - sum)
			}
			if x.q[i] > 0 {
				x.adj[i*w+k] = math.Log(x.q[i]) - p - x.d[k]
			}
		}
		for j := 1; j < k; j++ {
			q := x.q[:0]
			for i := range k {
				q = append(q, x.a[i*w+k]+x.adj[i*w+j])
			}
			x.adj[k*w+j] = logSum(q)
		}
	}
}

// logAdd returns ln(eˣ + eʸ).
func logAdd(x, y float64) float64 {
	if x < y {
		x, y = y, x
	}
	if d := y - x; d > -50 {
		return x + math.Log1p(math.Exp(d))
	}
	return x
}

// logSum returns ln Σ exp(x).
func logSum(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		if d := v - top; d > -50 {
			sum += math.Exp(d)
		}
	}
	return top + math.Log(sum)
}
