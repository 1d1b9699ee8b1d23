package count

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"

	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
)

// lines writes words and punctuation of books and an encyclopedia apart, a sentence a line, to a file.
func lines(tb testing.TB) string {
	name := tb.TempDir() + "/text"
	f, err := os.Create(name)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriter(f)
	parts := []string{"wikipedia-en.1", "wikipedia-en.2", "wikipedia-en.3", "gutenberg-en.1", "gutenberg-en.2"}
	for _, part := range parts {
		z, err := gzip.NewReader(realdata.Open(tb, "text", part+".txt.gz"))
		if err != nil {
			tb.Fatal(err)
		}
		all, err := io.ReadAll(z)
		if err != nil {
			tb.Fatal(err)
		}
		last := ' '
		for _, r := range string(all) {
			letter := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\''
			switch {
			case unicode.IsSpace(r) || r == '<' || r == '>' || r == 0:
				if r = ' '; last == '.' {
					r = '\n'
				}
			case last != ' ' && (!letter || unicode.IsLetter(last) != unicode.IsLetter(r) && last != '\''):
				_ = w.WriteByte(' ')
			}
			_, _ = w.WriteRune(r)
			if last = r; r == '\n' {
				last = ' '
			}
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return name
}

// words calls use with the words of each line of a file.
func words(tb testing.TB, name string, use func([]string)) {
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	var buf []string
	for s.Scan() {
		buf = buf[:0]
		for w := range strings.FieldsSeq(s.Text()) {
			buf = append(buf, w)
		}
		use(buf)
	}
	if err := s.Err(); err != nil {
		tb.Fatal(err)
	}
}

// numbered reads a text as ids from 1 in the order of the bytes of its words, with the borders of sentences as 0.
func numbered(tb testing.TB, name string) (stream []uint32, types uint32) {
	ids, list := map[string]uint32{}, []string(nil)
	words(tb, name, func(line []string) {
		for _, w := range line {
			id, ok := ids[w]
			if !ok {
				w = strings.Clone(w)
				id = uint32(len(list))
				ids[w], list = id, append(list, w)
			}
			stream = append(stream, id+1)
		}
		stream = append(stream, 0)
	})
	clear(ids)
	c := New[string](Options{})
	defer c.Close()
	w := c.Writer(tb.Context())
	for _, x := range list {
		if err := w.Add(x); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	n := uint32(0)
	if err := c.Each(tb.Context(), 1, func(w string, _ uint64) bool { n++; ids[w] = n; return true }); err != nil {
		tb.Fatal(err)
	}
	number := make([]uint32, len(list)+1)
	for i, x := range list {
		number[i+1] = ids[x]
	}
	for i, id := range stream {
		stream[i] = number[id]
	}
	return stream, n
}

// gramsOf counts the n-grams of all orders up to 5 of a stream, by n writers.
func gramsOf(tb testing.TB, stream []uint32, types uint32, o Options) (found []int) {
	g, err := NewGrams(5, types)
	if err != nil {
		tb.Fatal(err)
	}
	c := New[Tuple](o)
	defer c.Close()
	var ended sync.WaitGroup
	for k := range o.Workers {
		from, to := k*len(stream)/o.Workers, (k+1)*len(stream)/o.Workers
		for from > 0 && from < len(stream) && stream[from-1] != 0 {
			from++
		}
		for to < len(stream) && stream[to-1] != 0 {
			to++
		}
		ended.Go(func() {
			w := c.Writer(tb.Context())
			for i := from; i < to; i++ {
				if stream[i] != 0 {
					continue
				}
				if err := g.Windows(stream[from:i], w.Add); err != nil {
					tb.Error(err)
				}
				from = i + 1
			}
			if err := w.Close(); err != nil {
				tb.Error(err)
			}
		})
	}
	ended.Wait()
	found = make([]int, 6)
	p := g.Prefixes(func(k int, _ Tuple, _ uint64) error { found[k]++; return nil })
	if err := c.Each(tb.Context(), 1, func(t Tuple, n uint64) bool { return p.Add(t, n) == nil }); err != nil {
		tb.Fatal(err)
	}
	if err := p.Close(); err != nil {
		tb.Fatal(err)
	}
	return found
}

// BenchmarkGrams counts the n-grams of orders 1 to 5 of 26 MB of text: from the file, and from ids alone.
func BenchmarkGrams(b *testing.B) {
	name := lines(b)
	stream, types := numbered(b, name)
	found := gramsOf(b, stream, types, Options{Workers: 1})
	b.Logf("%d tokens with borders, %d types, n-grams %v", len(stream), types, found)
	measure := func(name string, do func()) {
		b.Run(name, func(b *testing.B) {
			start := testtime.Processor(b)
			for b.Loop() {
				do()
			}
			b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
		})
	}
	measure("text", func() {
		s, n := numbered(b, name)
		gramsOf(b, s, n, Options{Workers: 1})
	})
	for _, mega := range []int{8, 32, 128, 512} {
		for _, workers := range []int{1, 2} {
			measure(fmt.Sprintf("ids/memory=%dMB/workers=%d", mega, workers), func() {
				gramsOf(b, stream, types, Options{Workers: workers, Memory: mega << 20})
			})
		}
	}
}

// BenchmarkText writes the text of BenchmarkGrams to the file that PARLANCE_TEXT names, for other programs to count.
func BenchmarkText(b *testing.B) {
	to := os.Getenv("PARLANCE_TEXT")
	if to == "" {
		b.Skip("PARLANCE_TEXT names no file")
	}
	all, err := os.ReadFile(lines(b))
	if err == nil {
		err = os.WriteFile(to, all, 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkIntegers counts ten million pairs, of which some are frequent.
func BenchmarkIntegers(b *testing.B) {
	rng := rand.New(rand.NewPCG(12, 1))
	keys := make([]uint64, 10_000_000)
	for i := range keys {
		x, y := rng.Float64(), rng.Float64()
		keys[i] = uint64(1e5*x*x*x)<<17 | uint64(1e5*y*y*y)
	}
	for _, mega := range []int{8, 128, 512} {
		b.Run("memory="+strconv.Itoa(mega)+"MB", func(b *testing.B) {
			start := testtime.Processor(b)
			for b.Loop() {
				c := New[uint64](Options{Memory: mega << 20})
				w := c.Writer(b.Context())
				for _, k := range keys {
					if err := w.Add(k); err != nil {
						b.Fatal(err)
					}
				}
				rows := 0
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				if err := c.Each(b.Context(), 1, func(uint64, uint64) bool { rows++; return true }); err != nil {
					b.Fatal(err)
				}
				c.Close()
			}
			b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
		})
	}
}
