package db_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	layers "parlance/algo/text"
	"parlance/db"
	"parlance/storage/value"
)

// writer is a model that writes a layer and opens a relation, soundly or not.
type writer struct {
	kind.Base
	def   *layers.LayerDef
	write func(*layers.Document, *layers.Layer)
	rows  *value.Batch
	cols  []string // of the layer, nil for all
	none  string   // a layer that it declares before and writes for no document
}

func writerKind(name string, w writer) kind.Kind {
	return kind.Kind{Name: name, Doc: "writes a layer", Revision: 1, New: func() kind.Model { return &w }}
}

func (w *writer) Options(*option.Set) {}

func (w *writer) Schema() kind.Schema {
	var own []*layers.LayerDef
	if layers.Builtins(w.def.Name) == nil {
		own = append(own, w.def)
	}
	writes := []kind.LayerUse{{Layer: w.def.Name, Columns: w.cols}}
	if w.none != "" {
		writes = append([]kind.LayerUse{{Layer: w.none}}, writes...)
	}
	return kind.Schema{Defs: own, Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: writes,
		Relations: []kind.Relation{{Name: "pairs", Doc: "pairs",
			Columns: []kind.Column{{Name: "a", Type: value.Text}, {Name: "b", Type: value.Integer}}}}}
}

func (w *writer) Train(context.Context, *kind.Training) error { return nil }

func (w *writer) Annotate(_ context.Context, docs []*layers.Document, r *kind.Run) error {
	for _, d := range docs {
		l := layers.NewLayer(w.def)
		w.write(d, l)
		d.SetLayer(l)
	}
	return nil
}

func (w *writer) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if relation != "pairs" {
		return nil, kind.ErrNoRelation
	}
	return &once{w.rows}, nil
}

type once struct{ b *value.Batch }

func (o *once) Next(context.Context) (*value.Batch, error) {
	b := o.b
	o.b = nil
	return b, nil
}

func (o *once) Close() error { return nil }

func (w *writer) Encode(wr *kind.Writer) error { return wr.JSON("empty", 0) }

func (w *writer) Decode(r *kind.Reader) error {
	var n int
	return r.JSON("empty", &n)
}

// spans writes one entity of given numbers.
func spans(sent, start, end, first, last int32, labels ...string) func(*layers.Document, *layers.Layer) {
	return func(_ *layers.Document, l *layers.Layer) {
		l.N = 1
		for i, x := range []int32{sent, start, end, first, last} {
			l.Cols[i].Ints = []int32{x}
		}
		l.SetStrs("label", labels)
		l.SetStrs("text", []string{"x"})
	}
}

// TestDamagedLayers has kinds whose layers cannot be read: each way to them gives an error that names kind and model,
// and nothing comes into the cache.
func TestDamagedLayers(t *testing.T) {
	heads := func(_ *layers.Document, l *layers.Layer) {
		l.N = 2
		l.SetInts("sent", []int32{1, 1})
		l.SetInts("tok", []int32{1, 2})
		l.SetInts("head", []int32{0, 99})
	}
	one := value.Vec{Type: value.Integer, Ints: []int64{1}}
	sound := &value.Batch{N: 1, Cols: []value.Vec{{Type: value.Text, Strs: []string{"x"}}, one}}
	short := &value.Batch{N: 2, Cols: []value.Vec{{Type: value.Text, Strs: []string{"x", "y"}}, one}}
	for name, c := range map[string]struct {
		writer
		want string // of the layer, "" for a sound one
		rows string // of the relation
	}{
		"sound": {writer{def: layers.Entities, write: spans(1, 0, 3, 1, 1, "X"), rows: sound}, "", ""},
		"brief": {writer{def: layers.Entities, write: spans(1, 0, 3, 1, 1), rows: short},
			"column label has 0 values for 1 rows", "column b has 1 values for 2 rows"},
		"second": {writer{def: layers.Entities, write: spans(1, 0, 3, 1, 1), rows: sound, none: "labels"},
			"column label has 0 values for 1 rows", ""},
		"beyond": {writer{def: layers.Entities, write: spans(1, 0, 300, 1, 1, "X"), rows: sound},
			"char_end of row 1 is byte 300 of a text of 16", ""},
		"token": {writer{def: layers.Entities, write: spans(1, 0, 3, 1, 9, "X"), rows: sound},
			"tokens 1 to 9 of a sentence of 5", ""},
		"heads": {writer{def: layers.Dependencies, write: heads, rows: sound}, "the head of token 2 is 99", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := db.Open("", db.Options{Kinds: []kind.Kind{writerKind("toy_"+name, c.writer)}})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('d1', 'Ann saw a café.'), "+
				"('d2', 'Bob saw it too.'); TRAIN toy_"+name+" AS m ON docs")
			layer := c.def.Name
			for _, sql := range []string{"SELECT * FROM docs." + layer + " USING m",
				"SELECT count(*) FROM docs." + layer + " USING m", "SELECT * FROM " + layer + "(TEXT 'Ann saw a café.') USING m",
				"SELECT d.id, e.sent FROM docs d JOIN docs." + layer + " e USING m ON e.doc = d.id",
				"ANNOTATE docs USING m", "SELECT * FROM m.pairs"} {
				want := c.want
				if strings.HasSuffix(sql, "m.pairs") {
					want = c.rows
				}
				for range 2 { // what is wrong is not cached
					err := readAll(d, sql)
					if want == "" && err == nil {
						continue
					}
					if err == nil || !strings.Contains(err.Error(), "model m@1 of kind toy_"+name) ||
						!strings.Contains(err.Error(), want) || code(err) != "XX000" {
						t.Errorf("%s: %v, want %q", sql, err, want)
					}
				}
			}
		})
	}
}

// TestGoldOfTokensIsHidden scores a model that copies the tags that it finds.
func TestGoldOfTokensIsHidden(t *testing.T) {
	copying := func(d *layers.Document, l *layers.Layer) {
		*l = *d.Layer("tokens")
		l.Cols = slices.Clone(l.Cols)
		if l.Strs("upos") == nil {
			l.SetStrs("upos", slices.Repeat([]string{"X"}, l.N))
		}
	}
	copies := writerKind("copies", writer{def: layers.Tokens, cols: []string{"upos"}, write: copying})
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{copies}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	script(t, c, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('d1', 'Ann saw it.'); "+
		"UPDATE docs.tokens SET upos = 'T'; TRAIN copies AS m ON docs")
	for range 2 { // computed, and from the cache
		got := text(t, c, "SELECT value, support FROM (EVALUATE m ON docs) e WHERE metric = 'accuracy'")
		if got != "value\tsupport\n0.0000\t4\n" {
			t.Error(got)
		}
	}
	if got := text(t, c, "SELECT upos, count(*) FROM docs.tokens USING m GROUP BY upos"); got != "upos\tcount\nX\t4\n" {
		t.Error(got)
	}
}

// readAll reads all rows of a statement, value by value.
func readAll(d *db.DB, sql string) error {
	rows, err := d.Query(context.Background(), sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		rows.Values()
	}
	return rows.Err()
}
