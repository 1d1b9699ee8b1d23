// Package universalschema is the kind of matrix factorisation with universal schemas (Riedel et al.
// 2013): pairs of entities are rows, relations and textual patterns are columns, and cells that are
// likely are told by factors, by the other relations of the pair, and by its entities.
package universalschema

import (
	"context"
	"fmt"
	"math"
	"strings"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/option"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "universal_schema",
		Learns:   "the same, where relations are patterns of text too: by the other relations of a pair",
		Figures:  "Kinship, filtered MRR: 0.30",
		Revision: 2,
		Doc: "completes a knowledge base of relations and textual patterns by the other relations of pairs of entities: " +
			"factors, neighbours, entities",
		Paper: "Riedel, Yao, McCallum and Marlin 2013",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	triples.Answers `state:""`
	theta           `state:""`
	opt             struct {
		triples.Descent
		parts, loss      string
		types            triples.Types
		dim, corruptions int
		rate, l2         float64
	}
}

// maxNeighbours bounds the table of pairs of relations, 8 bytes each.
const maxNeighbours = 8192

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Choice(&o.parts, "model", "nfe", []string{"f", "n", "e", "nf", "fe", "ne", "nfe"},
		"parts of the score: factors of pairs and relations (f), weights of the other relations of the pair (n), factors "+
			"of entities and places of relations (e); pairs without a fact have the last only")
	s.Int(&o.dim, "dim", 50, 1, 10_000, "number of factors; those of pairs take 8 bytes each for every pair with a fact")
	s.Choice(&o.loss, "loss", "bpr", []string{"bpr", "logistic"}, "a fact shall score higher than a pair without the "+
		"relation (Rendle et al. 2009); or the one more, the other less than 0")
	s.Int(&o.corruptions, "corruptions", 1, 1, 10_000,
		"pairs without the relation that are drawn for a fact, never one that has it in an input AS known")
	s.Float(&o.rate, "rate", 0.05, 0, math.Inf(1), "learning rate")
	s.Float(&o.l2, "l2", 0.1, 0, math.Inf(1), "penalty ½·l2·‖w‖² of what a step changes")
	o.types.Options(s, "none")
	o.Descent.Options(s, 30, 5)
	m.Answers.Options(s)
	m.Scorer = m
}

// Train descends fact by fact, one after the other.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	d, err := triples.Read(ctx, t.On)
	if err != nil {
		return err
	}
	if n := d.Relations.Len(); n > maxNeighbours && strings.Contains(m.opt.parts, "n") {
		return fmt.Errorf(
			"model = %s keeps a weight for every two relations, of which there are %d; at most %d are possible, or model = fe",
			m.opt.parts, n, maxNeighbours)
	}
	known, err := d.Known(ctx, t)
	if err != nil {
		return err
	}
	if err := m.Learn(ctx, d, m.opt.types, t); err != nil {
		return err
	}
	m.theta = newTheta(d.Graph, m.opt.parts, m.opt.dim)
	m.start(t.Seed)
	tr := &trainer{model: m, data: d, besides: triples.NewIndex(d.Relations.Len(), known), seed: t.Seed}
	descent := m.opt.Descent
	descent.Params = m.parameters()
	return descent.Run(ctx, t, m, tr.epoch)
}
