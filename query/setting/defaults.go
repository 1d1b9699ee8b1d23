package setting

import (
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/storage/value"
)

// SetDefaults sets settings, given as names and texts, and makes them the defaults of RESET and DISCARD ALL. If one is
// wrong, no setting changes. Elements of lists are separated by commas.
func (s *Settings) SetDefaults(settings [][2]string) error {
	args := make([]option.Arg, 0, len(settings))
	var names []string
	for _, x := range settings {
		name := s.Canonical(x[0])
		d := s.Set.Lookup(name)
		if d == nil {
			return Unknown(ast.Pos{}, x[0], &s.Set)
		}
		a := Canonicalise(d, option.Arg{Name: name, Value: value.Str(x[1])})
		if d.Type == "list" {
			a.List = []option.Arg{}
			for _, e := range strings.FieldsFunc(x[1], func(c rune) bool { return c == ',' }) {
				a.List = append(a.List, option.Arg{Value: value.Str(strings.Trim(strings.TrimSpace(e), `"`))})
			}
		}
		args, names = append(args, a), append(names, name)
	}
	if err := s.ApplyWithinLimit(ast.Pos{}, args, names...); err != nil {
		return err
	}
	s.resetTo = args
	return nil
}

// Changed reports whether a setting was set since the session began or was reset.
func (s *Settings) Changed() bool {
	return !slices.EqualFunc(s.args, s.resetTo, func(a, b option.Arg) bool {
		return a.Name == b.Name && a.Text() == b.Text()
	})
}

// Reset restores the defaults of the session.
func (s *Settings) Reset() error {
	if s.block != nil {
		return s.Apply(slices.Concat(s.resetTo, s.BlockModes()))
	}
	return s.Apply(s.resetTo)
}

// ForgetBlock ends a transaction block without restoring settings: Reset follows.
func (s *Settings) ForgetBlock() { s.block = nil }

// DefaultOf returns the default that the session has for a setting, none if it is the declared one.
func (s *Settings) DefaultOf(name string) []option.Arg {
	for _, a := range s.resetTo {
		if a.Name == name {
			return []option.Arg{a}
		}
	}
	return nil
}
