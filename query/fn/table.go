package fn

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
)

// Set is a list of functions that a package declares.
type Set struct {
	Scalars    []Func
	Aggregates []Aggregate
	Windows    []Window
}

// Table holds the functions that statements can call, by name. Names are looked up without regard to case.
type Table struct {
	scalars    map[string]*Func
	aggregates map[string]*Aggregate
	windows    []Window
}

// NewTable returns a table of the functions of some sets. No two scalar functions may have the same name.
func NewTable(sets ...Set) (*Table, error) {
	t := &Table{scalars: map[string]*Func{}, aggregates: map[string]*Aggregate{}}
	for _, s := range sets {
		for i := range s.Scalars {
			f := &s.Scalars[i]
			if t.scalars[f.Name] != nil {
				return nil, fmt.Errorf("function %s is declared twice", f.Name)
			}
			t.scalars[f.Name] = f
		}
		for i := range s.Aggregates {
			t.aggregates[s.Aggregates[i].Name] = &s.Aggregates[i]
		}
		t.windows = append(t.windows, s.Windows...)
	}
	return t, nil
}

// Scalar returns the scalar function of a name, or nil.
func (t *Table) Scalar(name string) *Func { return t.scalars[strings.ToLower(name)] }

// Aggregate returns the aggregate of a name, or nil.
func (t *Table) Aggregate(name string) *Aggregate { return t.aggregates[strings.ToLower(name)] }

// Window returns the window function of a name, or nil.
func (t *Table) Window(name string) *Window {
	i := slices.IndexFunc(t.windows, func(w Window) bool { return strings.EqualFold(w.Name, name) })
	if i < 0 {
		return nil
	}
	return &t.windows[i]
}

// Scalars returns the scalar functions, sorted by name.
func (t *Table) Scalars() []*Func {
	out := make([]*Func, 0, len(t.scalars))
	for _, f := range t.scalars {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *Func) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Aggregates returns the aggregates, sorted by name.
func (t *Table) Aggregates() []*Aggregate {
	out := make([]*Aggregate, 0, len(t.aggregates))
	for _, f := range t.aggregates {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *Aggregate) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Windows returns the window functions in the order in which they are declared.
func (t *Table) Windows() []Window { return t.windows }

// Suggest returns "; did you mean x?" for an unknown name, or "" if no name of a function is like it.
func (t *Table) Suggest(name string) string {
	var names []string
	for n := range t.scalars {
		names = append(names, n)
	}
	for n := range t.aggregates {
		names = append(names, n)
	}
	slices.Sort(names)
	return option.DidYouMean(name, names)
}
