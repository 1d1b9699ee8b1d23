package transe

import (
	"context"
	"fmt"
	"testing"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
)

// large is a part of FB15k-237.
func large(b *testing.B, part string) kind.Tables {
	return kind.Tables{"triples": realdata.Triples(b, "FB15k-237", part)}
}

// BenchmarkLarge trains on FB15k-237 for an epoch, and ranks both sides of its test triples.
func BenchmarkLarge(b *testing.B) {
	d, err := triples.Read(context.Background(), large(b, "train"))
	if err != nil {
		b.Fatal(err)
	}
	test := large(b, "test")
	for _, norm := range []string{"l1", "l2"} {
		for _, dim := range []int{50, 100} {
			for _, corruptions := range []int{1, 5} {
				m, set := &model{}, &option.Set{}
				m.Options(set)
				if err := set.Apply([]option.Arg{kindtest.Arg("norm", norm), kindtest.Arg("dim", dim),
					kindtest.Arg("corruptions", corruptions), kindtest.Arg("filtered", true)}); err != nil {
					b.Fatal(err)
				}
				m.Graph, m.vectors = d.Graph, start(d, dim, norm == "l1", 1)
				m.measure()
				tr := m.trainer(d, nil, &kind.Training{Seed: 1, Workers: 2})
				n := 0
				measured := func(name string, f func() error) {
					b.Run(fmt.Sprintf("%s/norm=%s/dim=%d/corruptions=%d", name, norm, dim, corruptions), func(b *testing.B) {
						before := testtime.Processor(b)
						for b.Loop() {
							if err := f(); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric((testtime.Processor(b)-before)/float64(b.N), "cpu-s/op")
					})
				}
				measured("epoch", func() error {
					n++
					_, err := tr.epoch(context.Background(), n)
					return err
				})
				if corruptions == 1 {
					measured("rankings", func() error {
						_, err := m.Evaluate(context.Background(), test, &kind.Run{Workers: 2})
						return err
					})
				}
			}
		}
	}
}
