package metrics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
)

// Roles scores the arguments of predicates. The unit is the sentence.
//
//	precision, recall, f1    arguments, as the shared task of CoNLL 2005 counts them: predicate, label and
//	                         tokens are right; V is none; pieces C-X are one argument with the X before them
//	unlabelled_precision, …  the same without the label
//	sense_precision, …       predicates with their sense, where there are senses
//	semantic_precision, …    arguments and senses together, as in the shared task of CoNLL 2009, where an
//	                         argument is a token, and C-X is one of its own
//	exact                    gold predicates with all their arguments right and no other
type Roles struct {
	opt               Options
	tally             tally
	bare, sense, both Units
	exact             Units
	senses            bool
	pairs             confusion
}

// NewRoles returns a scorer of the roles layer.
func NewRoles(opt Options) *Roles { return &Roles{opt: opt, tally: newTally(), pairs: confusion{}} }

// argument is the tokens of an argument of a predicate, written one piece after the other.
type argument struct {
	predicate int32
	pieces    string
}

// frames are the predicates of a sentence.
type frames struct {
	arguments []labelled[argument]
	pieces    []labelled[argument] // the same, with C-X for themselves
	senses    []labelled[int32]    // of predicates, "" where there is none
}

// Add scores the documents of a unit.
func (s *Roles) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Roles) document(gold, predicted *text.Document) error {
	if err := sameTokens(gold, predicted); err != nil {
		return err
	}
	bounds := gold.SentenceTokens()
	g, p := framesOf(gold, len(bounds)), framesOf(predicted, len(bounds))
	for i := 1; i < len(bounds); i++ {
		if s.opt.sentence(int(bounds[i] - bounds[i-1])) {
			s.sentence(g[i], p[i])
		} else {
			s.sentence(frames{}, frames{})
		}
	}
	s.tally.document()
	return nil
}

// framesOf returns the predicates of each of n−1 sentences, from 1.
func framesOf(d *text.Document, n int) []frames {
	out := make([]frames, n)
	l := d.Layer(text.Roles.Name)
	if l == nil {
		return out
	}
	sent, predicate, first, last := l.Ints("sent"), l.Ints("predicate"), l.Ints("tok_start"), l.Ints("tok_end")
	label, sense := l.Strs("label"), l.Strs("sense")
	rows := make([][]int, n)
	for i := range l.N {
		if k := int(sent[i]); k >= 1 && k < n && (l.Rank == nil || l.Rank[i] == 1) {
			rows[k] = append(rows[k], i)
		}
	}
	for k, list := range rows {
		slices.SortStableFunc(list, func(a, b int) int {
			return cmp.Or(cmp.Compare(predicate[a], predicate[b]), cmp.Compare(first[a], first[b]))
		})
		for _, i := range list {
			out[k].row(predicate[i], pick(label, i), pick(sense, i), first[i], last[i])
		}
		out[k].arguments, out[k].pieces = once(out[k].arguments), once(out[k].pieces)
	}
	return out
}

// row adds a row; those of a sentence come by predicate, then by place.
func (f *frames) row(predicate int32, label, sense string, first, last int32) {
	n := len(f.senses)
	switch {
	case n == 0 || f.senses[n-1].item != predicate:
		f.senses = append(f.senses, labelled[int32]{predicate, sense})
	case f.senses[n-1].label == "":
		f.senses[n-1].label = sense
	}
	if label == "V" || label == "C-V" || label == "" {
		return
	}
	piece := fmt.Sprintf("%d-%d ", first, last)
	f.pieces = append(f.pieces, labelled[argument]{argument{predicate, piece}, label})
	if head, ok := strings.CutPrefix(label, "C-"); ok {
		for i := len(f.arguments) - 1; i >= 0 && f.arguments[i].item.predicate == predicate; i-- {
			if f.arguments[i].label == head {
				f.arguments[i].item.pieces += piece
				return
			}
		}
		label = head // as the scorer of CoNLL 2005 takes a piece without a beginning
	}
	f.arguments = append(f.arguments, labelled[argument]{argument{predicate, piece}, label})
}

// sentence scores the predicates of a sentence.
func (s *Roles) sentence(gold, predicted frames) {
	count(&s.tally, s.pairs, gold.arguments, predicted.arguments)
	s.tally.units++
	s.bare.Add(agree(bare(gold.arguments), bare(predicted.arguments))...)
	senses := sensesOf(gold.senses, predicted.senses)
	s.senses = s.senses || senses != [3]float32{}
	s.sense.Add(senses[:]...)
	pieces := agree(gold.pieces, predicted.pieces)
	s.both.Add(pieces[0]+senses[0], pieces[1]+senses[1], pieces[2]+senses[2])
	right := float32(0)
	for _, p := range gold.senses {
		of := func(list []labelled[argument]) (out []labelled[argument]) {
			for _, a := range list {
				if a.item.predicate == p.item {
					out = append(out, a)
				}
			}
			return out
		}
		right += One(same(of(gold.arguments), of(predicted.arguments)))
	}
	s.exact.Add(right, float32(len(gold.senses)))
}

// sensesOf counts senses of predicates that have one: right ones, wrong ones, missed ones.
func sensesOf(gold, predicted []labelled[int32]) (out [3]float32) {
	has := map[labelled[int32]]bool{}
	for _, p := range predicted {
		if p.label != "" {
			has[p] = true
			out[1]++
		}
	}
	for _, g := range gold {
		switch {
		case g.label == "":
		case has[g]:
			out[0]++
			out[1]--
		default:
			out[2]++
		}
	}
	return out
}

// Metrics returns the scores of arguments over all, those without labels and of senses, then those of arguments by
// label.
func (s *Roles) Metrics() []Metric {
	beta, ends := s.opt.beta(1), s.tally.ends
	list := s.tally.prf(beta)
	list[2].Main = true
	out := append(list[:4:4], prefixed("unlabelled_", prf(All, s.bare, ends, beta))...)
	if s.senses {
		out = append(out, prefixed("sense_", prf(All, s.sense, ends, beta))...)
		out = append(out, prefixed("semantic_", prf(All, s.both, ends, beta))...)
	}
	out = append(out, Metric{Name: "exact", Label: All, Combine: Ratio, Units: s.exact, Ends: ends,
		Support: s.exact.sums(2)[1]})
	return append(out, list[4:]...)
}

// Confusion pairs arguments with the same tokens; others stand beside "".
func (s *Roles) Confusion() []Cell { return s.pairs.cells() }
