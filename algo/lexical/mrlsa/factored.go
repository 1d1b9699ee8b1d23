package mrlsa

import (
	"context"
	"math"

	"parlance/algo/numeric/lowrank"
	"parlance/algo/numeric/parallel"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// factored gives degrees by factors: slice k is U·S_k·Vᵀ, its column of word j is U·S_k·v_j, and
// with Uᵀ·U = I (eq. 6)
//
//	degree(i, j, k) = cos(S_pivot·v_i, S_k·v_j) = v_iᵀ·H_k·v_j / (‖S_pivot·v_i‖·‖S_k·v_j‖),
//	H_k = S_pivotᵀ·S_k
//
// A relation has a slot, which is the slice that it is read from, and a sign.
type factored struct {
	rank     int
	vectors  []float32   // v_j one after the other
	cross    [][]float32 // H of each slot, by rows
	lengths  [][]float32 // ‖S·v_j‖ of each slot, 0 where there is no degree
	pivot    int         // slot
	slot     []int       // of each relation
	sign     []float32   // of each relation
	*folding             // nil unless words are to be folded in
}

// vanishing is the share of the longest column below which a column is 0 but for rounding.
const vanishing = 1e-9

// newFactored takes over what queries need of a decomposition.
func newFactored(ctx context.Context, workers int, t *lowrank.Tucker, pivot int, slot []int,
	sign []float32) (*factored, error) {
	f := &factored{rank: t.V.Cols, pivot: pivot, slot: slot, sign: sign, vectors: single(t.V.Data)}
	n := t.V.Rows
	for _, s := range t.Core {
		h, err := lowrank.CrossProduct(ctx, workers, t.Core[pivot], s)
		if err != nil {
			return nil, err
		}
		f.cross = append(f.cross, single(h.Data))
		lengths, err := columnLengths(ctx, workers, t.V, s)
		if err != nil {
			return nil, err
		}
		longest := 0.0
		for _, x := range lengths {
			longest = max(longest, x)
		}
		kept := make([]float32, n)
		for j, x := range lengths {
			if x > vanishing*longest {
				kept[j] = float32(x)
			}
		}
		f.lengths = append(f.lengths, kept)
	}
	return f, nil
}

func single(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// columnLengths returns ‖S·v_j‖, some thousand words at a time.
func columnLengths(ctx context.Context, workers int, v, s *lowrank.Panel) ([]float64, error) {
	const most = 4096
	turned := lowrank.NewPanel(s.Cols, s.Rows)
	for i := range s.Rows {
		for j, x := range s.Row(i) {
			turned.Row(j)[i] = x
		}
	}
	var out []float64
	for from := 0; from < v.Rows; from += most {
		n := min(most, v.Rows-from)
		y, err := lowrank.Product(ctx, workers,
			&lowrank.Panel{Rows: n, Cols: v.Cols, Data: v.Data[from*v.Cols : (from+n)*v.Cols]}, turned)
		if err != nil {
			return nil, err
		}
		for i := range n {
			sum := 0.0
			for _, x := range y.Row(i) {
				sum += x * x
			}
			out = append(out, math.Sqrt(sum))
		}
	}
	return out, nil
}

func (f *factored) vector(i uint32) blas32.Vector {
	return blas32.Vector{N: f.rank, Inc: 1, Data: f.vectors[int(i)*f.rank : (int(i)+1)*f.rank]}
}

// aligned is the least number of values for which memory begins at a multiple of 16 bytes. The kernels
// sum in an order that depends on where their second vector begins, which is a query's here.
const aligned = 8

// query is H·v of a slot, or Hᵀ·v.
func (f *factored) query(v blas32.Vector, slot int, transposed bool) blas32.Vector {
	h := blas32.General{Rows: f.rank, Cols: f.rank, Stride: f.rank, Data: f.cross[slot]}
	out := blas32.Vector{N: f.rank, Inc: 1, Data: make([]float32, f.rank, max(f.rank, aligned))}
	if transposed {
		// A vector from the left, row by row: the columns of H are far apart.
		for r := range f.rank {
			blas32.Axpy(v.Data[r], blas32.Vector{N: f.rank, Inc: 1, Data: h.Data[r*f.rank : (r+1)*f.rank]}, out)
		}
		return out
	}
	for r := range f.rank {
		out.Data[r] = blas32.Dot(blas32.Vector{N: f.rank, Inc: 1, Data: h.Data[r*f.rank : (r+1)*f.rank]}, v)
	}
	return out
}

func (f *factored) pair(i, j uint32, relation int) float64 {
	slot := f.slot[relation]
	a, b := f.lengths[f.pivot][i], f.lengths[slot][j]
	if a == 0 || b == 0 {
		return none
	}
	return float64(f.sign[relation]) * cosine(float64(blas32.Dot(f.vector(j), f.query(f.vector(i), slot, true))),
		float64(a), float64(b))
}

func (f *factored) every(ctx context.Context, workers int, i uint32, relation int, symmetric bool,
	out []float32) error {
	from := []float32{f.lengths[f.pivot][i], f.lengths[f.slot[relation]][i]}
	return f.scan(ctx, workers, f.probes(f.vector(i), from, relation, symmetric), f.sign[relation], out)
}

// probe is one direction of a degree: cos = v_j·q / (length · lengths[j]).
type probe struct {
	q       blas32.Vector
	length  float32
	lengths []float32
}

// probes are the directions of a relation from a vector, whose lengths under the pivot and under the
// relation are given.
func (f *factored) probes(v blas32.Vector, lengths []float32, relation int, symmetric bool) []probe {
	slot := f.slot[relation]
	out := []probe{{f.query(v, slot, true), lengths[0], f.lengths[slot]}}
	if symmetric {
		out = append(out, probe{f.query(v, slot, false), lengths[1], f.lengths[f.pivot]})
	}
	return out
}

// wordsPerScan are scanned at once: few enough for their vectors to stay in the cache from one
// direction to the next.
const wordsPerScan = 256

// scan sets out[j] to sign times the cosine of word j, or times the mean of two.
func (f *factored) scan(ctx context.Context, workers int, probes []probe, sign float32, out []float32) error {
	workers = parallel.Workers(workers)
	type room struct{ products, back [wordsPerScan]float32 }
	rooms := make([]room, workers)
	return parallel.For(ctx, workers, parallel.Blocks(len(out), wordsPerScan), func(w, b int) error {
		from, to := parallel.Block(b, len(out), wordsPerScan)
		part, r := out[from:to], &rooms[w]
		f.cosines(from, probes[0], r.products[:], part)
		if len(probes) > 1 {
			f.cosines(from, probes[1], r.products[:], r.back[:len(part)])
			average(part, r.back[:])
		}
		for j := range part {
			part[j] *= sign
		}
		return nil
	})
}

// cosines sets out to those of the words from one on.
func (f *factored) cosines(from int, p probe, products, out []float32) {
	a := blas32.General{Rows: len(out), Cols: f.rank, Stride: f.rank,
		Data: f.vectors[from*f.rank : (from+len(out))*f.rank]}
	blas32.Gemv(blas.NoTrans, 1, a, p.q, 0, blas32.Vector{N: len(out), Inc: 1, Data: products})
	for j := range out {
		out[j] = float32(cosine(float64(products[j]), float64(p.length), float64(p.lengths[from+j])))
	}
}

func (f *factored) bytes() int64 {
	n := int64(4 * (len(f.vectors) + len(f.cross)*f.rank*f.rank + len(f.lengths)*len(f.vectors)/max(1, f.rank)))
	if f.folding != nil {
		n += f.folding.bytes()
	}
	return n
}
