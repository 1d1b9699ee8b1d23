package gec

import (
	"context"
	"errors"
	"fmt"

	"parlance/algo/correct/gecmodule"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

// newModule is an untrained module of the model's own.
func (m *model) newModule(name string) (kind.Model, error) {
	own, s := gecmodule.Kind().New(), &option.Set{}
	own.Options(s)
	args := []option.Arg{{Name: "module", Value: value.Str(name)}, {Name: "beta", Value: value.Real(m.beta)}}
	if m.ngrams != "" {
		args = append(args, option.Arg{Name: "ngrams", Value: value.Str(m.ngrams)})
	}
	if gecmodule.NeedsNgrams(name) && m.ngrams == "" {
		return nil, fmt.Errorf("module %s needs n-grams", name)
	}
	return own, s.Apply(args)
}

// heldOut: one document of this many is not learned from by modules of the model's own, where the regression has
// no text of its own.
const heldOut = 5

// trainOwn trains modules on ON, and returns the documents that the regression is fitted to.
func (m *model) trainOwn(ctx context.Context, in *kind.Training) (kind.Input, error) {
	var docs, held kind.Documents
	goal := in.Roles[target]
	n := 0
	for d, err := range in.On.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n%heldOut == 0 && goal == nil {
			held = append(held, d)
		} else {
			docs = append(docs, d)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	part := *in
	part.On = docs
	m.own = nil
	for _, name := range gecmodule.Names() {
		if gecmodule.NeedsNgrams(name) && m.ngrams == "" {
			in.Notice("module " + name + " is left out: it needs n-grams of native text, which option ngrams names")
			continue
		}
		own, err := m.newModule(name)
		if err != nil {
			return nil, err
		}
		if err := own.Train(ctx, &part); errors.Is(err, kind.ErrNoData) {
			in.Notice("module " + name + " is left out: " + err.Error())
			continue
		} else if err != nil {
			return nil, fmt.Errorf("module %s: %w", name, err)
		}
		m.own = append(m.own, own)
	}
	if len(m.own) == 0 {
		return nil, fmt.Errorf("%w: no module learns from %d documents", kind.ErrNoData, len(docs))
	}
	if goal != nil {
		return goal, nil
	}
	return held, nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	n := int64(1 << 12)
	for _, own := range m.own {
		n += own.(kind.Sized).Bytes()
	}
	return n
}
