package db_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	doctext "parlance/algo/text"
	"parlance/db"
)

// echoKind labels a document with its id if it has learned from it.
func echoKind() kind.Kind {
	return kind.Kind{Name: "echo", Doc: "labels documents that it has learned from with their id, others with ?",
		Revision: 1, New: func() kind.Model { return &echo{} }}
}

type echo struct {
	kind.Base
	ids []string
}

func (m *echo) Options(*option.Set) {}

func (m *echo) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: "labels"}}}
}

func (m *echo) Train(ctx context.Context, t *kind.Training) error {
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		m.ids = append(m.ids, d.ID)
	}
	return nil
}

func (m *echo) Annotate(_ context.Context, docs []*doctext.Document, _ *kind.Run) error {
	for _, d := range docs {
		l := doctext.NewLayer(doctext.Labels)
		l.N = 1
		name := "?"
		for _, id := range m.ids {
			if id == d.ID {
				name = id
			}
		}
		l.SetStrs("label", []string{name})
		d.SetLayer(l)
	}
	return nil
}

func (m *echo) Encode(w *kind.Writer) error { return w.Strings("ids", m.ids) }

func (m *echo) Decode(r *kind.Reader) (err error) {
	m.ids, err = r.Strings("ids")
	return err
}

// hearKind labels the documents that it has learned from with the labels that they had in training, read
// as a layer or given by a model that an option names.
func hearKind() kind.Kind {
	return kind.Kind{Name: "hear", Doc: "keeps the labels of its inputs", Revision: 1,
		New: func() kind.Model { return &hear{} }}
}

type hear struct {
	kind.Base
	model      string
	ids, heard []string
}

func (m *hear) Options(s *option.Set) { s.Model(&m.model, "model", "", "model that labels") }

func (m *hear) Schema() kind.Schema {
	s := kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: "entities"}}}
	if m.model == "" {
		s.Reads = append(s.Reads, kind.LayerUse{Layer: "labels"})
	} else {
		s.Resources = []kind.Resource{{Kind: "model", Name: m.model}}
	}
	return s
}

func (m *hear) Train(ctx context.Context, t *kind.Training) error {
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		x := *d
		if m.model != "" {
			found, err := t.Resources.Model(m.model)
			if err != nil {
				return err
			}
			if err := found.Model.Annotate(ctx, []*doctext.Document{&x}, &kind.Run{Resources: found.Resources}); err != nil {
				return err
			}
		}
		m.ids, m.heard = append(m.ids, d.ID), append(m.heard, x.Layer("labels").Strs("label")...)
	}
	return nil
}

func (m *hear) Annotate(_ context.Context, docs []*doctext.Document, _ *kind.Run) error {
	for _, d := range docs {
		i := slices.Index(m.ids, d.ID)
		d.SetLayer(d.SpanLayer(doctext.Entities, []doctext.Span{{Sent: 1, First: 1, Last: 1, Label: m.heard[i]}}))
	}
	return nil
}

func (m *hear) Encode(w *kind.Writer) error {
	if err := w.Strings("ids", m.ids); err != nil {
		return err
	}
	return w.Strings("heard", m.heard)
}

func (m *hear) Decode(r *kind.Reader) (err error) {
	if m.ids, err = r.Strings("ids"); err == nil {
		m.heard, err = r.Strings("heard")
	}
	return err
}

// TestJackknife: in training, models say of a document what they learned from others, whether they
// annotate the inputs or are looked into.
func TestJackknife(t *testing.T) {
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{echoKind(), hearKind()}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	script(t, c, `CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('1', 'a'), ('2', 'b'), ('3', 'c');
CREATE CORPUS none; INSERT INTO none (id, text) VALUES ('x', 'a');
TRAIN echo AS e ON docs; TRAIN echo AS stranger ON none`)
	for _, x := range []struct{ train, want string }{
		{"hear AS h ON docs USING e", "1 2 3"},
		{"hear AS h ON docs WITH (model = e)", "1 2 3"},
		{"hear AS h ON docs USING e WITH (jackknife = 3)", "? ? ?"},
		{"hear AS h ON docs WITH (model = e, jackknife = 2)", "? ? ?"},
		{"hear AS h ON docs USING stranger WITH (jackknife = 2, seed = 7)", "? ? ?"},
	} {
		script(t, c, "TRAIN "+x.train)
		got := text(t, c,
			"SELECT string_agg(label, ' ') AS heard FROM (SELECT label FROM docs.entities USING h ORDER BY doc) AS x")
		if !strings.Contains(got, x.want) {
			t.Errorf("%s: %s, want %s", x.train, got, x.want)
		}
	}
	replayed(t, c, "h@4", "true", "false", "∅", "∅")
	for _, x := range []struct{ train, want string }{
		{"hear ON docs USING e WITH (jackknife = 1)", "one fold leaves nothing to train on"},
		{"hear ON docs USING e WITH (jackknife = 4)", "jackknife = 4 needs as many documents, and there are 3"},
		{"echo ON docs WITH (jackknife = 2)", "and none does"},
	} {
		if _, err := c.Exec(context.Background(), "TRAIN "+x.train); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", x.train, err, x.want)
		}
	}
}
