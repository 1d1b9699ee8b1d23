package triples

import (
	"context"
	"math/rand/v2"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
	"parlance/storage/value"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// large is a part of FB15k-237.
func large(b *testing.B, part string) kind.Tables {
	return kind.Tables{"triples": realdata.Triples(b, "FB15k-237", part)}
}

// bilinear scores by s·R·o with random numbers, as decompositions of tensors do.
type bilinear struct {
	n, rank   int
	entities  []float64
	relations [][]float64
}

func newBilinear(d *Data, rank int) *bilinear {
	r, x := rand.New(rand.NewPCG(1, 1)), &bilinear{n: d.Entities.Len(), rank: rank}
	draw := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = r.NormFloat64()
		}
		return out
	}
	x.entities = draw(x.n * rank)
	for range d.Relations.Len() {
		x.relations = append(x.relations, draw(rank*rank))
	}
	return x
}

func (x *bilinear) Score(t Triple) float64 {
	out := make([]float64, x.n)
	x.Scores(Object, t.Relation, []int32{t.Subject}, out)
	return out[t.Object]
}

func (x *bilinear) Scores(open Side, relation int32, given []int32, out []float64) {
	r, k := x.rank, len(given)
	rows, q := make([]float64, k*r), make([]float64, k*r)
	for i, g := range given {
		copy(rows[i*r:], x.entities[int(g)*r:int(g+1)*r])
	}
	transposed := blas.NoTrans
	if open == Subject {
		transposed = blas.Trans
	}
	matrix := func(rows, cols int, p []float64) blas64.General {
		return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: p}
	}
	blas64.Gemm(blas.NoTrans, transposed, 1, matrix(k, r, rows), matrix(r, r, x.relations[relation]), 0, matrix(k, r, q))
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, matrix(k, r, q), matrix(x.n, r, x.entities), 0, matrix(k, x.n, out))
}

// BenchmarkRankings ranks both sides of all test triples of FB15k-237 by a bilinear scorer.
func BenchmarkRankings(b *testing.B) {
	d, test := read(b, large(b, "train")), large(b, "test")
	a := answers(b, d, newBilinear(d, 100))
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			start := testtime.Processor(b)
			for b.Loop() {
				if _, err := a.Evaluate(context.Background(), test, &kind.Run{Workers: workers}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
		})
	}
}

// BenchmarkRead reads FB15k-237.
func BenchmarkRead(b *testing.B) {
	in := large(b, "train")
	for b.Loop() {
		read(b, in)
	}
}

// BenchmarkComplete completes a subject and a relation of FB15k-237, the best ten.
func BenchmarkComplete(b *testing.B) {
	d := read(b, large(b, "train"))
	a := answers(b, d, newBilinear(d, 100))
	i := 0
	for b.Loop() {
		t := d.Facts[i%len(d.Facts)]
		i += 7919
		rows, err := a.Open(context.Background(), "complete",
			[]value.Value{value.Str(d.Entities.Name(t.Subject)), value.Str(d.Relations.Name(t.Relation)), {}},
			&kind.Run{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := rows.Next(context.Background()); err != nil {
			b.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
