package metrics

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"parlance/algo/text"
)

// All labels a metric over all labels.
const All = "ALL"

// Confusion names metrics that count what was taken for what, of models that score themselves; the
// label is gold>predicted. They are shown where they are asked for.
const Confusion = "confusion"

// Cell is one cell of a confusion table. Empty texts stand for no gold or no prediction.
type Cell struct {
	Gold, Predicted string
	Count           int
}

// Scorer compares predicted with gold layers, unit by unit.
type Scorer interface {
	// Add scores one unit: a document, or several that are annotated together. Predicted documents stand in the order
	// of the gold ones and have the same tokens, unless tokens or sentences are what is scored.
	Add(ctx context.Context, gold, predicted []*text.Document) error
	// Metrics returns what was scored so far, over all first, then by label. One over all is the main metric.
	Metrics() []Metric
	// Confusion returns the cells by gold and predicted label; those that agree as well.
	Confusion() []Cell
}

// each scores the documents of a unit one by one.
func each(gold, predicted []*text.Document, add func(gold, predicted *text.Document) error) error {
	for i := range gold {
		if err := add(gold[i], predicted[i]); err != nil {
			return err
		}
	}
	return nil
}

// tally counts true positives, false positives and false negatives by label and unit.
type tally struct {
	units  int
	ends   []int32                  // units up to the end of each document
	counts map[string]map[int]*Stat // by label and unit; units without counts are absent
}

func newTally() tally { return tally{counts: map[string]map[int]*Stat{}} }

// at returns the counts of a label in the present unit.
func (t *tally) at(label string) *Stat {
	m := t.counts[label]
	if m == nil {
		m = map[int]*Stat{}
		t.counts[label] = m
	}
	s := m[t.units]
	if s == nil {
		s = &Stat{}
		m[t.units] = s
	}
	return s
}

// document closes a document.
func (t *tally) document() { t.ends = append(t.ends, int32(t.units)) }

func (t *tally) labels() []string {
	out := make([]string, 0, len(t.counts))
	for l := range t.counts {
		out = append(out, l)
	}
	sort.Strings(out)
	return out
}

// stats returns the counts of a label for every unit.
func (t *tally) stats(label string) Units {
	out := make([]Stat, t.units)
	for i, s := range t.counts[label] {
		out[i] = *s
	}
	return UnitsOf(out)
}

// sum returns the counts of all labels for every unit.
func (t *tally) sum() Units {
	out := make([]Stat, t.units)
	for _, l := range t.labels() {
		for i, s := range t.counts[l] {
			for k := range s {
				out[i][k] += s[k]
			}
		}
	}
	return UnitsOf(out)
}

// prf returns precision, recall and F over all, the macro average, and those of each label.
func (t *tally) prf(beta float64) []Metric { return t.prfOf(beta, func(string) bool { return true }) }

// prfOf is prf with rows of their own for some labels; the macro average is over all of them.
func (t *tally) prfOf(beta float64, shown func(label string) bool) []Metric {
	out := prf(All, t.sum(), t.ends, beta)
	var parts, each []Metric
	for _, l := range t.labels() {
		ms := prf(l, t.stats(l), t.ends, beta)
		if shown(l) {
			each = append(each, ms...)
		}
		parts = append(parts, ms[2])
	}
	out = append(out, Metric{Name: "macro_" + fName(beta), Label: All, Combine: MeanOf, Parts: parts,
		Support: out[2].Support})
	return append(out, each...)
}

// worst returns the n labels with the most errors, false positives and false negatives; of as many, the first by name.
func (t *tally) worst(n int) map[string]bool {
	errors := map[string]float32{}
	list := t.labels()
	for _, l := range list {
		for _, s := range t.counts[l] {
			errors[l] += s[1] + s[2]
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(errors[b], errors[a]) })
	out := map[string]bool{}
	for _, l := range list[:min(n, len(list))] {
		out[l] = true
	}
	return out
}

// prf returns precision, recall and F of true positives, false positives and false negatives.
func prf(label string, units Units, ends []int32, beta float64) []Metric {
	s := units.sums(len(Stat{}))
	support := s[0] + s[2]
	return []Metric{
		{Name: "precision", Label: label, Combine: Precision, Units: units, Ends: ends, Support: support},
		{Name: "recall", Label: label, Combine: Recall, Units: units, Ends: ends, Support: support},
		{Name: fName(beta), Label: label, Combine: FBeta(beta), Units: units, Ends: ends, Support: support},
	}
}

// prefixed puts a prefix before the names of metrics.
func prefixed(prefix string, list []Metric) []Metric {
	for i := range list {
		list[i].Name = prefix + list[i].Name
	}
	return list
}

// confusion counts pairs of labels.
type confusion map[[2]string]int

func (c confusion) cells() []Cell {
	out := make([]Cell, 0, len(c))
	for k, n := range c {
		out = append(out, Cell{k[0], k[1], n})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Gold != out[j].Gold {
			return out[i].Gold < out[j].Gold
		}
		return out[i].Predicted < out[j].Predicted
	})
	return out
}
