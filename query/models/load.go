package models

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/fault"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/guard"
	"parlance/storage/registry"
)

// Loaded is a model version in memory. Statements share it.
type Loaded struct {
	Meta    registry.Version
	Kind    *kind.Kind
	Model   kind.Model
	Options *option.Set
	schema  kind.Schema
	label   string // name and version
	bytes   int64  // in memory

	answered atomic.Pointer[[]answered] // requests so far, with what follows from them
}

// Use describes a loaded model to the planner.
func (l *Loaded) Use() *plan.ModelUse {
	return &plan.ModelUse{Name: l.Meta.Name, Version: l.Meta.Version, Kind: l.Meta.Kind, Schema: l.schema}
}

// Kind returns a kind by name, or nil.
func (set *Set) Kind(name string) *kind.Kind {
	for i := range set.Kinds {
		if set.Kinds[i].Name == name {
			return &set.Kinds[i]
		}
	}
	return nil
}

// KindHint is the hint where there is no kind of a name: one that is written nearly so, or all of them.
func (set *Set) KindHint(name string) string {
	var names []string
	for _, k := range set.Kinds {
		names = append(names, k.Name)
	}
	if h := option.DidYouMean(name, names); h != "" {
		return strings.TrimPrefix(h, "; ")
	}
	return "kinds: " + strings.Join(names, ", ")
}

// load reads and decodes a version, unless its weights alone are too large for model_memory.
func (set *Set) load(meta registry.Version, args []option.Arg) (l *Loaded, err error) {
	defer guard.Recover(&err, "load of a model")
	if err := set.tooLarge(meta.WeightsBytes, 0); err != nil {
		return nil, err
	}
	if l, err = set.decode(meta, args); err == nil {
		l.bytes = modelBytes(l)
	}
	return l, err
}

// decode makes the model of a version from its weights, under options that differ from those of its training by args.
func (set *Set) decode(meta registry.Version, args []option.Arg) (*Loaded, error) {
	w, err := set.Store.Weights(meta.WeightsID)
	if err != nil {
		return nil, err
	}
	return set.decodeFrom(w, meta, args)
}

// Loads reports by an error whether weights that are not published yet make a model, and returns its schema.
func (set *Set) Loads(w *registry.Weights, meta registry.Version) (s kind.Schema, err error) {
	defer guard.Recover(&err, "load of a model")
	l, err := set.decodeFrom(w, meta, nil)
	if err != nil {
		return s, err
	}
	return l.schema, nil
}

func (set *Set) decodeFrom(w *registry.Weights, meta registry.Version, args []option.Arg) (*Loaded, error) {
	k := set.Kind(meta.Kind)
	if k == nil {
		return nil, fault.New(plan.CodeUndefinedObject, "this program has no kind %s", meta.Kind)
	}
	label := plan.ModelUse{Name: meta.Name, Version: meta.Version}.String()
	if err := kind.CheckEncoding(label, meta.Encoding); err != nil {
		return nil, err
	}
	l := &Loaded{Meta: meta, Kind: k, Model: k.New(), Options: &option.Set{},
		label: label}
	l.Model.Options(l.Options)
	if err := l.Options.Restore(meta.Options); err != nil {
		return nil, err
	}
	if err := l.Options.Apply(args); err != nil { // before decoding, which may depend on them
		return nil, err
	}
	if err := l.Model.Decode(SectionReader(w.Section)); err != nil {
		return nil, err
	}
	l.schema = l.Model.Schema()
	set.DeclareLayers(l.schema)
	return l, nil
}

// SectionReader reads the sections of stored weights.
func SectionReader(section func(string) ([]byte, error)) *kind.Reader {
	return kind.NewReader(func(name string) ([]byte, error) {
		p, err := section(name)
		if errors.Is(err, storage.ErrNotFound) {
			err = fmt.Errorf("%w: %w", kind.ErrNoSection, err)
		}
		return p, err
	})
}

// weightsFactor is how many bytes a model takes in memory for each byte of stored weights, where its kind does not
// tell.
const weightsFactor = 3

// modelBytes is what a model takes in memory.
func modelBytes(l *Loaded) int64 {
	if m, ok := l.Model.(kind.Sized); ok {
		return max(1, m.Bytes())
	}
	return max(1, weightsFactor*l.Meta.WeightsBytes)
}
