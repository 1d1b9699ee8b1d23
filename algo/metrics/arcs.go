package metrics

import (
	"fmt"
	"strings"
	"unicode"

	"parlance/algo/text"
)

// Arcs scores dependencies: uas (heads) and las (heads and relations) over all tokens, uas_words and
// las_words over those that are not all punctuation, as the shared tasks of CoNLL since 2006 count
// them, and precision, recall and F1 by relation. The unit is the sentence.
type Arcs struct {
	tally tally
	units [4][]Stat // heads, heads and relations; of all tokens, then of words
	right [4][]bool
	pairs confusion
}

// NewArcs returns a scorer of the dependencies layer.
func NewArcs() *Arcs { return &Arcs{tally: newTally(), pairs: confusion{}} }

type arc struct {
	head   int32
	deprel string
}

func arcsOf(d *text.Document) (map[[2]int32]arc, [][2]int32) {
	out := map[[2]int32]arc{}
	var order [][2]int32
	l := d.Layer("dependencies")
	if l == nil {
		return out, nil
	}
	sent, tok, head, rel := l.Ints("sent"), l.Ints("tok"), l.Ints("head"), l.Strs("deprel")
	for i := range l.N {
		if l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		a := arc{}
		if head != nil {
			a.head = head[i]
		}
		if rel != nil {
			a.deprel = rel[i]
		}
		out[[2]int32{sent[i], tok[i]}] = a
		order = append(order, [2]int32{sent[i], tok[i]})
	}
	return out, order
}

// Add scores one document.
func (s *Arcs) Add(gold, predicted *text.Document) error {
	g, order := arcsOf(gold)
	p, _ := arcsOf(predicted)
	if len(p) > len(g) {
		return fmt.Errorf("document %s: gold and prediction have different tokens", gold.ID)
	}
	word := words(gold)
	var unit [4]Stat
	for i, at := range order {
		if i > 0 && at[0] != order[i-1][0] {
			s.end(&unit)
		}
		x := g[at]
		y, ok := p[at]
		s.pairs[[2]string{x.deprel, y.deprel}]++
		right := [2]bool{ok && x.head == y.head, ok && x == y}
		for k := range unit {
			if k >= 2 && !word(at) {
				break
			}
			unit[k][1]++
			s.right[k] = append(s.right[k], right[k&1])
			if right[k&1] {
				unit[k][0]++
			}
		}
		if right[1] {
			s.tally.at(x.deprel)[0]++
			continue
		}
		s.tally.at(x.deprel)[2]++
		if ok {
			s.tally.at(y.deprel)[1]++
		}
	}
	if len(order) > 0 {
		s.end(&unit)
	}
	s.tally.document()
	return nil
}

// words tells which tokens, by sentence and number, are not all punctuation.
func words(d *text.Document) func(at [2]int32) bool {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil {
		return func([2]int32) bool { return true }
	}
	forms, bounds := toks.Strs("form"), d.SentenceTokens()
	return func(at [2]int32) bool {
		if at[0] < 1 || int(at[0]) >= len(bounds) || at[1] < 1 {
			return true
		}
		i := int(bounds[at[0]-1] + at[1] - 1)
		return i >= len(forms) || forms[i] == "" || strings.IndexFunc(forms[i], func(c rune) bool { return !unicode.IsPunct(c) }) >= 0
	}
}

// end closes a unit.
func (s *Arcs) end(unit *[4]Stat) {
	for k := range unit {
		s.units[k] = append(s.units[k], unit[k])
	}
	s.tally.units++
	*unit = [4]Stat{}
}

// Metrics returns the scores over all, then by relation.
func (s *Arcs) Metrics() []Metric {
	var out []Metric
	for k, name := range []string{"uas", "las", "uas_words", "las_words"} {
		out = append(out, Metric{Name: name, Label: All, Combine: Ratio, Units: s.units[k], Ends: s.tally.ends, Items: s.right[k], Support: total(s.units[k])[1]})
	}
	return append(out, s.tally.prf()[4:]...)
}

// Confusion counts gold and predicted relations.
func (s *Arcs) Confusion() []Cell { return s.pairs.cells() }
