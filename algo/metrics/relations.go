package metrics

import (
	"context"

	"parlance/algo/text"
)

// Relations scores relations by label: one is right where its label and both ends of both arguments are. A relation
// that stands twice counts once. The unit is the document.
type Relations struct {
	opt   Options
	tally tally
	pairs confusion
}

// NewRelations returns a scorer of the relations layer.
func NewRelations(opt Options) *Relations {
	return &Relations{opt: opt, tally: newTally(), pairs: confusion{}}
}

// arguments are the ends of the subject and of the object, in bytes.
type arguments [4]int32

// Add scores the documents of a unit.
func (s *Relations) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Relations) document(gold, predicted *text.Document) error {
	count(&s.tally, s.pairs, relationsOf(gold), relationsOf(predicted))
	s.tally.units++
	s.tally.document()
	return nil
}

// relationsOf returns the relations of a document, each once.
func relationsOf(d *text.Document) []labelled[arguments] {
	l := d.Layer(text.Relations.Name)
	if l == nil {
		return nil
	}
	columns := [4][]int32{l.Ints("subject_start"), l.Ints("subject_end"), l.Ints("object_start"), l.Ints("object_end")}
	label := l.Strs("label")
	var out []labelled[arguments]
	for i := range l.N {
		if l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		x := labelled[arguments]{label: pick(label, i)}
		for k, c := range columns {
			if c != nil {
				x.item[k] = c[i]
			}
		}
		out = append(out, x)
	}
	return once(out)
}

// Metrics returns precision, recall, F and its mean over labels, then those of each label.
func (s *Relations) Metrics() []Metric {
	out := s.tally.prf(s.opt.beta(1))
	out[2].Main = true
	return out
}

// Confusion pairs relations with the same arguments; others stand beside "".
func (s *Relations) Confusion() []Cell { return s.pairs.cells() }
