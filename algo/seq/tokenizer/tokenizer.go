package tokenizer

import (
	"context"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "tokenizer",
		Learns: "sentences and tokens of raw text, as a treebank cuts it: `tokens(TEXT '…') USING tok`, and " +
			"models above it",
		Figures: "English EWT dev from raw text: F1 99.1 of words, 90.8 of boundaries between sentences, 82.6 of " +
			"whole ones; by rules 98.4, 78.8, 66.4",
		Revision: 1,
		Doc: "cuts text into sentences and tokens, as annotated text cuts it: chunks between white spaces as they " +
			"were seen, others by their characters; then sentences by the tokens around their boundaries",
		Paper: "Evang, Basile, Chrupała and Bos 2013; Lafferty, McCallum and Pereira 2001",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt struct {
		l2, prune            float64
		iterations, minCount int
		lines, characters    string
		sentences            string
	}
	known     dictionary
	chunk     cutter // labels characters
	sentences cutter // labels tokens
}

// How line feeds are read.
const (
	asBlank  = "blank"
	asLearnt = "learn"
)

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Float(&o.l2, "l2", 1, 0, math.Inf(1), "weight of the penalty ½·l2·|w|² of both models")
	s.Int(&o.iterations, "iterations", 60, 1, math.MaxInt32, "iterations of L-BFGS at most, of each model")
	s.Float(&o.prune, "prune", 0.01, 0, math.Inf(1), "weights of attributes that are nearer to 0 are left out after "+
		"training; most are, and the model is a tenth as large without them")
	s.Int(&o.minCount, "min_count", 1, 1, math.MaxInt32, "chunks between white spaces that were seen as often are cut as "+
		"they were")
	s.Choice(&o.lines, "lines", asBlank, []string{asBlank, asLearnt}, "blank: a single line feed is read as a blank, as "+
		"in files that break their lines, and in text that LOAD rebuilds with one sentence a line; learn: it is a feature "+
		"of where sentences begin. A blank line always ends a sentence")
	s.Features(&o.characters, "character_features", "",
		"templates over the characters of a chunk: form is the character, "+
			"xpos its class, lemma and feats the letters and digits before and behind it").Standing(func() string {
		return characterFeatures
	})
	s.Features(&o.sentences, "sentence_features", "", "templates over the tokens of a paragraph; xpos tells of the white "+
		"space before a token, 0 none, 1 some, n a line feed").Standing(func() string { return sentenceFeatures })
	s.Check("character_features", func() error { return m.chunk.declare(o.characters, characterFeatures) })
	s.Check("sentence_features", func() error { return m.sentences.declare(o.sentences, sentenceFeatures) })
}

// Schema tells that tokens are learned and written as a whole.
func (m *model) Schema() kind.Schema {
	return kind.Schema{
		Unit:      kind.PerDocument,
		Learns:    []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form"}}},
		Writes:    []kind.LayerUse{{Layer: text.Tokens.Name}},
		Prob:      kind.Score,
		Relations: relations,
	}
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := m.chunk.bytes() + m.sentences.bytes()
	for chunk := range m.known {
		n += int64(len(chunk)) + 80
	}
	return n
}

var _ kind.Sized = (*model)(nil)

// cutter is one of the two models: a tagger of labels of a made-up document.
type cutter struct {
	tagger.Trained
	task   tagger.Task
	label  *tagger.Labeler
	single bool // all labels were B: nothing was learned
}

// declare sets the templates.
func (c *cutter) declare(given, standard string) error {
	if given == "" {
		given = standard
	}
	c.task = tagger.Task{Layer: labelColumn, Features: given, Scheme: "bio", MinCount: 2}
	_, err := c.task.Set()
	return err
}

func (c *cutter) bytes() int64 {
	if c.single {
		return 0
	}
	return c.Trained.Bytes()
}

// fit learns the labels of documents. Where all are the same, it answers B.
func (c *cutter) fit(ctx context.Context, t *kind.Training, docs kind.Documents, m *model) error {
	varied := false
	for _, d := range docs {
		labels := d.Layer(text.Tokens.Name).Strs(labelColumn)
		for i := range labels {
			varied = varied || labels[i] == inside
		}
	}
	if c.single = !varied; c.single {
		return ctx.Err()
	}
	here := *t
	here.On, here.Score, here.Validate, here.Save, here.Resume = docs, nil, nil, nil, nil
	data, err := c.task.Read(ctx, &here)
	if err != nil {
		return err
	}
	w, err := tagger.Train(ctx, &here, data, tagger.Fit{ValidateEvery: 1, Options: chain.Options{
		L2: m.opt.l2, Iterations: m.opt.iterations, Memory: 10, Epsilon: 1e-4, Period: 10, Delta: 1e-3, WarmStart: true,
		AllTransitions: true}})
	if err != nil {
		return err
	}
	if err := c.Keep(ctx, data, w.Prune(m.opt.prune)); err != nil {
		return err
	}
	return c.ready()
}

func (c *cutter) ready() (err error) {
	c.label, err = c.task.Labeler("tokenizer", &c.Trained, false, tagger.NewSearch(c.Chain))
	return err
}

// labels are those of the tokens of a document, with their probabilities where they are wanted.
func (c *cutter) labels(ctx context.Context, d *text.Document, run *kind.Run, prob bool) ([]string, []float64, error) {
	n := d.Layer(text.Tokens.Name).N
	if c.single || n == 0 {
		out := make([]string, n)
		for i := range out {
			out[i] = begins
		}
		return out, nil, nil
	}
	here := *run
	here.Prob, here.NBest, here.Wanted = prob, 0, nil
	if err := c.label.Annotate(ctx, []*text.Document{d}, &here); err != nil {
		return nil, nil, err
	}
	l := d.Layer(text.Tokens.Name)
	return l.Strs(labelColumn), l.Prob, nil
}

func (c *cutter) encode(w *kind.Writer) error {
	if err := w.JSON("single", c.single); err != nil || c.single {
		return err
	}
	return c.Encode(w)
}

func (c *cutter) decode(r *kind.Reader) (err error) {
	if err := r.JSON("single", &c.single); err != nil || c.single {
		return err
	}
	if c.Trained, err = tagger.DecodeTrained(r, func(int) int { return 0 }); err != nil {
		return err
	}
	return c.ready()
}

// Encode writes the dictionary and both models.
func (m *model) Encode(w *kind.Writer) error {
	if err := m.known.encode(w); err != nil {
		return err
	}
	if err := w.Within("characters", m.chunk.encode); err != nil {
		return err
	}
	return w.Within("sentences", m.sentences.encode)
}

// Decode reads them.
func (m *model) Decode(r *kind.Reader) (err error) {
	if m.known, err = decodeDictionary(r); err != nil {
		return err
	}
	if err := m.chunk.decode(r.Within("characters")); err != nil {
		return err
	}
	return m.sentences.decode(r.Within("sentences"))
}
