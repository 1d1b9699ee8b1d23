package tagparser

import (
	"context"
	"math"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/text"
)

// TestExplain: what a score is the sum of adds up to it, for both orders, and the margin is the difference of the two
// best scores.
func TestExplain(t *testing.T) {
	docs := kindtest.Phrased(kindtest.Sample(40))
	for order := 1; order <= 2; order++ {
		m := small(t, docs[:30], kindtest.Arg("order", order))
		x, err := m.Explain(context.Background(), docs[30:], kind.At{}, &kind.Run{})
		if err != nil || len(x.Decisions) == 0 {
			t.Fatalf("%d decisions, %v", len(x.Decisions), err)
		}
		p, at, runners := newParser(m.trained), 0, 0
		for _, d := range docs[30:] {
			sentences, words, tags := m.sentences(d)
			for i := range sentences {
				arcs, err := m.pruner.arcs(context.Background(), m.g, words[i:i+1], tags[i:i+1])
				if err != nil {
					t.Fatal(err)
				}
				p.parse(context.Background(), words[i], tags[i], arcs[0], request{beam: m.opt.beam, k: 2})
				for _, f := range p.list {
					sum := 0.0
					p.parts(f, words[i], func(_ string, s float64) { sum += s })
					if math.Abs(sum-f.score) > 1e-3*max(1, math.Abs(f.score)) {
						t.Errorf("order %d: parts add up to %v, the score is %v", order, sum, f.score)
					}
				}
				got := x.Decisions[at]
				at++
				if len(p.list) < 2 {
					continue
				}
				runners++
				if want := p.list[0].score - p.list[1].score; math.Abs(got.Margin-want) > 1e-2 || got.RunnerUp == "" ||
					got.RunnerUp == got.Outcome || len(got.Contributions) == 0 {
					t.Errorf("order %d: margin %v of %s against %q, want %v", order, got.Margin, got.Outcome, got.RunnerUp, want)
				}
			}
		}
		if at != len(x.Decisions) || runners == 0 {
			t.Errorf("%d decisions for %d sentences, %d with another tree", len(x.Decisions), at, runners)
		}
		one, err := m.Explain(context.Background(), docs[30:31], kind.At{Sent: 1}, &kind.Run{})
		if err != nil || len(one.Decisions) != 1 || one.Decisions[0].Sent != 1 {
			t.Errorf("sentence 1: %v, %v", one, err)
		}
		if c := x.Decisions[0].Contributions; len(c) > 0 && !strings.Contains("spine arc sibling inner outer",
			strings.Fields(c[0].Feature)[0]) {
			t.Errorf("a part is called %q", c[0].Feature)
		}
		if _, err := m.Explain(context.Background(), []*text.Document{{ID: "empty"}}, kind.At{}, &kind.Run{}); err != nil {
			t.Errorf("a document without tokens: %v", err)
		}
	}
}
