package metrics

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/text"
)

// Constituents scores trees by PARSEVAL (Black et al. 1991), as evalb counts with the parameters of Collins: a
// bracket is a label with the words between its ends, and counts as often as it stands.
//
//	precision, recall, f1   brackets, also by label
//	crossing                predicted brackets that cross a gold one, a sentence
//	no_crossing, exact      sentences without such a bracket; sentences whose brackets are all right
//	oracle_f1               with n best trees, F of the best of each sentence
//
// Labels end at the first - or =, as NP in NP-SBJ. Unless all brackets are wanted, punctuation is deleted first, by
// the gold xpos (upos where there is none), then TOP, ROOT, S1 and brackets over nothing, and ADVP equals PRT. The
// unit is the sentence; one without a gold tree does not count.
type Constituents struct {
	opt              Options
	tally            tally
	crossing, exact  Units // brackets that cross, sentences; sentences without, those all right, sentences
	pairs            confusion
	nothingIsDeleted bool
	oracle           tally // of the best of the trees of a sentence
	ranked           bool  // there are sentences with several trees
}

// NewConstituents returns a scorer of the constituents layer.
func NewConstituents(opt Options) *Constituents {
	return &Constituents{opt: opt, tally: newTally(), oracle: newTally(), pairs: confusion{},
		nothingIsDeleted: opt.AllBrackets}
}

// The tags and labels that evalb deletes with COLLINS.prm, and roots of other treebanks.
var (
	evalbTags  = []string{",", ":", "``", "''", ".", "-NONE-"}
	evalbRoots = []string{"TOP", "ROOT", "S1", "VROOT", ""}
)

// extent is the words of a bracket, half-open.
type extent struct{ from, to int32 }

// Add scores the documents of a unit.
func (s *Constituents) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Constituents) document(gold, predicted *text.Document) error {
	if err := sameTokens(gold, predicted); err != nil {
		return err
	}
	words, bounds := s.words(gold), gold.SentenceTokens()
	g, p := s.trees(gold, bounds, words, 1), s.trees(predicted, bounds, words, 1)
	others := s.others(predicted, bounds, words)
	for i := 1; i < len(bounds); i++ {
		if g[i] != nil && s.opt.sentence(int(bounds[i]-bounds[i-1])) {
			s.sentence(g[i], p[i])
			s.best(g[i], p[i], others, i)
			continue
		}
		s.oracle.units++
		s.tally.units++
		s.crossing.Add(0, 0)
		s.exact.Add(0, 0, 0)
	}
	s.tally.document()
	s.oracle.document()
	return nil
}

// others are the trees of ranks after the first one, by rank.
func (s *Constituents) others(d *text.Document, bounds, words []int32) (out [][][]labelled[extent]) {
	l := d.Layer(text.Constituents.Name)
	if l == nil || len(l.Rank) == 0 {
		return nil
	}
	for rank := int32(2); rank <= slices.Max(l.Rank); rank++ {
		out = append(out, s.trees(d, bounds, words, rank))
	}
	s.ranked = s.ranked || len(out) > 0
	return out
}

// best counts the tree of a sentence with the highest F, the first of equal ones.
func (s *Constituents) best(gold, first []labelled[extent], others [][][]labelled[extent], i int) {
	best, most := first, overlap(gold, first)
	for _, list := range others {
		if f := overlap(gold, list[i]); list[i] != nil && f > most {
			best, most = list[i], f
		}
	}
	count(&s.oracle, confusion{}, gold, best)
	s.oracle.units++
}

// overlap is F of two lists of items, each as often as it stands; 1 of two empty ones.
func overlap[T comparable](gold, predicted []T) float64 {
	if len(gold)+len(predicted) == 0 {
		return 1
	}
	n, right := map[T]int{}, 0
	for _, x := range gold {
		n[x]++
	}
	for _, x := range predicted {
		if n[x] > 0 {
			n[x]--
			right++
		}
	}
	return 2 * float64(right) / float64(len(gold)+len(predicted))
}

// words counts for each token, and for the end, the tokens before it that are not deleted.
func (s *Constituents) words(d *text.Document) []int32 {
	toks := d.Layer(text.Tokens.Name)
	if toks == nil {
		return []int32{0}
	}
	out := make([]int32, toks.N+1)
	xpos, upos := toks.Strs("xpos"), toks.Strs("upos")
	for i := range toks.N {
		deleted := false
		switch {
		case s.nothingIsDeleted:
		case xpos != nil:
			deleted = slices.Contains(evalbTags, xpos[i])
		case upos != nil:
			deleted = upos[i] == "PUNCT"
		}
		out[i+1] = out[i] + 1
		if deleted {
			out[i+1] = out[i]
		}
	}
	return out
}

// trees returns the brackets of the tree of a rank of each sentence, from 1; nil where there is no tree.
func (s *Constituents) trees(d *text.Document, bounds, words []int32, rank int32) [][]labelled[extent] {
	out := make([][]labelled[extent], len(bounds))
	l := d.Layer(text.Constituents.Name)
	if l == nil {
		return out
	}
	sent, first, last, label := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end"), l.Strs("label")
	for i := range l.N {
		k := int(sent[i])
		if k < 1 || k >= len(bounds) || l.Rank != nil && l.Rank[i] != rank || l.Rank == nil && rank > 1 {
			continue
		}
		if out[k] == nil {
			out[k] = []labelled[extent]{}
		}
		from, to := bounds[k-1]+first[i]-1, bounds[k-1]+last[i]
		if first[i] < 1 || from > to || int(to) >= len(words) {
			continue // it covers no token
		}
		b := labelled[extent]{extent{words[from], words[to]}, category(pick(label, i))}
		if !s.nothingIsDeleted {
			if slices.Contains(evalbRoots, b.label) || b.item.from == b.item.to {
				continue
			}
			if b.label == "PRT" {
				b.label = "ADVP"
			}
		}
		out[k] = append(out[k], b)
	}
	return out
}

// category is a label without functions and indices.
func category(label string) string {
	if i := strings.IndexAny(label, "-="); i > 0 {
		return label[:i]
	}
	return label
}

// sentence scores the brackets of one sentence.
func (s *Constituents) sentence(gold, predicted []labelled[extent]) {
	count(&s.tally, s.pairs, gold, predicted)
	crossing := float32(0)
	for _, p := range predicted {
		crossing += One(slices.ContainsFunc(gold, func(g labelled[extent]) bool { return cross(p.item, g.item) }))
	}
	s.crossing.Add(crossing, 1)
	s.exact.Add(One(crossing == 0), One(same(gold, predicted)), 1)
	s.tally.units++
}

// cross reports whether two extents share words and neither holds the other.
func cross(a, b extent) bool {
	return a.from < b.from && b.from < a.to && a.to < b.to || b.from < a.from && a.from < b.to && b.to < a.to
}

// same reports whether two lists hold the same items, each as often.
func same[T comparable](a, b []T) bool {
	n := map[T]int{}
	for _, x := range a {
		n[x]++
	}
	for _, x := range b {
		if n[x]--; n[x] < 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// Metrics returns the scores of brackets over all, those of sentences, then those of brackets by label.
func (s *Constituents) Metrics() []Metric {
	list := s.tally.prf(s.opt.beta(1))
	list[2].Main = true
	sentences := s.exact.sums(3)[2]
	one := func(name string, c *Combine, u Units) Metric {
		return Metric{Name: name, Label: All, Combine: c, Units: u, Ends: s.tally.ends, Support: sentences}
	}
	out := append(list[:4:4], one("crossing", Ratio, s.crossing), one("no_crossing", Share(0, 2), s.exact),
		one("exact", Share(1, 2), s.exact))
	if s.ranked {
		m := s.oracle.prf(s.opt.beta(1))[2]
		m.Name, m.Main = "oracle_"+m.Name, false
		out = append(out, m)
	}
	return append(out, list[4:]...)
}

// Confusion pairs brackets over the same words; others stand beside "".
func (s *Constituents) Confusion() []Cell { return s.pairs.cells() }
