package metrics

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// Arcs scores dependencies over the tokens that have a gold head. The unit is the sentence.
//
//	uas, las               heads; heads and whole relations, nsubj:pass being another one than nsubj
//	las_main               heads and relations without their subtypes, as the LAS of the shared tasks of CoNLL 2017 and
//	                       2018 counts them; shown where a relation has a subtype
//	uem, lem               sentences whose heads, heads and relations are all right
//	uas_words, …           the same without tokens that are all punctuation, as the shared tasks of
//	                       CoNLL count since 2006
//	root_precision, …      tokens under the root, also root_recall and root_f1
//	clas                   F1 of heads and relations of content words (Zeman et al. 2018), where all
//	                       gold relations are those of Universal Dependencies
//	precision, recall, f1  by relation
type Arcs struct {
	opt   Options
	tally tally
	rates [8]rate
	roots []Stat
	clas  []Stat
	main  rate // heads and relations without subtypes
	sub   bool // some relation has a subtype
	other bool // a gold relation is none of Universal Dependencies
	pairs confusion
}

// rate counts what is right of what was scored.
type rate struct {
	units Units
	right []bool
	now   [2]float32
}

// The numbers of rates; what leaves punctuation out stands words after what does not.
const (
	uas = iota
	las
	uem
	lem
	words
)

var rateNames = [4]string{"uas", "las", "uem", "lem"}

// NewArcs returns a scorer of the dependencies layer.
func NewArcs(opt Options) *Arcs { return &Arcs{opt: opt, tally: newTally(), pairs: confusion{}} }

// Add scores the documents of a unit. A token with a gold head and without a predicted one is wrong.
func (s *Arcs) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Arcs) document(gold, predicted *text.Document) error {
	g, p := gold.Layer(text.Tokens.Name), predicted.Layer(text.Tokens.Name)
	if g == nil || p == nil {
		s.tally.document()
		return nil
	}
	if g.N != p.N {
		return fmt.Errorf("document %s: gold and prediction have different tokens", gold.ID)
	}
	ignored, err := s.ignored(gold, g)
	if err != nil {
		return err
	}
	next, stop := iter.Pull(treebank.Sentences(predicted))
	defer stop()
	for x := range treebank.Sentences(gold) {
		y, ok := next()
		if !ok || y.Len() != x.Len() {
			return fmt.Errorf("document %s: gold and prediction have different sentences", gold.ID)
		}
		if s.opt.sentence(x.Len()) {
			s.sentence(x, y, g.Strs("form"), ignored)
		}
		s.end()
	}
	s.tally.document()
	return nil
}

// ignored tells which tokens have a gold tag that is not scored, nil for none.
func (s *Arcs) ignored(d *text.Document, toks *text.Layer) ([]bool, error) {
	if len(s.opt.Ignore) == 0 {
		return nil, nil
	}
	out, known := make([]bool, toks.N), toks.N == 0
	for _, column := range []string{"upos", "xpos"} {
		for i, tag := range toks.Strs(column) {
			known = true
			out[i] = out[i] || slices.Contains(s.opt.Ignore, tag)
		}
	}
	if !known {
		return nil, fmt.Errorf("document %s: its tokens have neither upos nor xpos by which some could be ignored", d.ID)
	}
	return out, nil
}

// sentence counts the arcs of a sentence.
func (s *Arcs) sentence(gold, predicted *treebank.Sentence, forms []string, ignored []bool) {
	var scored, wrong [4]int // by whether punctuation counts and relations do: las, las of words
	for k := 1; k < len(gold.Heads); k++ {
		row, head, rel := gold.From+k-1, gold.Heads[k], gold.Labels[k]
		if head == treebank.Missing || ignored != nil && ignored[row] || !s.opt.arc(int(head), k) {
			continue
		}
		found, foundRel := predicted.Heads[k], predicted.Labels[k]
		right := [2]bool{head == found, head == found && rel == foundRel}
		word := row >= len(forms) || !punctuation(forms[row])
		for i := range 4 {
			if i >= 2 && !word {
				break
			}
			scored[i]++
			r := &s.rates[i%2+i/2*words]
			r.add(right[i%2])
			if !right[i%2] {
				wrong[i]++
			}
		}
		s.main.add(right[0] && mainRelation(rel) == mainRelation(foundRel))
		s.sub = s.sub || mainRelation(rel) != rel || mainRelation(foundRel) != foundRel
		s.relation(rel, foundRel, right[1], found != treebank.Missing)
		s.root(head == 0, found == 0)
		s.content(rel, foundRel, right[0])
	}
	for i := range 4 {
		if scored[i] > 0 {
			s.rates[uem+i%2+i/2*words].add(wrong[i] == 0)
		}
	}
}

func (r *rate) add(right bool) {
	r.now[1]++
	r.right = append(r.right, right)
	if right {
		r.now[0]++
	}
}

// relation counts a token for its gold and its predicted relation.
func (s *Arcs) relation(gold, predicted string, right, found bool) {
	s.pairs[[2]string{gold, predicted}]++
	if right {
		s.tally.at(gold)[0]++
		return
	}
	s.tally.at(gold)[2]++
	if found {
		s.tally.at(predicted)[1]++
	}
}

// open returns the counts of the sentence at hand, at the end of a list.
func (s *Arcs) open(list *[]Stat) *Stat {
	if len(*list) == s.tally.units {
		*list = append(*list, Stat{})
	}
	return &(*list)[s.tally.units]
}

func (s *Arcs) root(gold, predicted bool) {
	tick(s.open(&s.roots), gold, predicted, gold && predicted)
}

// tick adds an item that is of a class by gold and by prediction, and agrees.
func tick(c *Stat, gold, predicted, agrees bool) {
	switch {
	case agrees && gold:
		c[0]++
		return
	case gold:
		c[2]++
	}
	if predicted {
		c[1]++
	}
}

// mainRelation is a relation without its subtype, such as nsubj of nsubj:pass.
func mainRelation(rel string) string {
	main, _, _ := strings.Cut(rel, ":")
	return main
}

// content counts a token for CLAS: subtypes of relations, such as pass in nsubj:pass, do not count.
func (s *Arcs) content(gold, predicted string, head bool) {
	g, p := mainRelation(gold), mainRelation(predicted)
	s.other = s.other || !slices.Contains(contentRelations, g) && !slices.Contains(functionRelations, g)
	tick(s.open(&s.clas), slices.Contains(contentRelations, g), slices.Contains(contentRelations, p), head && g == p)
}

// The relations of Universal Dependencies 2, as CLAS divides them.
var (
	contentRelations = []string{"nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl",
		"dislocated", "advcl",
		"advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound",
		"list", "parataxis",
		"orphan", "goeswith", "reparandum", "root", "dep"}
	functionRelations = []string{"aux", "cop", "mark", "det", "clf", "case", "cc", "punct"}
)

// punctuation reports whether a form is nothing else.
func punctuation(form string) bool {
	return form != "" && strings.IndexFunc(form, func(c rune) bool { return !unicode.IsPunct(c) }) < 0
}

// end closes a unit.
func (s *Arcs) end() {
	for i := range s.rates {
		r := &s.rates[i]
		r.units.Add(r.now[:]...)
		r.now = [2]float32{}
	}
	s.main.units.Add(s.main.now[:]...)
	s.main.now = [2]float32{}
	s.open(&s.roots)
	s.open(&s.clas)
	s.tally.units++
}

// Metrics returns the scores over all, then by relation. Where only some arcs of a sentence count,
// nothing is said of whole sentences and of roots. The main one is las, or uas where no relation is right.
func (s *Arcs) Metrics() []Metric {
	var out []Metric
	ends, beta := s.tally.ends, s.opt.beta(1)
	main := uas
	if s.rates[las].units.sums(2)[0] > 0 {
		main = las
	}
	for i := range s.rates {
		if i%words >= uem && s.opt.parts() {
			continue
		}
		name := rateNames[i%words]
		if i >= words {
			name += "_words"
		}
		r := &s.rates[i]
		out = append(out, Metric{Name: name, Label: All, Main: i == main, Combine: Ratio, Units: r.units, Ends: ends,
			Items: r.right, Support: r.units.sums(2)[1]})
	}
	if s.sub {
		out = append(out, Metric{Name: "las_main", Label: All, Combine: Ratio, Units: s.main.units, Ends: ends,
			Items: s.main.right, Support: s.main.units.sums(2)[1]})
	}
	if !s.other {
		out = append(out, prf(All, UnitsOf(s.clas), ends, beta)[2])
		out[len(out)-1].Name = "clas"
	}
	if !s.opt.parts() {
		out = append(out, prefixed("root_", prf(All, UnitsOf(s.roots), ends, beta))...)
	}
	return append(out, s.tally.prf(beta)[4:]...)
}

// Confusion counts gold and predicted relations.
func (s *Arcs) Confusion() []Cell { return s.pairs.cells() }
