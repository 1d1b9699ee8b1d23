package subtrees

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/lexical"
	"parlance/algo/text"
)

// TestChains has the chains of the sentence that Chen, Kazama and Torisawa (2010) show, of whose grandchild trigrams
// these three have no word that is missing.
func TestChains(t *testing.T) {
	m := train(t,
		[]*text.Document{parsed("1", []string{"He ate the meat with a fork ."}, [][]int32{{2, 0, 4, 2, 2, 7, 5, 2}})},
		kindtest.Arg("min_count", 1), kindtest.Arg("chains", true))
	want := []string{"ate:1:0-the:2:3-meat:3:1 1 HF", "ate:1:0-with:2:1-fork:3:2 1 HF", "with:1:0-a:2:3-fork:3:1 1 HF"}
	if got := listed(m, chained); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	ate, with, fork := m.Word("ate"), m.Word("with"), m.Word("fork")
	if m.Chain(ate, with, fork, lexical.OrderOf(2, 5, 7)) != lexical.High ||
		m.Chain(ate, with, fork, lexical.OrderOf(5, 2, 7)) != lexical.Zero ||
		m.Chain(ate, fork, with, lexical.OrderOf(2, 5, 7)) != lexical.Zero ||
		m.Chain(ate, with, 0, lexical.OrderOf(2, 5, 7)) != lexical.Zero {
		t.Error("chains that are looked up")
	}
	if train(t, []*text.Document{parsed("1", []string{"a b c"}, [][]int32{{2, 3, 0}})},
		kindtest.Arg("min_count", 1)).Chain(1, 1, 1, 0) != lexical.Zero {
		t.Error("a model without chains has some")
	}
}

// TestChainSums: chains of random trees are counted as a map counts them, and each is found in its set.
func TestChainSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	sentences, heads := randomTrees(rng, 300)
	m := train(t, []*text.Document{parsed("1", sentences, heads)}, kindtest.Arg("min_count", 1),
		kindtest.Arg("chains", true))
	byMap := map[string]uint32{}
	for s, line := range sentences {
		words := strings.Fields(line)
		for last := range words {
			middle := int(heads[s][last]) - 1
			if middle < 0 || heads[s][middle] == 0 {
				continue
			}
			head := int(heads[s][middle]) - 1
			at := []int{head, middle, last}
			slices.Sort(at)
			var parts []string
			for i, k := range at {
				of := map[int]int{head: 0, middle: 1 + slices.Index(at, head), last: 1 + slices.Index(at, middle)}[k]
				parts = append(parts, fmt.Sprintf("%s:%d:%d", words[k], i+1, of))
			}
			byMap[strings.Join(parts, "-")]++
		}
	}
	for i, key := range m.chains.keys {
		r := m.row(chained, &m.chains, i)
		if byMap[r[0].S] != m.chains.counts[i] {
			t.Errorf("%s: %d, want %d", r[0].S, m.chains.counts[i], byMap[r[0].S])
		}
		a, b, c, o := chainParts(key)
		if got := m.Chain(a, b, c, o); got.String() != r[3].S {
			t.Errorf("%s is %s, looked up %s", r[0].S, r[3].S, got)
		}
	}
	if len(m.chains.keys) != len(byMap) || len(byMap) < 100 {
		t.Errorf("%d chains, want %d", len(m.chains.keys), len(byMap))
	}
}

func TestChainContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	var docs []*text.Document
	for i := range 8 {
		s, h := randomTrees(rng, 10)
		docs = append(docs, parsed(fmt.Sprint(i), s, h))
	}
	c := kindtest.Case{Kind: Kind(), Train: docs[:6], Test: docs[6:]}
	c.Options = append(c.Options, kindtest.Arg("chains", true))
	kindtest.Run(t, c)
}
