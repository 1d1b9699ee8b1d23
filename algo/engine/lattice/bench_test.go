package lattice

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/testutil/testtime"
)

// benchSegments is a semi-Markov model with all spans up to a length.
func benchSegments(t testing.TB, n, longest, labels int) (*Lattice, int, []Span) {
	rng := rand.New(rand.NewPCG(7, 8))
	s := &Scores{Labels: labels, Pair: make([]float64, labels*labels)}
	for i := range s.Pair {
		s.Pair[i] = rng.NormFloat64()
	}
	spans := Segments(nil, n, longest, make([]float64, labels), func(_, _ int, scores []float64) {
		for y := range scores {
			scores[y] = rng.NormFloat64()
		}
	})
	return load(t, s, n, spans, nil), n, spans
}

// benchCharacters is a lattice of characters with 42 tags, each at the begin, inside, at the end of a word or alone,
// and two dictionary words a position. Pairs of words are scored by a function.
func benchCharacters(t testing.TB, n int) (*Lattice, int, []Span) {
	const tags, words = 42, 20_000
	const begin, inside, end, single = 0, tags, 2 * tags, 3 * tags
	rng := rand.New(rand.NewPCG(9, 10))
	const classes = 5 * tags // the last are tags of words
	s := &Scores{Labels: 4*tags + words, Classes: classes, Pair: make([]float64, classes*classes)}
	for y := range s.Labels {
		c := y
		if y >= 4*tags {
			c = 4*tags + y%tags
		}
		s.Class = append(s.Class, int32(c))
	}
	for c := range classes {
		s.TableOnly = append(s.TableOnly, c < 4*tags)
	}
	for from := range classes {
		for to := range classes {
			inWord, goesOn := from < end, to >= inside && to < single
			w := rng.NormFloat64()
			if inWord != goesOn || inWord && from%tags != to%tags {
				w = math.Inf(-1)
			}
			s.Pair[from*classes+to] = w
		}
	}
	s.More = func(_ int, from []int32, to int32, scores []float64) {
		for i, y := range from {
			if y >= 4*tags {
				scores[i] += float64((y*31+to)%7) / 7
			}
		}
	}
	var spans []Span
	for i := range n {
		for y := range 4 * tags {
			if i == 0 && y >= inside && y < single || i == n-1 && y < end {
				continue
			}
			spans = append(spans, Span{int32(i), int32(i + 1), int32(y), rng.NormFloat64()})
		}
		for range 2 {
			y := 4*tags + rng.IntN(words)
			spans = append(spans, Span{int32(i), int32(min(n, i+1+rng.IntN(3))), int32(y), rng.NormFloat64()})
		}
	}
	return load(t, s, n, spans, nil), n, spans
}

func bench(b *testing.B, l *Lattice, n int, spans []Span) {
	ctx := context.Background()
	for _, run := range []struct {
		name string
		do   func()
	}{{"load", func() {}}, {"best", func() { _, _ = l.Best() }}, {"best5", func() { _, _ = l.NBest(ctx, 5) }},
		{"best100", func() { _, _ = l.NBest(ctx, 100) }}, {"marginals", func() { l.Probs() }}} {
		b.Run(run.name, func(b *testing.B) {
			b.ReportAllocs()
			start := testtime.Processor(b)
			for b.Loop() {
				if err := l.Load(n, spans, nil); err != nil {
					b.Fatal(err)
				}
				run.do()
			}
			b.ReportMetric((testtime.Processor(b)-start)*1e6/float64(b.N)/float64(n), "cpu-µs/unit")
		})
	}
}

func BenchmarkSegments(b *testing.B) {
	for _, longest := range []int{1, 5, 20, 80} {
		b.Run(fmt.Sprintf("longest=%d", longest), func(b *testing.B) {
			l, n, spans := benchSegments(b, 311, longest, 13)
			bench(b, l, n, spans)
		})
	}
}

func BenchmarkCharacters(b *testing.B) {
	l, n, spans := benchCharacters(b, 40)
	bench(b, l, n, spans)
}
