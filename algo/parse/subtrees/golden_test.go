package subtrees

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
)

// TestSameBytes pins what is learned: models of equal data keep their bytes, whatever counts the subtrees.
func TestSameBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	sentences, heads := randomTrees(rng, 4000)
	m := train(t, []*text.Document{parsed("1", sentences, heads)}, kindtest.Arg("min_count", 3))
	w := kind.NewWriter(func(string, []byte) error { return nil })
	if err := m.Encode(w); err != nil {
		t.Fatal(err)
	}
	const want = "1adc85e80690e6c7564826bc08b0b80e768348ca49a55dc0333ee91a3ae007ad"
	if got := fmt.Sprintf("%x", w.Sum()); got != want {
		t.Errorf("%d subtrees are %s", m.count(), got)
	}
}

// BenchmarkTally counts the subtrees of random trees of 10 million tokens, so that sorting takes several chunks.
func BenchmarkTally(b *testing.B) {
	rng := rand.New(rand.NewPCG(13, 1))
	f := &forest{ctx: b.Context(), ids: map[string]uint32{}}
	words := make([]string, 50000)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
	}
	for len(f.forms) < 10_000_000 {
		k := 1 + rng.IntN(30)
		forms, heads := make([]string, k), make([]int32, k)
		for i := range forms {
			r := rng.Float64()
			forms[i], heads[i] = words[int(float64(len(words))*r*r*r*r)], int32(rng.IntN(k+1))
		}
		f.sentence(forms, heads, false)
	}
	f.rank(2)
	b.Run("tally", func(b *testing.B) {
		start := testtime.Processor(b)
		for b.Loop() {
			for _, k := range []keys{f.pairs, f.triples} {
				if _, err := tally(b.Context(), k, 2, count.Options{Keys: f.arcs}); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric((testtime.Processor(b)-start)/float64(b.N), "cpu-s/op")
	})
}
