package depparser

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/lexical"
	"parlance/algo/option"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
)

// names is an option that is a list.
func names(name string, list ...string) option.Arg {
	a := option.Arg{Name: name, List: []option.Arg{}}
	for _, x := range list {
		a.List = append(a.List, arg("", x))
	}
	return a
}

// made is a sentence of words, each its own tag, with clusters.
func made(words ...string) *sentence {
	toks := text.NewLayer(text.Tokens)
	toks.N = len(words)
	toks.SetStrs("form", words)
	toks.SetStrs("upos", words)
	toks.SetStrs("xpos", words)
	s := &sentence{}
	s.load(toks, tagColumns{"xpos", "upos"}, 0, len(words))
	return s
}

// TestMimics: the templates of clusters are those of Koo et al. 2008, table 1.
func TestMimics(t *testing.T) {
	f := standard.withClusters(2)
	for _, want := range []struct {
		list []string
		name string
	}{
		{f.arcs, "hk mk"}, {f.arcs, "hj mj"}, {f.arcs, "hz mz"}, {f.arcs, "hk mt"}, {f.arcs, "ht mk"}, {f.arcs, "hj mt"},
		{f.arcs, "ht mj"},
		{f.arcs, "hk mw"}, {f.arcs, "hw mk"}, {f.arcs, "hk hk+1 mk-1 mk"}, {f.head, "hz"}, {f.modifier, "mz"},
		{f.parts[tree.Sib], "hk mk sk"}, {f.parts[tree.Sib], "hj mj sj"}, {f.parts[tree.Sib], "ht mk sk"},
		{f.parts[tree.Grand], "gk hk mk"}, {f.parts[tree.Grand], "hk mk gt"},
	} {
		if !slices.Contains(want.list, want.name) {
			t.Errorf("no template %q", want.name)
		}
	}
	if m := mixed("hms", "k"); len(m) != 6 || slices.Contains(m, "hk mk sk") || slices.Contains(m, "ht mt st") {
		t.Errorf("mixed: %q", m)
	}
	for _, list := range [][]string{f.onlyFrequent().arcs, f.onlyFrequent().parts[tree.Sib]} {
		for _, name := range list {
			if strings.Contains(name, "w") {
				t.Errorf("%q sees all forms", name)
			}
		}
	}
}

type bitsOf struct {
	kind.Lexicon
	bits map[string]string
}

func (b bitsOf) Lookup(word, _ string) string { return b.bits[word] }

// TestClusterAtoms: a path that is shorter than a prefix is taken whole; unknown words share a value.
func TestClusterAtoms(t *testing.T) {
	s := made("a", "b", "x", "y")
	k := &knowledge{clusters: bitsOf{bits: map[string]string{"a": "011", "b": "011011"}}, prefixes: []int{4, 6}}
	toks := text.NewLayer(text.Tokens)
	toks.SetStrs("form", []string{"a", "b", "x", "y"})
	k.load(s, toks, nil, 0, 4)
	for i, want := range []string{"011", "0110", "\x00none", "\x00none"} {
		if s.value[cluster+1][i+1+shift] != hashString(want) {
			t.Errorf("token %d has another prefix than %q", i+1, want)
		}
	}
	if s.value[cluster][1+shift] != hashString("011") || s.value[cluster+2][2+shift] != hashString("011011") {
		t.Error("paths")
	}
	if x := s.slice(1, 3); x.value[cluster][2+shift] != hashNone || len(x.value[frequent]) > 2 {
		t.Error("a slice has other clusters")
	}
}

// oneSubtree knows the pair and the triple of "I ate the fish with a fork ." twice over.
type oneSubtree struct{ number map[string]uint32 }

func (o oneSubtree) Word(form string) uint32 { return o.number[form] }

func (o oneSubtree) Lookup2(h, d uint32, right bool) lexical.Set {
	if right && h == o.number["ate"] && (d == o.number["with"] || d == o.number["."] || d == o.number["fish"]) {
		return lexical.High
	}
	return lexical.Zero
}

func (o oneSubtree) Lookup3(h, a, b uint32, right bool) lexical.Set {
	if h == o.number["ate"] {
		return o.Siblings(a, b, right)
	}
	return lexical.Zero
}

func (o oneSubtree) Siblings(a, b uint32, right bool) lexical.Set {
	if right && a == o.number["with"] && b == o.number["."] {
		return lexical.High
	}
	return lexical.Zero
}

// TestFrequencyKeys: the worked example of Chen et al. 2009: of the pairs around ate → with only that
// itself is frequent; of siblings (ate, with, .) is, (ate, cake, with) is not.
func TestFrequencyKeys(t *testing.T) {
	s := made("He", "ate", "the", "cake", "with", "a", "fork", ".")
	s.subtrees = oneSubtree{map[string]uint32{"ate": 1, "fish": 2, "with": 3, ".": 4}}
	s.words = []uint32{0}
	for _, w := range []string{"He", "ate", "the", "cake", "with", "a", "fork", "."} {
		s.words = append(s.words, s.subtrees.Word(w))
	}
	s.pairs = make([]uint8, 81)
	keys := s.pairKeys(nil, 2, 5)
	if len(keys) != 15 {
		t.Fatalf("%d keys", len(keys))
	}
	for i := range nearPairs {
		set := lexical.Zero
		if i == 0 {
			set = lexical.High
		}
		if keys[3*i] != frequencyKeys[i][set] {
			t.Errorf("pair %d is not %v", i, set)
		}
	}
	if n := len(s.pairKeys(nil, 2, 3)); n != 9 {
		t.Errorf("neighbours: %d keys, want those of 3 pairs", n)
	}
	if n := len(s.pairKeys(nil, 0, 3)) + len(s.tripleKeys(nil, 0, 3, 2)); n != 0 {
		t.Errorf("the root has %d keys", n)
	}
	for _, x := range []struct {
		m, sib int
		set    lexical.Set
	}{{8, 5, lexical.High}, {5, 4, lexical.Zero}} {
		keys := s.tripleKeys(nil, 2, x.m, x.sib)
		if len(keys) != 6 || keys[0] != frequencyKeys[nearPairs][x.set] || keys[3] != frequencyKeys[nearPairs+1][x.set] {
			t.Errorf("triple (2, %d, %d) is not %v", x.sib, x.m, x.set)
		}
	}
	s.often = make([]bool, 9)
	if n := len(s.pairKeys(nil, 2, 5)); n != 10 {
		t.Errorf("a rare head has %d keys", n)
	}
}

// TestGuideKeys: an arc of the guide has its relation among its features, another one has not; a
// pruner keeps the arcs of the guide.
func TestGuideKeys(t *testing.T) {
	s := made("a", "b", "c")
	s.guess, s.relation = []int32{-1, 2, 0, 2}, []uint64{0, 7, 8, 9}
	if in, out := s.guideKeys(nil, 2, 1), s.guideKeys(nil, 3, 1); len(in) != 12 || len(out) != 8 || in[4] == out[0] ||
		in[8] != out[4] {
		t.Error("keys")
	}
	keep := make([]bool, 16)
	s.keepGuess(keep)
	if !keep[2*4+1] || !keep[2] || !keep[2*4+3] {
		t.Error("arcs of the guide are pruned")
	}
	if f := s.facts.slice(1, 3); !slices.Equal(f.guess, []int32{-1, 0, 1}) {
		t.Errorf("slice: %v", f.guess)
	}
}

// TestHistoryValue: with inside histories the value of the chart is the score of its tree, of parts and
// histories both.
func TestHistoryValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := configured(t, names("history", "shi", "thi"), arg("history_policy", "all"), arg("roots", "multi"))
	p := m.empty()
	p.scorer = newScorer(lean, p.factorization.Types(), 12)
	for _, tab := range []*table{p.scorer.first, p.scorer.second} {
		for i := range tab.w {
			tab.w[i] = float32(rng.NormFloat64())
		}
	}
	w := p.worker()
	for n := 1; n < 9; n++ {
		var words []string
		for range n {
			words = append(words, fmt.Sprint(rng.IntN(4)))
		}
		w.load(context.Background(), made(words...), nil)
		heads := make([]int32, n+1)
		value, ok := w.decoder.Best(&w.parts, w.score, heads)
		sum := tree.Score(p.factorization, &w.parts, w.score, heads)
		for _, k := range w.memory.tree(heads) {
			sum += float64(w.memory.table.w[k>>w.memory.table.drop])
		}
		if !ok || math.Abs(sum-value) > 1e-3 {
			t.Errorf("%d tokens: value %v, the tree scores %v", n, value, sum)
		}
	}
}

// clauses are sentences of two verbs; the second is the head where its clause has a subject, which
// neither parts nor tags between tell (Chen et al. 2010, section 2).
func clauses(n int) []*text.Document {
	var docs []*text.Document
	for i := range n {
		toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
		forms := []string{"bought", "books", "this-year", "he", "also", "bought", "more"}
		heads := []int32{6, 1, 6, 6, 6, 0, 6}
		if i%2 == 1 {
			forms[3] = "then"
			heads[0], heads[5] = 0, 1
		}
		toks.N, arcs.N = 7, 7
		toks.SetInts("sent", []int32{1, 1, 1, 1, 1, 1, 1})
		toks.SetInts("tok", []int32{1, 2, 3, 4, 5, 6, 7})
		toks.SetStrs("form", forms)
		tags := []string{"V", "N", "A", "A", "A", "V", "N"}
		toks.SetStrs("upos", tags)
		toks.SetStrs("xpos", tags)
		arcs.SetInts("sent", []int32{1, 1, 1, 1, 1, 1, 1})
		arcs.SetInts("tok", []int32{1, 2, 3, 4, 5, 6, 7})
		arcs.SetInts("head", heads)
		arcs.SetStrs("deprel", []string{"x", "x", "x", "x", "x", "x", "x"})
		docs = append(docs, &text.Document{ID: fmt.Sprint(i), Layers: []*text.Layer{toks, arcs}})
	}
	return docs
}

// TestHistoryLearns: a chart with a history finds the head of two clauses, one without is at chance.
func TestHistoryLearns(t *testing.T) {
	for _, x := range []struct {
		sets        []string
		least, most int
	}{{nil, 8, 12}, {[]string{"shi", "thi"}, 20, 20}, {historySets, 20, 20}} {
		opts := []option.Arg{arg("epochs", 10), arg("labels", "none")}
		if x.sets != nil {
			opts = append(opts, names("history", x.sets...), arg("history_policy", "all"))
		}
		m := configured(t, opts...)
		tr := &kind.Training{On: kind.Documents(clauses(40)), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
			Notice: func(string) {}}
		if err := m.Train(context.Background(), tr); err != nil {
			t.Fatal(err)
		}
		right := 0
		for _, d := range clauses(20) {
			v := *d
			if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{Workers: 1}); err != nil {
				t.Fatal(err)
			}
			if slices.Equal(v.Layer("dependencies").Ints("head"), d.Layer("dependencies").Ints("head")) {
				right++
			}
		}
		if len(x.sets) > 0 {
			out, err := m.Explain(context.Background(), clauses(1), kind.At{Sent: 1, Tok: 6}, &kind.Run{Workers: 1})
			if err != nil || len(out.Decisions) != 1 ||
				!slices.ContainsFunc(out.Decisions[0].Contributions, func(c kind.Contribution) bool {
					return c.Feature == "THI left word=he" && c.Weight > 0
				}) {
				t.Errorf("history %v: %v %+v", x.sets, err, out)
			}
		}
		if right < x.least || right > x.most {
			t.Errorf("history %v: %d of 20 sentences", x.sets, right)
		}
	}
}
