package lda

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var wordRelation = kind.Relation{Name: "words", Doc: "words with their most probable topic, the most frequent " +
	"first; can be used as a lexicon", Columns: []kind.Column{
	{Name: "word", Type: value.Text, Doc: "word"}, {Name: "topic", Type: value.Integer,
		Doc: "most probable topic, 1-based"},
	{Name: "prob", Type: value.Float, Doc: "its probability given the word"}, {Name: "count", Type: value.Integer,
		Doc: "occurrences in the training data"}}}

var topicRelation = kind.Relation{Name: "topics", Doc: "topics with the words that most of their tokens are",
	Columns: []kind.Column{
		{Name: "topic", Type: value.Integer, Doc: "topic, 1-based"}, {Name: "share", Type: value.Float,
			Doc: "share of the tokens"},
		{Name: "words", Type: value.Text, Doc: "its most frequent words, at most 10"}}}

var documentRelation = kind.Relation{Name: "documents",
	Doc: "topics of the documents of the training, those of at least 1 %", Columns: []kind.Column{
		{Name: "doc", Type: value.Text, Doc: "id of the document"}, {Name: "topic", Type: value.Integer,
			Doc: "topic, 1-based"},
		{Name: "share", Type: value.Float, Doc: "expected share θ of the document's tokens"}}}

var relations = []kind.Relation{wordRelation, topicRelation, documentRelation}

// leastShare is the least share of a topic in a document that is kept.
const leastShare = 0.01

// docTopics is the topics of documents: those of document d are topics[start[d]:start[d+1]].
type docTopics struct {
	Names  []string  `state:"names"`
	Start  []uint32  `state:"start,rows=Names,into=Topics"`
	Topics []uint32  `state:"topics,below=^Shares"`
	Shares []float64 `state:"shares,len=Topics,from=0,to=1"`
}

// newDocTopics makes θ_dk = (n_dk + α)/(n_d + K·α) of counts added up over sweeps.
func newDocTopics(names []string, counts []float64, topics int, alpha, sweeps float64) docTopics {
	out := docTopics{Names: names, Start: []uint32{0}}
	for d := range names {
		row, sum := counts[d*topics:][:topics], 0.0
		for _, n := range row {
			sum += n / sweeps
		}
		for k, n := range row {
			if share := (n/sweeps + alpha) / (sum + float64(topics)*alpha); n > 0 && share >= leastShare {
				out.Topics, out.Shares = append(out.Topics, uint32(k)), append(out.Shares, share)
			}
		}
		out.Start = append(out.Start, uint32(len(out.Topics)))
	}
	return out
}

// Open opens words, topics or documents.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch relation {
	case wordRelation.Name:
		return kind.RowsOf(wordRelation, func(yield func([]value.Value) bool) {
			for i, w := range m.Words {
				if k, p := m.best(i); !yield([]value.Value{value.Str(w), value.Int(int64(k) + 1), value.Real(p),
					value.Int(int64(m.Counts[i]))}) {
					return
				}
			}
		}), nil
	case topicRelation.Name:
		return kind.RowsOf(topicRelation, m.topicRows), nil
	case documentRelation.Name:
		return kind.RowsOf(documentRelation, func(yield func([]value.Value) bool) {
			x := &m.Documents
			for d, name := range x.Names {
				for i := x.Start[d]; i < x.Start[d+1]; i++ {
					if !yield([]value.Value{value.Str(name), value.Int(int64(x.Topics[i]) + 1),
						value.Real(x.Shares[i])}) {
						return
					}
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

// topicRows yields the topics with their words by n_kw.
func (m *model) topicRows(yield func([]value.Value) bool) {
	type member struct {
		word   int
		tokens float64
	}
	members := make([][]member, len(m.Shares))
	for i := range m.Words {
		ids, probs := m.row(i)
		for k, topic := range ids {
			members[topic] = append(members[topic], member{i, probs[k] * float64(m.Counts[i])})
		}
	}
	for k, list := range members {
		slices.SortFunc(list, func(a, b member) int {
			return cmp.Or(cmp.Compare(b.tokens, a.tokens),
				cmp.Compare(a.word, b.word))
		})
		var names []string
		for _, x := range list[:min(10, len(list))] {
			names = append(names, m.Words[x.word])
		}
		if !yield([]value.Value{value.Int(int64(k) + 1), value.Real(m.Shares[k]),
			value.Str(strings.Join(names, " "))}) {
			return
		}
	}
}
