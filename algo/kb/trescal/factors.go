package trescal

import (
	"errors"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	kernel "gonum.org/v1/gonum/blas/gonum"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/numeric/tensor"
)

// factors are the vectors of entities and the matrices of relations, all row after row. They are kept
// in half of the precision of training, which moves scores by less than a millionth of their range.
type factors struct {
	rank    int
	a       []float32 // one row an entity
	r       []float32 // one square matrix a relation, rows by subject
	scratch *sync.Pool
	limits  *bounds
}

var dense kernel.Implementation

// single rounds the factors of a training.
func single(f *tensor.Factors) factors {
	out := factors{rank: f.Rank, a: make([]float32, len(f.A)), r: make([]float32, 0, len(f.R)*f.Rank*f.Rank),
		scratch: newScratch(), limits: new(bounds)}
	for i, x := range f.A {
		out.a[i] = float32(x)
	}
	for _, m := range f.R {
		for _, x := range m {
			out.r = append(out.r, float32(x))
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
	a, r, n := most(f.a), most(f.r), float64(f.rank)
	return n*n*max(a, 1)*max(a, 1)*max(r, 1) < 1e37
}

func (f *factors) row(e int32) []float32 { return f.a[int(e)*f.rank : (int(e)+1)*f.rank] }

func (f *factors) matrix(k int32) []float32 {
	n := f.rank * f.rank
	return f.r[int(k)*n : (int(k)+1)*n]
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
	rows, n, r := len(given), len(f.a)/f.rank, f.rank
	buffer := f.take(rows * (r + tile))
	defer f.scratch.Put(buffer)
	q, part := (*buffer)[:rows*r], (*buffer)[rows*r:]
	for i, e := range given {
		f.project(q[i*r:(i+1)*r], open, relation, e)
	}
	for from := 0; from < n; from += tile {
		cols := min(tile, n-from)
		dense.Sgemm(blas.NoTrans, blas.Trans, rows, cols, r, 1, q, r, f.a[from*r:], r, 0, part, tile)
		for i := range rows {
			to := out[i*n+from : i*n+from+cols]
			for j, x := range part[i*tile : i*tile+cols] {
				to[j] = float64(x)
			}
		}
	}
}

// Bytes is what the model takes in memory, with the lengths of entities that bounds need.
func (m *model) Bytes() int64 {
	return m.Answers.Bytes() + 4*int64(len(m.a)+len(m.r)+len(m.weights)) + 12*int64(m.Graph.Entities.Len())
}

// Encode writes the graph, the sets, 4 bytes a number of the factors, and where not all facts weigh 1
// their weights.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.Answers.Encode(w); err != nil {
		return err
	}
	if err := w.Float32s("vectors", m.a); err != nil {
		return err
	}
	if err := w.Float32s("matrices", m.r); err != nil || m.weights == nil {
		return err
	}
	return w.Float32s("weights", m.weights)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	if err = m.Answers.Decode(r); err != nil {
		return err
	}
	f := factors{scratch: newScratch(), limits: new(bounds)}
	if f.a, err = r.Float32s("vectors"); err != nil {
		return err
	}
	if f.r, err = r.Float32s("matrices"); err != nil {
		return err
	}
	n := m.Graph.Entities.Len()
	if n == 0 || len(f.a) == 0 || len(f.a)%n != 0 {
		return kind.Corrupt("vectors", "one an entity is wanted")
	}
	f.rank = len(f.a) / n
	if len(f.r) != m.Graph.Relations.Len()*f.rank*f.rank {
		return kind.Corrupt("matrices", "one square matrix a relation is wanted")
	}
	if !f.bounded() {
		return kind.Corrupt("vectors", "scores are beyond the range of numbers")
	}
	m.factors = f
	m.Scorer = m
	w, err := r.Float32s("weights")
	switch {
	case errors.Is(err, kind.ErrNoSection): // all facts count the same
		return nil
	case err == nil && len(w) != len(m.Graph.Facts):
		err = kind.Corrupt("weights", "one a fact is wanted")
	}
	m.weights = w
	return err
}
