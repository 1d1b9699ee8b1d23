package trescal

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/testutil/testtime"
	"parlance/storage/value"
)

// counted counts the triples that are scored with bounds.
type counted struct {
	*model
	n *atomic.Int64
}

func (c counted) Above(open triples.Side, relation int32, given []int32, least float64,
	each func(int, int32, float64)) int64 {
	n := c.model.Above(open, relation, given, least, each)
	c.n.Add(n)
	return n
}

// plain is a scorer without bounds.
type plain struct{ triples.Scorer }

// first returns the first rows of complete.
func first(tb testing.TB, m *model, relation string, limit int) (out [][]value.Value) {
	tb.Helper()
	rows, err := m.Open(context.Background(), "complete", text("", relation, ""), &kind.Run{Workers: 1, Limit: limit})
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	for {
		b, err := rows.Next(context.Background())
		if err != nil {
			tb.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			out = append(out, slices.Clone(b.Row(nil, i)))
		}
	}
}

// BenchmarkBest finds the best triples of FB15k-237, all and those of a relation, and compares them with the best of
// all scores of the relation.
func BenchmarkBest(b *testing.B) {
	const profession = "/people/person/profession"
	in := freebase(b, "train")
	for _, types := range []string{"none", "induced"} {
		m := trained(b, in, kindtest.Arg("types", types),
			kindtest.Arg("l2", map[string]float64{"none": 20, "induced": 10}[types]), kindtest.Arg("tolerance", 0.0))
		m.Scorer = plain{m}
		whole := first(b, m, profession, 10)
		n := new(atomic.Int64)
		m.Scorer = counted{m, n}
		if got := first(b, m, profession, 10); fmt.Sprint(got) != fmt.Sprint(whole) {
			b.Fatalf("with bounds\n%v\nwithout\n%v", got, whole)
		}
		for _, c := range []struct {
			name, relation string
			limit          int
		}{{"all", "", 3}, {"all", "", 10}, {"all", "", 1000}, {"relation", profession, 10}, {"relation", profession, 1000}} {
			b.Run(fmt.Sprintf("types=%s/%s/limit=%d", types, c.name, c.limit), func(b *testing.B) {
				n.Store(0)
				start := testtime.Processor(b)
				for b.Loop() {
					first(b, m, c.relation, c.limit)
				}
				b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
				b.ReportMetric(float64(n.Load())/float64(b.N), "scored/op")
			})
		}
		b.Run(fmt.Sprintf("types=%s/relation/unbounded", types), func(b *testing.B) {
			m.Scorer = plain{m}
			start := testtime.Processor(b)
			for b.Loop() {
				first(b, m, profession, 10)
			}
			b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
		})
	}
}
