package pairrelation

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/metrics"
)

// Evaluate labels the judged pairs of a table and compares. A pair is one unit.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	list, _, err := readPairs(ctx, in)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(p *pair) bool { return p.label == none })
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: no pair has a label", kind.ErrNoData)
	}
	k, err := m.opt.look(run.Resources)
	if err != nil {
		return nil, err
	}
	answers, err := m.labelAll(ctx, k, list, run)
	if err != nil {
		return nil, err
	}
	code := func(l int8) string { return leaves[l].code }
	if m.opt.level == "top" {
		code = top
	}
	s := &scores{}
	for i, p := range list {
		s.gold, s.found = append(s.gold, code(p.label)), append(s.found, code(answers[i].label))
		if p.dir != neither && answers[i].label == p.label {
			s.directed = append(s.directed, answers[i].dir == p.dir)
		}
	}
	return s.metrics(), nil
}

// scores are gold and found labels of pairs.
type scores struct {
	gold, found []string
	directed    []bool // of right directed labels, whether the direction is
}

// metrics returns accuracy, kappa, macro_f1 and the accuracy of directions, then precision, recall and
// F1 of each label, and the counts of what was taken for what.
func (s *scores) metrics() []metrics.Metric {
	n := len(s.gold)
	accuracy := metrics.Metric{Name: "accuracy", Label: metrics.All, Combine: metrics.Ratio, Support: float64(n)}
	for i, g := range s.gold {
		accuracy.Units.Add(metrics.One(g == s.found[i]), 1)
	}
	macro := metrics.Metric{Name: "macro_f1", Label: metrics.All, Combine: metrics.MeanOf, Support: float64(n)}
	var each []metrics.Metric
	labels := slices.Concat(s.gold, s.found)
	slices.Sort(labels)
	for _, l := range slices.Compact(labels) {
		three := s.label(l)
		each = append(each, three...)
		macro.Parts = append(macro.Parts, three[2])
	}
	out := []metrics.Metric{accuracy, metrics.Kappa(metrics.All, s.gold, s.found), macro}
	if len(s.directed) > 0 {
		d := metrics.Metric{Name: "direction", Label: metrics.All, Combine: metrics.Ratio, Support: float64(len(s.directed))}
		for _, right := range s.directed {
			d.Units.Add(metrics.One(right), 1)
		}
		out = append(out, d)
	}
	return append(append(out, each...), s.confusion()...)
}

// label returns precision, recall and F1 of a label.
func (s *scores) label(label string) []metrics.Metric {
	rows, support := make([]metrics.Stat, len(s.gold)), 0.0
	for i, g := range s.gold {
		f := s.found[i]
		switch {
		case g == label && f == label:
			rows[i][0] = 1
		case f == label:
			rows[i][1] = 1
		case g == label:
			rows[i][2] = 1
		}
		if g == label {
			support++
		}
	}
	units := metrics.UnitsOf(rows)
	return []metrics.Metric{
		{Name: "precision", Label: label, Combine: metrics.Precision, Units: units, Support: support},
		{Name: "recall", Label: label, Combine: metrics.Recall, Units: units, Support: support},
		{Name: "f1", Label: label, Combine: metrics.F1, Units: units, Support: support},
	}
}

// confusion counts gold and found labels, named gold>found.
func (s *scores) confusion() []metrics.Metric {
	counts := map[[2]string]int{}
	for i, g := range s.gold {
		counts[[2]string{g, s.found[i]}]++
	}
	keys := make([][2]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	var out []metrics.Metric
	for _, k := range keys {
		n := counts[k]
		out = append(out, metrics.Metric{Name: metrics.Confusion, Label: k[0] + ">" + k[1], Combine: metrics.Sum,
			Units: metrics.UnitsOf([]metrics.Stat{{float32(n)}}), Support: float64(n)})
	}
	return out
}
