package brown

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parlance/algo/kind"
)

// articles is the words of news in the folder that PARLANCE_DATA names, cut at blanks, at most as
// many as are wanted.
func articles(b *testing.B, most int) *reading {
	dir := os.Getenv("PARLANCE_DATA")
	if dir == "" {
		b.Skip("PARLANCE_DATA names no folder")
	}
	r := &reading{ids: map[string]uint32{}, words: []string{""}, counts: []uint32{0}}
	r.boundary()
	for _, name := range []string{"wikinews-en.1", "wikinews-en.2"} {
		f, err := os.Open(filepath.Join(dir, "text", name+".txt.gz"))
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		for s := bufio.NewScanner(z); s.Scan() && len(r.stream) < most; {
			r.sentence(strings.Fields(s.Text()), false)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	return r
}

// processor is the time that this process had processors for, in seconds.
func processor(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkArticles clusters the words of up to a million tokens.
func BenchmarkArticles(b *testing.B) {
	for _, tokens := range []int{250_000, 500_000, 1_000_000, 2_000_000} {
		r := articles(b, tokens)
		v := r.rank(2)
		big, err := count(context.Background(), r.stream, len(v.words))
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range []int{100, 200, 500, 1000} {
			b.Run(fmt.Sprintf("tokens=%d/words=%d/clusters=%d", len(r.stream), len(v.words), k), func(b *testing.B) {
				start := processor(b)
				for b.Loop() {
					if _, err := cluster(context.Background(), big, k, func(kind.Progress) {}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((processor(b)-start)/float64(b.N), "cpu-s/op")
			})
		}
	}
}
