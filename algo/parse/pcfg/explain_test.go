package pcfg

import (
	"context"
	"math"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// TestExplain: with the likeliest tree as the answer the margin is the difference of the two best scores, and the rules
// of a derivation add up to its score.
func TestExplain(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(30))
	for _, tags := range []string{"xpos", "own"} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("decoder", "viterbi"), kindtest.Arg("tags", tags),
			kindtest.Arg("coarse", 0.0), kindtest.Arg("vertical", 1), kindtest.Arg("horizontal", 0)}); err != nil {
			t.Fatal(err)
		}
		tr := &kind.Training{On: kind.Documents(docs[:20]), Workers: 1, Report: func(kind.Progress) {},
			Notice: func(string) {}}
		if err := m.Train(context.Background(), tr); err != nil {
			t.Fatal(err)
		}
		x, err := m.Explain(context.Background(), docs[20:], kind.At{}, &kind.Run{})
		if err != nil {
			t.Fatal(err)
		}
		p, at, runners := m.parser(), 0, 0
		for _, d := range docs[20:] {
			for s := range constituent.Sentences(d, m.column()) {
				forms, tags := p.words(d, s)
				p.parse(context.Background(), forms, tags, 2, true)
				got := x.Decisions[at]
				at++
				if len(p.list) < 2 {
					continue
				}
				runners++
				if want := p.list[0].score - p.list[1].score; math.Abs(got.Margin-want) > 1e-7 || got.RunnerUp == "" {
					t.Errorf("margin %v of %s against %q, want %v", got.Margin, got.Outcome, got.RunnerUp, want)
				}
				for _, c := range got.Contributions {
					if !strings.Contains(c.Feature, "->") && !strings.Contains(c.Feature, "=>") && !strings.HasSuffix(c.Feature,
						"alone") {
						t.Errorf("a rule is called %q", c.Feature)
					}
				}
			}
		}
		if at != len(x.Decisions) || runners == 0 {
			t.Errorf("%d decisions for %d sentences, %d with another tree", len(x.Decisions), at, runners)
		}
		if _, err := m.Explain(context.Background(), []*text.Document{{ID: "empty"}}, kind.At{}, &kind.Run{}); err != nil {
			t.Errorf("a document without tokens: %v", err)
		}
	}
}
