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
	Rank    int         `state:"rank,from=1"`
	Vectors []float32   `state:"vectors,len=Words*Rank"`       // v_j one after the other
	Cross   [][]float32 `state:"cross,some,each=Rank*Rank"`    // H of each slot, by rows
	Lengths [][]float32 `state:"lengths,len=Cross,each=Words"` // ‖S·v_j‖ of each slot, 0 where there is no degree
	Pivot   int         `state:"pivot,below=Cross"`            // slot
	Slot    []int       `state:"slots,len=Slices,below=Cross"` // of each relation
	Sign    []float32   `state:"signs,len=Slices,finite"`      // of each relation
	Folding *folding    `state:"fold"`                         // nil unless words are to be folded in
}

// vanishing is the share of the longest column below which a column is 0 but for rounding.
const vanishing = 1e-9

// newFactored takes over what queries need of a decomposition.
func newFactored(ctx context.Context, workers int, t *lowrank.Tucker, pivot int, slot []int,
	sign []float32) (*factored, error) {
	f := &factored{Rank: t.V.Cols, Pivot: pivot, Slot: slot, Sign: sign, Vectors: single(t.V.Data)}
	n := t.V.Rows
	for _, s := range t.Core {
		h, err := lowrank.CrossProduct(ctx, workers, t.Core[pivot], s)
		if err != nil {
			return nil, err
		}
		f.Cross = append(f.Cross, single(h.Data))
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
		f.Lengths = append(f.Lengths, kept)
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
	return blas32.Vector{N: f.Rank, Inc: 1, Data: f.Vectors[int(i)*f.Rank : (int(i)+1)*f.Rank]}
}

// aligned is the least number of values for which memory begins at a multiple of 16 bytes. The kernels
// sum in an order that depends on where their second vector begins, which is a query's here.
const aligned = 8

// query is H·v of a slot, or Hᵀ·v.
func (f *factored) query(v blas32.Vector, slot int, transposed bool) blas32.Vector {
	h := blas32.General{Rows: f.Rank, Cols: f.Rank, Stride: f.Rank, Data: f.Cross[slot]}
	out := blas32.Vector{N: f.Rank, Inc: 1, Data: make([]float32, f.Rank, max(f.Rank, aligned))}
	if transposed {
		// A vector from the left, row by row: the columns of H are far apart.
		for r := range f.Rank {
			blas32.Axpy(v.Data[r], blas32.Vector{N: f.Rank, Inc: 1, Data: h.Data[r*f.Rank : (r+1)*f.Rank]}, out)
		}
		return out
	}
	for r := range f.Rank {
		out.Data[r] = blas32.Dot(blas32.Vector{N: f.Rank, Inc: 1, Data: h.Data[r*f.Rank : (r+1)*f.Rank]}, v)
	}
	return out
}

func (f *factored) pair(i, j uint32, relation int) float64 {
	slot := f.Slot[relation]
	a, b := f.Lengths[f.Pivot][i], f.Lengths[slot][j]
	if a == 0 || b == 0 {
		return none
	}
	return float64(f.Sign[relation]) * cosine(float64(blas32.Dot(f.vector(j), f.query(f.vector(i), slot, true))),
		float64(a), float64(b))
}

func (f *factored) every(ctx context.Context, workers int, i uint32, relation int, symmetric bool,
	out []float32) error {
	from := []float32{f.Lengths[f.Pivot][i], f.Lengths[f.Slot[relation]][i]}
	return f.scan(ctx, workers, f.probes(f.vector(i), from, relation, symmetric), f.Sign[relation], out)
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
	slot := f.Slot[relation]
	out := []probe{{f.query(v, slot, true), lengths[0], f.Lengths[slot]}}
	if symmetric {
		out = append(out, probe{f.query(v, slot, false), lengths[1], f.Lengths[f.Pivot]})
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
	a := blas32.General{Rows: len(out), Cols: f.Rank, Stride: f.Rank,
		Data: f.Vectors[from*f.Rank : (from+len(out))*f.Rank]}
	blas32.Gemv(blas.NoTrans, 1, a, p.q, 0, blas32.Vector{N: len(out), Inc: 1, Data: products})
	for j := range out {
		out[j] = float32(cosine(float64(products[j]), float64(p.length), float64(p.lengths[from+j])))
	}
}
