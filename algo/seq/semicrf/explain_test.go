package semicrf

import (
	"context"
	"math"
	"slices"
	"testing"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

// TestMargins: the margin of a decision is the score of the best segmentation less that of the same one with the other
// label, and each contribution is something that the segmentations do not share.
func TestMargins(t *testing.T) {
	docs := kindtest.Sample(12)
	for name, more := range map[string][]option.Arg{
		"plain": nil,
		"edges": {kindtest.Arg("edge_features", "lower[-1..0]"), kindtest.Arg("transitions", "all")},
		"whole": {kindtest.Arg("identity", true), kindtest.Arg("repeat", "yes"), kindtest.Arg("max_length", 2)},
	} {
		m := train(t, docs[:8], nil, nil, 1, append(more, kindtest.Arg("layer", "entities"),
			kindtest.Arg("iterations", 10))...)
		if err := m.ready(); err != nil {
			t.Fatal(err)
		}
		want := margins(t, m, docs[8:])
		x, err := m.Explain(t.Context(), docs[8:], kind.At{}, &kind.Run{Workers: 1})
		if err != nil || len(x.Decisions) != len(want) || len(want) == 0 {
			t.Fatalf("%s: %d decisions of %d, %v", name, len(x.Decisions), len(want), err)
		}
		for i, d := range x.Decisions {
			of, ok := want[i][d.RunnerUp]
			if !ok || math.Abs(of-d.Margin) > 1e-9 {
				t.Fatalf("%s: %s %d,%d, %s against %s: margin %v, the scores differ by %v", name, d.Doc, d.Sent, d.Tok,
					d.Outcome, d.RunnerUp, d.Margin, of)
			}
			for _, c := range d.Contributions {
				if c.Value == 0 || c.Weight == 0 {
					t.Fatalf("%s: %s contributes nothing: %v · %v", name, c.Feature, c.Value, c.Weight)
				}
			}
		}
	}
}

// margins are, for each segment of the best segmentations, how much worse each other label is there.
func margins(t *testing.T, m *model, docs []*text.Document) (out []map[string]float64) {
	t.Helper()
	w, err := m.worker(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := m.sentences(context.Background(), w, d, kind.At{}, func(int, []string) error {
			score := func(path []semimarkov.Segment) (sum float64) {
				m.layout.EachGold(&semimarkov.Data{Sequences: []semimarkov.Sequence{w.seq},
					Gold: [][]semimarkov.Segment{path}, Attributes: m.layout.States.Attributes(),
					LengthAttributes: m.layout.Lengths}, 0, func(k int, v float64) { sum += m.w[k] * v })
				return sum
			}
			path, _, err := w.chart.Best(nil)
			for i := range path {
				others := map[string]float64{}
				for y, name := range m.labels.Names {
					changed := slices.Clone(path)
					changed[i].Label = int32(y)
					others[name] = score(path) - score(changed)
				}
				out = append(out, others)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
