package boosting

import (
	"parlance/algo/option"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/rerank"
	"parlance/algo/parse/treefeature"
	"parlance/algo/seq/spanfeature"
	"parlance/algo/text"
)

// Options are those of learning.
type Options struct {
	Features      []string // families, of trees
	SpanFeatures  []string // of spans
	MinCount      int
	Loss, Weights string
	Rounds        int
	Smoothing     float64
}

// Declare declares the options.
func (o *Options) Declare(s *option.Set) {
	s.List(&o.Features, "features", treefeature.Names(), "families of features of trees")
	o.SpanFeatures = spanfeature.Names()
	s.Check("features", func() error { _, err := treefeature.New(o.Features); return err })
	s.Int(&o.MinCount, "min_feature_count", 5, 1, 1000,
		"a feature counts if it tells candidates apart in as many sentences")
	s.Choice(&o.Loss, "loss", "exp", []string{"exp", "log"},
		"exp: the sum of exp(−margin) over pairs of trees; log: the negative "+
			"log-probability of the best tree among those of the sentence")
	s.Choice(&o.Weights, "weights", "score", []string{"score", "one"},
		"what a pair of trees counts: by how many brackets one is "+
			"better, or each the same")
	s.Except("weights", "loss", "log")
	s.Float(&o.Smoothing, "smoothing", 0.0025, 1e-9, 1, "ε: the larger, the smaller the steps for rare features")
	s.Int(&o.Rounds, "rounds", 10000, 1, 1_000_000,
		"changes of a weight; with VALIDATE, the best number up to that is kept")
}

// DeclareSpans declares the options of spans, beside the option layer of candidates.
func (o *Options) DeclareSpans(s *option.Set) {
	s.List(&o.SpanFeatures, "span_features", spanfeature.Names(), "families of features of spans")
	s.Check("span_features", func() error { _, err := spanfeature.New(o.SpanFeatures); return err })
	s.Except("span_features", "layer", text.Constituents.Name)
	s.Only("features", "layer", text.Constituents.Name)
}

// Model is what was learned. After Ready it is not changed again.
type Model struct {
	Learned rerank.Model
	Names   []string  // of features
	Rounds  int       // those kept: what held-out sentences found best, else all
	Weights []float64 // by feature, with the rounds in use

	numbers map[uint64]int32 // of features by hash
	set     *treefeature.Set
	spans   *spanfeature.Set
	heads   *constituent.HeadTable
	answer  bool // the answer of the base has a feature of its own
}

// Prepare makes ready to find features.
func (m *Model) Prepare(o *Options, c *candidates.Options) (err error) {
	if m.set, err = treefeature.New(o.Features); err != nil {
		return err
	}
	if m.spans, err = spanfeature.New(o.SpanFeatures); err != nil {
		return err
	}
	m.heads, err = constituent.Heads(c.Heads)
	m.answer = c.Answer
	return err
}

// Ready computes the weights after n rounds, 0 for those that were kept.
func (m *Model) Ready(rounds int) {
	if rounds == 0 {
		rounds = m.Rounds
	}
	m.Weights = m.Learned.Weights(len(m.Names), rounds)
	m.numbers = make(map[uint64]int32, len(m.Names))
	for i, name := range m.Names {
		m.numbers[hash([]byte(name))] = int32(i)
	}
}

// Scores are those of the candidates of a sentence, by their features, which Features found.
func (m *Model) Scores(x *candidates.Sentence, features [][]uint64) []float64 {
	out := make([]float64, len(x.List))
	for i, c := range x.List {
		out[i] = m.Learned.Base * c.Log
		for _, h := range features[i] {
			if k, ok := m.numbers[h]; ok {
				out[i] += m.Weights[k]
			}
		}
	}
	return out
}

// Parts adds what makes up the score of a candidate, by the names of features, times sign.
func (m *Model) Parts(sums map[string]float64, sign float64, log float64, features []uint64) {
	sums["log-probability of the base"] += sign * m.Learned.Base * log
	for _, h := range features {
		if k, ok := m.numbers[h]; ok {
			sums[m.Names[k]] += sign * m.Weights[k]
		}
	}
}

// Bytes is what the model takes in memory.
func (m *Model) Bytes() int64 {
	n := int64(40 * len(m.Learned.Steps))
	for _, name := range m.Names {
		n += int64(len(name)) + 64
	}
	return n
}
