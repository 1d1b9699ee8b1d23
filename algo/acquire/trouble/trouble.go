package trouble

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "trouble",
		Learns:   "what troubles people: rows of `tuples`, with evidence",
		Figures:  "44 of the first 60 nouns are troubles",
		Revision: 1,
		Doc: "what troubles people, learned from denied and affirmed verbs that nouns cause, and which troubles " +
			"come with which things",
		Paper: "De Saeger, Torisawa and Kazama 2008",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	items        []item // candidates by noun
	features     []feature
	weights      []float64 // of the features, then of the bias; nil without a machine
	scores, held []float64 // of the candidates, and by machines that have not seen their label
	labelled     []int8
	pairs        []pair
	opt          struct {
		causes, hypernyms, useVerbs, genitives, features []string
		method, value, filter                            string
		minEvidence, minVerb, top, bottom, folds         int
		troubles, minObject, k, nbest                    int
		c                                                float64
	}
}

// Lists for English.
var (
	causes = []string{"obl:because_of", "obl:due_to", "obl:owing_to", "obl:on_account_of", "obl:as_a_result_of",
		"obl:by", "obl:with", "obl:in", "obl:at", "obl:from", "obl:for"}
	hypernyms = []string{"trouble", "problem", "accident", "disaster", "obstacle", "hindrance", "difficulty",
		"hazard", "setback", "nuisance"}
	useVerbs  = []string{"buy", "use", "make", "eat", "enjoy"}
	genitives = []string{"X >nmod:of Y", "X >nmod:in Y", "X >nmod:on Y", "X >nmod:at Y", "X >nmod:with Y"}
)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.method, "method", "svm", []string{"svm", "score", "lsph", "random"},
		"what candidates are ranked by: svm, a machine learned from labels; score, the share of evidence for a "+
			"trouble; lsph, patterns of hyponymy alone; random")
	s.List(&o.causes, "causes", causes,
		"slots of what brings something about; the bare prepositions say so sometimes only")
	s.List(&o.hypernyms, "hypernyms", hypernyms, "words for troubles, which patterns of hyponymy are looked up with")
	s.Int(&o.minEvidence, "min_evidence", 10, 0, math.MaxInt32,
		"candidates have more evidence in the slots of causes and patterns")
	s.Int(&o.minVerb, "min_verb", 30, 0, math.MaxInt32, "verbs that are features are more frequent")
	s.Int(&o.top, "top", 3500, 1, math.MaxInt32, "first candidates by score that people should label")
	s.Int(&o.bottom, "bottom", 3000, 1, math.MaxInt32, "last candidates by score that people should label")
	s.List(&o.features, "features", groups,
		"evidence that the machine sees: lsph, patterns; dnv, denied verbs; dav, affirmed "+
			"ones; sum, slots with a denied or affirmed verb at all")
	s.Choice(&o.value, "value", "binary", []string{"binary", "freq", "log"},
		"value of a feature: 1, its count, or 1 and the logarithm of the count")
	s.Float(&o.c, "c", 1, 1e-6, 1e6, "cost of errors of the machine")
	s.Int(&o.folds, "folds", 5, 0, 100,
		"machines that are trained besides, each without a part of the labelled nouns, so that "+
			"EVALUATE scores each by one that has not seen its label; 0: none")
	s.Int(&o.troubles, "troubles", 10000, 1, math.MaxInt32, "first candidates of the list that are joined with objects")
	s.List(&o.useVerbs, "use_verbs", useVerbs, "verbs whose objects are used")
	s.Int(&o.minObject, "min_object", 500, 0, math.MaxInt32, "objects are used more often")
	s.List(&o.genitives, "genitives", genitives, "paths from a trouble, X, to what has it, Y, besides X 's Y")
	s.Choice(&o.filter, "filter", "dnv", []string{"dnv", "none"},
		"dnv: a trouble of a pair stops a verb that the object stands with often")
	s.Int(&o.k, "k", 30, 1, 1000000, "verbs of an object that the filter looks at, the most frequent ones")
	s.Int(&o.nbest, "nbest", 100000, 1, 100000000, "pairs that are kept, the best ones")
	s.Check("features", func() error {
		for _, f := range o.features {
			if !slices.Contains(groups, f) {
				return fmt.Errorf("option features: '%s' is no group of evidence%s; there are lsph, dnv, dav and sum",
					f, option.DidYouMean(f, groups))
			}
		}
		return nil
	})
}

// Schema tells that the relations of a store are read, and labels in a role.
func (m *model) Schema() kind.Schema {
	return kind.Schema{Tables: []kind.TableUse{tupleTable, surfaceTable, pathTable, nounTable}, Relations: relations,
		Scores: []kind.TableUse{labelTable}, Roles: []kind.Role{{Name: "labels",
			Doc:    "nouns that people labelled; without, the first and last candidates by score stand for labels",
			Tables: []kind.TableUse{labelTable}, Optional: true, Train: true}}}
}

// Train counts the evidence, which takes about 150 bytes for each different noun, slot and verb, and ranks.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	e, err := m.read(ctx, t.On)
	if err != nil {
		return err
	}
	y, err := m.labels(ctx, t, e.items)
	if err != nil {
		return err
	}
	m.items, m.features, m.labelled, m.weights = e.items, e.features, y, nil
	if t.Roles["labels"] == nil {
		m.labelled = make([]int8, len(y)) // what stands for labels is none
	}
	if m.opt.method == "svm" {
		if err := m.learn(ctx, t, e, y); err != nil {
			return err
		}
	} else {
		m.plain(t.Seed)
	}
	m.pairs, err = m.joinPairs(ctx, e, m.ranked())
	if err != nil {
		return err
	}
	n := 0
	for _, s := range m.labelled {
		if s > 0 {
			n++
		}
	}
	t.Notice(text.Countf("%d {candidate|candidates}, %d labelled as troubles; %d {feature|features}; %d {pair|pairs}",
		len(m.items), n,
		len(m.features), len(m.pairs)))
	return nil
}

// plain scores without a machine.
func (m *model) plain(seed uint64) {
	m.scores = make([]float64, len(m.items))
	for i := range m.items {
		it := &m.items[i]
		switch m.opt.method {
		case "score":
			m.scores[i] = it.score()
		case "lsph":
			m.scores[i] = it.lsph
		default:
			h := fnv.New64a()
			h.Write([]byte(it.noun))
			m.scores[i] = rand.New(rand.NewPCG(seed, h.Sum64())).Float64()
		}
	}
	m.held = slices.Clone(m.scores)
}

// ranked is the candidates, the likeliest troubles first.
func (m *model) ranked() []int {
	order := byScore(m.items)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.scores[b], m.scores[a]) })
	return order
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(8 * len(m.weights))
	for i := range m.items {
		n += int64(len(m.items[i].noun) + 120 + 12*len(m.items[i].features))
	}
	for _, f := range m.features {
		n += int64(len(f.name)+len(f.group)) + 32
	}
	return n + int64(120*len(m.pairs))
}
