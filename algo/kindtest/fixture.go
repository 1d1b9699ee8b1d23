package kindtest

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

var background = context.Background()

// fresh returns an untrained model with the options of the case.
func fresh(t testing.TB, c Case) kind.Model {
	t.Helper()
	m, s := c.Kind.New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(c.Options); err != nil {
		t.Fatal(err)
	}
	return m
}

// training learns from the documents or tables of the case.
func training(c Case) *kind.Training {
	return &kind.Training{On: c.input(), Roles: c.Roles, Resources: c.Resources, Seed: 1, Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(string) {}}
}

// trained returns the model of the case with n workers.
func trained(t testing.TB, c Case, workers int) kind.Model {
	t.Helper()
	if c.models[workers] == nil {
		c.models[workers] = train(t, c, workers)
	}
	return c.models[workers]
}

// train trains a model anew.
func train(t testing.TB, c Case, workers int) kind.Model {
	t.Helper()
	m, tr := fresh(t, c), training(c)
	tr.Workers = workers
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// sections are what a model encodes.
type sections map[string][]byte

func encoded(t testing.TB, m kind.Model) sections {
	t.Helper()
	s := sections{}
	if err := m.Encode(s.writer()); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s sections) writer() *kind.Writer {
	return kind.NewWriter(func(name string, p []byte) error {
		s[name] = append(s[name], p...)
		return nil
	})
}

func (s sections) reader() *kind.Reader {
	return kind.NewReader(func(name string) ([]byte, error) {
		p, ok := s[name]
		if !ok {
			return nil, fmt.Errorf("%w: %s", kind.ErrNoSection, name)
		}
		return bytes.Clone(p), nil
	})
}

func (c Case) run(prob bool, n int) *kind.Run {
	return &kind.Run{Resources: c.Resources, Workers: 1, Prob: prob, NBest: n, Report: func(kind.Progress) {}}
}

// views copies documents, so that layers can be added.
func views(docs []*text.Document) []*text.Document {
	out := make([]*text.Document, len(docs))
	for i, d := range docs {
		c := *d
		out[i] = &c
	}
	return out
}

// annotate annotates unit by unit.
func annotate(t testing.TB, m kind.Model, docs []*text.Document, r *kind.Run) []*text.Document {
	t.Helper()
	out := views(docs)
	for _, u := range units(m, out) {
		if err := m.Annotate(background, u, r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func units(m kind.Model, docs []*text.Document) [][]*text.Document {
	s := m.Schema()
	if s.Unit == kind.PerCorpus {
		return [][]*text.Document{docs}
	}
	var out [][]*text.Document
	index := map[string]int{}
	for i, d := range docs {
		key := fmt.Sprint(i)
		if s.Unit == kind.PerGroup {
			key = d.Field(s.Group).String()
		}
		k, ok := index[key]
		if !ok {
			k = len(out)
			index[key] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], d)
	}
	return out
}

// written prints the layers that a model writes.
func written(m kind.Model, docs []*text.Document) string {
	var b bytes.Buffer
	for _, d := range docs {
		for _, w := range m.Schema().Writes {
			l := d.Layer(w.Layer)
			if l == nil {
				fmt.Fprintf(&b, "%s: no %s\n", d.ID, w.Layer)
				continue
			}
			fmt.Fprintf(&b, "%s: %s %d %v %v %v\n", d.ID, w.Layer, l.N, l.Cols, l.Prob, l.Rank)
		}
	}
	return b.String()
}
