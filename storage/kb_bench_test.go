package storage

import (
	"path/filepath"
	"testing"

	"parlance/algo/testutil/realdata"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// freebase returns the triples of FB15k-237.
func freebase(b *testing.B) (rows [][]value.Value) {
	for _, part := range []string{"train", "valid", "test"} {
		rows = append(rows, realdata.Triples(b, "FB15k-237", part)...)
	}
	return rows
}

// BenchmarkLoadTriples loads 310,116 triples with all indexes, and without all but the first.
func BenchmarkLoadTriples(b *testing.B) {
	rows := freebase(b)
	for _, n := range []int{3, 2, 1} {
		b.Run(map[int]string{3: "three indexes", 2: "two", 1: "one"}[n], func(b *testing.B) {
			for range b.N {
				s, err := Open(filepath.Join(b.TempDir(), "kb.db"), Options{})
				if err != nil {
					b.Fatal(err)
				}
				o := catalog.NewKB("kb", nil)
				o.Table(catalog.Triples).Indexes = o.Table(catalog.Triples).Indexes[:n]
				kb, err := s.CreateObject(background, o)
				if err != nil {
					b.Fatal(err)
				}
				c, err := s.ChangeKB(b.Context(), kb)
				if err == nil {
					err = c.Add(b.Context(), catalog.Triples, rows, nil)
				}
				if err == nil {
					err = c.Commit(b.Context())
				}
				if err != nil {
					b.Fatal(err)
				}
				st, _ := s.FileStats()
				b.ReportMetric(float64(st.Bytes)/1e6, "MB/file")
				s.Close()
			}
		})
	}
}
