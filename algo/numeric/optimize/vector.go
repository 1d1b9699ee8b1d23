package optimize

import (
	"math"

	"parlance/algo/numeric/parallel"
)

// block is the unit of summation: inner products are sums of block sums in order, so the
// result does not depend on the number of workers.
const block = 4096

// parallelFrom is the length from which a second goroutine pays.
const parallelFrom = 1 << 16

type operation uint8

const (
	opDot operation = iota
	opNegateDot
	opAxpyScaleDot
	opStep
	opPair
)

// vectors runs fused vector operations on vectors of one length.
type vectors struct {
	n, workers int
	op         operation
	a, b, c, d []float64
	e, f       []float64
	alpha      float64
	gamma      float64
	sums       [][2]float64 // by block
}

func newVectors(n, workers int) *vectors {
	blocks := (n + block - 1) / block
	if n < parallelFrom {
		workers = 1
	}
	return &vectors{n: n, workers: max(1, min(workers, blocks)), sums: make([][2]float64, blocks)}
}

// run applies the operation to all blocks and returns the sums.
func (v *vectors) run() (s, t float64) {
	if v.workers == 1 {
		v.part(0) // no closure to allocate
	} else {
		parallel.Each(v.workers, v.workers, func(_, i int) { v.part(i) })
	}
	for _, p := range v.sums {
		s += p[0]
		t += p[1]
	}
	return s, t
}

// part applies the operation to one of as many runs of blocks as there are workers.
func (v *vectors) part(i int) {
	from, to := parallel.Shard(i, len(v.sums), v.workers)
	for k := from; k < to; k++ {
		lo, hi := parallel.Block(k, v.n, block)
		var s, t float64
		switch v.op {
		case opDot:
			s = Dot(v.a[lo:hi], v.b[lo:hi])
		case opNegateDot:
			a, b := v.a[lo:hi], v.b[lo:hi]
			for i := range a {
				a[i] = -b[i]
			}
			if v.c != nil {
				s = Dot(a, v.c[lo:hi])
			}
		case opAxpyScaleDot:
			if v.c != nil {
				s = axpyScaleDot(v.a[lo:hi], v.alpha, v.b[lo:hi], v.gamma, v.c[lo:hi])
			} else {
				axpyScale(v.a[lo:hi], v.alpha, v.b[lo:hi], v.gamma)
			}
		case opStep:
			step(v.a[lo:hi], v.b[lo:hi], v.alpha, v.c[lo:hi])
		case opPair:
			s, t = pair(v.a[lo:hi], v.b[lo:hi], v.c[lo:hi], v.d[lo:hi], v.e[lo:hi], v.f[lo:hi])
		}
		v.sums[k] = [2]float64{s, t}
	}
}

// dot returns a·b.
func (v *vectors) dot(a, b []float64) float64 {
	v.op, v.a, v.b = opDot, a, b
	s, _ := v.run()
	return s
}

// norm returns |a|.
func (v *vectors) norm(a []float64) float64 { return math.Sqrt(v.dot(a, a)) }

// negate sets d = −g and returns d·z, 0 without z.
func (v *vectors) negate(d, g, z []float64) float64 {
	v.op, v.a, v.b, v.c = opNegateDot, d, g, z
	s, _ := v.run()
	return s
}

// axpyScaleDot sets d = (d + alpha·y)·gamma and returns d·z, 0 without z.
func (v *vectors) axpyScaleDot(d []float64, alpha float64, y []float64, gamma float64, z []float64) float64 {
	v.op, v.a, v.b, v.c, v.alpha, v.gamma = opAxpyScaleDot, d, y, z, alpha, gamma
	s, _ := v.run()
	return s
}

// step sets x = xp + alpha·d.
func (v *vectors) step(x, xp []float64, alpha float64, d []float64) {
	v.op, v.a, v.b, v.c, v.alpha = opStep, x, xp, d, alpha
	v.run()
}

// pair sets s = x − xp and y = g − gp and returns y·s and y·y.
func (v *vectors) pair(s, y, x, xp, g, gp []float64) (ys, yy float64) {
	v.op, v.a, v.b, v.c, v.d, v.e, v.f = opPair, s, y, x, xp, g, gp
	return v.run()
}

// Dot is Σ a_i b_i in four sums, over the length of a.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func axpyScaleDot(d []float64, alpha float64, y []float64, gamma float64, z []float64) float64 {
	y, z = y[:len(d)], z[:len(d)]
	var s0, s1 float64
	i := 0
	for ; i+2 <= len(d); i += 2 {
		u := (d[i] + alpha*y[i]) * gamma
		w := (d[i+1] + alpha*y[i+1]) * gamma
		d[i], d[i+1] = u, w
		s0 += u * z[i]
		s1 += w * z[i+1]
	}
	for ; i < len(d); i++ {
		u := (d[i] + alpha*y[i]) * gamma
		d[i] = u
		s0 += u * z[i]
	}
	return s0 + s1
}

func axpyScale(d []float64, alpha float64, y []float64, gamma float64) {
	y = y[:len(d)]
	for i := range d {
		d[i] = (d[i] + alpha*y[i]) * gamma
	}
}

func step(x, xp []float64, alpha float64, d []float64) {
	xp, d = xp[:len(x)], d[:len(x)]
	for i := range x {
		x[i] = xp[i] + alpha*d[i]
	}
}

func pair(s, y, x, xp, g, gp []float64) (ys, yy float64) {
	n := len(s)
	y, x, xp, g, gp = y[:n], x[:n], xp[:n], g[:n], gp[:n]
	for i := range s {
		a, b := x[i]-xp[i], g[i]-gp[i]
		s[i], y[i] = a, b
		ys += a * b
		yy += b * b
	}
	return ys, yy
}
