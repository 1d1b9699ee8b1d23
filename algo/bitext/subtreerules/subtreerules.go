package subtreerules

import (
	"fmt"
	"math"
	"strings"

	"parlance/algo/bitext"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "subtree_rules",
		Learns: "how subtrees go together in two languages, for `depparser` with `bilingual`, which parses " +
			"sentences that come with a translation",
		Figures: "64,644 Chinese-English pairs: parsed on both sides, linked and counted in 26 s of processor " +
			"time",
		Revision: 1,
		Doc: "how subtrees go together in two languages, from parsed and linked pairs of sentences: rules, and pairs " +
			"of subtrees",
		Paper: "Chen, Kazama and Torisawa 2010; Chen, Kazama, Zhang, Tsuruoka, Zhang, Wang, Torisawa and Li 2011",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	classes
	rules [bitext.RuleTypes][]*rule
	class map[string]uint32 // numbers of N, V, and words with tags, from 1
	index map[uint64][]*bitext.Rule
	words [2]*bitext.Vocabulary // of pairs; the first is no word
	pairs [bitext.Parts]pairs
	opt   struct {
		group, side, source, aligner, tag string
		models                            [2][]string
		nouns, verbs, kinds               []string
		minRule, minPair, top             int
		high, middle                      float64
		lower                             bool
		multi                             string
	}
}

var _ bitext.Constraints = (*model)(nil)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Text(&o.group, "group", "pair", "column whose value both documents of a pair share")
	s.Text(&o.side, "side", "side", "column that tells the sides")
	s.Text(&o.source, "source", "source", "value of side for the source")
	s.List(&o.kinds, "lists", []string{"rules", "subtrees"}, "what is counted: rules, pairs of subtrees")
	s.Model(&o.aligner, "aligner", "",
		"model of kind aligner that links the words; '': links are those of the layer alignments")
	s.List(&o.models[0], "source_models", nil, "models that read the source, one after the other: taggers, and a "+
		"parser; none: trees are those of the layer dependencies")
	s.List(&o.models[1], "target_models", nil, "the same for the target")
	s.Text(&o.tag, "tag", "upos", "column of tokens with the tags of rules")
	s.List(&o.nouns, "nouns", []string{"NOUN", "PROPN"}, "tags of nouns; NN* stands for all that begin so")
	s.List(&o.verbs, "verbs", []string{"VERB"}, "tags of verbs")
	s.Bool(&o.lower, "lower", true, "words are taken in lower case")
	s.Choice(&o.multi, "multi", "top", []string{"top", "first", "skip"},
		"which of several links of a word counts: that to the topmost word in the target tree, that to the first word, none")
	s.Int(&o.minRule, "min_count", 3, 1, math.MaxInt32, "rarer rules are left out")
	s.Int(&o.top, "top", 20, 0, math.MaxInt32, "rules of each type that are kept, the most frequent ones; 0: all")
	s.Int(&o.minPair, "min_pair_count", 2, 1, math.MaxInt32, "rarer pairs of subtrees are left out")
	s.Float(&o.high, "hf", 0.1, 0, 1, "share of the pairs of a type that is of high frequency; equal counts stay together")
	s.Float(&o.middle, "mf", 0.2, 0, 1, "share of high or middle frequency; the others are of low frequency")
	s.Check("lists", func() error { return listed("lists", o.kinds, "rules", "subtrees") })
	s.Check("mf", func() error {
		if o.middle < o.high {
			return fmt.Errorf("option mf: %v is less than hf, %v, which it contains", o.middle, o.high)
		}
		return nil
	})
	for _, name := range []string{"min_count", "top"} {
		s.Idle(name, func() (string, string) { return m.without("rules") })
	}
	for _, name := range []string{"min_pair_count", "hf", "mf"} {
		s.Idle(name, func() (string, string) { return m.without("subtrees") })
	}
	s.Check("nouns", func() error { m.classes = newClasses(o.nouns, o.verbs); return nil })
	s.Check("verbs", func() error { m.classes = newClasses(o.nouns, o.verbs); return nil })
}

// listed refuses lists that are empty or have others than the names.
func listed(option string, list []string, names ...string) error {
	for _, x := range list {
		ok := false
		for _, n := range names {
			ok = ok || n == x
		}
		if !ok {
			return fmt.Errorf("option %s: %q is none of %s", option, x, strings.Join(names, ", "))
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("option %s: one of %s is wanted", option, strings.Join(names, ", "))
	}
	return nil
}

// counts tells whether a list is counted.
func (m *model) counts(list string) bool {
	for _, x := range m.opt.kinds {
		if x == list {
			return true
		}
	}
	return false
}

// without says why an option of a list has no effect.
func (m *model) without(list string) (why, hint string) {
	if m.counts(list) {
		return "", ""
	}
	return "has no effect without " + list + " among lists", "name " + list + " in lists"
}

func (m *model) sides() bitext.Sides {
	return bitext.Sides{Key: m.opt.group, Side: m.opt.side, Source: m.opt.source}
}

// Schema tells that tokens, trees and links of pairs are read and nothing is written. Documents are what is annotated,
// with nothing; what is learned from are pairs.
func (m *model) Schema() kind.Schema {
	o := &m.opt
	s := kind.Schema{Unit: kind.PerDocument, Fields: []string{o.group, o.side}, Relations: relations}
	columns := []string{"form"}
	if len(o.models[0]) == 0 || len(o.models[1]) == 0 {
		columns = append(columns, o.tag)
		s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Dependencies.Name})
	}
	s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Tokens.Name, Columns: columns},
		// for models that need tags
		kind.LayerUse{Layer: text.Tokens.Name, Columns: []string{"upos", "xpos"}, Optional: true})
	if o.aligner == "" {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: text.Alignments.Name})
	} else {
		s.Resources = append(s.Resources, kind.Resource{Kind: "model", Name: o.aligner, From: "aligner"})
	}
	for _, list := range o.models {
		for _, name := range list {
			s.Resources = append(s.Resources, kind.Resource{Kind: "model", Name: name})
		}
	}
	return s
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(0)
	for _, list := range m.rules {
		n += int64(len(list)) * 400
	}
	for _, v := range m.words {
		if v != nil {
			for _, w := range v.Words {
				n += int64(len(w)) + 64
			}
		}
	}
	for i := range m.pairs {
		n += int64(20*len(m.pairs[i].keys) + 4*len(m.pairs[i].slots))
	}
	return n
}
