package metrics

import (
	"context"

	"parlance/algo/text"
)

// Lines scores the layer words, what files hold beyond the other layers, by whole rows: sentence, id and line are
// right. The unit is the document.
type Lines struct {
	opt   Options
	units Units
}

// NewLines returns a scorer of the words layer.
func NewLines(opt Options) *Lines { return &Lines{opt: opt} }

// Add scores the documents of a unit.
func (s *Lines) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, func(gold, predicted *text.Document) error {
		s.units.Add(agree(linesOf(gold), linesOf(predicted))...)
		return nil
	})
}

type line struct {
	sent     int32
	id, line string
}

func linesOf(d *text.Document) []line {
	l := d.Layer(text.Words.Name)
	if l == nil {
		return nil
	}
	out := make([]line, l.N)
	for i := range out {
		out[i] = line{l.Ints("sent")[i], pick(l.Strs("id"), i), pick(l.Strs("line"), i)}
	}
	return out
}

// Metrics returns precision, recall and F of rows.
func (s *Lines) Metrics() []Metric {
	out := prf(All, s.units, nil, s.opt.beta(1))
	out[2].Main = true
	return out
}

// Confusion is empty: lines have no labels.
func (s *Lines) Confusion() []Cell { return nil }
