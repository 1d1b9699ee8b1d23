package pcfg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// bracketed makes a document of trees in brackets.
func bracketed(t testing.TB, trees ...string) *text.Document {
	t.Helper()
	d := &text.Document{ID: "d"}
	toks := text.NewLayer(text.Tokens)
	var roots []*constituent.Node
	for s, written := range trees {
		tree, words, err := constituent.Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, tree)
		for i, leaf := range tree.Leaves(nil) {
			for c, v := range []int{s + 1, i + 1, len(d.Text), len(d.Text) + len(words[i])} {
				toks.Cols[c].Ints = append(toks.Cols[c].Ints, int32(v))
			}
			d.Text += words[i] + " "
			toks.SetStrs("form", append(toks.Strs("form"), words[i]))
			toks.SetStrs("xpos", append(toks.Strs("xpos"), leaf.Label))
			toks.N++
		}
	}
	d.SetLayer(toks)
	w := constituent.NewWriter(d, false, false)
	for s := range constituent.Sentences(d, "xpos") {
		w.Tree(s, 1, roots[s.Number-1], "TOP", nil)
	}
	w.Set(func(layer string) bool { return layer == "constituents" })
	return d
}

// ambiguous is trees of a few words that can be told apart by little.
func ambiguous(t testing.TB) *text.Document {
	return bracketed(t,
		"(TOP (S (NP (N a)) (VP (V b) (NP (NP (N c)) (PP (P d) (NP (N a)))))))",
		"(TOP (S (NP (N a)) (VP (V b) (NP (N c)) (PP (P d) (NP (N c))))))",
		"(TOP (S (NP (N a) (N c)) (VP (VP (V b)) (PP (P d) (NP (N a))))))",
		"(TOP (NP (NP (N c)) (PP (P d) (NP (N a)))))",
		"(TOP (S (VP (V b) (NP (N a) (N a) (N c)))))",
		"(TOP (X (S (VP (V b)))))")
}

// derivation is a tree with its probability, by enumeration.
type derivation struct {
	score float64
	tree  string
}

// enumerate lists the derivations of a symbol over [i, j), at the top of a chain or at its bottom.
func enumerate(m *model, tags [][]tagged, symbol int32, top bool, i, j int) (out []derivation) {
	if top && !m.Symbols[symbol].Partial {
		for _, c := range m.Chains {
			if c.Top != symbol {
				continue
			}
			labels := m.phrases(&c, nil)
			for _, d := range enumerate(m, tags, c.Bottom, false, i, j) {
				for k := len(labels) - 2; k >= 0; k-- { // the bottom has its own label
					d.tree = "(" + labels[k] + " " + d.tree + ")"
				}
				out = append(out, derivation{d.score + c.Weight, d.tree})
			}
		}
		return out
	}
	name := m.Symbols[symbol].Label
	if j == i+1 {
		for _, x := range tags[i] {
			if x.symbol == symbol {
				out = append(out, derivation{x.weight, fmt.Sprintf("(%s %d)", name, j)})
			}
		}
	}
	for _, r := range m.Rules {
		for k := i + 1; r.Parent == symbol && k < j; k++ {
			for _, a := range enumerate(m, tags, r.Left, true, i, k) {
				for _, b := range enumerate(m, tags, r.Right, true, k, j) {
					tree := a.tree + " " + b.tree
					if !m.Symbols[symbol].Partial {
						tree = "(" + name + " " + tree + ")"
					}
					out = append(out, derivation{r.Weight + a.score + b.score, tree})
				}
			}
		}
	}
	return out
}

// TestAgainstEnumeration compares the likeliest tree, the k best, the sum and the probabilities of phrases with those
// of all trees.
func TestAgainstEnumeration(t *testing.T) {
	compared := 0
	for _, args := range [][]option.Arg{nil, {kindtest.Arg("tags", "own")},
		{kindtest.Arg("vertical", 1), kindtest.Arg("horizontal", 0)}} {
		args = append(args, kindtest.Arg("coarse", 0.0), kindtest.Arg("decoder", "viterbi"))
		m := trained(t, []*text.Document{ambiguous(t)}, args...)
		for _, sentence := range []string{"a/N b/V c/N d/P a/N", "b/V a/N c/N", "c/N d/P a/N d/P c/N",
			"a/N c/N b/V d/P c/N", "b/V"} {
			var forms, tags []string
			for _, w := range strings.Fields(sentence) {
				form, tag, _ := strings.Cut(w, "/")
				if forms = append(forms, form); m.opt.tags == "own" {
					tag = ""
				}
				tags = append(tags, tag)
			}
			p := &parser{m: m}
			p.parse(context.Background(), forms, tags, 1, true)
			all := enumerate(m, p.tags, m.Root, true, 0, len(forms))
			if len(all) == 0 {
				if p.search != "flat" {
					t.Errorf("%s has no tree, and %s finds %v", sentence, p.search, p.list[0].tree)
				}
				continue
			}
			compared++
			check(t, p, all)
			p.parse(context.Background(), forms, tags, 1000, true)
			seen := map[string]bool{}
			for _, x := range p.list {
				if seen[x.tree.String()] {
					t.Errorf("%v is there twice", x.tree)
				}
				seen[x.tree.String()] = true
			}
			distinct := map[string]bool{}
			for _, d := range all {
				tree, _, _ := constituent.Parse(d.tree)
				distinct[untagged(tree)] = true
			}
			if len(p.list) != len(distinct) {
				t.Errorf("%s: %d trees of %d", sentence, len(p.list), len(distinct))
			}
		}
	}
	if compared < 9 {
		t.Errorf("%d sentences have trees", compared)
	}
}

// check compares what a parser found with all derivations.
func check(t *testing.T, p *parser, all []derivation) {
	t.Helper()
	slices.SortFunc(all, func(a, b derivation) int {
		if a.score > b.score {
			return -1
		}
		return 1
	})
	z := 0.0
	for _, d := range all {
		z += math.Exp(d.score)
	}
	if x := p.list[0]; math.Abs(x.score-all[0].score) > 1e-9 || math.Abs(x.prob-math.Exp(all[0].score)/z) > 1e-9 {
		t.Errorf("%v with %v and %v, want %v with %v and %v", x.tree, x.score, x.prob, all[0].tree, all[0].score,
			math.Exp(all[0].score)/z)
	}
	want := map[bracket]float64{}
	for _, d := range all {
		tree, _, err := constituent.Parse(d.tree)
		if err != nil {
			t.Fatal(err)
		}
		has := map[bracket]bool{}
		var walk func(n *constituent.Node)
		walk = func(n *constituent.Node) {
			if n.Leaf() {
				return
			}
			first, last := n.Span()
			has[bracket{n.Label, int16(first - 1), int16(last)}] = true
			for _, c := range n.Children {
				walk(c)
			}
		}
		walk(tree)
		for b := range has {
			want[b] += math.Exp(d.score) / z
		}
	}
	for b, x := range want {
		if math.Abs(p.brackets[b]-x) > 1e-9 {
			t.Errorf("%v has %v, want %v", b, p.brackets[b], x)
		}
	}
	if len(want) != len(p.brackets) {
		t.Errorf("%d phrases, want %d", len(p.brackets), len(want))
	}
}

// TestCoarse: at each token, and over the whole, the coarse grammar's probabilities add up to one; a lower threshold
// keeps what a higher one does.
func TestCoarse(t *testing.T) {
	m := trained(t, []*text.Document{ambiguous(t)}, kindtest.Arg("tags", "own"))
	p := &parser{m: m}
	p.parse(context.Background(), strings.Fields("a b c d a d zzz"), make([]string, 7), 1, false)
	for i := range 7 {
		sum := 0.0
		in, out := p.pass.row(p.pass.bottom, p.pass.n.at(i, i+1)), p.pass.row(p.pass.oBottom, p.pass.n.at(i, i+1))
		leaf := map[int32]bool{}
		for s := range m.Words.of {
			leaf[m.Coarse.Of[s]] = true
		}
		for s := range in {
			if leaf[int32(s)] {
				sum += in[s] * out[s] / p.pass.z
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("token %d has %v", i+1, sum)
		}
	}
	before := 0
	for _, threshold := range []float64{0.5, 0.1, 1e-3, 1e-6, 0} {
		p.pass.allow(threshold)
		kept := 0
		for i := range 7 {
			for j := i + 1; j <= 7; j++ {
				for s := range p.pass.g.Size {
					if p.pass.topAllowed[p.pass.n.at(i, j)*p.pass.g.Size+s] {
						kept++
					}
				}
			}
		}
		if kept < before {
			t.Errorf("threshold %v keeps %d, a higher one %d", threshold, kept, before)
		}
		before = kept
	}
}

// TestOddInput: words and tags that the treebank has not, sentences without a tree, long ones, trees over other tokens.
func TestOddInput(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(30))
	m := trained(t, docs, kindtest.Arg("max_length", 10))
	p := &parser{m: m}
	p.parse(context.Background(), []string{"(", "%%", ""}, []string{"ZZ", "", "YY"}, 3, true)
	if len(p.list) == 0 {
		t.Error("no tree of unknown words")
	}
	p.parse(context.Background(), []string{".", "."}, []string{"P", "P"}, 1, true)
	if p.search != "flat" || p.list[0].tree.String() != "(TOP (P 1) (P 2))" {
		t.Errorf("%s: %v", p.search, p.list[0].tree)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var forms, tags []string
	for range 200 {
		k := rng.IntN(3)
		forms, tags = append(forms, []string{"Bob", "saw", "."}[k]), append(tags, []string{"N", "V", "P"}[k])
	}
	p.parse(context.Background(), forms, tags, 1, true)
	if n := len(p.list[0].tree.Leaves(nil)); p.search != "pieces" || n != 200 {
		t.Errorf("%s: %d tokens of 200", p.search, n)
	}
	broken := kindtest.Phrased(kindtest.Sample(30))
	broken[0].Layer("constituents").Ints("tok_end")[0] = 99
	var notices []string
	tr := &kind.Training{On: kind.Documents(broken), Report: func(kind.Progress) {},
		Notice: func(s string) { notices = append(notices, s) }}
	again, s := &model{}, &option.Set{}
	again.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	if err := again.Train(context.Background(), tr); err != nil || len(notices) != 1 ||
		!strings.Contains(notices[0], "1 sentence is left out") {
		t.Errorf("%v, notices %q", err, notices)
	}
}
