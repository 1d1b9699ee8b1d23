package tree

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// matrix has the weights of arcs for sums over trees whose arcs may cross. By the matrix-tree theorem
// (Koo et al. 2007, section 3) Z is the determinant of a Laplacian, here found without subtractions,
// which would cancel: tokens are eliminated one by one, each replaced by the paths through it
// (Grassmann et al. 1985). With d_k the sum of the weights a[i,k] of the arcs that are left to k,
//
//	p[i] = a[i,k] / d_k,   a[i,j] += p[i]·a[k,j],   Z = Π_k d_k.
//
// Probabilities are derivatives, taken backwards. With ā[i,j] = ∂ ln Z / ∂ a[i,j] of those left and
// q[i] = Σ_j ā[i,j]·a[k,j],
//
//	ā[i,k] = (1 + q[i] − Σ_i' p[i']·q[i']) / d_k,   ā[k,j] = Σ_i p[i]·ā[i,j],
//
// where p[i]·q[i] is an expected number of arcs, so that errors stay at n·1e-16. With a single root
// d_k has no arc from the root but for the last token, which takes only that.
type matrix struct {
	weight []float64 // at h·(n+1)+m
	a, adj []float64 // by place of head and of modifier; the last place is eliminated first
	d, q   []float64 // by place
	order  []int32   // tokens at places
	place  []int32   // places of tokens
}

// Marginals is that of Summer. O(n³).
func (c *Arborescence) Marginals(p *Parts, score, mu []float64) (float64, bool) {
	if p.N == 0 {
		return 0, true
	}
	x, w := &c.matrix, p.N+1
	x.size(w)
	offset, ok := scale(p, score, c.single, x.weight)
	if !ok {
		return math.Inf(-1), false
	}
	copy(x.a, x.weight)
	if c.single && !x.barrenLast(w) {
		return math.Inf(-1), false
	}
	z := x.eliminate(p, c.single)
	if p.Ended() {
		return math.Inf(-1), false
	}
	if !(z >= tiny) {
		return x.logMarginals(p, score, mu, c.single)
	}
	if x.differentiate(p, c.single); p.Ended() {
		return math.Inf(-1), false
	}
	x.places()
	for a, h := range p.Head {
		m := p.Mod[a]
		v := x.adj[int(x.place[h])*w+int(x.place[m])] * x.weight[int(h)*w+int(m)]
		mu[a] = max(0, min(1, v))
	}
	return offset + math.Log(z), true
}

func (x *matrix) places() {
	for i, t := range x.order {
		x.place[t] = int32(i)
	}
}

func (x *matrix) size(w int) {
	x.weight, x.a, x.adj = buffer.Resize(x.weight, w*w), buffer.Resize(x.a, w*w), buffer.Resize(x.adj, w*w)
	x.d, x.q = buffer.Resize(x.d, w), buffer.Resize(x.q, w)
	x.order, x.place = buffer.Resize(x.order, w), buffer.Resize(x.place, w)
	for i := range x.order {
		x.order[i] = int32(i)
	}
}

// barrenLast puts the token that has no head but the root where it is eliminated last; false if there
// are two.
func (x *matrix) barrenLast(w int) bool {
	barren := 0
	for m := 1; m < w; m++ {
		sum := 0.0
		for h := 1; h < w; h++ {
			sum += x.a[h*w+m]
		}
		if sum == 0 && w > 2 {
			if barren > 0 {
				return false
			}
			barren = m
		}
	}
	if barren > 1 {
		x.swap(w, 1, barren)
	}
	return true
}

// swap exchanges two places.
func (x *matrix) swap(w, i, j int) {
	for k := range w {
		x.a[i*w+k], x.a[j*w+k] = x.a[j*w+k], x.a[i*w+k]
	}
	for k := range w {
		x.a[k*w+i], x.a[k*w+j] = x.a[k*w+j], x.a[k*w+i]
	}
	x.order[i], x.order[j] = x.order[j], x.order[i]
}

// eliminate returns Z and leaves p in the columns.
func (x *matrix) eliminate(p *Parts, single bool) float64 {
	low, w, z := 0, p.N+1, 1.0
	if single {
		low = 1
	}
	for k := w - 1; k > low && !p.Ended(); k-- {
		d := 0.0
		for i := low; i < k; i++ {
			d += x.a[i*w+k]
		}
		x.d[k] = d
		if z *= d; z < tiny {
			return z
		}
		row := x.a[k*w+1 : k*w+k]
		for i := range k {
			if p := x.a[i*w+k] / d; p != 0 {
				x.a[i*w+k] = p
				axpy(p, row, x.a[i*w+1:i*w+k])
			}
		}
	}
	if single {
		x.d[1] = x.a[1]
		z *= x.d[1]
		x.a[1] = 1
	}
	return z
}

// differentiate sets adj to ∂ ln Z / ∂ a; the diagonal, which has no arcs, stays 0.
func (x *matrix) differentiate(p *Parts, single bool) {
	w := p.N + 1
	clear(x.adj[:w*w])
	x.adj[1] = 1 / x.d[1]
	low := 0
	if single {
		low = 1
	}
	for k := 2; k < w && !p.Ended(); k++ {
		row, out := x.a[k*w+1:k*w+k], x.adj[k*w+1:k*w+k]
		sum := 0.0
		for i := range k {
			p, adj := x.a[i*w+k], x.adj[i*w+1:i*w+k]
			x.q[i] = dot(adj, row)
			sum += p * x.q[i]
			axpy(p, adj, out)
		}
		for i := range k {
			one := 1 - sum
			if i < low {
				one = 0
			}
			x.adj[i*w+k] = (one + x.q[i]) / x.d[k]
		}
	}
}

// axpy adds f·x to y.
func axpy(f float64, x, y []float64) {
	y = y[:len(x)]
	for k, v := range x {
		y[k] += f * v
	}
}
