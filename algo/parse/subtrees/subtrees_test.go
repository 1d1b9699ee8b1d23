package subtrees

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/lexical"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// parsed makes a document of sentences, words parted by blanks with their heads.
func parsed(id string, sentences []string, heads [][]int32) *text.Document {
	d := &text.Document{ID: id}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var sent, tok, starts, ends, head []int32
	var forms []string
	for s, line := range sentences {
		for i, w := range strings.Fields(line) {
			sent, tok, forms = append(sent, int32(s+1)), append(tok, int32(i+1)), append(forms, w)
			starts = append(starts, int32(len(d.Text)))
			d.Text += w
			ends = append(ends, int32(len(d.Text)))
			d.Text += " "
			head = append(head, heads[s][i])
		}
	}
	toks.N, arcs.N = len(sent), len(sent)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetInts("char_start", starts)
	toks.SetInts("char_end", ends)
	toks.SetStrs("form", forms)
	arcs.SetInts("sent", sent)
	arcs.SetInts("tok", tok)
	arcs.SetInts("head", head)
	d.SetLayer(toks)
	d.SetLayer(arcs)
	return d
}

const fork = "I ate the fish with a fork ."

var forkHeads = []int32{2, 0, 4, 2, 2, 7, 5, 2}

func train(t *testing.T, docs []*text.Document, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// listed returns the printed subtrees of a list with counts and sets.
func listed(m *model, n int) []string {
	var out []string
	l := m.lists()[n]
	for i := range l.keys {
		r := m.row(n, l, i)
		out = append(out, fmt.Sprintf("%s %d %s", r[0].S, r[2].Int(), r[3].S))
	}
	slices.Sort(out)
	return out
}

// TestStrings has the subtrees of the sentence that Chen et al. show, with places of heads by their
// definition.
func TestStrings(t *testing.T) {
	m := train(t, []*text.Document{parsed("1", []string{fork, "the big dog barks"}, [][]int32{forkHeads, {3, 3, 4, 0}})},
		kindtest.Arg("min_count", 1), kindtest.Arg("hf", 1.0), kindtest.Arg("mf", 1.0))
	want := func(n int, list ...string) {
		t.Helper()
		for i := range list {
			list[i] += " 1 HF"
		}
		slices.Sort(list)
		if got := listed(m, n); !slices.Equal(got, list) {
			t.Errorf("%q\nwant %q", got, list)
		}
	}
	want(0, "I:1:2-ate:2:0", "ate:1:0-fish:2:1", "the:1:2-fish:2:0", "ate:1:0-with:2:1", "with:1:0-fork:2:1",
		"a:1:2-fork:2:0", "ate:1:0-.:2:1",
		"the:1:2-dog:2:0", "big:1:2-dog:2:0", "dog:1:2-barks:2:0")
	want(1, "ate:1:0-fish:2:1-with:3:1", "ate:1:0-with:2:1-.:3:1", "the:1:3-big:2:3-dog:3:0")
	want(2, "*:1:0-fish:2:1-with:3:1", "*:1:0-with:2:1-.:3:1", "the:1:3-big:2:3-*:3:0")
}

// TestLookUps: what the store of two copies of a sentence knows of another one.
func TestLookUps(t *testing.T) {
	m := train(t, []*text.Document{parsed("1", []string{fork, fork}, [][]int32{forkHeads, forkHeads})})
	w := m.Word
	two := func(head, dep string, right bool, want lexical.Set) {
		t.Helper()
		if got := m.Lookup2(w(head), w(dep), right); got != want {
			t.Errorf("%s, %s: %s", head, dep, got)
		}
	}
	two("ate", "with", true, lexical.High)
	two("ate", "with", false, lexical.Zero)
	two("ate", "cake", true, lexical.Zero)
	two("ate", "a", true, lexical.Zero)
	two("He", "with", true, lexical.Zero)
	two("the", "with", true, lexical.Zero)
	if m.Lookup3(w("ate"), w("cake"), w("with"), true) != lexical.Zero ||
		m.Lookup3(w("ate"), w("with"), w("."), true) != lexical.High ||
		m.Lookup3(w("ate"), w("with"), w("."), false) != lexical.Zero {
		t.Error("triples")
	}
	if m.Siblings(w("cake"), w("with"), true) != lexical.Zero || m.Siblings(w("with"), w("."), true) != lexical.High {
		t.Error("siblings")
	}
}

// TestSets has counts with the sets that follow from them; equal counts share one.
func TestSets(t *testing.T) {
	for _, x := range []struct {
		counts       []uint32
		high, middle int
	}{
		{[]uint32{50, 20, 10, 9, 9, 8, 5, 4, 3, 2, 2, 2}, 2, 3},
		{[]uint32{50, 50, 20, 20, 20, 10, 9, 9, 8, 5, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2}, 2, 5},
		{[]uint32{2, 2, 2}, 3, 3},
		{nil, 0, 0},
	} {
		l := list{keys: make([]uint64, len(x.counts)), counts: x.counts}
		if h, m := l.top(0.1), l.top(0.2); h != x.high || m != x.middle {
			t.Errorf("%v: %d HF, %d HF or MF", x.counts, h, m)
		}
	}
}

// randomTrees makes trees in which each word hangs on an earlier placed one.
func randomTrees(rng *rand.Rand, n int) (sentences []string, heads [][]int32) {
	for range n {
		k := 1 + rng.IntN(12)
		order := rng.Perm(k)
		h := make([]int32, k)
		words := make([]string, k)
		for i, at := range order {
			if i > 0 {
				h[at] = int32(order[rng.IntN(i)] + 1)
			}
			words[at] = fmt.Sprintf("w%d", rng.IntN(9))
		}
		sentences, heads = append(sentences, strings.Join(words, " ")), append(heads, h)
	}
	return sentences, heads
}

// TestSums: pairs add up to the arcs between words, triples to the modifiers of each side less one,
// and those of any head to the sums over heads; all counts are those of a map.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	sentences, heads := randomTrees(rng, 300)
	m := train(t, []*text.Document{parsed("1", sentences, heads)}, kindtest.Arg("min_count", 1))
	arcs, triples := 0, 0
	byMap := map[string]uint32{}
	for s, line := range sentences {
		words := strings.Fields(line)
		for h := 1; h <= len(words); h++ {
			for _, right := range []bool{false, true} {
				var deps []int
				for d := 1; d <= len(words); d++ {
					if int(heads[s][d-1]) == h && (d > h) == right {
						deps = append(deps, d)
					}
				}
				arcs += len(deps)
				triples += max(0, len(deps)-1)
				for i := range deps {
					byMap[printed([]string{words[h-1], words[deps[i]-1]}, right)]++
					if i > 0 {
						byMap[printed([]string{words[h-1], words[deps[i-1]-1], words[deps[i]-1]}, right)]++
						byMap[printed([]string{"*", words[deps[i-1]-1], words[deps[i]-1]}, right)]++
					}
				}
			}
		}
	}
	sum := func(l list) (n int) {
		for _, c := range l.counts {
			n += int(c)
		}
		return n
	}
	if sum(m.pairs.list) != arcs || sum(m.triples.list) != triples || sum(m.siblings.list) != triples {
		t.Errorf("%d pairs of %d arcs, %d and %d of %d triples", sum(m.pairs.list), arcs, sum(m.triples.list),
			sum(m.siblings.list), triples)
	}
	n := 0
	for k, l := range m.lists() {
		for i := range l.keys {
			r := m.row(k, l, i)
			if n++; byMap[r[0].S] != l.counts[i] {
				t.Errorf("%s: %d, want %d", r[0].S, l.counts[i], byMap[r[0].S])
			}
			a, b, c, right := parts(l.keys[i])
			got := m.Lookup3(a, b, c, right)
			switch k {
			case 0:
				got = m.Lookup2(b, c, right)
			case 2:
				got = m.Siblings(b, c, right)
			}
			if got.String() != r[3].S {
				t.Errorf("%s is %s, looked up %s", r[0].S, r[3].S, got)
			}
		}
	}
	if n != len(byMap) {
		t.Errorf("%d subtrees, want %d", n, len(byMap))
	}
}

// TestOrder sorts entries stably by count; a cancelled sort ends.
func TestOrder(t *testing.T) {
	e := []entry{{1, 2}, {2, 300}, {3, 2}, {4, 300}, {5, 70000}}
	got, err := byCount(context.Background(), e)
	if want := []entry{{5, 70000}, {2, 300}, {4, 300}, {1, 2}, {3, 2}}; err != nil || !slices.Equal(got, want) {
		t.Error(got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := byCount(ctx, e); err == nil {
		t.Error("a cancelled sort goes on")
	}
}

// TestRuns: keys that are counted in many runs give the list of all.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	some := make([]uint64, 5000)
	for i := range some {
		some[i] = 1 + uint64(rng.IntN(900))<<rng.IntN(20)
	}
	all := func(yield func(uint64) error) error {
		for _, k := range some {
			if err := yield(k); err != nil {
				return err
			}
		}
		return nil
	}
	one, err := tally(context.Background(), all, 2, count.Options{})
	many, err2 := tally(context.Background(), all, 2, count.Options{Memory: 1, Workers: 2})
	if err != nil || err2 != nil || len(one.keys) == 0 || !slices.Equal(one.keys, many.keys) ||
		!slices.Equal(one.counts, many.counts) {
		t.Error(len(one.keys), len(many.keys), err, err2)
	}
}

func TestOptions(t *testing.T) {
	for _, args := range [][]option.Arg{
		{{Name: "sizes", Value: value.Str("4")}}, {kindtest.Arg("hf", 0.5), kindtest.Arg("mf", 0.4)},
		{kindtest.Arg("min_count", 0)},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply(args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
	m := train(t, []*text.Document{parsed("1", []string{fork, strings.ToUpper(fork)}, [][]int32{forkHeads, forkHeads})},
		kindtest.Arg("lower", true), kindtest.Arg("sizes", "2"))
	if m.Lookup2(m.Word("Ate"), m.Word("WITH"), true) != lexical.High || len(m.pairs.keys) != 7 ||
		len(m.triples.keys) != 0 {
		t.Errorf("%d pairs in lower case, %d triples", len(m.pairs.keys), len(m.triples.keys))
	}
}

// TestOddTrees: heads outside of the sentence, of a word itself and missing ones are no arcs.
func TestOddTrees(t *testing.T) {
	m := train(t, []*text.Document{parsed("1", []string{"a b c d", "a b c d"}, [][]int32{{9, 2, -1, 1}, {-5, 2, 99, 1}}),
		{ID: "bare"}})
	if len(m.pairs.keys) != 1 || m.pairs.counts[0] != 2 {
		t.Errorf("%v", listed(m, 0))
	}
}

func TestContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	var docs []*text.Document
	for i := range 12 {
		s, h := randomTrees(rng, 20)
		docs = append(docs, parsed(fmt.Sprint(i), s, h))
	}
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: docs[:8], Test: docs[8:]})
}

func BenchmarkLookup(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 1))
	l := list{keys: make([]uint64, 1<<20), counts: make([]uint32, 1<<20)}
	for i := range l.keys {
		l.keys[i] = pairKey(1+uint32(rng.IntN(100000)), 1+uint32(rng.IntN(100000)), rng.IntN(2) == 0)
	}
	t := newTable(l, 1<<17, 1<<18)
	i := 0
	for b.Loop() {
		t.find(l.keys[i&(1<<20-1)] ^ uint64(i&1)<<1)
		i += 7919
	}
}
