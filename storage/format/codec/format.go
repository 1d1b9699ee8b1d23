package codec

import "parlance/algo/option"

// Target is what a format holds.
type Target int

// The targets.
const (
	Documents Target = iota
	Rows
)

// Format is a format as the registry names it.
type Format struct {
	Name, Doc string
	Layers    []string // layers that it gives
	Target    Target
	New       func() Codec // with the defaults of its options
}

// Find returns the format of a name from a list.
func Find(list []*Format, name string) (*Format, bool) {
	for _, f := range list {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// Reads reports whether the format can be read.
func (f *Format) Reads() bool {
	c := f.New()
	return ReadsDocuments(c) || ReadsRows(c) || ReadsKB(c)
}

// Writes reports whether the format can be written.
func (f *Format) Writes() bool {
	return f.WritesDocuments() || f.WritesRows()
}

// WritesDocuments reports whether documents can be written.
func (f *Format) WritesDocuments() bool {
	c := f.New()
	_, docs := c.(documentWriter)
	return docs || WritesFiles(c)
}

// WritesRows reports whether rows can be written.
func (f *Format) WritesRows() bool {
	_, rows := f.New().(rowWriter)
	return rows
}

// Options returns the declared options with their defaults.
func (f *Format) Options() *option.Set {
	s := &option.Set{}
	f.New().Options(s)
	return s
}

// Configure applies options; errors are option.Faults, whose hints name the common options too.
func (f *Format) Configure(args []option.Arg, common ...*option.Set) (Codec, error) {
	c, s := f.New(), &option.Set{}
	c.Options(s)
	if err := s.Apply(args, common...); err != nil {
		return nil, err
	}
	return c, nil
}
