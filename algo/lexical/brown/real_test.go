package brown

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/algo/engine/count"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
)

// articles is the words of news in the folder that PARLANCE_DATA names, cut at blanks, at most as
// many as are wanted.
func articles(b *testing.B, most int) *corpus {
	r := &corpus{ids: map[string]uint32{}, words: []string{""}, counts: []uint32{0}}
	r.boundary()
	for _, name := range []string{"wikinews-en.1", "wikinews-en.2"} {
		z, err := gzip.NewReader(realdata.Open(b, "text", name+".txt.gz"))
		if err != nil {
			b.Fatal(err)
		}
		for s := bufio.NewScanner(z); s.Scan() && len(r.stream) < most; {
			r.sentence(strings.Fields(s.Text()), false)
		}
	}
	return r
}

// BenchmarkArticles clusters the words of up to a million tokens.
func BenchmarkArticles(b *testing.B) {
	for _, tokens := range []int{250_000, 500_000, 1_000_000, 2_000_000} {
		r := articles(b, tokens)
		v := r.rank(2)
		r.renumber(v)
		big, err := countPairs(context.Background(), r.stream, len(v.words), count.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range []int{100, 200, 500, 1000} {
			b.Run(fmt.Sprintf("tokens=%d/words=%d/clusters=%d", len(r.stream), len(v.words), k), func(b *testing.B) {
				start := testtime.Processor(b)
				for b.Loop() {
					if _, err := cluster(context.Background(), big, k, quiet); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
			})
		}
	}
}

// BenchmarkCount counts the neighbours of all words of news.
func BenchmarkCount(b *testing.B) {
	r := articles(b, 1<<30)
	v := r.rank(2)
	r.renumber(v)
	start := testtime.Processor(b)
	for b.Loop() {
		if _, err := countPairs(context.Background(), r.stream, len(v.words), count.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(len(r.stream)), "tokens")
}
