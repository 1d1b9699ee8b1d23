package whyqa

import (
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
)

// Values of options.
const (
	methodDistance = "distance"
	methodBM25     = "bm25"

	rankPairs    = "ranksvm"
	rankPassages = "svm"

	polarityColumn = "polarity"
)

type options struct {
	passages   string
	method     string
	documents  int
	window     int
	overlap    int
	candidates int
	dedupe     bool
	clues      []string

	ranker   string
	features []string
	classes  string
	polarity string
	ngram    int
	phrases  bool
	minCount int
	c        float64
	retrieve bool
}

func (o *options) has(group string) bool { return slices.Contains(o.features, group) }

func (o *options) declare(s *option.Set) {
	s.Corpus(&o.passages, "passages", "", "corpus that answers() searches, by the full-text index on its texts, as it "+
		"stands when it is asked")
	s.Choice(&o.method, "method", methodDistance, []string{methodDistance, methodBM25}, "what passages are ranked by "+
		"at first: how near terms of the question stand to each other; BM25")
	s.List(&o.clues, "clues", []string{"reason", "cause", "factor"},
		"clue terms: where they occur, they count as terms "+
			"of the question in distances")
	s.Int(&o.documents, "documents", 300, 1, 10_000, "best documents that are taken of those with all terms of the "+
		"question, and of those with any").In(option.Predict)
	s.Int(&o.window, "window", 5, 1, 100, "sentences of a passage").Per("sentences")
	s.Int(&o.overlap, "overlap", 2, 0, 99, "sentences that two neighbouring passages share").Per("sentences")
	s.Int(&o.candidates, "candidates", 20, 1, 10_000,
		"best passages that are ranked anew and returned").In(option.Predict)
	s.Bool(&o.dedupe, "dedupe", false, "of passages that share sentences only the best is kept").In(option.Predict)
	s.Choice(&o.ranker, "ranker", rankPairs, []string{rankPairs, rankPassages},
		"what is learned from judged passages: "+
			"which of two passages of one question is right; whether a passage is right")
	s.List(&o.features, "features", []string{groupRetrieval, groupMorphoSyntax}, "groups of features: retrieval, both "+
		"scores; msa, n-grams of words and phrases; swc, with classes of words; sa_words, with their polarity; "+
		"sa_phrases, sentiment phrases. With classes and polarity given, swc and both sa_ may join")
	s.Resource(&o.classes, "classes", "",
		"lexicon of words whose second column is their class, or a model that stands "+
			"for one, such as brown")
	s.Resource(&o.polarity, "polarity", "", "lexicon of words with a column polarity: positive, negative, or another "+
		"word for none")
	s.Int(&o.ngram, "ngram", 3, 1, 5, "longest n-grams")
	s.Bool(&o.phrases, "phrases", true, "n-grams of phrases too: function words with the content words behind them")
	s.Int(&o.minCount, "min_count", 2, 1, 1_000_000, "n-grams in fewer judged passages are dropped")
	s.Float(&o.c, "c", 0.001, 1e-9, 1e9, "cost of errors in training")
	s.Bool(&o.retrieve, "retrieve", false, "EVALUATE searches the corpus of passages and counts what contains a right "+
		"passage or is part of one; else it ranks the judged passages").In(option.Predict)
	s.Require(func() bool { return o.overlap < o.window },
		"overlap has to be below window, or passages would never end")
	s.Check("features", o.checkFeatures)
}

func (o *options) checkFeatures() error {
	if len(o.features) == 0 {
		return &kind.Unknown{What: "group of features", Known: groups, Note: "give one or more"}
	}
	for _, f := range o.features {
		if !slices.Contains(groups, f) {
			return &kind.Unknown{What: "group of features", Name: f, Known: groups}
		}
	}
	switch {
	case o.has(groupClasses) && o.classes == "":
		return errNeeds{groupClasses, "classes"}
	case (o.has(groupSentimentWords) || o.has(groupSentimentPhrases)) && o.polarity == "":
		return errNeeds{"sa_words and sa_phrases", polarityColumn}
	}
	return nil
}

// errNeeds tells which option a group of features lacks.
type errNeeds struct{ group, option string }

func (e errNeeds) Error() string {
	return "the features " + e.group + " need the option " + e.option + ", a lexicon"
}

// resources are what a model looks into.
func (o *options) resources() (out []kind.Resource) {
	if o.passages != "" {
		out = append(out, kind.Resource{Kind: "corpus", Name: o.passages})
	}
	if o.classes != "" {
		out = append(out, kind.Resource{Kind: "lexicon", Name: o.classes, From: "brown"})
	}
	if o.polarity != "" {
		out = append(out, kind.Resource{Kind: "lexicon", Name: o.polarity})
	}
	return out
}
