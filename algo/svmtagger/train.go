package svmtagger

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/bio"
	"parlance/algo/chain"
	"parlance/algo/history"
	"parlance/algo/kind"
	"parlance/algo/svm/machines"
	"parlance/algo/svm/solver"
	"parlance/algo/tagger"
)

// Train trains the machines with the gold labels before each token as features.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	set, err := m.set()
	if err != nil {
		return err
	}
	target, err := m.target()
	if err != nil {
		return err
	}
	data, err := tagger.Read(ctx, t.On, set, target, t.Resources, m.opt.minCount)
	if err != nil {
		return err
	}
	data.Notice(t, target)
	if c := m.split(); c != "" {
		if err := splitOutside(ctx, t.On, data, c); err != nil {
			return err
		}
	}
	order := machines.Renumber(data.Gold, data.Labels)
	m.labels = make([]string, len(order))
	for i, old := range order {
		m.labels[i] = data.Names[old]
	}
	data.Alphabet.Freeze()
	m.alphabet, m.joint = data.Alphabet, history.Expand(data, 1)
	x := &solver.Rows{Width: data.Attributes, Offsets: data.AttrOffsets, Columns: data.Attrs}
	o, err := m.opt.Settings.Options(t, x.Width)
	if err != nil {
		return err
	}
	if m.machines, err = machines.Train(ctx, x, data.Gold, data.Labels, o); err != nil {
		return err
	}
	t.Notice(m.machines.Summary())
	if err := m.ready(); err != nil || t.Score == nil {
		return err
	}
	score, metric, err := t.Score(ctx, m)
	if err == nil {
		t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: score, Metric: metric})
	}
	return err
}

// splitOutside gives tokens of class O the class O-v by their value v of a column (Kazama et al.
// 2002, section 4). Data of spans has every token of every document.
func splitOutside(ctx context.Context, in kind.Input, data *tagger.Data, column string) error {
	outside, at := -1, 0
	for i, l := range data.Names {
		if l == bio.Outside {
			outside = i
		}
	}
	part := map[string]uint16{}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return err
		}
		toks := d.Layer("tokens")
		if toks == nil {
			continue
		}
		values, bounds := toks.Strs(column), d.SentenceTokens()
		if len(bounds) == 0 {
			continue
		}
		for i := bounds[0]; i < bounds[len(bounds)-1]; i++ {
			if int(data.Gold[at]) == outside && values != nil && values[i] != "" {
				id, ok := part[values[i]]
				if !ok {
					if len(data.Names) == chain.MaxLabels {
						return fmt.Errorf("split_o: tokens.%s has too many values", column)
					}
					id = uint16(len(data.Names))
					part[values[i]] = id
					data.Names = append(data.Names, bio.Outside+"-"+values[i])
				}
				data.Gold[at] = id
			}
			at++
		}
	}
	if len(part) == 0 {
		return fmt.Errorf("split_o: no token outside has a value of tokens.%s; leave split_o out, or annotate the column first", column)
	}
	data.Labels = len(data.Names)
	dropEmpty(data, outside)
	return nil
}

// dropEmpty removes class O where no token is left in it.
func dropEmpty(data *tagger.Data, class int) {
	for _, y := range data.Gold {
		if int(y) == class {
			return
		}
	}
	data.Names = append(data.Names[:class:class], data.Names[class+1:]...)
	data.Labels--
	for i, y := range data.Gold {
		if int(y) > class {
			data.Gold[i]--
		}
	}
}
