package metrics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
)

// Edits scores corrections by MaxMatch, M² (Dahlmeier and Ng 2012): the edits that a correction is taken to make
// are those on the best path through a lattice of all the shortest ways to turn the source into it, in which
// changes that gold has come first. The unit is the sentence.
//
//	precision  edits that gold has / edits;     1 where nothing is proposed
//	recall     edits that gold has / gold edits; 1 where there is no gold edit, also by type
//	f0.5       F_β of both
//	gleu       GLEU of the corrected sentences, with what each annotator made of the source as references
//
// Of several annotators the one counts, sentence by sentence, with whom F over all sentences up to this one is
// highest; then with whom more is right, then with whom edits + β²·gold edits are fewer. A sentence without gold
// edits has one annotator without any; an edit of the type noop is none. A correction that is written with || has
// alternatives. Of several annotators that are predicted, the first counts.
type Edits struct {
	opt   Options
	units Units // right edits, edits, gold edits
	gleu  Units
	tally tally // by type: right and missed gold edits
	sums  [3]float64
}

// NewEdits returns a scorer of the edits layer.
func NewEdits(opt Options) *Edits { return &Edits{opt: opt, tally: newTally()} }

// noop is the type of an edit that says that nothing is wrong.
const noop = "noop"

// Add scores the documents of a unit.
func (s *Edits) Add(ctx context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, func(gold, predicted *text.Document) error { return s.document(ctx, gold, predicted) })
}

// document scores one document.
func (s *Edits) document(ctx context.Context, gold, predicted *text.Document) error {
	if err := sameTokens(gold, predicted); err != nil {
		return err
	}
	g, err := editsOf(gold)
	if err != nil {
		return err
	}
	p, err := editsOf(predicted)
	if err != nil {
		return err
	}
	toks, bounds := gold.Layer(text.Tokens.Name), sentenceBounds(gold)
	for i := 1; i < len(bounds); i++ {
		var source []string
		if toks != nil {
			source = toks.Strs("form")[bounds[i-1]:bounds[i]]
		}
		if !s.opt.sentence(len(source)) {
			s.units.Add(0, 0, 0)
			s.gleu.Add(make([]float32, 2*gleuOrder+2)...)
			s.tally.units++
			continue
		}
		words, err := applied(source, p.sentence(i, -1))
		if err != nil {
			return fmt.Errorf("document %s, sentence %d: %w", gold.ID, i, err)
		}
		if err := s.sentence(ctx, source, words, g, i); err != nil {
			return err
		}
	}
	s.tally.document()
	return nil
}

// documentEdits are the edits of a document by sentence, from 1, as they stand.
type documentEdits struct {
	edits      [][]correction
	annotators [][]int32 // of the edits
	known      [][]int32 // of the sentences, in order
}

// sentence returns the edits of an annotator, of the first for −1.
func (d *documentEdits) sentence(i int, annotator int32) []correction {
	if i >= len(d.edits) || len(d.known[i]) == 0 {
		return nil
	}
	if annotator < 0 {
		annotator = d.known[i][0]
	}
	var out []correction
	for k, e := range d.edits[i] {
		if d.annotators[i][k] == annotator && e.kind != noop {
			out = append(out, e)
		}
	}
	return out
}

// sentenceBounds is SentenceTokens with the sentences at the end that have no tokens.
func sentenceBounds(d *text.Document) []int32 {
	bounds := d.SentenceTokens()
	if l := d.Layer(text.Sentences.Name); l != nil {
		for len(bounds) <= l.N {
			bounds = append(bounds, bounds[len(bounds)-1])
		}
	}
	return bounds
}

// editsOf reads the edits of a document over whole tokens.
func editsOf(d *text.Document) (*documentEdits, error) {
	bounds := sentenceBounds(d)
	n := len(bounds)
	out := &documentEdits{make([][]correction, n), make([][]int32, n), make([][]int32, n)}
	l, toks := d.Layer(text.Edits.Name), d.Layer(text.Tokens.Name)
	if l == nil {
		return out, nil
	}
	if toks == nil {
		toks = text.NewLayer(text.Tokens)
	}
	sent, start, end, who := l.Ints("sent"), l.Ints("char_start"), l.Ints("char_end"), l.Ints("annotator")
	for i := range l.N {
		k := int(sent[i])
		if l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		if k < 1 || k >= n {
			return nil, fmt.Errorf("document %s: edit %d lies in no sentence", d.ID, i+1)
		}
		e := overTokens(d, toks, int(bounds[k-1]), int(bounds[k]), int(start[i]), int(end[i]), pick(l.Strs("correction"), i))
		e.kind = pick(l.Strs("type"), i)
		annotator := int32(0)
		if who != nil {
			annotator = who[i]
		}
		out.edits[k], out.annotators[k] = append(out.edits[k], e), append(out.annotators[k], annotator)
		if at, known := slices.BinarySearch(out.known[k], annotator); !known {
			out.known[k] = slices.Insert(out.known[k], at, annotator)
		}
	}
	return out, nil
}

// overTokens makes an edit of bytes one of the tokens in rows first … last−1 that it touches: what it leaves of
// them stays.
func overTokens(d *text.Document, toks *text.Layer, first, last, start, end int, written string) correction {
	from, to := first, first
	starts, ends := toks.Ints("char_start"), toks.Ints("char_end")
	for from < last && int(ends[from]) <= start {
		from++
	}
	if start == end && from < last && int(starts[from]) >= start {
		to = from // an insertion between tokens
	} else {
		for to = from; to < last && int(starts[to]) < end; {
			to++
		}
	}
	e := correction{from: from - first, to: to - first}
	before, after := "", ""
	if to > from {
		before, after = d.Text[min(int(starts[from]), start):start], d.Text[end:max(int(ends[to-1]), end)]
	}
	for _, alternative := range strings.Split(written, "||") {
		if alternative == "-NONE-" {
			alternative = ""
		}
		e.alternatives = append(e.alternatives, strings.Join(text.Fields(before+alternative+after), " "))
	}
	return e
}

// applied returns the source with edits made, each by its first alternative.
func applied(source []string, edits []correction) ([]string, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b correction) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	var out []string
	at := 0
	for i, e := range edits {
		if e.from < at {
			return nil, fmt.Errorf("the predicted edits %d and %d overlap", i, i+1)
		}
		out = append(append(out, source[at:e.from]...), text.Fields(e.alternatives[0])...)
		at = e.to
	}
	return append(out, source[at:]...), nil
}

// sentence scores a corrected sentence.
func (s *Edits) sentence(ctx context.Context, source, words []string, gold *documentEdits, i int) error {
	l, err := newLattice(ctx, source, words)
	if err != nil {
		return err
	}
	annotators := []int32{0}
	if i < len(gold.known) && len(gold.known[i]) > 0 {
		annotators = gold.known[i]
	}
	var best scoredEdits
	var references [][]string
	for k, a := range annotators {
		edits := gold.sentence(i, a)
		references = append(references, referenceOf(source, edits))
		l.weigh(edits)
		x := scoredEdits{gold: edits, proposed: l.best()}
		x.match()
		x.rank(s.sums, s.opt.beta(0.5))
		if k == 0 || x.better(&best) {
			best = x
		}
	}
	for k, right := range best.right {
		c := s.tally.at(best.gold[k].kind)
		c[0] += One(right)
		c[2] += One(!right)
	}
	s.tally.units++
	s.sums = best.sums
	s.gleu.Add(gleuRow(source, words, references)...)
	s.units.Add(float32(best.count), float32(len(best.proposed)), float32(len(best.gold)))
	return nil
}

// scoredEdits is a sentence scored by one annotator.
type scoredEdits struct {
	gold     []correction
	proposed []change
	right    []bool // of gold
	count    int
	sums     [3]float64 // right edits, edits and gold edits up to this sentence
	f, cost  float64
}

// match walks both lists side by side and never goes back in gold.
func (x *scoredEdits) match() {
	x.right = make([]bool, len(x.gold))
	last := 0
	for _, c := range x.proposed {
		for k := last; k < len(x.gold); k++ {
			if x.gold[k].accepts(c) {
				x.right[k] = true
				x.count++
				last = k + 1
				break
			}
		}
	}
}

func (x *scoredEdits) rank(sums [3]float64, beta float64) {
	x.sums = [3]float64{sums[0] + float64(x.count), sums[1] + float64(len(x.proposed)), sums[2] + float64(len(x.gold))}
	x.f, x.cost = editF(beta).of(x.sums[:]), x.sums[1]+beta*beta*x.sums[2]
}

func (x *scoredEdits) better(o *scoredEdits) bool {
	switch {
	case x.f != o.f:
		return x.f > o.f
	case x.sums[0] != o.sums[0]:
		return x.sums[0] > o.sums[0]
	}
	return x.cost < o.cost
}

// The combinations of right edits, edits and gold edits.
var (
	editPrecision = ShareOr(0, 1, 1)
	editRecall    = ShareOr(0, 2, 1)
)

// editF is F_β of right edits, edits and gold edits; 1 where there are none at all. By whole numbers, so that
// annotators with equal F are seen to be equal:
//
//	(1+β²)·right / (edits + β²·gold edits)
func editF(beta float64) *Combine {
	b := beta * beta
	return Formula(3, func(s []float64) float64 {
		if s[1] == 0 && s[2] == 0 {
			return 1
		}
		return (1 + b) * s[0] / (s[1] + b*s[2])
	})
}

// Metrics returns precision, recall, F and GLEU over all, then recall by type.
func (s *Edits) Metrics() []Metric {
	beta, support := s.opt.beta(0.5), s.units.sums(3)[2]
	one := func(name string, c *Combine) Metric {
		return Metric{Name: name, Label: All, Combine: c, Units: s.units, Ends: s.tally.ends, Support: support}
	}
	out := []Metric{one("precision", editPrecision), one("recall", editRecall), one(fName(beta), editF(beta)),
		one("gleu", gleu)}
	out[3].Units = s.gleu
	out[2].Main = true
	for _, kind := range s.tally.labels() {
		out = append(out, prf(kind, s.tally.stats(kind), s.tally.ends, beta)[1])
	}
	return out
}

// Confusion is empty: edits are not taken for others.
func (s *Edits) Confusion() []Cell { return nil }
