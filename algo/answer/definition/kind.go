// Package definition is the kind that finds sentences that define a term (Yan, Hashimoto, Torisawa, Kawai, Kazama and
// De Saeger 2013, section 2; with method = 'windows' Hashimoto, Torisawa, De Saeger, Kazama and Kurohashi 2011,
// section 2.1).
//
// The term of a sentence becomes one token, [term]. Patterns of such sentences are n-grams, sequences of n-grams with
// gaps and subtrees of the parse, each in words, base forms or tags. With
//
//	Rate(φ) = ( freq(φ, Pos)/|Pos| ) / ( freq(φ, Neg)/|Neg| )
//
// those are kept that are frequent and whose rate is high or low, and a linear support vector machine weighs them. A
// new sentence is scored once for each of its noun phrases as the term; the best one is the term, and the sentence a
// definition where its score is above 0.
//
// Files: examples.go makes sentences with terms of documents; marked.go makes symbols of them; ngrams.go, sequences.go
// and subtrees.go mine the patterns, patterns.go selects and finds them; windows.go is the other set of features;
// train.go fits the machine, decode.go finds definitions.
package definition

import (
	"fmt"
	"slices"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "definition",
		Learns: "sentences that define a term, from articles without labels or from labelled sentences: `SELECT " +
			"term, sentence FROM definitions(web) USING defs`",
		Figures:  "WCL, ten folds: F1 95.7; from Wikipedia's first sentences, without a label: 90.6",
		Revision: 1,
		Doc: "finds sentences that define a term, and the term; learns from the first sentences of articles or from " +
			"labelled sentences",
		Paper: "Yan, Hashimoto, Torisawa, Kawai, Kazama and De Saeger 2013; Hashimoto, Torisawa, De Saeger, " +
			"Kazama and Kurohashi 2011",
		New: func() kind.Model { return &model{} },
	}
}

// Values of options.
const (
	byPatterns = "patterns"
	byWindows  = "windows"

	ngrams    = "ngrams"
	sequences = "subsequences"
	subtrees  = "subtrees"

	byTitles = "titles"
	byRandom = "random"
)

// Metadata columns that are read.
const (
	termField  = "term"
	titleField = "title"
	labelField = "label"
)

const roleNegatives = "negatives"

type options struct {
	method     string
	tags       string
	patterns   []string
	negatives  string
	ratio      int
	longest    int
	inner      int
	parts      int
	least      [reps]int
	leastTrees int
	high, low  float64
	window     int
	degree     int
	rounds     int
	c          float64
	threshold  float64
}

type model struct {
	kind.Base
	opt options
	// With patterns: what was kept, by rising hash, and the weights; index has their places.
	kept    []pattern
	weights []float64
	bias    float64
	index   map[uint64]int32
	// With windows: the columns by hash, and the machine.
	machine *machine
	sizes   [2]int // definitions and other sentences of the training
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.method, "method", byPatterns, []string{byPatterns, byWindows}, "patterns: mined patterns around "+
		"the term; "+
		"windows: words and n-grams behind the term and at the end of the sentence, for labelled sentences")
	s.List(&o.patterns, "patterns", []string{ngrams}, "types of patterns: ngrams, subsequences (n-grams with gaps "+
		"between "+
		"them), subtrees of the parse; the latter two need dependencies")
	sentences.DeclareTags(s, &o.tags)
	s.Choice(&o.negatives, "negatives", byTitles, []string{byTitles, byRandom}, "what is no definition, where "+
		"documents are "+
		"articles: other sentences of an article that name its title; or any sentences with a noun phrase drawn "+
		"as the term")
	s.Int(&o.ratio, "negative_ratio", 2, 1, 1000, "sentences drawn for each article, with negatives = 'random'")
	s.Int(&o.longest, "ngram", 6, 2, 8, "longest n-grams").Per("tokens")
	s.Int(&o.inner, "sequence_ngram", 3, 2, 8, "longest n-grams within subsequences").Per("tokens")
	s.Int(&o.parts, "sequence_parts", 2, 2, 3, "n-grams of a subsequence at most")
	for r := range o.least {
		s.Int(&o.least[r], "min_"+repNames[r], 0, 0, 1_000_000, "least number of sentences of a pattern of "+
			repDocs[r]+text.Countf(", among definitions or among others; 0: one in %d {definition|definitions}, at least %d",
			scaled[r],
			floors[r])).Per("sentences")
	}
	s.Int(&o.leastTrees, "min_subtree", 5, 1, 1_000_000, "least number of sentences of a subtree").Per("sentences")
	s.Float(&o.high, "rate_high", 2, 1, 1e9, "patterns of definitions have at least this rate")
	s.Float(&o.low, "rate_low", 0.5, 0, 1, "patterns of other sentences have at most this rate")
	s.Int(&o.window, "window", 5, 1, 10, "tokens behind the term, and at the end of the sentence, whose n-grams "+
		"of up to "+
		"this many tokens are features").Per("tokens")
	s.Int(&o.degree, "degree", 2, 1, 3, "degree of the polynomial kernel of windows")
	s.Int(&o.rounds, "rounds", 3, 1, 20, "rounds of choosing the noun phrase that is the term of labelled "+
		"sentences without one")
	s.Float(&o.c, "c", 0.1, 1e-9, 1e9, "cost of errors in training; articles, whose first sentences are no sure "+
		"definitions, want less, such as 0.03")
	s.Float(&o.threshold, "threshold", 0, -1e9, 1e9, "definitions have a score above").In(option.Predict)
	s.Only("patterns ngram rate_high rate_low min_surface min_base min_tags", "method", byPatterns)
	s.Only("window degree", "method", byWindows)
	s.Only("negative_ratio", "negatives", byRandom)
	s.Check("patterns", func() error {
		for _, p := range o.patterns {
			if !slices.Contains(patternTypes, p) {
				return &kind.Unknown{What: "type of patterns", Name: p, Known: patternTypes}
			}
		}
		if !o.has(ngrams) {
			return fmt.Errorf("the other types are made of ngrams, which have to be among them")
		}
		return nil
	})
}

// Least numbers of sentences of a pattern grow with the number of definitions, from a floor.
var (
	scaled = [reps]int{2400, 2400, 480}
	floors = [reps]int{5, 5, 20}
)

// fewest is the least number of sentences of a pattern of a representation.
func (o *options) fewest(rep, positives int) int {
	if o.least[rep] > 0 {
		return o.least[rep]
	}
	return max(floors[rep], positives/scaled[rep])
}

var patternTypes = []string{ngrams, sequences, subtrees}

func (o *options) has(pattern string) bool { return slices.Contains(o.patterns, pattern) }

// trees tells whether dependencies are needed.
func (o *options) trees() bool {
	return o.method == byPatterns && (o.has(sequences) || o.has(subtrees))
}

var patternsRelation = kind.Relation{Name: "patterns", Doc: "the patterns with their weights, by falling absolute " +
	"weight",
	Columns: []kind.Column{
		{Name: "pattern", Type: value.Text, Doc: "^ is the start of the sentence, [term] the term, * any words"},
		{Name: "type", Type: value.Text, Doc: "ngrams, subsequences or subtrees"},
		{Name: "form", Type: value.Text, Doc: "surface, base or tags"},
		{Name: "weight", Type: value.Float, Doc: "above 0 where it speaks for a definition"},
		{Name: "definitions", Type: value.Integer, Doc: "definitions of the training with the pattern"},
		{Name: "others", Type: value.Integer, Doc: "other sentences of the training with the pattern"},
	}}

// Schema tells that tagged sentences are read and definitions written.
func (m *model) Schema() kind.Schema {
	reads := sentences.Reads(m.opt.tags, m.opt.trees())
	if !m.opt.trees() {
		reads = slices.DeleteFunc(reads, func(u kind.LayerUse) bool { return u.Layer == text.Dependencies.Name })
	}
	s := kind.Schema{Unit: kind.PerDocument, Reads: reads, Fields: []string{termField, titleField, labelField},
		Prob:   kind.Score,
		Writes: []kind.LayerUse{{Layer: sentences.Definitions.Name}},
		Defs:   []*text.LayerDef{sentences.Definitions},
		Roles: []kind.Role{{Name: roleNegatives, Doc: "documents without definitions of their own, to draw " +
			"sentences from with negatives = 'random'", Reads: reads, Optional: true, Train: true}}}
	if m.opt.method == byPatterns {
		s.Relations = []kind.Relation{patternsRelation}
	}
	return s
}
