package tagger

import (
	"cmp"
	"context"
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/text"
)

// Task is what a model learns and from which templates: the values of the options layer and features, which
// DeclareTask declares, and of scheme and min_count, which a kind declares where they stand among its own.
type Task struct {
	Layer, Features, Scheme string
	MinCount                int

	Documents string // templates of documents where none are given; "" where documents are not labelled
	Other     string // a layer that the kind learns besides, without templates of tokens; "" for none
	History   bool   // templates of tokens may read the labels before
	Order     int    // how many labels before are features where no template reads any; wants History
}

// TaskDoc is what differs between the declarations of tasks.
type TaskDoc struct {
	Layer    string // default of the option layer
	What     string // what may be learned, for the page of the option
	Features string // default of the option features; "" where it goes by the layer
	Doc      string // page of the option features
}

// What may be learned, and the templates where none are given.
const (
	Tokens             = "layer of spans or column of tokens"
	DocumentsAndTokens = "labels, a layer of spans or a column of tokens"
	ByTarget           = "chunk for chunks, ner for other spans, pos for columns"
)

// DeclareTask declares the options layer and features, checks them, and returns the latter.
func (o *Task) DeclareTask(s *option.Set, d TaskDoc) *option.Decl {
	s.Layer(&o.Layer, "layer", d.Layer, d.What+" to learn; left out, the only one that the corpus stores")
	f := s.Features(&o.Features, "features", d.Features, d.Doc)
	if d.Features == "" {
		f.Standing(func() string { return DefaultFeatures(o.Layer, o.Documents) })
	}
	s.Check("layer", func() error {
		if o.Classifies() || o.elsewhere() {
			return nil
		}
		_, err := o.Target()
		return err
	})
	s.Check("features", func() error {
		if o.elsewhere() {
			return nil
		}
		_, err := o.Set()
		return err
	})
	return f
}

// elsewhere reports whether the layer is learned without templates of tokens.
func (o *Task) elsewhere() bool { return o.Other != "" && o.Layer == o.Other }

// Classifies reports whether documents are labelled rather than tokens.
func (o *Task) Classifies() bool { return o.Documents != "" && o.Layer == text.Labels.Name }

// Target is what is labelled where documents are not.
func (o *Task) Target() (Target, error) { return NewTarget(o.Layer, bio.Scheme(o.Scheme)) }

// Spans reports whether spans are labelled.
func (o *Task) Spans() bool {
	t, err := o.Target()
	return err == nil && t.Spans()
}

// Set compiles the templates.
func (o *Task) Set() (*feature.Set, error) {
	if o.Classifies() {
		return DocumentFeatures(cmp.Or(o.Features, o.Documents))
	}
	t, err := o.Target()
	if err != nil {
		return nil, err
	}
	if !o.History {
		return t.Features(o.Features)
	}
	s, err := t.HistoryFeatures(o.Features)
	if err != nil || s.History() != 0 || o.Order == 0 {
		return s, err
	}
	return feature.Parse(s.String() + [...]string{1: ", label[-1]", 2: ", label[-1], label[-2]|label[-1]"}[o.Order])
}

// Schema is that of a kind that learns and writes what the options name. Of a ranked one n best labels, or labellings
// by spans, are given.
func (o *Task) Schema(prob kind.Probability, ranked bool, relations ...kind.Relation) kind.Schema {
	s, err := o.Set()
	if err != nil {
		return kind.Schema{}
	}
	use, best := kind.LayerUse{Layer: text.Labels.Name}, []string{text.Labels.Name}
	if !o.Classifies() {
		t, err := o.Target()
		if err != nil {
			return kind.Schema{}
		}
		use, best = t.Use(), t.Ranked()
	}
	if !ranked {
		best = nil
	}
	return kind.Schema{Unit: kind.PerDocument, Reads: s.Layers(), Learns: []kind.LayerUse{use},
		Writes: []kind.LayerUse{use},
		Prob:   prob, Ranked: best, Resources: s.Resources(), Relations: relations}
}

// Read turns the input into data, an item a label of a document or a token, and tells what was left out. Nothing to
// learn gives an error that wraps kind.ErrNoData.
func (o *Task) Read(ctx context.Context, t *kind.Training) (*Data, error) {
	set, err := o.Set()
	if err != nil {
		return nil, err
	}
	if o.Classifies() {
		return ReadDocuments(ctx, t.On, set, t.Resources, o.MinCount)
	}
	target, err := o.Target()
	if err != nil {
		return nil, err
	}
	data, err := Read(ctx, t.On, set, target, t.Resources, o.MinCount)
	if err == nil {
		data.Notice(t, target)
	}
	return data, err
}

// Rules are the constraints of the labels of spans, nil where others are learned.
func (o *Task) Rules(labels []string) *chain.Constraints {
	if !o.Spans() {
		return nil
	}
	return bio.Scheme(o.Scheme).Constraints(labels)
}

// Labeler prepares labelling by a chain, as NewLabeler does.
func (o *Task) Labeler(kind string, m *Trained, constrained bool,
	search func(*chain.Constraints) (func() Search, error)) (*Labeler, error) {
	t, err := o.Target()
	if err != nil {
		return nil, err
	}
	return NewLabeler(kind, m, t, constrained, search)
}

// Learned is what a model has learned; kinds that embed Trained have it.
func (t *Trained) Learned() *Trained { return t }

// Initial is the weights of the model that a training starts from, by the numbers of the data; nil without such a
// model. M is the type of the models of the kind, whose name is for messages.
func Initial[M interface{ Learned() *Trained }](t *kind.Training, name string, data *Data) (*chain.Model, error) {
	if t.Init == nil {
		return nil, nil
	}
	old, ok := t.Init.(M)
	if !ok {
		return nil, fmt.Errorf("the model to start from is no %s", name)
	}
	m := old.Learned()
	return Transfer(m.Chain, m.Alphabet, m.Labels, data.Alphabet, data.Names)
}

// Keep takes over what was learned, without the weights of 0 and the attributes that have no others.
func (t *Trained) Keep(ctx context.Context, data *Data, c *chain.Model) (err error) {
	t.Labels = data.Names
	t.Chain, t.Alphabet, err = Compact(ctx, c, data.Alphabet)
	return err
}

// Rows opens the relation Weights or Transitions.
func (t *Trained) Rows(relation string) (kind.Rows, error) {
	switch relation {
	case Weights.Name:
		return WeightRows(t.Chain, t.Alphabet.Name, t.Labels), nil
	case Transitions.Name:
		return TransitionRows(t.Chain, t.Labels), nil
	}
	return nil, kind.ErrNoRelation
}
