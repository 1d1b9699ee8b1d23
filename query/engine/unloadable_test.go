package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/fn/builtin"
)

// strict does not read every number that it writes.
type strict struct {
	kind.Base
	number float64
}

func (m *strict) Options(s *option.Set) { s.Float(&m.number, "number", 0, 0, 1e9, "what is written") }

func (*strict) Schema() kind.Schema { return kind.Schema{Writes: []kind.LayerUse{{Layer: "labels"}}} }

func (*strict) Train(context.Context, *kind.Training) error { return nil }

func (*strict) Annotate(context.Context, []*text.Document, *kind.Run) error { return nil }

func (m *strict) Encode(w *kind.Writer) error { return w.JSON("number", m.number) }

func (m *strict) Decode(r *kind.Reader) error {
	if err := r.JSON("number", &m.number); err != nil {
		return err
	}
	if m.number > 1 {
		return kind.Corrupt("number", "is above 1")
	}
	return nil
}

// TestOnlyModelsThatLoad: what could not be loaded is not stored, and leaves no weights behind.
func TestOnlyModelsThatLoad(t *testing.T) {
	funcs, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	k := kind.Kind{Name: "strict", Doc: "reads some numbers", Revision: 1, New: func() kind.Model { return &strict{} }}
	e, err := NewEngine(emptyStore(t), []kind.Kind{k}, funcs, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, do := sessionOf(e)
	for _, sql := range []string{"CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('a', 'b')",
		"TRAIN strict AS m ON docs WITH (number = 1)"} {
		if _, err := do(sql); err != nil {
			t.Fatal(err)
		}
	}
	_, err = do("TRAIN strict AS m ON docs WITH (number = 2)")
	var x *ast.Error
	if !errors.As(err, &x) || x.Code != "22023" || !strings.Contains(x.Msg, "is above 1") || x.Hint == "" {
		t.Errorf("a model that cannot be loaded: %v", err)
	}
	if n := len(e.Store.Model("m").Versions); n != 1 {
		t.Errorf("%d versions are stored, want 1", n)
	}
}
