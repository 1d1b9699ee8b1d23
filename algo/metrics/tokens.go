package metrics

import (
	"context"
	"fmt"

	"parlance/algo/text"
)

// Tokens scores a token column: accuracy over tokens that have a gold value, the share of
// sentences without a fault, precision, recall and F1 by value. The unit is the sentence.
type Tokens struct {
	opt    Options
	column string
	tally  tally
	right  Units
	whole  Units
	items  []bool
	pairs  confusion
}

// Bounds of the rows by value: a column of more values, such as lemma, has rows of those with the most errors alone.
const (
	ManyValues  = 200
	WorstValues = 20
)

// NewTokens returns a scorer of the column.
func NewTokens(column string, opt Options) *Tokens {
	return &Tokens{opt: opt, column: column, tally: newTally(), pairs: confusion{}}
}

// Add scores the documents of a unit.
func (s *Tokens) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Tokens) document(gold, predicted *text.Document) error {
	gl, pl := gold.Layer("tokens"), predicted.Layer("tokens")
	if gl == nil || pl == nil || gl.N != pl.N {
		return fmt.Errorf("document %s: gold and prediction have different tokens", gold.ID)
	}
	g, p := gl.Strs(s.column), pl.Strs(s.column)
	if g == nil {
		s.tally.document()
		return nil
	}
	if p == nil {
		p = make([]string, len(g))
	}
	bounds := gold.SentenceTokens()
	for i := 1; i < len(bounds); i++ {
		s.sentence(g[bounds[i-1]:bounds[i]], p[bounds[i-1]:bounds[i]])
	}
	s.tally.document()
	return nil
}

func (s *Tokens) sentence(gold, predicted []string) {
	var right, n float32
	counts := s.opt.sentence(len(gold))
	for i, g := range gold {
		if g == "" || !counts {
			continue
		}
		n++
		s.pairs[[2]string{g, predicted[i]}]++
		s.items = append(s.items, g == predicted[i])
		if g == predicted[i] {
			right++
			s.tally.at(g)[0]++
			continue
		}
		s.tally.at(g)[2]++
		if predicted[i] != "" {
			s.tally.at(predicted[i])[1]++
		}
	}
	s.tally.units++
	s.right.Add(right, n)
	s.whole.Add(One(n > 0 && right == n), One(n > 0))
}

// Metrics returns accuracy, sentence_accuracy and macro_f1 (or F of another β) over all, then precision, recall and F
// by value; of more than ManyValues those of the WorstValues.
func (s *Tokens) Metrics() []Metric {
	n, sents := s.right.sums(2)[1], s.whole.sums(2)[1]
	out := []Metric{
		{Name: "accuracy", Label: All, Main: true, Combine: Ratio, Units: s.right, Ends: s.tally.ends, Items: s.items,
			Support: n},
		{Name: "sentence_accuracy", Label: All, Combine: Ratio, Units: s.whole, Ends: s.tally.ends, Support: sents},
	}
	shown := func(string) bool { return true }
	if len(s.tally.counts) > ManyValues {
		worst := s.tally.worst(WorstValues)
		shown = func(v string) bool { return worst[v] }
	}
	return append(out, s.tally.prfOf(s.opt.beta(1), shown)[3:]...)
}

// Confusion counts gold and predicted values.
func (s *Tokens) Confusion() []Cell { return s.pairs.cells() }
