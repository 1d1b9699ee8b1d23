package count

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// corpus is counted n-grams of sentences with their vocabulary: words have ids from 1 in the order of their bytes.
type corpus struct {
	words []string
	rows  *Counter[Tuple]
}

// countGrams counts sentences: words first, then windows of their ids, by as many writers as workers.
func countGrams(t testing.TB, o Options, order int, sentences [][]string) *corpus {
	t.Helper()
	words := New[string](o)
	defer words.Close()
	each(t, words, o, sentences, func(w *Writer[string], s []string) error {
		for _, x := range s {
			if err := w.Add(x); err != nil {
				return err
			}
		}
		return nil
	})
	c, ids := &corpus{rows: New[Tuple](o)}, map[string]uint32{}
	t.Cleanup(func() { c.rows.Close() })
	if err := words.Each(t.Context(), 1, func(w string, _ uint64) bool {
		c.words = append(c.words, w)
		ids[w] = uint32(len(c.words))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	g := grams(t, order, len(c.words))
	each(t, c.rows, o, sentences, func(w *Writer[Tuple], s []string) error {
		line := make([]uint32, len(s))
		for i, x := range s {
			line[i] = ids[x]
		}
		return g.Windows(line, w.Add)
	})
	return c
}

func grams(t testing.TB, order, words int) Grams {
	t.Helper()
	g, err := NewGrams(order, uint32(words))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// each gives each worker a writer and a part of the items.
func each[K Key, T any](t testing.TB, c *Counter[K], o Options, items []T, add func(*Writer[K], T) error) {
	var ended sync.WaitGroup
	workers := max(1, o.Workers)
	for part := range slices.Chunk(items, max(1, (len(items)+workers-1)/workers)) {
		ended.Go(func() {
			w := c.Writer(t.Context())
			for _, x := range part {
				if err := add(w, x); err != nil {
					t.Error(err)
					return
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	ended.Wait()
}

// list prints the n-grams of all orders with their counts.
func (c *corpus) list(t testing.TB, order int) map[string]uint64 {
	g, out := grams(t, order, len(c.words)), map[string]uint64{}
	last := make([]Tuple, order+1)
	p := g.Prefixes(func(k int, x Tuple, n uint64) error {
		if !tuples.before(last[k], x) {
			t.Errorf("order %d: %v after %v", k, x, last[k])
		}
		last[k] = x
		ids := g.IDs(nil, x)
		if len(ids) != k || g.Pack(ids) != x {
			t.Errorf("order %d has %v", k, ids)
		}
		var words []string
		for _, id := range ids {
			words = append(words, c.words[id-1])
		}
		out[strings.Join(words, " ")] = n
		return nil
	})
	err := c.rows.Each(t.Context(), 1, func(k Tuple, n uint64) bool {
		if err := p.Add(k, n); err != nil {
			t.Error(err)
		}
		return true
	})
	if err != nil || p.Close() != nil {
		t.Error(err)
	}
	return out
}

func sentencesOf(rng *rand.Rand, n, words int) [][]string {
	out := make([][]string, n)
	for i := range out {
		for range rng.IntN(12) {
			r := rng.Float64()
			out[i] = append(out[i], "w"+strconv.Itoa(int(float64(words)*r*r*r)))
		}
	}
	return out
}

func gramsByMap(sentences [][]string, order int) map[string]uint64 {
	out := map[string]uint64{}
	for _, s := range sentences {
		for i := range s {
			for k := 1; k <= order && i+k <= len(s); k++ {
				out[strings.Join(s[i:i+k], " ")]++
			}
		}
	}
	return out
}

// TestGrams compares the counts of all orders with a map, for ids of few and many bits.
func TestGrams(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for order := 1; order <= 6; order++ {
		for _, words := range []int{1, 3, 40, 3000} {
			sentences := sentencesOf(rng, 400, words)
			c := countGrams(t, Options{Memory: 1, Workers: 1 + order%2, fanIn: 4}, order, sentences)
			if got, want := c.list(t, order), gramsByMap(sentences, order); !maps.Equal(got, want) {
				t.Errorf("order %d, %d words: %d n-grams, want %d", order, words, len(got), len(want))
			}
		}
	}
	if _, err := NewGrams(5, 1<<26-1); err == nil {
		t.Error("130 bits fit 128")
	}
	if _, err := NewGrams(5, 1<<25-1); err != nil {
		t.Error(err)
	}
}

// merged merges corpora that were counted alone: vocabularies are merged, ids of each rise with those of all.
func merged(t *testing.T, o Options, order int, shards []*corpus) *corpus {
	all := &corpus{rows: New[Tuple](o)}
	t.Cleanup(func() { all.rows.Close() })
	for _, s := range shards {
		all.words = append(all.words, s.words...)
	}
	slices.Sort(all.words)
	all.words = slices.Compact(all.words)
	to := grams(t, order, len(all.words))
	for _, s := range shards {
		from := grams(t, order, len(s.words))
		var ids []uint32
		err := all.rows.Load(t.Context(), bytes.NewReader(state(t, s.rows)), func(x Tuple) Tuple {
			ids = from.IDs(ids[:0], x)
			for i, id := range ids {
				k, _ := slices.BinarySearch(all.words, s.words[id-1])
				ids[i] = uint32(k + 1)
			}
			return to.Pack(ids)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestGramShards: shards with vocabularies of their own, in any order, give the bytes of the whole.
func TestGramShards(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	sentences := sentencesOf(rng, 1500, 900)
	want := state(t, countGrams(t, Options{}, 5, sentences).rows)
	for _, workers := range []int{1, 2} {
		for _, n := range []int{1, 3, 7} {
			o := Options{Memory: 1, Workers: workers}
			var shards []*corpus
			for part := range slices.Chunk(sentences, (len(sentences)+n-1)/n) {
				shards = append(shards, countGrams(t, o, 5, part))
			}
			rng.Shuffle(len(shards), func(i, j int) { shards[i], shards[j] = shards[j], shards[i] })
			if !bytes.Equal(state(t, merged(t, o, 5, shards).rows), want) {
				t.Errorf("%d workers, %d shards: other bytes", workers, n)
			}
		}
	}
}
