package kindtest

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// GroupKind is a kind for tests, groupsize: it labels every document with the number of
// documents in its group, which are those that share the value of the column that the
// option group names, part unless given.
func GroupKind() kind.Kind {
	return kind.Kind{Name: "groupsize", Revision: 1, Doc: "labels documents with the size of their group",
		New: func() kind.Model { return &counting{unit: kind.PerGroup} }}
}

// CorpusKind is a kind for tests, lengthrank: it labels every document with its rank by
// length in bytes among all documents, 1 the longest, equal ones in their order.
func CorpusKind() kind.Kind {
	return kind.Kind{Name: "lengthrank", Revision: 1, Doc: "labels documents with their rank by length",
		New: func() kind.Model { return &counting{unit: kind.PerCorpus} }}
}

// counting labels documents by looking at the documents of a unit.
type counting struct {
	kind.Base
	unit  kind.Unit
	group string
	seen  int // training documents
}

// Options declares the option group, where there are groups.
func (m *counting) Options(s *option.Set) {
	if m.unit == kind.PerGroup {
		s.Text(&m.group, "group", "part", "column of documents whose value makes a group")
	}
}

// Schema tells that labels are written.
func (m *counting) Schema() kind.Schema {
	return kind.Schema{Unit: m.unit, Group: m.group, Writes: []kind.LayerUse{{Layer: text.Labels.Name}}}
}

// Train counts the documents.
func (m *counting) Train(ctx context.Context, t *kind.Training) error {
	if t.Init != nil {
		return fmt.Errorf("there is nothing to start from in a model that counts")
	}
	for _, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		m.seen++
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.seen == 0 {
		return fmt.Errorf("%w: there are no documents", kind.ErrNoData)
	}
	t.Report(kind.Progress{Step: 1, Of: 1, HeldOut: math.NaN(), Note: strconv.Itoa(m.seen) + " documents"})
	return nil
}

// Annotate labels the documents of one unit.
func (m *counting) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if run.NBest > 1 {
		return fmt.Errorf("a count has no second best")
	}
	for i, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := len(docs)
		if m.unit == kind.PerCorpus {
			n = 1
			for k, o := range docs {
				if len(o.Text) > len(d.Text) || len(o.Text) == len(d.Text) && k < i {
					n++
				}
			}
		}
		l := text.NewLayer(text.Labels)
		l.N = 1
		l.SetStrs("label", []string{strconv.Itoa(n)})
		d.SetLayer(l)
	}
	return nil
}

// Encode writes the number of training documents.
func (m *counting) Encode(w *kind.Writer) error { return w.JSON("seen", m.seen) }

// Decode reads what Encode wrote.
func (m *counting) Decode(r *kind.Reader) error { return r.JSON("seen", &m.seen) }
