package semicrf

import (
	"context"
	"fmt"
	"strings"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/storage/value"
)

// taxonomyRole is the input of labels with those above them.
var taxonomyRole = kind.Role{Name: "taxonomy", Doc: "labels and the labels above them, whose features and " +
	"constraints count for those below too", Optional: true, Train: true,
	Tables: []kind.TableUse{{Name: "taxonomy", Doc: "labels with their parents", Columns: []kind.Column{
		{Name: "label", Type: value.Text, Doc: "label"}, {Name: "parent", Type: value.Text,
			Doc: "label above it; NULL for a root", Optional: true}}}}}

// labelSet is the labels of segments.
type labelSet struct {
	Names   []string
	Parents []int32 // nil without a taxonomy
	Repeat  bool    // neighbouring segments may have the same label
	index   map[string]int32
}

// id returns the number of a label, a new one if need be.
func (l *labelSet) id(name string) int32 {
	if l.index == nil {
		l.index = map[string]int32{}
		for i, n := range l.Names {
			l.index[n] = int32(i)
		}
	}
	i, ok := l.index[name]
	if !ok {
		i = int32(len(l.Names))
		l.index[name] = i
		l.Names = append(l.Names, name)
		if l.Parents != nil {
			l.Parents = append(l.Parents, -1)
		}
	}
	return i
}

// readTaxonomy adds the labels of a table.
func (l *labelSet) readTaxonomy(ctx context.Context, in kind.Input) error {
	table, ok := in.Table("taxonomy")
	if !ok {
		return nil
	}
	l.Parents = []int32{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return err
		}
		name, parent := row[0].S, row[1].S
		if name == "" {
			return fmt.Errorf("taxonomy: a label is empty")
		}
		y := l.id(name)
		if parent == "" {
			continue
		}
		p := l.id(parent)
		if old := l.Parents[y]; old >= 0 && old != p {
			return fmt.Errorf("taxonomy: label %s has two parents, %s and %s", name, l.Names[old], parent)
		}
		l.Parents[y] = p
	}
	for y := range l.Names {
		if circle := l.circle(int32(y)); circle != nil {
			return fmt.Errorf("taxonomy: labels stand above each other in a circle: %s", strings.Join(circle, " < "))
		}
	}
	return nil
}

// circle lists the labels from y up to y again, nil if y is not above itself.
func (l *labelSet) circle(y int32) []string {
	names := []string{l.Names[y]}
	for z := l.Parents[y]; z >= 0 && len(names) <= len(l.Names); z = l.Parents[z] {
		names = append(names, l.Names[z])
		if z == y {
			return names
		}
	}
	return nil
}

// engine returns the labels as numbers.
func (l *labelSet) engine() (*semimarkov.Labels, error) {
	out := semimarkov.Labels{N: len(l.Names), Parent: l.Parents, Unit: make([]bool, len(l.Names))}
	for y, n := range l.Names {
		out.Unit[y] = n == bio.Outside
	}
	if !l.Repeat {
		out.Forbid = make([]bool, out.N*out.N)
		for y := range out.N {
			out.Forbid[y*out.N+y] = !out.Unit[y]
		}
	}
	return semimarkov.NewLabels(out)
}

// constraintSpace returns what labels of constraints stand for: a label and those below it.
func constraintSpace(l *labelSet, s *semimarkov.Labels, longest int) *expectation.Space {
	out := &expectation.Space{N: s.N, Longest: longest, Token: map[string][]bool{}}
	for z, name := range l.Names {
		mask := make([]bool, s.N)
		for y := range mask {
			mask[y] = s.Above(z, y)
		}
		out.Token[name] = mask
		if name == bio.Outside {
			out.Outside = name
		}
	}
	return out
}
