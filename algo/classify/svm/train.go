package svm

import (
	"context"
	"math"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
)

// Train trains the machines.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	data, err := m.read(ctx, t)
	if err != nil {
		return err
	}
	x := &solver.Rows{Width: data.Alphabet.Len(), Offsets: data.AttrOffsets, Columns: data.Attrs, Values: plain(data.Values)}
	order := reduction.Renumber(data.Gold, data.Labels)
	o, err := m.opt.Settings.Options(t, x.Width)
	if err != nil {
		return err
	}
	if m.Machines, err = reduction.Train(ctx, x, data.Gold, data.Labels, o); err != nil {
		return err
	}
	m.Labels = make([]string, len(order))
	for i, old := range order {
		m.Labels[i] = data.Names[old]
	}
	data.Alphabet.Freeze()
	m.Alphabet = data.Alphabet
	if err := m.ready(); err != nil || t.Score == nil {
		return err
	}
	score, metric, err := t.Score(ctx, m)
	if err == nil {
		t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: score, Metric: metric})
	}
	return err
}

// read turns the inputs into items.
func (m *model) read(ctx context.Context, t *kind.Training) (*tagger.Data, error) {
	set, err := m.features()
	if err != nil {
		return nil, err
	}
	if m.classifies() {
		return tagger.ReadDocuments(ctx, t.On, set, t.Resources, m.opt.minCount)
	}
	target, err := m.target()
	if err != nil {
		return nil, err
	}
	d, err := tagger.Read(ctx, t.On, set, target, t.Resources, m.opt.minCount)
	if err == nil {
		d.Notice(t, target)
	}
	return d, err
}

// plain is values, nil if all are 1.
func plain(values []float32) []float32 {
	for _, v := range values {
		if v != 1 {
			return values
		}
	}
	return nil
}
