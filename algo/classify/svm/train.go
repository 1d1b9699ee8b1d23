package svm

import (
	"context"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
)

// Train trains the machines.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	data, err := m.opt.Read(ctx, t)
	if err != nil {
		return err
	}
	x := &solver.Rows{Width: data.Alphabet.Len(), Offsets: data.AttrOffsets, Columns: data.Attrs,
		Values: plain(data.Values)}
	order := reduction.Renumber(data.Gold, data.Labels)
	o, err := m.opt.Settings.Options(t, x.Width)
	if err != nil {
		return err
	}
	if m.Machines, err = reduction.Train(ctx, x, data.Gold, data.Labels, o); err != nil {
		return err
	}
	m.Labels = reduction.Names(order, data.Names)
	data.Alphabet.Freeze()
	m.Alphabet = data.Alphabet
	if err := m.ready(); err != nil {
		return err
	}
	return reduction.Score(ctx, t, m)
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
