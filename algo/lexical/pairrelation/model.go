// Package pairrelation is the kind that labels pairs of similar terms by the relation between them,
// from allographs and synonyms to classmates and unrelated ones, and reports how the labels are
// distributed (Kuroda, Kazama and Torisawa 2010).
package pairrelation

import (
	"context"
	"fmt"
	"math"
	"time"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "pair_relation",
		Learns:   "which relation two similar terms have, by rules or learned",
		Figures:  "AntSynNET: 91 % with WordNet",
		Revision: 1,
		Doc: "relations between similar terms: labels pairs by rules or by logistic regression, with reports on judged " +
			"and labelled pairs",
		Paper: "Kuroda, Kazama and Torisawa 2010",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	kind.Base
	opt        options
	pairs      []pair   // of the input, in order
	answers    []answer // of the labeller to each of them
	classifier *classifier
}

// Options declares the options.
func (m *model) Options(s *option.Set) { m.opt.declare(s) }

// Schema tells that pairs are read and relations answered.
func (m *model) Schema() kind.Schema {
	s := kind.Schema{Tables: []kind.TableUse{pairsUse}, Scores: []kind.TableUse{pairsUse}, Relations: relations}
	for _, r := range []kind.Resource{{Kind: "kb", Name: m.opt.lexicon}, {Kind: "model", Name: m.opt.similarity},
		{Kind: "lexicon", Name: m.opt.counts}} {
		if r.Name != "" {
			s.Resources = append(s.Resources, r)
		}
	}
	return s
}

// Train reads the pairs, learns from the judged ones where the labeller does, and labels all.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	began := time.Now()
	list, same, err := readPairs(ctx, t.On)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%w: there is no pair of two different terms", kind.ErrNoData)
	}
	if same > 0 {
		t.Notice(text.Countf("%d {pair of a term with itself is|pairs of a term with itself are} left out", same))
	}
	k, err := m.opt.look(t.Resources)
	if err != nil {
		return err
	}
	if err := k.check(&m.opt); err != nil {
		return err
	}
	run := &kind.Run{Resources: t.Resources, Workers: t.Workers, Report: t.Report}
	if err := m.complete(ctx, k, list, run); err != nil {
		return err
	}
	if m.opt.labeller == "maxent" {
		if err := m.learn(ctx, t, k, list); err != nil {
			return err
		}
	}
	m.answers = make([]answer, len(list))
	if err := parallel.For(ctx, t.Workers, len(list), func(_, i int) error {
		m.answers[i] = m.label(k, list[i].term1, list[i].term2, list[i].facts)
		return nil
	}); err != nil {
		return err
	}
	for _, p := range list {
		m.pairs = append(m.pairs, *p)
	}
	t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN(),
		Seconds: time.Since(began).Seconds(), Note: text.Countf("%d {pair|pairs} labelled", len(list))})
	return nil
}

// complete adds to pairs what resources tell of them.
func (m *model) complete(ctx context.Context, k *knowledge, list []*pair, run *kind.Run) error {
	return parallel.For(ctx, run.Workers, len(list), func(_, i int) (err error) {
		p := list[i]
		p.facts, err = k.complete(ctx, p.term1, p.term2, p.facts, run)
		return err
	})
}

// learn fits the classifier to the judged pairs, in both orders of their terms.
func (m *model) learn(ctx context.Context, t *kind.Training, k *knowledge, list []*pair) error {
	var judged []*pair
	labels := map[int8]bool{}
	for _, p := range list {
		if p.label != none {
			judged = append(judged, p)
			labels[p.label] = true
		}
	}
	if len(labels) < 2 {
		return fmt.Errorf("%w: labeller = 'maxent' learns from judged pairs of at least two labels, and there are %d; "+
			"labeller = 'rules' needs none", kind.ErrNoData, len(labels))
	}
	examples := make([]example, 2*len(judged))
	if err := parallel.For(ctx, t.Workers, len(judged), func(_, i int) error {
		p := judged[i]
		x := k.rules.pair(p.term1, p.term2, p.facts)
		hits := k.rules.hits(x)
		examples[2*i] = example{k.rules.features(x, hits), class{p.label, p.dir}}
		examples[2*i+1] = example{k.rules.features(x.swapped(), swapHits(hits)), class{p.label, -p.dir}}
		return nil
	}); err != nil {
		return err
	}
	var err error
	m.classifier, err = fit(ctx, t, &m.opt, examples)
	return err
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Bytes is about what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(0)
	for i := range m.pairs {
		n += 300 + int64(len(m.pairs[i].term1)+len(m.pairs[i].term2)) + 40*int64(len(m.pairs[i].ratings))
	}
	if c := m.classifier; c != nil {
		n += int64(12*len(c.label) + 64*len(c.names))
	}
	return n
}
