package triples

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parlance/algo/kind"
	"parlance/storage/value"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// base reads a part of a knowledge base in the folder that PARLANCE_DATA names.
func base(b testing.TB, name, part string) kind.Tables {
	dir := os.Getenv("PARLANCE_DATA")
	if dir == "" {
		b.Skip("PARLANCE_DATA names no folder")
	}
	f, err := os.Open(filepath.Join(dir, "kb", name, part+".txt"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	in := kind.Tables{}
	for s := bufio.NewScanner(f); s.Scan(); {
		w := strings.Split(s.Text(), "\t")
		in["triples"] = append(in["triples"], []value.Value{value.Str(w[0]), value.Str(w[1]), value.Str(w[2]), {}, {}})
	}
	return in
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
	how := blas.NoTrans
	if open == Subject {
		how = blas.Trans
	}
	matrix := func(rows, cols int, p []float64) blas64.General {
		return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: p}
	}
	blas64.Gemm(blas.NoTrans, how, 1, matrix(k, r, rows), matrix(r, r, x.relations[relation]), 0, matrix(k, r, q))
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, matrix(k, r, q), matrix(x.n, r, x.entities), 0, matrix(k, x.n, out))
}

// processor is the time that this process had processors for, in seconds.
func processor(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkRankings ranks both sides of all test triples of FB15k-237 by a bilinear scorer.
func BenchmarkRankings(b *testing.B) {
	d, test := read(b, base(b, "FB15k-237", "train")), base(b, "FB15k-237", "test")
	a := answers(b, d, newBilinear(d, 100))
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			start := processor(b)
			for b.Loop() {
				if _, err := a.Evaluate(context.Background(), test, &kind.Run{Workers: workers}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processor(b)-start)/float64(b.N), "cpu-s/op")
		})
	}
}

// BenchmarkRead reads FB15k-237.
func BenchmarkRead(b *testing.B) {
	in := base(b, "FB15k-237", "train")
	for b.Loop() {
		read(b, in)
	}
}

// BenchmarkComplete completes a subject and a relation of FB15k-237, the best ten.
func BenchmarkComplete(b *testing.B) {
	d := read(b, base(b, "FB15k-237", "train"))
	a := answers(b, d, newBilinear(d, 100))
	i := 0
	for b.Loop() {
		t := d.Facts[i%len(d.Facts)]
		i += 7919
		rows, err := a.Open(context.Background(), "complete", []value.Value{value.Str(d.Entities.Name(t.Subject)), value.Str(d.Relations.Name(t.Relation)), {}}, &kind.Run{Workers: 1})
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
