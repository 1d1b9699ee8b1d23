// Package whyqa answers why-questions, and others, by passages of a corpus (Oh, Torisawa, Hashimoto, Kawada, De Saeger,
// Kazama and Wang 2012).
//
// A full-text index gives the documents with all terms of the question and the best of those with any. They are cut
// into passages of some sentences, which are ranked by how near the terms stand to each other. The best of them are
// ranked anew by a linear model of n-grams, of classes of words and of sentiment, where judged passages were there to
// learn it from.
package whyqa

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "why_qa",
		Learns: "passages of a corpus that answer a question: `why.answers('Why do leaves turn red?')`, without " +
			"training by BM25 or distances of terms, ranked anew where judged passages are there",
		Figures:  "WikiQA dev: first passage right 41 % by BM25, 53 by distances, 59 ranked anew",
		Revision: 1,
		Doc: "answers why-questions by passages of a corpus, ranked by distances of terms or BM25, and anew by what " +
			"judged passages teach",
		Paper: "Oh, Torisawa, Hashimoto, Kawada, De Saeger, Kazama and Wang 2012",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt   options
	stats statistics
	// The ranker: weights of dense features, and of n-grams by their hashes, which rise. Without judged passages there
	// is none, and ranked is false.
	ranked  bool
	dense   []float64
	hashes  []uint64
	weights []float64
}

const roleJudged = "judged"

var judgedTable = kind.TableUse{Name: roleJudged, Doc: "passages judged for questions; of several judgements of a " +
	"passage more than half have to be right", Columns: []kind.Column{
	{Name: "question", Type: value.Text, Doc: "the question"},
	{Name: "passage", Type: value.Text, Doc: "a passage, as text"},
	{Name: "label", Type: value.Integer, Doc: "above 0 where the passage answers the question"},
}}

var answersRelation = kind.Relation{Name: "answers", Doc: "passages that may answer a question, the best first",
	Columns: []kind.Column{
		{Name: "passage", Type: value.Text, Doc: "the text of the passage"},
		{Name: "score", Type: value.Float, Doc: "of the ranker, without one of the method; it orders passages"},
		{Name: "rank", Type: value.Integer, Doc: "place, from 1"},
		{Name: "doc", Type: value.Text, Doc: "id of the document"},
		{Name: "first_sent", Type: value.Integer, Doc: "number of the first sentence in the document, from 1"},
		{Name: "last_sent", Type: value.Integer, Doc: "number of the last sentence"},
		{Name: "evidence", Type: value.Text,
			Doc: "words of the passage that are terms of the question or clue terms, " +
				"each once"},
	},
	Args: []kind.Arg{{Name: "question", Type: value.Text, Doc: "the question; words between others are enough"}}}

// Options declares the options.
func (m *model) Options(s *option.Set) { m.opt.declare(s) }

// Schema tells that texts are read, where they are stored with their sentences, and no layer is written.
func (m *model) Schema() kind.Schema {
	return kind.Schema{Unit: kind.PerDocument,
		Reads:     []kind.LayerUse{{Layer: text.Sentences.Name, Optional: true}},
		Resources: m.opt.resources(),
		Relations: []kind.Relation{answersRelation},
		Scores:    []kind.TableUse{judgedTable},
		Roles: []kind.Role{{Name: roleJudged,
			Doc: "judged passages that the ranker learns from; without them passages " +
				"are ranked by the method alone", Tables: []kind.TableUse{judgedTable}, Optional: true, Train: true}}}
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Train counts documents by their words, and learns the ranker where there are judged passages.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if err := m.count(ctx, t); err != nil {
		return err
	}
	if judged := t.Roles[roleJudged]; judged != nil {
		if err := m.learn(ctx, t, judged); err != nil {
			return err
		}
	}
	x, err := m.extractor(t.Resources)
	if err != nil {
		return err
	}
	if m.opt.passages != "" && x.corpus == nil {
		return fmt.Errorf("option passages: corpus %s is not at hand", m.opt.passages)
	}
	if m.opt.passages == "" {
		t.Notice("the model ranks passages that it is given, but searches no corpus: its relation answers needs " +
			"WITH (passages = the name of a corpus)")
	}
	return ctx.Err()
}

// count takes the statistics of the documents.
func (m *model) count(ctx context.Context, t *kind.Training) error {
	m.stats = statistics{frequency: map[string]uint32{}}
	windows, length := 0, 0
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		words, sentences := cut(d.Text, stored(d))
		seen := map[string]bool{}
		for _, w := range words {
			if !seen[w.stem] {
				seen[w.stem] = true
				m.stats.frequency[w.stem]++
			}
		}
		for _, w := range m.opt.windows(sentences) {
			windows++
			length += sentences[w[1]-1].last - sentences[w[0]].first
		}
		m.stats.Documents++
	}
	if windows == 0 {
		return fmt.Errorf("%w: no document has a sentence to count words in", kind.ErrNoData)
	}
	m.stats.Length = float64(length) / float64(windows)
	return nil
}

// stored are the stored sentences of a document, nil where there are none, or where they overlap.
func stored(d *text.Document) (out [][2]int) {
	l := d.Layer(text.Sentences.Name)
	if l == nil || l.N == 0 {
		return nil
	}
	from, to := l.Ints("char_start"), l.Ints("char_end")
	if from == nil || to == nil {
		return nil
	}
	end := 0
	for i := range l.N {
		b := [2]int{int(from[i]), int(to[i])}
		if b[0] < end || b[1] < b[0] || b[1] > len(d.Text) {
			return nil
		}
		end = b[1]
		out = append(out, b)
	}
	return out
}

// windows are the passages of a document as ranges of sentences: of the option window, each sharing the option overlap
// with the one before, the last one what is left.
func (o *options) windows(sentences []sentence) (out [][2]int) {
	for i := 0; i < len(sentences); i += o.window - o.overlap {
		end := min(i+o.window, len(sentences))
		out = append(out, [2]int{i, end})
		if end == len(sentences) {
			break
		}
	}
	return out
}

// engine is an extractor with the corpus to search. It serves one goroutine.
type engine struct {
	extractor
	corpus kind.Corpus // nil without the option passages
}

// extractor opens what the options name.
func (m *model) extractor(res kind.Resources) (*engine, error) {
	e := &engine{extractor: extractor{opt: &m.opt, stats: &m.stats, known: map[string]token{}}}
	for _, c := range m.opt.clues {
		e.clues = append(e.clues, stem(lower(c)))
	}
	if len(m.opt.resources()) == 0 {
		return e, nil
	}
	if res == nil {
		return nil, fmt.Errorf("what the options passages, classes and polarity name is not at hand")
	}
	var err error
	if m.opt.passages != "" {
		if e.corpus, err = res.Corpus(m.opt.passages); err != nil {
			return nil, fmt.Errorf("option passages: %w", err)
		}
	}
	if m.opt.classes != "" {
		if e.classes, err = res.Lexicon(m.opt.classes); err != nil {
			return nil, fmt.Errorf("option classes: %w", err)
		}
		columns := e.classes.Columns()
		if len(columns) < 2 {
			return nil, fmt.Errorf("option classes: %s has one column; its second is the class of the word",
				m.opt.classes)
		}
		e.class = columns[1]
	}
	if m.opt.polarity != "" {
		if e.polarity, err = res.Lexicon(m.opt.polarity); err != nil {
			return nil, fmt.Errorf("option polarity: %w", err)
		}
		if !slices.Contains(e.polarity.Columns(), polarityColumn) {
			return nil, fmt.Errorf("option polarity: %s has no column %s, which says positive or negative",
				m.opt.polarity,
				polarityColumn)
		}
	}
	return e, nil
}
