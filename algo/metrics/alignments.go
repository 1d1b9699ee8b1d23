package metrics

import (
	"context"
	"strings"

	"parlance/algo/text"
)

// Alignments scores links between tokens (Och and Ney 2003). Gold links S are sure, or possible, P, where their
// label begins with p, as in possible; S is part of P. For the links A of a prediction
//
//	precision  |A ∩ P| / |A|
//	recall     |A ∩ S| / |S|
//	aer        1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), lower is better
//
// and F of precision and recall. The unit is the sentence.
type Alignments struct {
	opt   Options
	units Units // |A ∩ P|, |A|, |A ∩ S|, |S|
	ends  []int32
}

// NewAlignments returns a scorer of the alignments layer.
func NewAlignments(opt Options) *Alignments { return &Alignments{opt: opt} }

// link is two tokens that are aligned.
type link struct {
	tok, otherSent, otherTok int32
	other                    string // document
}

// Add scores the documents of a unit.
func (s *Alignments) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Alignments) document(gold, predicted *text.Document) error {
	if err := sameTokens(gold, predicted); err != nil {
		return err
	}
	g, p := linksOf(gold), linksOf(predicted)
	for i := range max(len(g), len(p), len(gold.SentenceTokens())-1) {
		var row [4]float32
		if i < len(p) {
			row[1] = float32(len(p[i]))
		}
		if i < len(g) {
			for l, sure := range g[i] {
				row[3] += One(sure)
				if i < len(p) {
					_, found := p[i][l]
					row[0] += One(found)
					row[2] += One(found && sure)
				}
			}
		}
		s.units.Add(row[:]...)
	}
	s.ends = append(s.ends, int32(s.units.Len()))
	return nil
}

// linksOf returns the links of each sentence, and whether they are sure.
func linksOf(d *text.Document) []map[link]bool {
	l := d.Layer(text.Alignments.Name)
	if l == nil {
		return nil
	}
	var out []map[link]bool
	sent, tok, other, otherSent, otherTok := l.Ints("sent"), l.Ints("tok"), l.Strs("other_doc"), l.Ints("other_sent"),
		l.Ints("other_tok")
	label := l.Strs("label")
	for i := range l.N {
		if sent[i] < 1 || l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		for int(sent[i]) > len(out) {
			out = append(out, map[link]bool{})
		}
		x := link{tok[i], otherSent[i], otherTok[i], pick(other, i)}
		of := out[sent[i]-1]
		of[x] = of[x] || !strings.HasPrefix(strings.ToLower(pick(label, i)), "p")
	}
	return out
}

// Metrics returns precision, recall, F and aer.
func (s *Alignments) Metrics() []Metric {
	beta, p, r := s.opt.beta(1), Share(0, 1), Share(2, 3)
	support := s.units.sums(4)[3]
	one := func(name string, c *Combine) Metric {
		return Metric{Name: name, Label: All, Combine: c, Units: s.units, Ends: s.ends, Support: support}
	}
	out := []Metric{one("precision", p), one("recall", r), one(fName(beta), Harmonic(beta, p, r)),
		one("aer", Formula(4, func(s []float64) float64 {
			if s[1]+s[3] == 0 {
				return 0
			}
			return 1 - (s[0]+s[2])/(s[1]+s[3])
		}))}
	out[2].Main = true
	return out
}

// Confusion is empty: links are not taken for others.
func (s *Alignments) Confusion() []Cell { return nil }
