package semimarkov

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/testutil/testtime"
)

// BenchmarkLengths is the cost of a token of a text of 311 tokens with 13 labels, by the longest segment, in time of
// processors.
func BenchmarkLengths(b *testing.B) {
	const n, labels, attributes = 311, 13, 2000
	r := rand.New(rand.NewPCG(1, 1))
	rows := Rows{Offsets: []uint32{0}}
	for range n {
		for range 20 {
			rows.Attrs = append(rows.Attrs, uint32(r.IntN(attributes)))
		}
		rows.Offsets = append(rows.Offsets, uint32(len(rows.Attrs)))
	}
	s := &Sequence{N: n, Token: rows, Begin: rows, End: rows}
	l, err := NewLabels(Labels{N: labels})
	if err != nil {
		b.Fatal(err)
	}
	d := &Data{Sequences: []Sequence{*s}, Gold: [][]Segment{nil}, Attributes: attributes}
	for _, longest := range []int{1, 5, 10, 20, 40, 80, 160} {
		lay, err := NewLayout(d, l, longest, Features{AllStates: true, AllPairs: true})
		if err != nil {
			b.Fatal(err)
		}
		w := make([]float64, lay.Size())
		for i := range w {
			w[i] = r.NormFloat64()
		}
		c := NewChart(lay)
		if err := c.SetWeights(w); err != nil {
			b.Fatal(err)
		}
		for name, do := range map[string]func(){"scores": func() {}, "best": func() { c.Best(nil) },
			"marginals": func() { c.Expect() }} {
			b.Run(fmt.Sprintf("%s/longest=%d", name, longest), func(b *testing.B) {
				start := testtime.Processor(b)
				for b.Loop() {
					if err := c.Load(context.Background(), s, nil, nil); err != nil {
						b.Fatal(err)
					}
					do()
				}
				b.ReportMetric(1e6*(testtime.Processor(b)-start)/float64(b.N*n), "µs/token")
			})
		}
	}
}
