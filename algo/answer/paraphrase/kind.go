// Package paraphrase is the kind that finds phrases of the same meaning in definitions of the same term (Yan,
// Hashimoto, Torisawa, Kawai, Kazama and De Saeger 2013, section 3; Hashimoto, Torisawa, De Saeger, Kazama and
// Kurohashi 2011).
//
// Two definitions of a term say much the same, so they are read as a bitext in one language. Candidates are all pairs
// of predicate phrases, pieces of the trees of both. With method = 'score' they are ranked by
//
//	Score(p, q) = localSim(p, q) + ln globalSim(p, q)
//
// where localSim compares the phrases and what is around them by 37 functions, and globalSim adds up localSim of all
// candidates with the same difference, such as "is headquartered | is based". The other methods rank by localSim alone,
// by the sum of 17 features, by a linear support vector machine on these, or by a phrase table over word alignments.
//
// Files: gather.go collects definitions and pairs of them; sentence.go finds phrases; local.go and features.go compare
// two; score.go collects candidates and has globalSim; phrasetable.go is the baseline by alignments; train.go ranks;
// relations.go tells.
package paraphrase

import (
	"fmt"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "paraphrase",
		Learns: "phrases of the same meaning, from definitions of the same term: `SELECT phrase, paraphrase, " +
			"definition FROM para.pairs`",
		Figures: "generated definitions: 10 of the first 15 right by score, 6 by local similarity, 15 with " +
			"judged pairs",
		Revision: 1,
		Doc: "finds phrases of the same meaning in definitions of the same term, ranked without labels or by " +
			"judged pairs",
		Paper: "Yan, Hashimoto, Torisawa, Kawai, Kazama and De Saeger 2013; Hashimoto, Torisawa, De Saeger, " +
			"Kazama and Kurohashi 2011",
		New: func() kind.Model { return &model{} },
	}
}

// Values of the option method.
const (
	byScore = "score"
	byLocal = "local"
	bySum   = "features"
	bySVM   = "svm"
	byTable = "phrase_table"
)

const (
	termField  = "term"
	roleJudged = "judged"
)

type options struct {
	method   string
	tags     string
	aligner  string
	cosine   float64
	maxGroup int
	maxTerm  int
	sample   int
	longest  int
	leaves   bool
	nested   bool
	keep     int
	c        float64
}

type model struct {
	kind.Base
	opt         options
	definitions []source
	pairs       []sourcePair
	rows        []row
	// Of svm.
	weights []float64 // of the features
	bias    float64
}

// source is a definition as it is told.
type source struct {
	term, doc, text string
	number          int
}

// sourcePair is two definitions of a term.
type sourcePair struct {
	a, b   uint32
	cosine float64
}

// row is two phrases, the first of them of the first definition of the pair unless it is turned.
type row struct {
	p, q, diff         string
	score, local       float64
	count, pair        uint32
	turned             bool
	trivial, variation bool
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.method, "method", byScore, []string{byScore, byLocal, bySum, bySVM, byTable},
		"what phrases are ranked by. "+
			"score: localSim + ln globalSim; local: localSim alone; features: the sum of 17 features; svm: a machine "+
			"on these, "+
			"which learns from judged pairs; phrase_table: p(phrase | other)·p(other | phrase) by word alignments")
	sentences.DeclareTags(s, &o.tags)
	s.Model(&o.aligner, "aligner", "", "model of word alignments, such as one of the kind aligner over "+
		"sentence_pairs, for "+
		"phrase_table")
	s.Float(&o.cosine, "cosine", 0.1, 0, 1, "two definitions are compared where the cosine of their content words "+
		"is above")
	s.Int(&o.maxGroup, "max_group", 20, 2, 10_000, "definitions of a term that are compared, the first ones; they "+
		"make a "+
		"square of pairs")
	s.Int(&o.maxTerm, "max_term", 1000, 2, 1<<30, "terms with more definitions are left out, for they are vague")
	s.Int(&o.sample, "sample", 0, 0, 1<<30, "pairs of definitions that are drawn, by the seed; 0: all")
	s.Int(&o.longest, "max_phrase", 10, 2, 40, "longest phrases").Per("tokens")
	s.Bool(&o.leaves, "nominal_leaves", true, "content words without dependents in a phrase are nouns, adjectives "+
		"or numbers")
	s.Bool(&o.nested, "nested", false, "pairs of which one phrase contains the other are kept")
	s.Int(&o.keep, "keep", 100_000, 1, 1<<30, "best pairs that the model keeps")
	s.Float(&o.c, "c", 1, 1e-9, 1e9, "cost of errors of svm")
	s.Only("aligner", "method", byTable)
	s.Only("nominal_leaves", "method", byScore, byLocal, bySum, bySVM)
	s.Only("c", "method", bySVM)
	s.Check("aligner", func() error {
		if o.method == byTable && o.aligner == "" {
			return fmt.Errorf("phrase_table needs a model of word alignments: TRAIN aligner … ON a corpus of the "+
				"pairs that "+
				"sentence_pairs lists, then WITH (method = '%s', aligner = …)", byTable)
		}
		return nil
	})
}

var judgedTable = kind.TableUse{Name: roleJudged, Doc: "judged pairs of phrases; of several judgements of a pair " +
	"more than half have to be right", Columns: []kind.Column{
	{Name: "phrase", Type: value.Text, Doc: "a phrase, in lower case as pairs lists it"},
	{Name: "paraphrase", Type: value.Text, Doc: "another phrase"},
	{Name: "label", Type: value.Integer, Doc: "above 0 where they mean the same"},
}}

// Schema tells that parsed definitions are read, and relations answered.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Unit: kind.PerDocument,
		Reads: append(sentences.Reads(m.opt.tags, true), kind.LayerUse{Layer: sentences.Definitions.Name,
			Optional: true},
			kind.LayerUse{Layer: text.Entities.Name, Optional: true}),
		Fields:    []string{termField},
		Relations: []kind.Relation{paraphrasesRelation, pairsRelation, sentencePairs},
		Scores:    []kind.TableUse{judgedTable}}
	if m.opt.method == bySVM {
		s.Relations = append(s.Relations, weightsRelation)
		s.Roles = []kind.Role{{Name: roleJudged, Doc: judgedTable.Doc, Tables: []kind.TableUse{judgedTable},
			Train: true}}
	}
	if m.opt.aligner != "" {
		s.Resources = []kind.Resource{{Kind: "model", Name: m.opt.aligner, From: "aligner"}}
	}
	return s
}
