// Package transe is the kind of translation embeddings (Bordes et al. 2013): entities and relations
// are vectors, and a relation moves its subjects to its objects.
package transe

import (
	"context"
	"math"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/option"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "transe",
		Learns:   "the same, by vectors of entities that a relation moves",
		Figures:  "Kinship, filtered MRR: 0.33",
		Revision: 2,
		Doc:      "completes a knowledge base by translation embeddings: subject + relation is near object",
		Paper:    "Bordes, Usunier, Garcia-Duran, Weston and Yakhnenko 2013",
		New:      func() kind.Model { return &model{} },
	}
}

type model struct {
	triples.Answers `state:""`
	vectors         `state:""`
	opt             struct {
		triples.Descent
		dim, batches, corruptions int
		norm, corruption          string
		types                     triples.Types
		margin, rate              float64
		filtered                  bool
	}
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Int(&o.dim, "dim", 50, 1, 10_000, "length of the vectors")
	s.Choice(&o.norm, "norm", "l1", []string{"l1", "l2"},
		"distance of subject + relation and object: the sum of absolute differences, or of squared ones")
	s.Float(&o.margin, "margin", 1, 0, math.Inf(1), "by how much corrupted triples shall be farther")
	s.Float(&o.rate, "rate", 0.01, 0, math.Inf(1), "learning rate; the gradients of a batch are summed")
	s.Int(&o.batches, "batches", 100, 1, math.MaxInt32, "batches an epoch")
	s.Int(&o.corruptions, "corruptions", 1, 1, 10_000, "corrupted triples a fact")
	s.Choice(&o.corruption, "corruption", "uniform", []string{"uniform", "bernoulli"},
		"which side of a fact is replaced: either as often; the one where fewer entities stand in a fact more often (Wang "+
			"et al. 2014)")
	s.Bool(&o.filtered, "filtered", false, "corrupted triples are never facts; those of an input AS known they never are")
	o.types.Options(s, "none")
	o.Descent.Options(s, 500, 20)
	m.Answers.Options(s)
	m.Scorer = m
}

// Train descends by batches. The gradients of a batch are taken at the same vectors and added up
// entity by entity in the order of the batch, so that any number of workers gives the same bytes.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	d, err := triples.Read(ctx, t.On)
	if err != nil {
		return err
	}
	known, err := d.Known(ctx, t)
	if err != nil {
		return err
	}
	if err := m.Learn(ctx, d, m.opt.types, t); err != nil {
		return err
	}
	m.vectors = start(d, m.opt.dim, m.opt.norm == "l1", t.Seed)
	m.measure()
	descent := m.opt.Descent
	descent.Params = [][]float64{m.EntityVectors, m.RelationVectors}
	if err := descent.Run(ctx, t, m, m.trainer(d, known, t).epoch); err != nil {
		return err
	}
	m.measure()
	return nil
}
