package transe

import (
	"math"
	"math/rand/v2"

	"parlance/algo/kb/triples"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// vectors are the parameters: rows of dim components.
type vectors struct {
	dim             int
	absolute        bool      // distances are sums of absolute differences, else of squared ones
	EntityVectors   []float64 `state:"entity_vectors,finite"`
	RelationVectors []float64 `state:"relation_vectors,finite"`
	squares         []float64 // of the lengths of entities, where distances are sums of squares
}

// start draws components evenly from ±6/√dim and brings all vectors to length 1 (Bordes et al. 2013,
// Algorithm 1, lines 1–5).
func start(d *triples.Data, dim int, absolute bool, seed uint64) vectors {
	r, bound := rand.New(rand.NewPCG(seed, 0)), 6/math.Sqrt(float64(dim))
	draw := func(n int) []float64 {
		out := make([]float64, n*dim)
		for i := range out {
			out[i] = bound * (2*r.Float64() - 1)
		}
		for i := range n {
			unit(out[i*dim : (i+1)*dim])
		}
		return out
	}
	return vectors{dim: dim, absolute: absolute, EntityVectors: draw(d.Entities.Len()),
		RelationVectors: draw(d.Relations.Len())}
}

// unit brings a vector to length 1; one of length 0 stays.
func unit(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	if sum == 0 {
		return
	}
	scale := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] *= scale
	}
}

func (v *vectors) entity(i int32) []float64 { return v.EntityVectors[int(i)*v.dim : (int(i)+1)*v.dim] }
func (v *vectors) relation(i int32) []float64 {
	return v.RelationVectors[int(i)*v.dim : (int(i)+1)*v.dim]
}

// distance is d(h, r, t) = Σ_k |h_k + r_k − t_k|, or the sum of squares.
func (v *vectors) distance(t triples.Triple) float64 {
	h, r, o := v.entity(t.Subject), v.relation(t.Relation), v.entity(t.Object)
	r, o = r[:len(h)], o[:len(h)]
	sum := 0.0
	if v.absolute {
		for k, x := range h {
			sum += math.Abs(x + r[k] - o[k])
		}
		return sum
	}
	for k, x := range h {
		d := x + r[k] - o[k]
		sum += d * d
	}
	return sum
}

// gradient stores that of the distance with regard to the subject, which is that of the relation and
// the opposite of that of the object: the signs of differences (1 at 0), or twice the differences.
func (v *vectors) gradient(t triples.Triple, g []float64) {
	h, r, o := v.entity(t.Subject), v.relation(t.Relation), v.entity(t.Object)
	r, o, g = r[:len(h)], o[:len(h)], g[:len(h)]
	if v.absolute {
		for k, x := range h {
			g[k] = math.Copysign(1, x+r[k]-o[k])
		}
		return
	}
	for k, x := range h {
		g[k] = 2 * (x + r[k] - o[k])
	}
}

// Score is −d(h, r, t).
func (v *vectors) Score(t triples.Triple) float64 { return -v.distance(t) }

// Scores compares h + r with all objects, or t − r with all subjects.
func (v *vectors) Scores(open triples.Side, relation int32, given []int32, out []float64) {
	points := make([]float64, len(given)*v.dim)
	r := v.relation(relation)
	for i, g := range given {
		p := points[i*v.dim : (i+1)*v.dim]
		for k, x := range v.entity(g) {
			if open == triples.Object {
				p[k] = x + r[k]
			} else {
				p[k] = x - r[k]
			}
		}
	}
	if v.absolute {
		v.manhattan(points, out)
	} else {
		v.euclid(points, out)
	}
}

// manhattan stores −Σ_k |p_k − e_k| for all points p and entities e, entities in the outer loop so
// that the points stay in the cache.
func (v *vectors) manhattan(points, out []float64) {
	n := len(v.EntityVectors) / v.dim
	for e := range n {
		x := v.EntityVectors[e*v.dim : (e+1)*v.dim]
		for i := range len(points) / v.dim {
			out[i*n+e] = -absolutes(x, points[i*v.dim:(i+1)*v.dim])
		}
	}
}

// absolutes is Σ_k |a_k − b_k|, in four sums that do not wait for each other.
func absolutes(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	k := 0
	for ; k+4 <= len(a); k += 4 {
		x, y := a[k:k+4:k+4], b[k:k+4:k+4]
		s0 += math.Abs(x[0] - y[0])
		s1 += math.Abs(x[1] - y[1])
		s2 += math.Abs(x[2] - y[2])
		s3 += math.Abs(x[3] - y[3])
	}
	for ; k < len(a); k++ {
		s0 += math.Abs(a[k] - b[k])
	}
	return s0 + s1 + (s2 + s3)
}

// measure prepares squares.
func (v *vectors) measure() {
	if v.absolute {
		return
	}
	v.squares = make([]float64, len(v.EntityVectors)/v.dim)
	for i := range v.squares {
		v.squares[i] = square(v.entity(int32(i)))
	}
}

func square(x []float64) float64 {
	sum := 0.0
	for _, y := range x {
		sum += y * y
	}
	return sum
}

// tile is how many entities one product takes, few enough to stay in the cache.
const tile = 128

// euclid stores −‖p − e‖² = 2 p·e − ‖p‖² − ‖e‖² for all points p and entities e, the first term as products
// of entities with one point after another: on one thread, and with the same bits for one point as for many.
func (v *vectors) euclid(points, out []float64) {
	n, rows := len(v.EntityVectors)/v.dim, len(points)/v.dim
	for from := 0; from < n; from += tile {
		to := min(n, from+tile)
		list := blas64.General{Rows: to - from, Cols: v.dim, Stride: v.dim, Data: v.EntityVectors[from*v.dim:]}
		for i := range rows {
			p := blas64.Vector{N: v.dim, Inc: 1, Data: points[i*v.dim : (i+1)*v.dim]}
			blas64.Gemv(blas.NoTrans, 2, list, p, 0, blas64.Vector{N: to - from, Inc: 1, Data: out[i*n+from : i*n+to]})
		}
	}
	for i := range rows {
		p := square(points[i*v.dim : (i+1)*v.dim])
		for e, s := range v.squares {
			out[i*n+e] -= p + s
		}
	}
}
