package whyqa

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

func lower(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// candidate is a passage of a document that may answer.
type candidate struct {
	doc         string
	text        string
	first, last int // sentences [first, last) of the document, from 0
	words       []word
	score       float64
	place       int    // among judged passages
	features    vector // where there is a ranker
}

// initial is the score of a passage before it is ranked anew.
func (x *engine) initial(q *question, words []word) float64 {
	if x.opt.method == methodBM25 {
		return x.stats.bm25(words, q.terms)
	}
	o := locate(words, q.terms, x.clues)
	s, _ := o.distance(x.stats, words)
	return s
}

// ranked ranks judged passages by the method; of equal scores the one that was judged earlier is first, as the earlier
// passage of a document is.
func (x *engine) ranked(q *question, j *judgement) []candidate {
	list := make([]candidate, len(j.passages))
	for i, p := range j.passages {
		words, _ := cut(p, nil)
		list[i] = candidate{place: i, words: words, score: x.initial(q, words)}
	}
	byScore(list)
	return list
}

// retrieve finds the best passages for a question: of the documents with all of its terms, then of those with any. Of
// equal scores the passage of the better document is first, then the earlier one.
func (x *engine) retrieve(ctx context.Context, q *question) ([]candidate, error) {
	if x.corpus == nil {
		return nil, fmt.Errorf("the model was trained without a corpus to search: TRAIN … WITH (passages = corpus)")
	}
	var list []candidate
	seen := map[string]bool{}
	for _, query := range []string{all(q.forms), kind.AnyOf(q.forms)} {
		hits, err := x.corpus.Search(ctx, query, x.opt.documents, text.Sentences.Name)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if !seen[h.Document.ID] {
				seen[h.Document.ID] = true
				list = append(list, x.passages(q, h)...)
			}
		}
	}
	byScore(list)
	if x.opt.dedupe {
		list = apart(list)
	}
	return list[:min(len(list), x.opt.candidates)], ctx.Err()
}

// all is a query for documents with all words.
func all(words []string) string {
	return strings.ReplaceAll(kind.AnyOf(words), `" OR "`, `" "`)
}

func byScore(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
}

// passages are those of a document with a term of the question.
func (x *engine) passages(q *question, h kind.Hit) (out []candidate) {
	words, sentences := cut(h.Document.Text, stored(h.Document))
	for _, w := range x.opt.windows(sentences) {
		from, to := sentences[w[0]], sentences[w[1]-1]
		c := candidate{doc: h.Document.ID, text: h.Document.Text[from.from:to.to], first: w[0], last: w[1],
			words: words[from.first:to.last]}
		if slices.ContainsFunc(c.words, func(w word) bool { return q.has(w.stem) }) {
			c.score = x.initial(q, c.words)
			out = append(out, c)
		}
	}
	return out
}

// apart keeps of passages that share sentences the first.
func apart(list []candidate) (out []candidate) {
	for _, c := range list {
		if !slices.ContainsFunc(out, func(o candidate) bool {
			return o.doc == c.doc && o.first < c.last && c.first < o.last
		}) {
			out = append(out, c)
		}
	}
	return out
}

// answer retrieves passages and ranks them anew where there is a ranker.
func (m *model) answer(ctx context.Context, x *engine, q *question) ([]candidate, error) {
	list, err := x.retrieve(ctx, q)
	if err != nil || !m.ranked {
		return list, err
	}
	for i := range list {
		list[i].features = x.of(q, list[i].words, i+1)
		list[i].score = m.score(list[i].features)
	}
	byScore(list)
	return list, ctx.Err()
}

// Open answers a question.
func (m *model) Open(ctx context.Context, relation string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	if relation != answersRelation.Name {
		return nil, kind.ErrNoRelation
	}
	x, err := m.extractor(run.Resources)
	if err != nil {
		return nil, err
	}
	q, err := ask(args[0].S)
	if err != nil {
		return nil, err
	}
	list, err := m.answer(ctx, x, q)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		run.Tell(fmt.Sprintf("no document of %s has any of: %s", m.opt.passages, strings.Join(q.forms, ", ")))
	}
	rows := make([][]value.Value, len(list))
	for i, c := range list {
		rows[i] = []value.Value{value.Str(c.text), value.Real(c.score), value.Int(int64(i + 1)), value.Str(c.doc),
			value.Int(int64(c.first + 1)), value.Int(int64(c.last)), value.Str(x.evidence(q, c.words))}
	}
	return kind.RowsOf(answersRelation, slices.Values(rows)), nil
}

// evidence are the words that are terms of the question or clue terms, as they stand in the passage.
func (x *engine) evidence(q *question, words []word) string {
	var out []string
	for _, w := range words {
		if (q.has(w.stem) || slices.Contains(x.clues, w.stem)) && !slices.Contains(out, w.lower) {
			out = append(out, w.lower)
		}
	}
	return strings.Join(out, ", ")
}
