package db_test

import (
	"context"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	doctext "parlance/algo/text"
	"parlance/db"
)

// arcs is a kind that learns trees and tags, and nothing of them.
type arcs struct{ kind.Base }

func (*arcs) Options(*option.Set) {}

func (*arcs) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Learns: []kind.LayerUse{{Layer: "dependencies", Columns: []string{"head", "deprel"}},
			{Layer: "tokens", Columns: []string{"upos"}}}, Writes: []kind.LayerUse{{Layer: "dependencies"}}}
}

func (*arcs) Train(ctx context.Context, _ *kind.Training) error { return ctx.Err() }

func (*arcs) Annotate(ctx context.Context, _ []*doctext.Document, _ *kind.Run) error {
	return ctx.Err()
}

func (*arcs) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (*arcs) Decode(r *kind.Reader) error { var n int; return r.JSON("empty", &n) }

// TestTrainWarnsOfTrees trains on a sentence with two roots, one with a cycle, and a tag that
// only VALIDATE has.
func TestTrainWarnsOfTrees(t *testing.T) {
	d, err := db.Open("",
		db.Options{Kinds: []kind.Kind{{Name: "arcs", Doc: "learns arcs", Revision: 1,
			New: func() kind.Model { return &arcs{} }}}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	var notices []string
	c.OnNotice(func(s string) { notices = append(notices, s) })
	tree := func(upos string, heads ...string) string {
		s := ""
		for _, h := range heads {
			s += strings.Join([]string{"w", upos, h, "dep"}, "\t") + "\n"
		}
		return s + "\n"
	}
	load := func(corpus, lines string) {
		t.Helper()
		c.Stdin(strings.NewReader(lines))
		if err := c.Script(context.Background(), "CREATE CORPUS "+corpus+"; LOAD STDIN INTO "+corpus+
			" FORMAT conll WITH (columns = (form, upos, head, deprel))", nil); err != nil {
			t.Fatal(err)
		}
	}
	load("sound", tree("N", "2", "0"))
	load("gold", tree("N", "2", "0", "0")+tree("N", "2", "1", "0")+tree("N", "0", "1"))
	load("held", tree("V", "0", "1"))
	train := func(q string) {
		t.Helper()
		notices = nil
		if _, err := c.Exec(context.Background(), q); err != nil {
			t.Fatal(err)
		}
	}
	train("TRAIN arcs ON sound")
	if len(notices) > 0 {
		t.Errorf("sound trees give %q", notices)
	}
	train("TRAIN arcs ON gold VALIDATE ON held")
	got := strings.Join(notices, "\n")
	for _, want := range []string{"tree-roots, document stdin:1, dependencies sent 1, tok 3: 2 tokens have head 0",
		"tree-cycle, document stdin:2, dependencies sent 1, tok 1", "label-missing-in-train, document stdin:1, " +
			"tokens.upos: 'V' occurs 2 times, first here in VALIDATE, and never in ON"} {
		if !strings.Contains(got, want) {
			t.Errorf("no notice %q in\n%s", want, got)
		}
	}
	if len(notices) != 3 {
		t.Errorf("%d notices:\n%s", len(notices), got)
	}
}
