package trescal

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"

	"parlance/algo/kb/triples"
)

// bounds are what bounds of scores are found by. By Cauchy and Schwarz, with the spectral norm of R,
//
//	a_s' R a_o = q·a_o ≤ ‖q‖ ‖a_o‖,  q = R'a_s,  ‖q‖ ≤ ‖R‖ ‖a_s‖
type bounds struct {
	once     sync.Once
	lengths  []float64 // of entities, by number
	entities []int32   // by falling length
	norms    []lazy    // of relations, from above
}

type lazy struct {
	once sync.Once
	x    float64
}

// slack is what a sum of n products of single precision may be off by, as a part of the product of the lengths.
func slack(n int) float64 { return 1 + float64(n+4)*0x1p-22 }

// tiny is more than what products below the range of single precision may add up to.
const tiny = 1e-35

// prepare sorts the entities, once.
func (f *factors) prepare() *bounds {
	b := f.limits
	b.once.Do(func() {
		n := len(f.A) / f.rank
		b.lengths, b.entities = make([]float64, n), make([]int32, n)
		for e := range n {
			b.lengths[e], b.entities[e] = length(f.row(int32(e))), int32(e)
		}
		slices.SortStableFunc(b.entities, func(x, y int32) int { return cmp.Compare(b.lengths[y], b.lengths[x]) })
		b.norms = make([]lazy, len(f.R)/(f.rank*f.rank))
	})
	return b
}

func length(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// norm is no less than the spectral norm of the matrix of a relation: the fourth root of the Frobenius norm
// of (R'R)², whose eigenvalues are the fourth powers of the singular values. It takes rank³ operations.
func (f *factors) norm(relation int32) float64 {
	n := f.rank
	square, fourth := make([]float64, n*n), make([]float64, n*n)
	r := make([]float64, n*n)
	for i, x := range f.matrix(relation) {
		r[i] = float64(x)
	}
	dense.Dgemm(blas.Trans, blas.NoTrans, n, n, n, 1, r, n, r, n, 0, square, n)
	dense.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, square, n, square, n, 0, fourth, n)
	sum := 0.0
	for _, x := range fourth {
		sum += x * x
	}
	return math.Pow(sum, 0.125)
}

// Bounds sets out to ‖R‖ ‖a_g‖ max ‖a_e‖ for the given entities g.
func (f *factors) Bounds(_ triples.Side, relation int32, given []int32, out []float64) {
	b := f.prepare()
	s := slack(f.rank)
	norm := &b.norms[relation]
	norm.once.Do(func() { norm.x = f.norm(relation) })
	most := norm.x * b.lengths[b.entities[0]] * s * s
	for i, g := range given {
		out[i] = most*b.lengths[g] + tiny
	}
}

// Above multiplies the vector of each row with those of the entities that are long enough, where they stand in memory,
// so that the sums are those of Scores.
func (f *factors) Above(open triples.Side, relation int32, given []int32, least float64,
	each func(int, int32, float64)) (scored int64) {
	b := f.prepare()
	buffer := f.take(f.rank)
	defer f.scratch.Put(buffer)
	q := *buffer
	for i, g := range given {
		f.project(q, open, relation, g)
		long := length(q) * slack(f.rank)
		for _, e := range b.entities {
			if long*b.lengths[e]+tiny < least {
				break
			}
			scored++
			if x := float64(dense.Sdot(f.rank, q, 1, f.row(e), 1)); x >= least {
				each(i, e, x)
			}
		}
	}
	return scored
}
