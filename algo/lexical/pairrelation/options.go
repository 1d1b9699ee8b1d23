package pairrelation

import (
	"errors"
	"math"

	"parlance/algo/option"
)

type options struct {
	labeller            string
	lexicon             string
	names               names
	similarity, counts  string
	ratio, maxH, maxK   int
	kMin                float64
	oRank, cMin         int
	types, inflections  bool
	function            []string
	least, l2           float64
	sweeps, minFeatures int
	level               string
}

// options declares the options.
func (o *options) declare(s *option.Set) {
	s.Choice(&o.labeller, "labeller", "rules", []string{"rules", "maxent"}, "what labels pairs: rules, by priority of "+
		"their labels; maxent, a multinomial logistic regression over hits of rules, spelling and similarity, which learns "+
		"from judged pairs")
	s.Resource(&o.lexicon, "lexicon", "", "knowledge base that rules look terms up in, such as WordNet")
	relation := func(p *[]string, name string, def []string, doc string) {
		s.List(p, name, def, "relations of the knowledge base: "+doc)
	}
	n := &o.names
	relation(&n.synonym, "synonym", []string{"synonym"},
		"terms or senses of the same meaning; terms that share a sense are synonyms too")
	relation(&n.antonym, "antonym", []string{"antonym"}, "opposites")
	relation(&n.near, "near", []string{"similar_to"},
		"senses of nearly the same meaning, whose terms are synonyms, and opposites of each other's opposites")
	relation(&n.hypernym, "hypernym", []string{"hypernym", "instance_hypernym"}, "from what is special to what is general")
	relation(&n.meronym, "meronym", []string{"meronym", "part_meronym", "member_meronym", "substance_meronym"},
		"from the whole to the part")
	relation(&n.alias, "alias", []string{"alias"},
		"from a thing to another name of it; aliases of the knowledge base count as well")
	relation(&n.variant, "variant", []string{"variant"}, "spellings of the same term")
	relation(&n.reading, "reading", []string{"reading"},
		"how a term is read; terms that are read alike are spellings of the same term")
	relation(&n.misuse, "misuse", []string{"misuse"}, "from a word that is used by mistake to the right one")
	relation(&n.order, "precedes", []string{"precedes"}, "from what comes before to what comes after")
	relation(&n.synset, "synset", []string{"synset"},
		"from a term to its senses, between which the other relations may hold")
	relation(&n.lemma, "lemma", []string{"lemma"}, "from an inflected form to its base form")
	s.Model(&o.similarity, "similarity", "",
		"model with a relation similar(word), for scores and ranks that the pairs come without")
	s.Resource(&o.counts, "counts", "", "lexicon, or relation of a model, with a column count of the frequency of words,"+
		" for frequencies that the pairs come without")
	s.Int(&o.ratio, "ratio", 100, 1, math.MaxInt32,
		"how many times rarer than the right one a mistyped form is at least").Per("times")
	s.Int(&o.maxH, "max_h", 3, 1, 50, "longest path of hypernyms between terms of which one is more general").Per("steps")
	s.Int(&o.maxK, "max_k", 3, 1, 50, "longest path from classmates to a hypernym that they share").Per("steps")
	s.Float(&o.kMin, "k_min", 1, -math.MaxFloat64, math.MaxFloat64, "pairs without another label are classmates if "+
		"their score is above; no score of the kind similarity is above 1. For scores that are divergences below 0, "+
		"-0.3 is a start")
	s.Int(&o.oRank, "o_rank", 10, 0, math.MaxInt32,
		"pairs without another label are related (o) up to this rank of similarity, and unrelated (u) behind it")
	s.Int(&o.cMin, "c_min", 2, 1, math.MaxInt32,
		"how often contrast patterns list both terms of contrastive classmates at least")
	s.Bool(&o.types, "by_type", false, "entities of the knowledge base that share a type are classmates")
	s.Bool(&o.inflections, "inflections", true, "English inflected forms that the knowledge base lacks are looked up by "+
		"their base forms, and are forms of the same term as these")
	s.List(&o.function, "function_words", []string{"of", "the", "a", "an", "and", "in", "on", "for", "to", "at", "by",
		"or", "with"}, "words that do not count as common morphemes or as initials of acronyms")
	s.Float(&o.least, "min_prob", 0, 0, 1, "pairs whose label has a lower probability are undecidable (y), with maxent")
	s.Float(&o.l2, "l2", 1, 0, math.MaxFloat64, "penalty ½·l2·|w|² of maxent")
	s.Int(&o.sweeps, "max_sweeps", 200, 1, math.MaxInt32, "sweeps over the weights of maxent at most")
	s.Int(&o.minFeatures, "min_count", 2, 1, math.MaxInt32, "features of maxent that fewer judged pairs have are left out")
	s.Choice(&o.level, "level", "leaf", []string{"leaf", "top"},
		"what EVALUATE compares: labels, or the nodes s*, h, p, k**, o, u, x and y that they belong to").In(option.Predict)
	s.Check("min_prob", func() error {
		if o.least > 0 && o.labeller == "rules" {
			return errors.New("option min_prob: rules are sure of what they say; labeller = 'maxent' has probabilities")
		}
		return nil
	})
}
