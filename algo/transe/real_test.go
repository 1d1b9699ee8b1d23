package transe

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/triples"
	"parlance/storage/value"
)

// large reads a part of FB15k-237 in the folder that PARLANCE_DATA names.
func large(b testing.TB, part string) kind.Tables {
	dir := os.Getenv("PARLANCE_DATA")
	if dir == "" {
		b.Skip("PARLANCE_DATA names no folder")
	}
	f, err := os.Open(filepath.Join(dir, "kb", "FB15k-237", part+".txt"))
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

// processor is the time that this process had processors for, in seconds.
func processor(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
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
				if err := set.Apply([]option.Arg{kindtest.Arg("norm", norm), kindtest.Arg("dim", dim), kindtest.Arg("corruptions", corruptions), kindtest.Arg("filtered", true)}); err != nil {
					b.Fatal(err)
				}
				m.Graph, m.vectors = d.Graph, start(d, dim, norm == "l1", 1)
				m.measure()
				tr := m.trainer(d, nil, &kind.Training{Seed: 1, Workers: 2})
				n := 0
				measured := func(name string, f func() error) {
					b.Run(fmt.Sprintf("%s/norm=%s/dim=%d/corruptions=%d", name, norm, dim, corruptions), func(b *testing.B) {
						before := processor(b)
						for b.Loop() {
							if err := f(); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric((processor(b)-before)/float64(b.N), "cpu-s/op")
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
