package tagparser

import (
	"context"
	"fmt"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "tag_parser",
		Learns:   "trees of phrases with their heads, n best; `prob` is a score",
		Figures:  "English Web Treebank: F1 85.6 with gold tags, 81.6 with those of `perceptron`",
		Revision: 1,
		Doc: "parser of phrase structure with its heads: each word has a spine of phrases, and spines adjoin to " +
			"each other; exact search, averaged perceptron",
		Paper: "Carreras, Collins and Koo 2008",
		New:   func() kind.Model { return &model{} },
	}
}

type settings struct {
	tags, heads, pruner  string
	beam, spineMass      float64
	order                int
	epochs, prunerEpochs int
	folds, bits, samples int
	maxLength            int
}

type model struct {
	kind.Base
	opt settings
	*trained
}

// trained is a parser with its weights.
type trained struct {
	g      *grammar
	pruner *pruner
	q      []int8
	unit   float64
	order  int
	t      table
	scale  float64 // of scores, to be logarithms of weights of derivations
	pairs  *sync.Map
	pool   *sync.Pool
}

// newTrained makes a parser of settled weights.
func newTrained(g *grammar, p *pruner, q []int8, unit float64, shift uint, order int) *trained {
	m := &trained{g: g, pruner: p, q: q, unit: unit, order: order, t: table{make([]float32, len(q)), shift}, scale: 1,
		pairs: &sync.Map{}}
	for i, x := range q {
		m.t.w[i] = float32(float64(x) * unit)
	}
	m.pool = &sync.Pool{New: func() any { return newParser(m) }}
	return m
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.tags, "tags", "xpos", []string{"xpos", "upos"}, "column of tokens with the tags, which a tagger may "+
		"have written")
	s.Text(&o.heads, "heads", "collins", "which child of a phrase is its head: collins (English), left, right, or "+
		"rules such as "+
		"NP right-any NN NNS; VP left VBD VB VP; * left")
	s.Check("heads", func() error { _, err := constituent.Heads(o.heads); return err })
	s.Int(&o.order, "order", 2, 1, 2, "1: arcs are scored alone; 2: with the next modifier of the head and the "+
		"outermost ones of "+
		"the modifier: better, and some times slower")
	s.Float(&o.beam, "beam", 1e-4, 0, 0.5, "arcs with a label that are less probable than this fraction of the likeliest "+
		"one to a "+
		"token are left out; where that leaves no tree, more is tried").In(option.Predict)
	s.Float(&o.spineMass, "spine_mass", 0.999, 0.5, 1, "the most frequent spines of a tag, with this share of its "+
		"tokens, are used")
	s.Int(&o.epochs, "epochs", 5, 1, 1000, "passes over the sentences; with VALIDATE, the best of them is kept")
	s.Choice(&o.pruner, "pruner", byArcs, []string{byArcs, byLabels}, "what prunes: a parser of arcs, times the share "+
		"of a label among arcs between the two tags, or three parsers of arcs with a part of the label each, which "+
		"take longer")
	s.Int(&o.prunerEpochs, "pruner_epochs", 8, 1, 100, "passes of the parser of arcs that prunes")
	s.Int(&o.folds, "pruner_folds", 2, 1, 20, "parts of the training data, each pruned by a parser that learned from the "+
		"others; 1: by the one that learned from all")
	s.Int(&o.bits, "bits", 0, 0, 26, "weights stand in a table of 2^bits places by hashed features; 0: by the number "+
		"of tokens, 22 at most")
	s.Int(&o.samples, "samples", 100, 10, 10000, "derivations that are drawn for the probabilities of phrases").In(
		option.Predict)
	s.Int(&o.maxLength, "max_length", 120, 10, 250, "longer sentences are not learned from, and are parsed in pieces")
}

// Schema tells what is read, learned and written.
func (m *model) Schema() kind.Schema {
	trees := kind.LayerUse{Layer: text.Constituents.Name}
	return kind.Schema{Unit: kind.PerDocument, Prob: kind.Score, Defs: []*text.LayerDef{constituent.Parses},
		Reads:  []kind.LayerUse{{Layer: text.Tokens.Name, Columns: []string{"form", m.opt.tags}}},
		Learns: []kind.LayerUse{trees},
		Writes: []kind.LayerUse{trees, {Layer: text.Dependencies.Name}, {Layer: constituent.Parses.Name}},
		Ranked: []string{trees.Layer, text.Dependencies.Name, constituent.Parses.Name}, Relations: []kind.Relation{spines}}
}

// Train reads the derivations, learns what prunes them, then the weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	r, err := read(ctx, t.On, m)
	if err != nil {
		return err
	}
	r.notice(t, m)
	r.g.crossed = m.opt.pruner == byLabels
	p, err := newPruner(m.opt.pruner == byLabels, prunerBits, m.opt.prunerEpochs)
	if err != nil {
		return err
	}
	if t.Resume == nil { // else the checkpoint has it
		if p, err = m.prune(ctx, r, t); err != nil {
			return err
		}
	}
	l := newLearner(r, m, t)
	defer l.pool.Close()
	if m.trained, err = l.fit(ctx, m, p, t); err != nil || t.NoProb {
		return err
	}
	return m.trained.fitScale(ctx, r.examples, m.opt.beam)
}

func (r *reader) notice(t *kind.Training, m *model) {
	r.faults.Tell(t.Notice)
	if r.noTree > 0 {
		t.Notice(text.Countf("%d {sentence without a tree is|sentences without a tree are} left out", r.noTree))
	}
	if r.tooLong > 0 {
		t.Notice(text.Countf("%d {sentence is|sentences are} left out, of more than max_length = %d tokens", r.tooLong,
			m.opt.maxLength))
	}
}

// prune trains the pruner and sets the candidate arcs of all examples, those of a part by a pruner that did not see it.
func (m *model) prune(ctx context.Context, r *reader, t *kind.Training) (*pruner, error) {
	all, err := m.trainPruner(ctx, t, r.g, r.examples, "pruner")
	if err != nil {
		return nil, err
	}
	folds := min(m.opt.folds, len(r.examples))
	for f := range folds {
		var part, rest []*example
		for i, x := range r.examples {
			if i*folds/len(r.examples) == f {
				part = append(part, x)
			} else {
				rest = append(rest, x)
			}
		}
		p := all
		if folds > 1 {
			if p, err = m.trainPruner(ctx, t, r.g, rest, fmt.Sprintf("pruner without part %d of %d", f+1, folds)); err != nil {
				return nil, err
			}
		}
		if err := p.set(ctx, r.g, part); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (m *model) trainPruner(ctx context.Context, t *kind.Training, g *grammar, list []*example,
	name string) (*pruner, error) {
	p, err := newPruner(m.opt.pruner == byLabels, prunerBits, m.opt.prunerEpochs)
	if err != nil {
		return nil, err
	}
	return p, p.train(ctx, t, g, list, name)
}

// set gives examples their candidate arcs.
func (p *pruner) set(ctx context.Context, g *grammar, list []*example) error {
	for _, x := range list {
		arcs, err := p.arcs(ctx, g, [][]string{x.words}, [][]string{x.tags})
		if err != nil {
			return err
		}
		x.arcs = arcs[0]
	}
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(5*len(m.q) + 20*len(m.g.pairs))
	for _, p := range m.pruner.ms {
		if s, ok := p.(kind.Sized); ok {
			n += s.Bytes()
		}
	}
	return n
}
