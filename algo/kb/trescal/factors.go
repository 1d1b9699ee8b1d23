package trescal

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	kernel "gonum.org/v1/gonum/blas/gonum"

	"parlance/algo/kb/triples"
	"parlance/algo/numeric/tensor"
)

// factors are the vectors of entities and the matrices of relations, all row after row. They are kept
// in half of the precision of training, which moves scores by less than a millionth of their range.
type factors struct {
	rank    int
	A       []float32 `state:"vectors,some"` // one row an entity
	R       []float32 `state:"matrices"`     // one square matrix a relation, rows by subject
	scratch *sync.Pool
	limits  *bounds
}

var dense kernel.Implementation

// single rounds the factors of a training.
func single(f *tensor.Factors) factors {
	out := factors{rank: f.Rank, A: make([]float32, len(f.A)), R: make([]float32, 0, len(f.R)*f.Rank*f.Rank),
		scratch: newScratch(), limits: new(bounds)}
	for i, x := range f.A {
		out.A[i] = float32(x)
	}
	for _, m := range f.R {
		for _, x := range m {
			out.R = append(out.R, float32(x))
		}
	}
	return out
}

func newScratch() *sync.Pool { return &sync.Pool{New: func() any { return new([]float32) }} }

// bounded reports whether all scores are finite numbers: |a' R a| is at most rank² times the largest
// values.
func (f *factors) bounded() bool {
	most := func(list []float32) float64 {
		m := 0.0
		for _, x := range list {
			if x != x {
				return math.Inf(1)
			}
			m = max(m, math.Abs(float64(x)))
		}
		return m
	}
	a, r, n := most(f.A), most(f.R), float64(f.rank)
	return n*n*max(a, 1)*max(a, 1)*max(r, 1) < 1e37
}

func (f *factors) row(e int32) []float32 { return f.A[int(e)*f.rank : (int(e)+1)*f.rank] }

func (f *factors) matrix(k int32) []float32 {
	n := f.rank * f.rank
	return f.R[int(k)*n : (int(k)+1)*n]
}

// project sets q to the vector that an entity at the open side is multiplied with: R'a_s or R a_o.
func (f *factors) project(q []float32, open triples.Side, relation, given int32) {
	turn := blas.NoTrans
	if open == triples.Object {
		turn = blas.Trans
	}
	dense.Sgemv(turn, f.rank, f.rank, 1, f.matrix(relation), f.rank, f.row(given), 1, 0, q, 1)
}

// Score is a_s' R a_o.
func (f *factors) Score(t triples.Triple) float64 {
	buffer := f.take(f.rank)
	defer f.scratch.Put(buffer)
	f.project(*buffer, triples.Object, t.Relation, t.Subject)
	return float64(dense.Sdot(f.rank, *buffer, 1, f.row(t.Object), 1))
}

// take returns a buffer of n numbers.
func (f *factors) take(n int) *[]float32 {
	b := f.scratch.Get().(*[]float32)
	if cap(*b) < n {
		*b = make([]float32, n)
	}
	*b = (*b)[:n]
	return b
}

// tile is how many entities one product takes, few enough to stay in the cache and to be computed by
// the caller's thread. Products of rows with rows give the same bits for one row as for many.
const tile = 128

// Scores scores all entities at the open side: given rows times rank² and times entities times rank
// operations.
func (f *factors) Scores(open triples.Side, relation int32, given []int32, out []float64) {
	rows, n, r := len(given), len(f.A)/f.rank, f.rank
	buffer := f.take(rows * (r + tile))
	defer f.scratch.Put(buffer)
	q, part := (*buffer)[:rows*r], (*buffer)[rows*r:]
	for i, e := range given {
		f.project(q[i*r:(i+1)*r], open, relation, e)
	}
	for from := 0; from < n; from += tile {
		cols := min(tile, n-from)
		dense.Sgemm(blas.NoTrans, blas.Trans, rows, cols, r, 1, q, r, f.A[from*r:], r, 0, part, tile)
		for i := range rows {
			to := out[i*n+from : i*n+from+cols]
			for j, x := range part[i*tile : i*tile+cols] {
				to[j] = float64(x)
			}
		}
	}
}
