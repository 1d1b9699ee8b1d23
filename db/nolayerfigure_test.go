package db_test

import (
	"math"
	"slices"
	"testing"

	"parlance/algo/kind"
	layers "parlance/algo/text"
	"parlance/db"
	"parlance/storage/value"
)

// TestNoFigureInALayer has a model without a score for one of three rows: NaN is NULL, fresh, from the cache and
// stored.
func TestNoFigureInALayer(t *testing.T) {
	def := &layers.LayerDef{Name: "marks", Doc: "scored sentences", Columns: []layers.Column{
		{Name: "sent", Type: value.Integer, Doc: "sentence"}, {Name: "score", Type: value.Float, Doc: "of it, or NULL"}}}
	k := writerKind("marker", writer{def: def, write: func(_ *layers.Document, l *layers.Layer) {
		l.N = 3
		l.SetInts("sent", []int32{1, 1, 1})
		l.Cols[def.Index("score")].Floats = []float64{1.5, math.NaN(), -0.5}
	}})
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{k}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	const create = "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'Some words.'); TRAIN marker AS m ON docs"
	if err := c.Script(t.Context(), create, nil); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"docs.marks USING m", "docs.marks USING m", "marks(TEXT 'Some words.') USING m",
		"docs.m"} {
		if from == "docs.m" {
			if err := c.Script(t.Context(), "ANNOTATE docs USING m", nil); err != nil {
				t.Fatal(err)
			}
		}
		for query, want := range map[string][]string{
			"SELECT score FROM " + from: {"[1.5]", "[]", "[-0.5]"},
			"SELECT count(*), count(score), sum(score), min(score) FROM " + from: {"[3 2 1.0 -0.5]"},
			"SELECT sent FROM " + from + " WHERE score IS NULL":                  {"[1]"},
			"SELECT score FROM " + from + " WHERE score < 100 ORDER BY score":    {"[-0.5]", "[1.5]"},
			"SELECT count(DISTINCT score) FROM " + from:                          {"[2]"},
		} {
			if got := rowsOf(t, c, query, nil); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
	}
}
