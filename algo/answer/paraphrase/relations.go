package paraphrase

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
	"parlance/storage/value"
)

var paraphrasesRelation = kind.Relation{Name: "paraphrases", Doc: "each pair of phrases from both sides, the best " +
	"first; as a lexicon it has the paraphrases of a phrase", Prefix: "phrase", Columns: []kind.Column{
	{Name: "phrase", Type: value.Text, Doc: "a phrase, in lower case, its tokens apart by blanks"},
	{Name: "paraphrase", Type: value.Text, Doc: "a phrase of the same meaning"},
	{Name: "score", Type: value.Float, Doc: "of the method; it orders pairs"},
	{Name: "trivial", Type: value.Boolean, Doc: "both have the same content words by base form, or the same spelling"},
}}

var pairsRelation = kind.Relation{Name: "pairs", Doc: "pairs of phrases, each once, the best first, with the " +
	"definitions of their best occurrence", Columns: []kind.Column{
	{Name: "phrase", Type: value.Text, Doc: "the phrase of definition"},
	{Name: "paraphrase", Type: value.Text, Doc: "the phrase of other_definition"},
	{Name: "score", Type: value.Float, Doc: "of the method"},
	{Name: "local", Type: value.Float, Doc: "the score without globalSim"},
	{Name: "difference", Type: value.Text, Doc: "words of each phrase that are not in the other"},
	{Name: "count", Type: value.Integer, Doc: "how often they stand in two definitions of a term"},
	{Name: "trivial", Type: value.Boolean, Doc: "both have the same content words by base form, or the same spelling"},
	{Name: "variation", Type: value.Boolean, Doc: "they differ in a content word"},
	{Name: "term", Type: value.Text, Doc: "the term that both sentences define"},
	{Name: "definition", Type: value.Text, Doc: "the sentence with the phrase"},
	{Name: "other_definition", Type: value.Text, Doc: "the sentence with the paraphrase"},
	{Name: "doc", Type: value.Text, Doc: "id of the document of definition"},
	{Name: "other_doc", Type: value.Text, Doc: "id of the document of other_definition"},
}}

var sentencePairs = kind.Relation{Name: "sentence_pairs", Doc: "the pairs of definitions that were compared",
	Columns: []kind.Column{
		{Name: "pair", Type: value.Integer, Doc: "number of the pair, from 1"},
		{Name: "term", Type: value.Text, Doc: "the term that both define"},
		{Name: "definition", Type: value.Text, Doc: "a sentence"},
		{Name: "other_definition", Type: value.Text, Doc: "another sentence"},
		{Name: "cosine", Type: value.Float, Doc: "of their content words"},
	}}

var weightsRelation = kind.Relation{Name: "weights", Doc: "the weights of svm, by feature", Columns: []kind.Column{
	{Name: "feature", Type: value.Text, Doc: "what is compared, and its number in the paper"},
	{Name: "weight", Type: value.Float, Doc: "above 0 where it speaks for a paraphrase"},
}}

// Open lists paraphrases, pairs, the definitions or weights.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, run *kind.Run) (kind.Rows, error) {
	switch relation {
	case paraphrasesRelation.Name:
		return kind.RowsOf(paraphrasesRelation, func(yield func([]value.Value) bool) {
			for _, r := range m.rows {
				for _, x := range [][2]string{{r.p, r.q}, {r.q, r.p}} {
					if !yield([]value.Value{value.Str(x[0]), value.Str(x[1]), value.Real(r.score),
						value.Bool(r.trivial)}) {
						return
					}
				}
			}
		}), nil
	case pairsRelation.Name:
		return kind.RowsOf(pairsRelation, func(yield func([]value.Value) bool) {
			for i := range m.rows {
				if !yield(m.pairRow(&m.rows[i])) {
					return
				}
			}
		}), nil
	case weightsRelation.Name:
		if m.opt.method != bySVM {
			return nil, kind.ErrNoRelation
		}
		return kind.RowsOf(weightsRelation, func(yield func([]value.Value) bool) {
			for i, w := range m.weights {
				if !yield([]value.Value{value.Str(featureNames[i]), value.Real(w)}) {
					return
				}
			}
		}), nil
	case sentencePairs.Name:
		return kind.RowsOf(sentencePairs, func(yield func([]value.Value) bool) {
			for i, x := range m.pairs {
				a, b := &m.definitions[x.a], &m.definitions[x.b]
				if !yield([]value.Value{value.Int(int64(i + 1)), value.Str(a.term), value.Str(a.text),
					value.Str(b.text),
					value.Real(x.cosine)}) {
					return
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

func (m *model) pairRow(r *row) []value.Value {
	x := m.pairs[r.pair]
	a, b := &m.definitions[x.a], &m.definitions[x.b]
	return []value.Value{value.Str(r.p), value.Str(r.q), value.Real(r.score), value.Real(r.local), value.Str(r.diff),
		value.Int(int64(r.count)), value.Bool(r.trivial), value.Bool(r.variation), value.Str(a.term), value.Str(a.text),
		value.Str(b.text), value.Str(a.doc), value.Str(b.doc)}
}

// lengths are those of which precision is told.
var lengths = []int{10, 20, 50, 100}

// Evaluate ranks judged pairs by the place that the model gives them: map, the average precision, is the main metric.
// Pairs that it does not have come last, in the order of the table, and known is the share of those that it has.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	keys, votes, err := verdicts(ctx, in)
	if err != nil {
		return nil, err
	}
	places := map[[2]string]int{}
	for i, r := range m.rows {
		places[ordered(r.p, r.q)] = i
	}
	place := func(k [2]string) int {
		if i, ok := places[k]; ok {
			return i
		}
		return len(m.rows)
	}
	slices.SortStableFunc(keys, func(a, b [2]string) int { return place(a) - place(b) })
	var hits []bool
	answers, known := 0, metrics.Metric{Name: "known", Label: metrics.All, Combine: metrics.Ratio}
	for _, k := range keys {
		right := votes[k] > 0
		hits = append(hits, right)
		if right {
			answers++
		}
		has := float32(0)
		if place(k) < len(m.rows) {
			has = 1
		}
		known.Units.Add(has, 1)
		known.Support++
	}
	if answers == 0 {
		return nil, fmt.Errorf("%w: no judged pair is right", kind.ErrNoData)
	}
	lists := &ranking.Lists{}
	lists.Add("", hits, answers)
	var out []metrics.Metric
	for _, x := range lists.Metrics(lengths...) {
		switch x.Name {
		case "map_weighted", "mrr":
			continue
		}
		x.Main = x.Name == "map"
		out = append(out, x)
	}
	return append(out, known), ctx.Err()
}
