package learn

import (
	"context"
	"errors"
	"slices"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/optarg"
)

// dropUnusedOptions omits options of OVER from candidates in which they have no effect, such as gamma with kernel =
// linear, and drops candidates that equal an earlier one then. An option that has no effect in any candidate stays, and
// is refused later.
func (t *tuning) dropUnusedOptions(ctx context.Context) error {
	idle := make([][]bool, len(t.candidates))
	for i := range t.candidates {
		err := ctx.Err()
		if err != nil {
			return err
		}
		if idle[i], err = t.unusedOptions(t.candidates[i].options); err != nil {
			return err
		}
	}
	for k := range t.stmt.Over {
		if !slices.ContainsFunc(idle, func(c []bool) bool { return !c[k] }) {
			return nil
		}
	}
	seen := map[string]bool{}
	var kept []candidate
	for i, c := range t.candidates {
		if slices.Contains(idle[i], true) {
			c.omitted = idle[i]
			if err := t.describe(&c); err != nil {
				return err
			}
			if seen[c.text] {
				continue
			}
		}
		seen[c.text] = true
		kept = append(kept, c)
	}
	t.candidates = kept
	return nil
}

// unusedOptions tells which options of OVER have no effect with the other options of a candidate. Other errors are
// reported when the training is prepared.
func (t *tuning) unusedOptions(chosen []ast.Option) ([]bool, error) {
	out := make([]bool, len(chosen))
	k := t.r.Models.Kind(t.stmt.Kind)
	if k == nil {
		return out, nil
	}
	args, err := optarg.Args(append(slices.Clone(t.stmt.With), chosen...), t.r.Env)
	if err != nil {
		return nil, err
	}
	engine, set := NewTrainOptions(k), &option.Set{}
	k.New().Options(set)
	args = slices.DeleteFunc(args, func(a option.Arg) bool {
		return engine.Set.Lookup(a.Name) != nil ||
			a.Ref != nil && set.Lookup(a.Name) != nil && set.Lookup(a.Name).Type == "features"
	})
	var faults option.Faults
	if err := set.Apply(args); errors.As(err, &faults) &&
		slices.ContainsFunc(faults, func(f option.Fault) bool { return !f.Idle }) {
		return out, nil
	}
	for i, o := range chosen {
		reason, _ := set.Spare(o.Name)
		out[i] = reason != ""
	}
	return out, nil
}
