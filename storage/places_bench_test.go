package storage

import (
	"fmt"
	"testing"

	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// BenchmarkReplaceOne changes one document after the other, in no order, a commit each.
func BenchmarkReplaceOne(b *testing.B) {
	docs := treebank(2000)
	s, o := benchmarkStore(b, docs)
	b.ResetTimer()
	watch := testtime.Start()
	for i := range b.N {
		d := *docs[i*7919%len(docs)]
		d.Fields = []text.Field{{Name: "n", Value: value.Int(int64(i))}}
		if err := s.ReplaceDocuments(background, o, []*text.Document{&d}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "documents/s")
	b.ReportMetric(float64(watch.Took().Microseconds())/float64(b.N), "µs-of-processor/op")
}

// BenchmarkReadChanged reads a corpus in order of which a part of the documents have been changed, a few at a time.
func BenchmarkReadChanged(b *testing.B) {
	for _, changed := range []int{0, 20, 400} {
		b.Run(fmt.Sprint(changed), func(b *testing.B) {
			docs := treebank(2000)
			s, o := benchmarkStore(b, docs)
			for i := 0; i < changed; i += 20 {
				var some []*text.Document
				for k := range 20 {
					some = append(some, docs[(i+k)*7919%len(docs)])
				}
				if err := s.ReplaceDocuments(background, o, some); err != nil {
					b.Fatal(err)
				}
			}
			sn := s.Snapshot()
			defer sn.Close()
			want := documents.Want{Layers: []documents.LayerWant{{Name: "entities", Columns: []string{"label"}}}}
			b.ResetTimer()
			watch := testtime.Start()
			for range b.N {
				if n := len(readInOrder(b, sn, o, want)); n != len(docs) {
					b.Fatalf("%d documents", n)
				}
			}
			b.ReportMetric(float64(watch.Took().Microseconds())/float64(b.N), "µs-of-processor/op")
		})
	}
}
