package tagparser

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

func TestContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"folds":  {kindtest.Arg("pruner_folds", 3)},
		"labels": {kindtest.Arg("pruner", "labels")},
		"upos": {kindtest.Arg("tags", "upos"), kindtest.Arg("heads", "VP left V; * right"),
			kindtest.Arg("pruner_folds", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Phrased(kindtest.Sample(24))
			opts = append(opts, kindtest.Arg("bits", 12), kindtest.Arg("epochs", 2), kindtest.Arg("pruner_epochs", 2),
				kindtest.Arg("samples", 20))
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:16], Test: docs[16:], Resumes: true})
		})
	}
}

// small trains on the sample.
func small(t *testing.T, docs []*text.Document, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	args = append([]option.Arg{kindtest.Arg("bits", 14), kindtest.Arg("epochs", 3), kindtest.Arg("pruner_epochs", 3)},
		args...)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLearns trains on trees of a rule and expects them back, with their heads.
func TestLearns(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(60))
	for order := 1; order <= 2; order++ {
		m := small(t, docs[:50], kindtest.Arg("order", order))
		out := parsed(t, m, docs[50:], &kind.Run{})
		if f1 := scores(t, docs[50:], out)["f1"]; f1 < 99 {
			t.Errorf("order %d: F1 %.1f", order, f1)
		}
		if uas := heads(t, docs[50:], out); uas < 99 {
			t.Errorf("order %d: %.1f %% of the heads", order, uas)
		}
	}
}

// TestBeam: a narrower beam keeps a part of what a wider one does, and an arc to each token.
func TestBeam(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(40))
	words, tags := strings.Fields("Ann Lee saw New York by train ."), strings.Fields("N N V N N V N P")
	for _, name := range []string{byArcs, byLabels} {
		m := small(t, docs, kindtest.Arg("pruner", name))
		p := newParser(m.trained)
		arcs, err := m.pruner.arcs(context.Background(), m.g, [][]string{words}, [][]string{tags})
		if err != nil {
			t.Fatal(err)
		}
		before := map[[3]int32]bool{}
		for _, beam := range []float64{1, 0.1, 1e-2, 1e-4, 0} {
			p.load(words, tags, arcs[0], beam, false)
			now, some := map[[3]int32]bool{}, map[int32]bool{}
			for _, list := range [][]arc{p.chart.arcs, p.chart.root} {
				for _, a := range list {
					for i, l := range a.labels {
						if a.score[2*i] > none {
							now[[3]int32{a.head, a.mod, l}], some[a.mod] = true, true
						}
					}
				}
			}
			for k := range before {
				if !now[k] {
					t.Errorf("%s, beam %v loses %v", name, beam, k)
				}
			}
			if len(some) != len(words) {
				t.Errorf("%s, beam %v: %d tokens of %d have an arc", name, beam, len(some), len(words))
			}
			before = now
		}
	}
}

// TestProduct: an arc with a triple has the product of the probabilities of its parts; where there is one label, the
// three parsers are the same, and the product is the third power.
func TestProduct(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(40))
	m := small(t, docs, kindtest.Arg("pruner", byLabels))
	words, tags := strings.Fields("Ann Lee saw New York by train ."), strings.Fields("N N V N N V N P")
	list, err := m.pruner.arcs(context.Background(), m.g, [][]string{words}, [][]string{tags})
	if err != nil {
		t.Fatal(err)
	}
	p := newParser(m.trained)
	p.load(words, tags, list[0], 0, false)
	prob := func(list []partProb, part int32) float64 {
		for _, y := range list {
			if y.part == part {
				return float64(y.prob)
			}
		}
		return 0
	}
	positive := 0
	for i, x := range p.scorer.list {
		for j, triple := range p.of(x, false).labels {
			want, got := 1.0, p.probs[p.from[i]+j]
			for k, part := range m.g.parts[triple] {
				want *= prob(x.parts[k], part)
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%v with %v: %v, the parts give %v", x, m.g.triples[triple], got, want)
			}
			if got > 0 {
				positive++
			}
		}
	}
	if positive < len(words) {
		t.Errorf("%d arcs with labels", positive)
	}
	r, err := read(context.Background(), kind.Documents(docs), m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.g.triples {
		r.g.triples[i] = constituent.Triple{Parent: "X", Head: "X", Modifier: "X"}
	}
	one, err := m.trainPruner(context.Background(), &kind.Training{Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}, r.g, r.examples, "pruner")
	if err != nil {
		t.Fatal(err)
	}
	r.g.partID = map[string]int32{"X": 0}
	if list, err = one.arcs(context.Background(), r.g, [][]string{words}, [][]string{tags}); err != nil ||
		len(list[0]) < len(words) {
		t.Fatalf("%d arcs, %v", len(list[0]), err)
	}
	for _, x := range list[0] {
		first := float64(x.parts[0][0].prob)
		if x.parts[1][0] != x.parts[0][0] || x.parts[2][0] != x.parts[0][0] || math.Abs(x.prob-first*first*first) > 1e-12 {
			t.Errorf("%v: probability %v", x, x.prob)
		}
	}
}

// TestOddInput: tags and words that the treebank has not, sentences without a derivation, long ones, n best.
func TestOddInput(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(40))
	for order := 1; order <= 2; order++ {
		m := small(t, docs, kindtest.Arg("order", order), kindtest.Arg("max_length", 10))
		p := newParser(m.trained)
		parse := func(words, tags []string, k int) {
			t.Helper()
			arcs, err := m.pruner.arcs(context.Background(), m.g, [][]string{words}, [][]string{tags})
			if err != nil {
				t.Fatal(err)
			}
			p.parse(context.Background(), words, tags, arcs[0], request{beam: 1e-3, k: k, samples: 20})
			for _, x := range p.list {
				if n := len(x.tree.Leaves(nil)); n != len(words) {
					t.Errorf("%v: %d tokens", words, n)
				}
			}
		}
		parse([]string{"(", "%%", ""}, []string{"ZZ", "", "YY"}, 1)
		parse([]string{"."}, []string{"P"}, 1)
		parse(strings.Fields(". . ."), strings.Fields("P P P"), 1)
		if p.search != "flat" {
			t.Errorf("stops alone: %s, %v", p.search, p.list[0].tree)
		}
		parse(strings.Fields("Ann saw the soup by train ."), strings.Fields("N V V N V N P"), 8)
		seen := map[string]bool{}
		for i, x := range p.list {
			if seen[x.tree.String()] || i > 0 && x.score > p.list[i-1].score || !(x.prob >= 0 && x.prob <= 1) {
				t.Errorf("tree %d of %d: %v, score %v, prob %v", i+1, len(p.list), x.tree, x.score, x.prob)
			}
			seen[x.tree.String()] = true
		}
		if len(p.list) < 2 {
			t.Errorf("%d best trees", len(p.list))
		}
	}
}

// TestLong parses 200 tokens in pieces.
func TestLong(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(40))
	m := small(t, docs, kindtest.Arg("max_length", 60))
	long := &text.Document{ID: "long"}
	toks := text.NewLayer(text.Tokens)
	for i := range 200 {
		for c, v := range []int{1, i + 1, len(long.Text), len(long.Text) + 3} {
			toks.Cols[c].Ints = append(toks.Cols[c].Ints, int32(v))
		}
		long.Text += "Bob "
		toks.SetStrs("form", append(toks.Strs("form"), "Bob"))
		toks.SetStrs("xpos", append(toks.Strs("xpos"), []string{"N", "V"}[i%2]))
		toks.N++
	}
	long.SetLayer(toks)
	out := parsed(t, m, []*text.Document{long}, &kind.Run{Prob: true})[0]
	if got := out.Layer("parses").Strs("search"); len(got) != 1 || got[0] != "pieces" {
		t.Errorf("%q", got)
	}
	if err := out.Verify(out.Layer("dependencies"), text.Dependencies, toks); err != nil ||
		out.Layer("dependencies").N != 200 {
		t.Errorf("%d arcs: %v", out.Layer("dependencies").N, err)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{{"heads", "NP up", "no direction"},
		{"heads", "collin", "such as"}, {"order", "3", "2"}} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg(c.name, c.value)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s: %v", c.name, c.value, err)
		}
	}
}

// TestScale: the score of a derivation of the treebank is that which the chart finds, and the scale makes probabilities
// of it.
func TestScale(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(40))
	for order := 1; order <= 2; order++ {
		m := small(t, docs, kindtest.Arg("order", order))
		r, err := read(context.Background(), kind.Documents(docs), m)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.pruner.set(context.Background(), m.g, r.examples[:10]); err != nil {
			t.Fatal(err)
		}
		p := newParser(m.trained)
		p.chart.ended = func() bool { return false }
		same := 0
		for _, x := range r.examples[:10] {
			p.load(x.words, x.tags, x.arcs, 1e-3, false)
			score := p.decode()
			if !p.holds(x) || !slices.Equal(p.chart.heads[1:p.chart.n+1], x.heads[1:]) {
				continue
			}
			same++
			if gold := p.scoreOf(x); math.Abs(gold-score) > 1e-3*(1+math.Abs(score)) {
				t.Errorf("order %d: %v, the chart has %v", order, gold, score)
			}
		}
		if same < 5 || !(m.scale > 0 && m.scale <= 1) {
			t.Errorf("order %d: %d sentences are as in the treebank, scale %v", order, same, m.scale)
		}
	}
}
