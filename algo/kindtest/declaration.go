package kindtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// reservedOptions and reservedRelations are what the engine gives to every model.
var (
	reservedOptions   = []string{"seed", "init", "inputs", "nbest"}
	reservedRelations = []string{"versions", "options", "trace"}
)

func checkDeclaration(_ context.Context, s *subject) error {
	k := s.kind
	switch {
	case !nameForm.MatchString(k.Name):
		return fmt.Errorf("the name %q is no name in lower case", k.Name)
	case k.Doc == "":
		return fmt.Errorf("%s has no documentation", k.Name)
	case k.Revision < 1:
		return fmt.Errorf("%s has revision %d, the first is 1", k.Name, k.Revision)
	case k.New == nil || k.New() == nil:
		return fmt.Errorf("%s makes no model", k.Name)
	}
	return nil
}

// fresh returns the declared options of a new model.
func (s *subject) fresh() *option.Set {
	set := &option.Set{}
	s.kind.New().Options(set)
	return set
}

func checkOptions(_ context.Context, s *subject) error {
	set := s.fresh()
	if err := set.Apply(nil); err != nil {
		return fmt.Errorf("the defaults are refused: %w", err)
	}
	var errs []error
	for _, d := range set.Decls() {
		switch {
		case !nameForm.MatchString(d.Name) || slices.Contains(reservedOptions, d.Name):
			errs = append(errs, fmt.Errorf("option %q: not a name in lower case, or one that every model has", d.Name))
		case d.Doc == "":
			errs = append(errs, fmt.Errorf("option %s has no documentation", d.Name))
		case d.Value() != d.Default:
			errs = append(errs, fmt.Errorf("option %s is %q at first, its default is %q", d.Name, d.Value(), d.Default))
		}
		for _, v := range outside(d) {
			if err := s.fresh().Apply([]option.Arg{{Name: d.Name, Value: v}}); err == nil {
				errs = append(errs, fmt.Errorf("option %s with range %s takes %s", d.Name, d.Range, v))
			}
		}
	}
	var faults option.Faults
	if err := s.fresh().Apply([]option.Arg{Opt("no_such_option", 1)}); !errors.As(err, &faults) {
		errs = append(errs, fmt.Errorf("an unknown option gives %v, want option.Faults", err))
	}
	_, set, err := s.untrained()
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	again := s.fresh()
	want := set.Values(option.Train, option.Predict, option.Run)
	if err := again.Restore(want); err != nil {
		errs = append(errs, fmt.Errorf("restore options: %w", err))
	} else if got := again.Values(option.Train, option.Predict, option.Run); !slices.Equal(got, want) {
		errs = append(errs, fmt.Errorf("options come back as %v, not %v", got, want))
	}
	return errors.Join(errs...)
}

// outside returns values that the range of an option excludes.
func outside(d *option.Decl) []value.Value {
	switch {
	case d.Type == "boolean" || strings.Contains(d.Range, " | "):
		return []value.Value{value.Str("neither of these")}
	case d.Type != "integer" && d.Type != "float" || d.Range == "":
		return nil
	}
	out := []value.Value{value.Str("many")}
	low, high, _ := strings.Cut(d.Range[1:len(d.Range)-1], ", ")
	for _, b := range []struct {
		text string
		step float64
	}{{low, -1}, {high, 1}} {
		x, err := strconv.ParseFloat(b.text, 64)
		if err != nil || math.Abs(x) > 1<<52 {
			continue
		}
		v := value.Real(x + b.step)
		if d.Type == "integer" {
			v = value.Int(int64(x + b.step))
		}
		out = append(out, v)
	}
	return out
}

func checkSchema(_ context.Context, s *subject) error {
	m, _, err := s.untrained()
	if err != nil {
		return err
	}
	schema := m.Schema()
	var errs []error
	if (schema.Unit == kind.PerGroup) != (schema.Group != "") {
		errs = append(errs, fmt.Errorf("unit %s with group column %q", schema.Unit, schema.Group))
	}
	if len(schema.Writes) == 0 && len(schema.Relations) == 0 {
		errs = append(errs, errors.New("the model neither writes layers nor has relations"))
	}
	for what, uses := range map[string][]kind.LayerUse{"reads": schema.Reads, "learns": schema.Learns, "writes": schema.Writes} {
		for _, u := range uses {
			if err := known(schema, u); err != nil {
				errs = append(errs, fmt.Errorf("%s %w", what, err))
			}
		}
	}
	for _, r := range schema.Reads {
		for _, w := range schema.Writes {
			if overlap(r, w) {
				errs = append(errs, fmt.Errorf("%v is read and %v written", r, w))
			}
		}
	}
	return errors.Join(append(errs, relationsDeclared(schema.Relations)...)...)
}

// known tells whether layer and columns exist.
func known(schema kind.Schema, u kind.LayerUse) error {
	def := text.Builtins(u.Layer)
	for _, d := range schema.Defs {
		if d.Name == u.Layer {
			def = d
		}
	}
	if def == nil {
		return fmt.Errorf("layer %s, which nobody defines", u.Layer)
	}
	for _, c := range u.Columns {
		if def.Index(c) < 0 {
			return fmt.Errorf("column %s.%s, which there is not", u.Layer, c)
		}
	}
	return nil
}

// overlap reports whether two uses share a column; columns of tokens that only place
// tokens are none.
func overlap(a, b kind.LayerUse) bool {
	if a.Layer != b.Layer {
		return false
	}
	if a.Columns == nil || b.Columns == nil {
		return true
	}
	return slices.ContainsFunc(a.Columns, func(c string) bool { return slices.Contains(b.Columns, c) })
}

func relationsDeclared(list []kind.Relation) []error {
	var errs []error
	seen := map[string]bool{}
	for _, r := range list {
		if !nameForm.MatchString(r.Name) || seen[r.Name] || slices.Contains(reservedRelations, r.Name) {
			errs = append(errs, fmt.Errorf("relation %q: not a name in lower case, used twice, or one that every model has", r.Name))
		}
		seen[r.Name] = true
		if r.Doc == "" || len(r.Columns) == 0 {
			errs = append(errs, fmt.Errorf("relation %s lacks documentation or columns", r.Name))
		}
		for _, c := range r.Columns {
			if c.Name == "" || c.Type == value.Null || c.Doc == "" {
				errs = append(errs, fmt.Errorf("column %q of relation %s lacks name, type or documentation", c.Name, r.Name))
			}
		}
		optional := false
		for _, a := range r.Args {
			if a.Name == "" || a.Type == value.Null || optional && !a.Optional {
				errs = append(errs, fmt.Errorf("argument %q of relation %s lacks name or type, or is required after an optional one", a.Name, r.Name))
			}
			optional = a.Optional
		}
	}
	return errs
}
