package kindtest

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// MemoryKind remembers the texts of its training and labels documents as seen or unseen.
func MemoryKind() kind.Kind {
	return kind.Kind{Name: "memory", Doc: "labels documents by whether their text was learned", Revision: 1,
		New: func() kind.Model { return &memory{} }}
}

type memory struct {
	kind.Base
	group string
	texts []string
}

func (m *memory) Options(s *option.Set) {
	s.Text(&m.group, "group", "", "column whose groups are annotated at once")
}

func (m *memory) Schema() kind.Schema {
	s := kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: "labels"}}, Group: m.group, Prob: kind.Marginal}
	if m.group != "" {
		s.Unit = kind.PerGroup
	}
	return s
}

func (m *memory) Train(ctx context.Context, t *kind.Training) error {
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		m.texts = append(m.texts, d.Text)
	}
	return nil
}

func (m *memory) Annotate(ctx context.Context, docs []*text.Document, r *kind.Run) error {
	for _, d := range docs {
		what := "unseen"
		for _, s := range m.texts {
			if s == d.Text {
				what = "seen"
			}
		}
		label(d, fmt.Sprintf("%s by %d", what, len(m.texts)), r.Prob)
	}
	return ctx.Err()
}

func (m *memory) Encode(w *kind.Writer) error { return w.Strings("texts", m.texts) }

func (m *memory) Decode(r *kind.Reader) (err error) {
	m.texts, err = r.Strings("texts")
	return err
}

// InputsKind keeps the labels that it was trained on and offers them as the relation inputs.
func InputsKind() kind.Kind {
	return kind.Kind{Name: "inputs_seen", Doc: "keeps the labels of its training", Revision: 1,
		New: func() kind.Model { return &inputsSeen{} }}
}

type inputsSeen struct {
	kind.Base
	rows []string
}

func (m *inputsSeen) Options(*option.Set) {}

func (m *inputsSeen) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "labels"}},
		Relations: []kind.Relation{{Name: "inputs", Doc: "documents with labels",
			Columns: []kind.Column{{Name: "line", Type: value.Text}, {Name: "number", Type: value.Integer}}}}}
}

func (m *inputsSeen) Train(ctx context.Context, t *kind.Training) error {
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		what := ""
		if l := d.Layer("labels"); l != nil {
			what = fmt.Sprint(l.Strs("label"))
		}
		m.rows = append(m.rows, d.Text+" "+what)
	}
	return nil
}

func (m *inputsSeen) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Open lists what was learned from.
func (m *inputsSeen) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if relation != "inputs" {
		return nil, kind.ErrNoRelation
	}
	var rows [][]value.Value
	for i, x := range m.rows {
		rows = append(rows, []value.Value{value.Str(x), value.Int(int64(i + 1))})
	}
	return &oneBatch{rows}, nil
}

func (m *inputsSeen) Encode(w *kind.Writer) error { return w.Strings("rows", m.rows) }

func (m *inputsSeen) Decode(r *kind.Reader) (err error) {
	m.rows, err = r.Strings("rows")
	return err
}
