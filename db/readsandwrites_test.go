package db_test

import (
	"context"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	doctext "parlance/algo/text"
	"parlance/db"
)

// peek is a kind that reads where mentions stand and writes their clusters: leak, if it can see those of gold.
type peek struct{ kind.Base }

func (*peek) Options(*option.Set) {}

func (*peek) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}},
		{Layer: "mentions", Columns: []string{"sent", "char_start", "char_end", "tok_start", "tok_end"}}},
		Learns: []kind.LayerUse{{Layer: "mentions"}}, Writes: []kind.LayerUse{{Layer: "mentions"}}}
}

func (*peek) Train(ctx context.Context, _ *kind.Training) error { return ctx.Err() }

func (*peek) Annotate(ctx context.Context, docs []*doctext.Document, _ *kind.Run) error {
	for _, d := range docs {
		old := d.Layer("mentions")
		l := doctext.NewLayer(doctext.Mentions)
		if old == nil {
			d.SetLayer(l)
			continue
		}
		l.N = old.N
		for i, c := range doctext.Mentions.Columns {
			switch c.Name {
			case "sent", "char_start", "char_end", "tok_start", "tok_end":
				l.Cols[i].Ints = old.Cols[i].Ints
			case "cluster":
				for row := range old.N {
					name := "own"
					if old.Strs("cluster") != nil && old.Strs("cluster")[row] != "" {
						name = "leak"
					}
					l.Cols[i].Strs = append(l.Cols[i].Strs, name)
				}
			}
		}
		d.SetLayer(l)
	}
	return ctx.Err()
}

func (*peek) Encode(w *kind.Writer) error { return w.JSON("empty", 0) }

func (*peek) Decode(r *kind.Reader) error { var n int; return r.JSON("empty", &n) }

// TestReadsAndWritesALayer: a model sees the columns that it reads of a layer that it writes, and no others.
func TestReadsAndWritesALayer(t *testing.T) {
	d, err := db.Open("",
		db.Options{Kinds: []kind.Kind{{Name: "peek", Doc: "reads and writes mentions", Revision: 1,
			New: func() kind.Model { return &peek{} }}}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	err = c.Script(context.Background(), `CREATE CORPUS a; INSERT INTO a (id, text) VALUES ('1', 'Ann left her');
		INSERT INTO a.mentions (doc, cluster, char_start, char_end) VALUES ('1', 'x', 0, 3), ('1', 'x', 9, 12); TRAIN peek AS p ON a`, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := c.Query(context.Background(), "SELECT cluster, tok_start FROM a.mentions USING p")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		got = append(got, rows.Values()[0].String()+" "+rows.Values()[1].String())
	}
	if want := []string{"own 1", "own 3"}; rows.Err() != nil || !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v: %v", got, want, rows.Err())
	}
}
