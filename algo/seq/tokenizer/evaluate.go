package tokenizer

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
	"parlance/storage/value"
)

var (
	chunksRelation = kind.Relation{Name: "chunks", Doc: "what stands between white spaces, as it is cut",
		Prefix: "chunk", Columns: []kind.Column{
			{Name: "chunk", Type: value.Text, Doc: "characters between white spaces"},
			{Name: "tokens", Type: value.Text, Doc: "its tokens, with blanks between them"},
			{Name: "count", Type: value.Integer, Doc: "how often it was cut so"},
			{Name: "total", Type: value.Integer, Doc: "how often it was seen"}}}
	characterWeights = kind.Relation{Name: "character_weights",
		Doc: "weights of attributes of characters for B, a token " +
			"begins, and I", Columns: tagger.Weights.Columns}
	sentenceWeights = kind.Relation{Name: "sentence_weights", Doc: "weights of attributes of tokens for B, a sentence " +
		"begins, and I", Columns: tagger.Weights.Columns}
	relations = []kind.Relation{chunksRelation, characterWeights, sentenceWeights}
)

// Open opens the chunks or the weights.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, run *kind.Run) (kind.Rows, error) {
	switch relation {
	case chunksRelation.Name:
		return kind.RowsOf(chunksRelation, m.known.rows(run.Prefix)), nil
	case characterWeights.Name:
		return m.chunk.weights(), nil
	case sentenceWeights.Name:
		return m.sentences.weights(), nil
	}
	return nil, kind.ErrNoRelation
}

func (c *cutter) weights() kind.Rows {
	if c.single {
		return tagger.TripleRows(func(func(string, string, float64) bool) {})
	}
	rows, _ := c.Rows(tagger.Weights.Name)
	return rows
}

// Evaluate scores tokens as the layer tokens is scored, then sentences as the shared task of CoNLL 2018 counts them,
// behind whole_sentence_, and boundaries between sentences, behind sentence_.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	tokens, sentences := metrics.NewSegmentation(metrics.Options{}), metrics.NewSentences(metrics.Options{})
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		p := &text.Document{ID: d.ID, Text: d.Text}
		l, err := m.cut(ctx, p, run)
		if err != nil {
			return nil, err
		}
		p.SetLayer(l)
		p.SetLayer(sentencesOf(l))
		g := &text.Document{ID: d.ID, Text: d.Text}
		if gold := d.Layer(text.Tokens.Name); gold != nil {
			g.SetLayer(gold)
			g.SetLayer(sentencesOf(gold))
		}
		if err := tokens.Add(ctx, []*text.Document{g}, []*text.Document{p}); err != nil {
			return nil, err
		}
		if err := sentences.Add(ctx, []*text.Document{g}, []*text.Document{p}); err != nil {
			return nil, err
		}
	}
	out := tokens.Metrics()
	for _, x := range sentences.Metrics() {
		x.Name, x.Main = "sentence_"+x.Name, false
		out = append(out, x)
	}
	return out, ctx.Err()
}

// sentencesOf are the sentences of tokens, from the first token of each to the last.
func sentencesOf(tokens *text.Layer) *text.Layer {
	l := text.NewLayer(text.Sentences)
	var columns [3][]int32
	sent, start, end := tokens.Ints("sent"), tokens.Ints("char_start"), tokens.Ints("char_end")
	for i := range tokens.N {
		if n := len(columns[0]); n > 0 && columns[0][n-1] == sent[i] {
			columns[2][n-1] = max(columns[2][n-1], end[i])
			continue
		}
		for c, v := range [3]int32{sent[i], start[i], end[i]} {
			columns[c] = append(columns[c], v)
		}
	}
	l.N = len(columns[0])
	for c, name := range []string{"sent", "char_start", "char_end"} {
		l.SetInts(name, columns[c])
	}
	return l
}
