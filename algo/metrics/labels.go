package metrics

import (
	"context"

	"parlance/algo/text"
)

// Labels scores document labels: accuracy (a document counts where the sets of labels are
// equal), micro and macro F1, and those of each label. The unit is the document.
type Labels struct {
	opt   Options
	tally tally
	right Units
	pairs confusion
}

// NewLabels returns a scorer of the labels layer.
func NewLabels(opt Options) *Labels { return &Labels{opt: opt, tally: newTally(), pairs: confusion{}} }

func labelsOf(d *text.Document) map[string]bool {
	out := map[string]bool{}
	l := d.Layer("labels")
	if l == nil {
		return out
	}
	for i, label := range l.Strs("label") {
		if l.Rank == nil || l.Rank[i] == 1 {
			out[label] = true
		}
	}
	return out
}

// Add scores the documents of a unit.
func (s *Labels) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document; one without gold labels does not count.
func (s *Labels) document(gold, predicted *text.Document) error {
	g, p := labelsOf(gold), labelsOf(predicted)
	if len(g) == 0 {
		return nil
	}
	same := len(g) == len(p)
	for l := range g {
		if p[l] {
			s.tally.at(l)[0]++
			s.pairs[[2]string{l, l}]++
			continue
		}
		same = false
		s.tally.at(l)[2]++
		for q := range p {
			if !g[q] {
				s.pairs[[2]string{l, q}]++
			}
		}
		if len(p) == 0 {
			s.pairs[[2]string{l, ""}]++
		}
	}
	for q := range p {
		if !g[q] {
			s.tally.at(q)[1]++
		}
	}
	s.tally.units++
	s.right.Add(One(same), 1)
	return nil
}

// Metrics returns accuracy, precision, recall, f1 and macro_f1 over all, then by label.
func (s *Labels) Metrics() []Metric {
	out := []Metric{{Name: "accuracy", Label: All, Combine: Ratio, Units: s.right, Support: float64(s.right.Len())}}
	out = append(out, s.tally.prf(s.opt.beta(1))...)
	out[3].Main = true
	return out
}

// Confusion counts gold and predicted labels.
func (s *Labels) Confusion() []Cell { return s.pairs.cells() }
