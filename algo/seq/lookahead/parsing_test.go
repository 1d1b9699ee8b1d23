package lookahead

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/transition"
	"parlance/algo/text"
)

// parserOf trains on small trees.
func parserOf(t *testing.T, args ...option.Arg) (*model, []*text.Document) {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(append(args, kindtest.Arg("layer", "dependencies"), kindtest.Arg("margin", 3.0),
		kindtest.Arg("epochs", 4))); err != nil {
		t.Fatal(err)
	}
	docs := kindtest.Treed(kindtest.Sample(30))
	tr := &kind.Training{On: kind.Documents(docs[:20]), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m, docs[20:]
}

// fresh computes the scores of the present state without what was kept.
func fresh(m *model, p *parsing) []float64 {
	out := make([]float64, p.size)
	g := p.set.Signature(&p.state)
	for _, k := range p.extract.Keys(&g, nil) {
		if a, ok := p.alphabet.Find(k); ok {
			m.arcs.score([]uint32{a}, out)
		}
	}
	return out
}

// TestScoresAfterUndo goes forth and back at random: kept scores are those computed anew, and the
// sum that a search reports is the score of its path.
func TestScoresAfterUndo(t *testing.T) {
	m, docs := parserOf(t, kindtest.Arg("depth", 2))
	p := newParser(m.arcs)
	rng := rand.New(rand.NewPCG(1, 2))
	d := docs[0]
	toks, bounds := d.Layer("tokens"), d.SentenceTokens()
	if err := p.extract.Load(toks, int(bounds[0]), int(bounds[1])); err != nil {
		t.Fatal(err)
	}
	p.init(int(bounds[1] - bounds[0]))
	for range 500 {
		legal := p.choices(nil)
		if len(legal) == 0 || p.state.Steps() > 0 && rng.IntN(3) == 0 {
			p.undo()
			continue
		}
		if got := p.byAction(p.scores()); !slices.Equal(got, fresh(m, p.parsing)) {
			t.Fatalf("scores %v, computed anew %v", got, fresh(m, p.parsing))
		}
		for _, r := range p.search.search(2) {
			sum := 0.0
			for _, a := range append([]int{r.action}, r.path...) {
				sum += fresh(m, p.parsing)[a]
				p.do(a)
			}
			for range 1 + len(r.path) {
				p.undo()
			}
			if math.Abs(sum-r.score-r.tail) > 1e-9 {
				t.Fatalf("a path of score %v is said to have %v", sum, r.score+r.tail)
			}
		}
		p.do(legal[rng.IntN(len(legal))].action)
	}
}

// TestParserLearns: the rules behind the trees are learned at every depth, and depths may differ.
func TestParserLearns(t *testing.T) {
	for depth := range 4 {
		m, docs := parserOf(t, kindtest.Arg("depth", depth))
		for _, d := range docs {
			v := *d
			if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{Workers: 1}); err != nil {
				t.Fatal(err)
			}
			got, want := v.Layer("dependencies"), d.Layer("dependencies")
			if !slices.Equal(got.Ints("head"), want.Ints("head")) || !slices.Equal(got.Strs("deprel"), want.Strs("deprel")) {
				t.Errorf("depth %d, %s: %v, want %v", depth, d.ID, got.Ints("head"), want.Ints("head"))
			}
		}
		if m.Caution() != "" {
			t.Error(m.Caution())
		}
		if m.opt.depth++; m.Caution() == "" {
			t.Error("another depth gives no notice")
		}
	}
}

// TestFaultyTrees: trees that no actions build are left out with a notice.
func TestFaultyTrees(t *testing.T) {
	docs := kindtest.Treed(kindtest.Sample(6))
	deps := docs[0].Layer("dependencies")
	heads := slices.Clone(deps.Ints("head"))
	heads[0], heads[1] = 2, 1
	deps.SetInts("head", heads)
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("layer", "dependencies")}); err != nil {
		t.Fatal(err)
	}
	var notices []string
	tr := &kind.Training{On: kind.Documents(docs), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(n string) { notices = append(notices, n) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	if len(notices) != 1 || notices[0] != "1 sentence is left out, for no actions build its tree: "+
		transition.ManyRoots.String() && notices[0] != "1 sentence is left out, for no actions build its tree: "+
		transition.Cyclic.String() {
		t.Errorf("notices %q", notices)
	}
}
