package latentclasses

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/numeric/packed"
	"parlance/storage/value"
)

// gazetteerData is the worked example of Kazama and Torisawa (2008): nouns with the verbs that they depend on.
var gazetteerData = []struct {
	noun, verb string
	n          float64
}{{"Sony", "make", 2}, {"Honda", "make", 3}, {"Honda", "drive", 4}, {"Civic", "drive", 5}, {"Tokyo", "visit", 6},
	{"Sony", "visit", 1}, {"Kyoto", "visit", 4}}

func nounTable() (out [][]value.Value) {
	for _, x := range gazetteerData {
		out = append(out, []value.Value{value.Str(x.noun), value.Str(x.verb), value.Real(x.n)})
	}
	return out
}

// TestNounsOfVerbs follows the iterations of the example from a given start to the limit.
func TestNounsOfVerbs(t *testing.T) {
	m := read(t, nounTable())
	x := begun(t, m, 2, 1, 1)
	nouns := map[string][2]float64{"Civic": {.3, .1}, "Honda": {.2, .2}, "Kyoto": {.2, .2}, "Sony": {.2, .2},
		"Tokyo": {.1, .3}}
	verbs := map[string][2]float64{"drive": {.4, .3}, "make": {.3, .3}, "visit": {.3, .4}}
	var words, contexts []float64
	for _, s := range m.Words {
		words = append(words, .5*nouns[s][0], .5*nouns[s][1])
	}
	for _, s := range m.Contexts {
		contexts = append(contexts, verbs[s][0], verbs[s][1])
	}
	set(x, words, contexts)
	near(t, "start", step(t, x), -66.493333, 1e-6)
	mass := 0.0
	for w := range m.Words {
		mass += x.shard.words[2*w]
	}
	near(t, "p(c0) after one iteration", mass, .485143, 1e-6)
	for s, want := range map[string]float64{"Civic": .3298, "Honda": .312132, "Kyoto": .141343, "Sony": .117786,
		"Tokyo": .09894} {
		w, _ := m.Find(s)
		near(t, "p("+s+"|c0)", x.shard.words[2*w]/mass, want, 1e-6)
	}
	for s, want := range map[string]float64{"drive": .518257, "make": .206125, "visit": .275618} {
		near(t, "p("+s+"|c0)", x.c.p[2*slices.Index(m.Contexts, s)], want, 1e-6)
	}
	near(t, "after 1", step(t, x), -62.803726, 1e-6)
	near(t, "after 2", step(t, x), -58.832690, 1e-6)
	for range 7 {
		step(t, x)
	}
	near(t, "after 10", step(t, x), -50.252777, 1e-6)
	for range 3000 {
		step(t, x)
	}
	near(t, "limit", step(t, x), -50.245898, 1e-6)
	for s, want := range map[string][2]float64{"Civic": {5. / 25, 0}, "Honda": {7. / 25, 0}, "Sony": {2. / 25, 1. / 25},
		"Kyoto": {0, 4. / 25}, "Tokyo": {0, 6. / 25}} {
		w, _ := m.Find(s)
		near(t, s+" in c0", x.shard.words[2*w], want[0], 1e-6)
		near(t, s+" in c1", x.shard.words[2*w+1], want[1], 1e-6)
	}
	found := (&model{}).found(m, x.mixture)
	found.ready()
	for s, want := range map[string]string{"Civic": "1", "Honda": "1", "Sony": "1", "Kyoto": "2", "Tokyo": "2"} {
		if got := found.Lookup(s, "class"); got != want {
			t.Errorf("%s is in class %s, want %s", s, got, want)
		}
	}
}

// TestSaddle: classes that begin alike stay alike.
func TestSaddle(t *testing.T) {
	m := read(t, nounTable())
	x := begun(t, m, 2, 1, 1)
	words, contexts := make([]float64, 2*len(m.Words)), make([]float64, 2*len(m.Contexts))
	for w := range m.Words {
		words[2*w], words[2*w+1] = m.Rows.Sum(w)/50, m.Rows.Sum(w)/50
	}
	for i := range contexts {
		contexts[i] = 1. / float64(len(m.Contexts))
	}
	set(x, words, contexts)
	for range 20 {
		step(t, x)
	}
	near(t, "log-likelihood of one class", step(t, x), -65.484601, 1e-6)
	for i := 0; i < len(words); i += 2 {
		if x.shard.words[i] != x.shard.words[i+1] {
			t.Errorf("the classes differ: %v", x.shard.words[i:i+2])
		}
	}
}

// noisy is counts of words in three groups.
func noisy(words, contexts int) [][]float64 {
	rng := rand.New(rand.NewPCG(9, 1))
	rows := make([][]float64, words)
	for i := range rows {
		for k := range contexts {
			rows[i] = append(rows[i], max(0, float64(rng.IntN(12)-9+4*btoi(i%3 == k%3))))
		}
	}
	return rows
}

// TestShards: rounds of map and reduce over any number of shards, each written to a file and read again between two
// steps, and added in any order, end with the bytes of the training in one process.
func TestShards(t *testing.T) {
	const classes, rounds, seed = 7, 9, 3
	ctx := context.Background()
	m := matrix(t, noisy(150, 40)...)
	whole := begun(t, m, classes, 2, seed)
	whole.prune = 0.01
	var trace []float64
	for range rounds {
		trace = append(trace, step(t, whole))
	}
	for _, n := range []int{1, 2, 3, 8, 200} {
		shards := Cut(m, n)
		add := func(do func(s *Shard, sums *Sums) error) *Sums {
			all := &Sums{}
			order := rand.New(rand.NewPCG(uint64(n), 2)).Perm(n)
			for _, i := range order {
				part := &Sums{}
				if err := do(shards[i], part); err != nil {
					t.Fatal(err)
				}
				again := &Sums{}
				if err := packed.Load(packed.Bytes(part.write), again.read); err != nil {
					t.Fatal(err)
				}
				all.Add(again)
				shards[i] = rewritten(t, shards[i])
			}
			return all
		}
		c := add(func(s *Shard, sums *Sums) error {
			return s.Start(ctx, sums, classes, seed, 0, 1+n%2)
		}).Begin(m.Contexts, shards[0].total, seed, 0)
		for round := range rounds {
			c = reread(t, c)
			sums := add(func(s *Shard, sums *Sums) error { return s.Map(ctx, c, sums, whole.prune, 1+n%3) })
			got, err := sums.Reduce(ctx, c, shards[0].total, whole.prune, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got != trace[round] {
				t.Fatalf("%d shards, round %d: log-likelihood %v, want %v", n, round, got, trace[round])
			}
		}
		var words []float64
		for _, s := range shards {
			words = append(words, s.words...)
		}
		if !slices.Equal(words, whole.shard.words) || !slices.Equal(c.p, whole.c.p) {
			t.Errorf("%d shards end with other parameters than one process", n)
		}
	}
}

// rewritten is a shard that was written and read.
func rewritten(t testing.TB, s *Shard) *Shard {
	again := &Shard{}
	if err := packed.Load(packed.Bytes(s.write), again.read); err != nil {
		t.Fatal(err)
	}
	return again
}

func reread(t testing.TB, c *Contexts) *Contexts {
	again := &Contexts{}
	if err := packed.Load(packed.Bytes(c.write), again.read); err != nil {
		t.Fatal(err)
	}
	return again
}

// TestDamagedShards: what is cut off or out of range is an error.
func TestDamagedShards(t *testing.T) {
	x := begun(t, matrix(t, noisy(20, 9)...), 3, 1, 1)
	step(t, x)
	part := &Sums{}
	if err := x.shard.Map(context.Background(), x.c, part, 0, 1); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		read func(*packed.Reader)
	}{
		"shard":    {packed.Bytes(x.shard.write), func(r *packed.Reader) { (&Shard{}).read(r) }},
		"contexts": {packed.Bytes(x.c.write), func(r *packed.Reader) { (&Contexts{}).read(r) }},
		"sums":     {packed.Bytes(part.write), func(r *packed.Reader) { (&Sums{}).read(r) }},
	} {
		if err := packed.Load(c.file, c.read); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := range len(c.file) - 4 {
			cut := packed.Bytes(func(w *packed.Writer) { w.Text(string(c.file[:n])) }) // with a checksum of its own
			if packed.Load(cut, c.read) == nil {
				t.Errorf("%s: %d of %d bytes are read without an error", name, n, len(c.file))
			}
		}
	}
}

// TestPlantedNouns finds the classes of 5,000 pairs drawn from five with nearly disjoint words and contexts.
func TestPlantedNouns(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	counts := map[[2]int]float64{}
	for range 5000 {
		c := rng.IntN(5)
		w, f := 20*c+rng.IntN(20), 10*c+rng.IntN(10)
		if rng.IntN(20) == 0 {
			w, f = rng.IntN(100), rng.IntN(50)
		}
		counts[[2]int{w, f}]++
	}
	rows := make([][]float64, 100)
	for w := range rows {
		for f := range 50 {
			rows[w] = append(rows[w], counts[[2]int{w, f}])
		}
	}
	m := train(t, table(rows...), kindtest.Arg("classes", 5), kindtest.Arg("restarts", 8))
	tally, right := map[[2]int]int{}, 0
	for w := range 100 {
		class, _ := m.words.best(w)
		tally[[2]int{w / 20, class}]++
	}
	for _, n := range tally {
		if n > 10 { // most words of a planted class
			right += n
		}
	}
	if right < 95 {
		t.Errorf("%d of 100 words are in the class that was planted: %v", right, tally)
	}
}

// TestLists: words with few classes left are worked on by lists, with what all classes give.
func TestLists(t *testing.T) {
	m := matrix(t, noisy(60, 30)...)
	x, y := begun(t, m, 12, 1, 5), begun(t, m, 12, 1, 5)
	x.prune, y.prune = 0.01, 0.01
	lists := 0
	for range 30 {
		for w := range y.shard.active.lists {
			y.shard.active.lists[w] = nil
		}
		near(t, "log-likelihood", step(t, x), step(t, y), 1e-7)
		for i, v := range y.shard.words {
			near(t, "words", x.shard.words[i], v, 1e-9)
		}
		for i, v := range y.c.p {
			near(t, "contexts", x.c.p[i], v, 1e-9)
		}
	}
	for _, l := range x.shard.active.lists {
		if l != nil {
			lists++
		}
	}
	if lists < 10 {
		t.Errorf("%d words have a list", lists)
	}
}
