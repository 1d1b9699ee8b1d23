package metrics

import (
	"fmt"

	"parlance/algo/text"
)

// Arcs scores dependencies: uas (heads) and las (heads and relations) over all tokens, and
// precision, recall and F1 by relation. The unit is the sentence.
type Arcs struct {
	tally    tally
	uas, las []Stat
	right    [2][]bool // heads, heads and relations
	pairs    confusion
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
	var uas, las Stat
	for i, at := range order {
		if i > 0 && at[0] != order[i-1][0] {
			s.end(&uas, &las)
		}
		x := g[at]
		y, ok := p[at]
		uas[1]++
		las[1]++
		s.pairs[[2]string{x.deprel, y.deprel}]++
		s.right[0] = append(s.right[0], ok && x.head == y.head)
		s.right[1] = append(s.right[1], ok && x == y)
		if ok && x.head == y.head {
			uas[0]++
		}
		if ok && x == y {
			las[0]++
			s.tally.at(x.deprel)[0]++
			continue
		}
		s.tally.at(x.deprel)[2]++
		if ok {
			s.tally.at(y.deprel)[1]++
		}
	}
	if len(order) > 0 {
		s.end(&uas, &las)
	}
	s.tally.document()
	return nil
}

// end closes a unit.
func (s *Arcs) end(uas, las *Stat) {
	s.uas, s.las = append(s.uas, *uas), append(s.las, *las)
	s.tally.units++
	*uas, *las = Stat{}, Stat{}
}

// Metrics returns uas and las over all, then by relation.
func (s *Arcs) Metrics() []Metric {
	n := total(s.uas)[1]
	out := []Metric{
		{Name: "uas", Label: All, Combine: Ratio, Units: s.uas, Ends: s.tally.ends, Items: s.right[0], Support: n},
		{Name: "las", Label: All, Combine: Ratio, Units: s.las, Ends: s.tally.ends, Items: s.right[1], Support: n},
	}
	return append(out, s.tally.prf()[4:]...)
}

// Confusion counts gold and predicted relations.
func (s *Arcs) Confusion() []Cell { return s.pairs.cells() }
