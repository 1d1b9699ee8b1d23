package brown

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// pairsOf reads sentences of words parted by blanks.
func pairsOf(sentences []string) (*vocabulary, *bigrams) {
	r := &corpus{ids: map[string]uint32{}, words: []string{""}, counts: []uint32{0}}
	r.boundary()
	for _, s := range sentences {
		r.sentence(strings.Fields(s), false)
	}
	v := r.rank(1)
	r.renumber(v)
	big, err := countPairs(context.Background(), r.stream, len(v.words), count.Options{})
	if err != nil {
		panic(err)
	}
	return v, big
}

var quiet = &kind.Training{Report: func(kind.Progress) {}}

var animals = []string{"the dog runs", "the cat runs", "a dog sleeps", "a cat sleeps", "the dog sleeps", "a cat runs"}

func grown(big *bigrams, size int) *window {
	w := newWindow(big, size+1)
	for v := range big.left {
		w.add(v)
		if w.n > size {
			w.refresh()
			w.merge(w.cheapest())
		}
	}
	return w
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestSmallStream has the numbers of a stream of six sentences: 24 pairs of 7 words.
func TestSmallStream(t *testing.T) {
	v, big := pairsOf(animals)
	if big.total != 24 || len(v.words) != 7 {
		t.Fatalf("%d pairs of %d words", big.total, len(v.words))
	}
	near(t, "all apart", grown(big, 7).information(), 1.414611, 1e-6)
	w := grown(big, 4)
	near(t, "4 clusters", w.information(), 2*math.Ln2, 1e-9)
	c, err := cluster(context.Background(), big, 4, quiet)
	if err != nil {
		t.Fatal(err)
	}
	groups := map[int32][]string{}
	for i, g := range c.cluster {
		groups[g] = append(groups[g], v.words[i])
	}
	var got []string
	for _, g := range groups {
		slices.Sort(g)
		got = append(got, strings.Join(g, ","))
	}
	slices.Sort(got)
	if s := fmt.Sprint(got); s != "[ a,the cat,dog runs,sleeps]" {
		t.Errorf("clusters %s", s)
	}
	for _, want := range []float64{0.693147, 0.08495, 0} {
		w.refresh()
		w.merge(w.cheapest())
		near(t, "merging on", w.information(), want, 1e-6)
	}
}

// naive recomputes the information of clusters from the pairs of words; of is the cluster of each
// word, -1 for words that are not active.
func naive(big *bigrams, of []int) float64 {
	n := map[[2]int]float64{}
	left, right := map[int]float64{}, map[int]float64{}
	for x := range of {
		if of[x] < 0 {
			continue
		}
		left[of[x]] += float64(big.left[x])
		right[of[x]] += float64(big.right[x])
		words, counts := big.next.of(x)
		for i, y := range words {
			if of[y] >= 0 {
				n[[2]int{of[x], of[y]}] += float64(counts[i])
			}
		}
	}
	sum, total := 0.0, float64(big.total)
	for p, c := range n {
		sum += c / total * math.Log(c*total/(left[p[0]]*right[p[1]]))
	}
	return sum
}

func randomSentences(rng *rand.Rand, words, sentences int) []string {
	out := make([]string, sentences)
	for i := range out {
		var s []string
		last := rng.IntN(words)
		for range 1 + rng.IntN(9) {
			last = (last*3 + int(rng.ExpFloat64()*float64(words)/4)) % words
			s = append(s, fmt.Sprintf("w%02d", last))
		}
		out[i] = strings.Join(s, " ")
	}
	return out
}

// TestTables compares all losses with those computed anew after every step, and the choice with
// the cheapest pair.
func TestTables(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		_, big := pairsOf(randomSentences(rng, 4+rng.IntN(27), 5+rng.IntN(60)))
		k := 2 + rng.IntN(7)
		w := newWindow(big, k+1)
		of := make([]int, len(big.left))
		for i := range of {
			of[i] = -1
		}
		before := 0.0
		check := func() {
			t.Helper()
			w.refresh()
			before = naive(big, of)
			near(t, "information", w.information(), before, 1e-9)
			least := math.Inf(1)
			for x := range w.n {
				for y := range x {
					loss := before - naive(big, joinedIn(of, w.ids[x], w.ids[y]))
					least = min(least, loss)
					near(t, fmt.Sprintf("seed %d: loss of %d and %d", seed, w.ids[x], w.ids[y]),
						float64(w.loss[x*w.stride+y])/w.logs.scale/float64(big.total), loss, 1e-9)
				}
			}
			if w.n > 1 {
				x, y := w.cheapest()
				near(t, "cheapest", float64(w.loss[w.pair(x, y)])/w.logs.scale/float64(big.total), least, 1e-9)
			}
			if t.Failed() {
				t.FailNow()
			}
		}
		merge := func() {
			x, y := w.cheapest()
			of = joinedIn(of, w.ids[x], w.ids[y])
			w.merge(x, y)
			check()
			if w.information() > before+1e-12 {
				t.Errorf("information rises")
			}
		}
		for v := range of {
			of[v] = v
			w.add(v)
			check()
			if w.n > k {
				merge()
			}
		}
		for w.n > 1 {
			merge()
		}
	}
}

// joinedIn puts two clusters together under the lesser name.
func joinedIn(of []int, a, b int) []int {
	out := slices.Clone(of)
	for i, c := range out {
		if c == max(a, b) {
			out[i] = min(a, b)
		}
	}
	return out
}

// TestTies: of equal losses the smallest words come first. Words that occur alike merge at equal cost.
func TestTies(t *testing.T) {
	_, big := pairsOf([]string{"x a y", "x b y", "x c y", "x d y", "p a q", "p b q", "p c q", "p d q"})
	w := grown(big, len(big.left))
	w.refresh()
	x, y := w.cheapest()
	a, b := min(w.ids[x], w.ids[y]), max(w.ids[x], w.ids[y])
	for k := range w.n {
		for l := range k {
			c, d := min(w.ids[k], w.ids[l]), max(w.ids[k], w.ids[l])
			if w.loss[k*w.stride+l] == w.loss[w.pair(x, y)] && (c < a || c == a && d < b) {
				t.Errorf("%d,%d is chosen before %d,%d", a, b, c, d)
			}
		}
	}
}

// TestNoPairs: words whose neighbours are all too rare still have clusters.
func TestNoPairs(t *testing.T) {
	r := &corpus{ids: map[string]uint32{}, words: []string{""}, counts: []uint32{0}}
	r.boundary()
	r.sentence([]string{"a", "x", "b", "c", "x", "d", "e", "y", "f", "g", "y", "h"}, false)
	v := r.rank(2)
	r.renumber(v)
	big, err := countPairs(context.Background(), r.stream, len(v.words), count.Options{})
	if err != nil || big.total != 0 {
		t.Fatal(big.total, err)
	}
	c, err := cluster(context.Background(), big, 2, &kind.Training{Report: func(p kind.Progress) {
		if p.Objective != 0 {
			t.Errorf("objective %v", p.Objective)
		}
	}})
	if err != nil || len(c.bits) != 2 || len(c.cluster) != 3 {
		t.Error(c, err)
	}
}

func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	v, big := pairsOf(randomSentences(rng, 40, 200))
	for _, k := range []int{2, 3, 7, 100} {
		c, err := cluster(context.Background(), big, k, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(k, len(v.words)); len(c.bits) != want {
			t.Errorf("%d bit strings, want %d", len(c.bits), want)
		}
		for i, a := range c.bits {
			for j, b := range c.bits {
				if i != j && strings.HasPrefix(b, a) {
					t.Errorf("%s is a prefix of %s", a, b)
				}
			}
		}
	}
}

func TestContract(t *testing.T) {
	docs := kindtest.Sample(12)
	for name, opts := range map[string][]option.Arg{
		"all words": nil,
		"few words": {kindtest.Arg("min_count", 4), kindtest.Arg("clusters", 3)},
	} {
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:8], Test: docs[8:],
				Resumes: len(opts) > 0})
		})
	}
}

func BenchmarkCluster(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 1))
	_, big := pairsOf(randomSentences(rng, 2000, 20000))
	for b.Loop() {
		if _, err := cluster(context.Background(), big, 100, quiet); err != nil {
			b.Fatal(err)
		}
	}
}
