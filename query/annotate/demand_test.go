package annotate

import (
	"math"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage/value"
)

// ranked is a document with two labels of rank 1 and 2, or without ranks.
func ranked(ranks []int32, probs []float64) *text.Document {
	d := &text.Document{ID: "d", Text: "text"}
	l := text.NewLayer(text.Labels)
	l.N, l.Rank, l.Prob = 2, ranks, probs
	l.SetStrs("label", []string{"a", "b"})
	d.SetLayer(l)
	return d
}

func TestLayerAsRead(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name  string
		ranks []int32
		probs []float64
		use   kind.LayerUse
		rows  int
		rank  []int32
		prob  []float64
	}{
		{"best alone", []int32{1, 2}, []float64{.7, .3}, kind.LayerUse{}, 1, nil, nil},
		{"best with prob", []int32{1, 2}, []float64{.7, .3}, kind.LayerUse{Prob: true}, 1, nil, []float64{.7}},
		{"two best", []int32{1, 2}, []float64{.7, .3}, kind.LayerUse{NBest: 2}, 2, []int32{1, 2}, []float64{.7, .3}},
		{"two of three", []int32{1, 3}, []float64{.7, .1}, kind.LayerUse{NBest: 2}, 1, []int32{1}, []float64{.7}},
		{"no ranks", nil, nil, kind.LayerUse{NBest: 5}, 2, []int32{1, 1}, []float64{nan, nan}},
		{"no prob", nil, nil, kind.LayerUse{Prob: true}, 2, nil, []float64{nan, nan}},
		{"prob unasked", nil, []float64{.7, .3}, kind.LayerUse{}, 2, nil, nil},
	} {
		got := layerAsRead(ranked(c.ranks, c.probs).Layer("labels"), c.use)
		same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
		if got.N != c.rows || len(got.Strs("label")) != c.rows || !slices.Equal(got.Rank, c.rank) ||
			!slices.EqualFunc(got.Prob, c.prob, same) {
			t.Errorf("%s: %d rows, ranks %v, prob %v", c.name, got.N, got.Rank, got.Prob)
		}
		if again := layerAsRead(got, c.use); again != got {
			t.Errorf("%s: what is as it is asked for is copied", c.name)
		}
	}
}

func TestDemand(t *testing.T) {
	writes := func(ranked ...string) kind.Schema {
		return kind.Schema{Writes: []kind.LayerUse{{Layer: "dependencies"}}, Ranked: ranked}
	}
	read := func(n int, prob bool) []kind.LayerUse {
		return []kind.LayerUse{{Layer: "dependencies", NBest: n, Prob: prob}}
	}
	for _, c := range []struct {
		name   string
		models []kind.Schema
		reader []kind.LayerUse
		nbest  int
		prob   bool
	}{
		{"the reader", []kind.Schema{writes("dependencies")}, read(5, false), 5, false},
		{"a model behind it", []kind.Schema{writes("dependencies"), {Reads: read(3, true)}}, read(2, false), 3, true},
		{"one that has no n best", []kind.Schema{writes()}, read(5, true), 0, true},
		{"another layer", []kind.Schema{writes("dependencies")},
			[]kind.LayerUse{{Layer: "entities", NBest: 4, Prob: true}}, 0, false},
	} {
		var models []plan.ModelUse
		for _, s := range c.models {
			models = append(models, plan.ModelUse{Schema: s})
		}
		if n, p := Demand(models, 0, c.reader); n != c.nbest || p != c.prob {
			t.Errorf("%s: %d best, prob %v", c.name, n, p)
		}
	}
}

// TestContentHash: what a model reads beside text is part of the hash of a unit, and nothing else.
func TestContentHash(t *testing.T) {
	with := func(genre string, ranks []int32, probs []float64) []*text.Document {
		d := ranked(ranks, probs)
		d.Fields = []text.Field{{Name: "genre", Value: value.Str(genre)}}
		return []*text.Document{d}
	}
	hash := func(s kind.Schema, u []*text.Document) [16]byte {
		h, _ := contentHash(u, &s, nil)
		return h
	}
	fields := kind.Schema{Fields: []string{"genre"}}
	if hash(fields, with("a", nil, nil)) == hash(fields, with("b", nil, nil)) {
		t.Error("a column that is read is no part of the hash")
	}
	if hash(kind.Schema{}, with("a", nil, nil)) != hash(kind.Schema{}, with("b", nil, nil)) {
		t.Error("a column that is not read is part of the hash")
	}
	plain := kind.Schema{Reads: []kind.LayerUse{{Layer: "labels"}}}
	probs := kind.Schema{Reads: []kind.LayerUse{{Layer: "labels", Prob: true}}}
	if hash(probs, with("", nil, []float64{.7, .3})) == hash(probs, with("", nil, []float64{.6, .4})) {
		t.Error("probabilities that are read are no part of the hash")
	}
	if hash(plain, with("", nil, []float64{.7, .3})) != hash(plain, with("", nil, nil)) {
		t.Error("probabilities that are not read are part of the hash")
	}
}
