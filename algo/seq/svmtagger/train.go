package svmtagger

import (
	"context"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/seq/labelhistory"
)

// Train trains the machines with the gold labels before each token as features.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	data, err := m.opt.Read(ctx, t)
	if err != nil {
		return err
	}
	if c := m.split(); c != "" {
		if err := splitOutside(ctx, t.On, data, c); err != nil {
			return err
		}
	}
	order := reduction.Renumber(data.Gold, data.Labels)
	m.Labels = reduction.Names(order, data.Names)
	data.Alphabet.Freeze()
	class, label := data.Gold, []uint16(nil)
	if m.merges() {
		var names []string
		label, names = outcomes(m.Labels)
		data.Gold, data.Names, data.Labels = make([]uint16, len(class)), names, len(names)
		for i, c := range class {
			data.Gold[i] = label[c]
		}
	}
	m.Alphabet = data.Alphabet
	if m.joint, err = labelhistory.Expand(ctx, data, 1); err != nil {
		return err
	}
	x := &solver.Rows{Width: data.Attributes, Offsets: data.AttrOffsets, Columns: data.Attrs}
	o, err := m.opt.Settings.Options(t, x.Width)
	if err != nil {
		return err
	}
	o.Label = label
	if m.Machines, err = reduction.Train(ctx, x, class, len(order), o); err != nil {
		return err
	}
	t.Notice(m.Machines.Summary())
	if err := m.ready(); err != nil {
		return err
	}
	return reduction.Score(ctx, t, m)
}
