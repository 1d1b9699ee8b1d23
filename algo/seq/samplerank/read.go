package samplerank

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/engine/chain"
	"parlance/algo/engine/mcmc"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/tagger"
)

// corpus is what is learned from: labelled sentences, then those without labels.
type corpus struct {
	*tagger.Data
	constraints mcmc.Constraints // of tokens without labels
}

// labelledTokens is the number of tokens with gold.
func (c *corpus) labelledTokens() int { return int(c.Offsets[c.Labelled]) }

// read reads the inputs of a training.
func (m *model) read(ctx context.Context, t *kind.Training) (*corpus, error) {
	unlabelled, rules := t.Roles["unlabelled"], t.Roles["constraints"]
	switch {
	case m.opt.objective == objectiveTruth && unlabelled != nil:
		return nil, errors.New("an input AS unlabelled is not for objective = truth; give another objective")
	case m.opt.objective != objectiveTruth && unlabelled == nil:
		return nil, fmt.Errorf("objective = %s wants documents AS unlabelled", m.opt.objective)
	case m.byConstraints() != (rules != nil):
		return nil, errors.New("an input AS constraints and an objective with constraints belong together")
	}
	set, err := m.opt.Set()
	if err != nil {
		return nil, err
	}
	target, err := m.opt.Target()
	if err != nil {
		return nil, err
	}
	f := &finder{}
	if rules != nil {
		if err := f.open(ctx, rules, m.opt.gazetteer, t.Resources); err != nil {
			return nil, err
		}
	}
	data, err := tagger.ReadWith(ctx, t.On, unlabelled, set, target, t.Resources, m.opt.MinCount, f.find)
	if err != nil {
		return nil, err
	}
	data.Notice(t, target)
	c := &corpus{Data: data}
	if unlabelled != nil && data.Sequences() == data.Labelled {
		return nil, fmt.Errorf("%w: the documents AS unlabelled have no tokens", kind.ErrNoData)
	}
	if rules == nil {
		return c, nil
	}
	addLabels(data, f.list, target)
	if data.Labels > chain.MaxLabels {
		return nil, fmt.Errorf("more than %d labels", chain.MaxLabels)
	}
	c.constraints = f.constraints(data, target)
	if len(c.constraints) == 0 {
		t.Notice("no constraint matches a token of the documents AS unlabelled")
	}
	return c, nil
}

// addLabels adds the labels that constraints name and gold lacks.
func addLabels(d *tagger.Data, list []expectation.Constraint, target tagger.Target) {
	add := func(name string) {
		if !slices.Contains(d.Names, name) {
			d.Names = append(d.Names, name)
		}
	}
	for _, l := range expectation.Labels(list) {
		if !target.Spans() || l == bio.Outside {
			add(l)
			continue
		}
		for _, mark := range target.Scheme.Marks() {
			add(mark + "-" + l)
		}
	}
	d.Labels = len(d.Names)
}

// finder finds the tokens that constraints are about while sentences are read.
type finder struct {
	list     []expectation.Constraint
	triggers *expectation.Triggers
	phrases  kind.Gazetteer
	hits     []expectation.Hit // by token of the corpus
	tokens   int32
}

// open reads the constraints.
func (f *finder) open(ctx context.Context, in kind.Input, gazetteer string, res kind.Resources) error {
	table, ok := in.Table(expectation.Table.Name)
	if !ok {
		return fmt.Errorf("%w: there are no constraints", kind.ErrNoData)
	}
	var err error
	if f.list, err = expectation.Read(ctx, table); err != nil {
		return err
	}
	for _, c := range f.list {
		if c.Kind != expectation.Token && c.Kind != expectation.Dictionary && c.Kind != expectation.Pattern {
			return fmt.Errorf("constraint in row %d: samplerank takes constraints on the labels of tokens, not %s; "+
				"give AS constraints WHERE kind IN ('token', 'dictionary', 'pattern')", c.Row, c.Kind)
		}
		if c.Direction != expectation.AtLeast && c.Direction != expectation.AtMost {
			return fmt.Errorf("constraint in row %d: samplerank takes the directions >= and <=, not %s", c.Row, c.Direction)
		}
	}
	if f.triggers, err = expectation.NewTriggers(f.list); err != nil {
		return err
	}
	switch {
	case gazetteer != "":
		f.phrases, err = res.Gazetteer(gazetteer)
	case f.triggers.Dictionaries():
		err = errors.New("constraints of kind dictionary look into a gazetteer: name it by the option gazetteer")
	}
	return err
}

// find looks into the next sentence.
func (f *finder) find(forms []string) {
	if f.triggers != nil {
		first := len(f.hits)
		f.hits = f.triggers.Match(f.hits, forms, f.phrases)
		for i := range f.hits[first:] {
			f.hits[first+i].Token += f.tokens
		}
	}
	f.tokens += int32(len(forms))
}

// constraints are those of tokens without labels. From below the strength is the target, from above 1 − target,
// with which any other label is asked for.
func (f *finder) constraints(d *tagger.Data, target tagger.Target) mcmc.Constraints {
	by := make([][]mcmc.Constraint, len(f.triggers.Names))
	for i, c := range f.list {
		above := c.Direction == expectation.AtMost
		x := mcmc.Constraint{Strength: c.Target}
		if above {
			x.Strength = 1 - c.Target
		}
		for l, name := range d.Names {
			if target.Spans() && name != bio.Outside {
				_, name = bio.Split(name)
			}
			if (name == c.Label) != above {
				x.Labels = append(x.Labels, int32(l))
			}
		}
		k := f.triggers.Of(i)
		by[k] = append(by[k], x)
	}
	out := mcmc.Constraints{}
	first := d.Offsets[d.Labelled]
	for _, h := range f.hits {
		if h.Token >= int32(first) {
			out[int(h.Token)] = append(out[int(h.Token)], by[h.Trigger]...)
		}
	}
	return out
}
