package storage

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"parlance/algo/text"
	"parlance/storage/documents"
	"parlance/storage/files"
)

// ranked is a document with n best labels.
func ranked(d *text.Document, prob []float64, rank []int32) *text.Document {
	l := text.NewLayer(text.Labels)
	l.Name, l.N, l.Prob, l.Rank = "topic", 2, prob, rank
	l.SetStrs("label", []string{"x", "y"})
	return &text.Document{Seq: d.Seq, ID: d.ID, Text: d.Text, Layers: []*text.Layer{l}}
}

// LayersInMemory is a LayerSource in memory: layers by sequence number.
type LayersInMemory map[uint64]*text.Layer

// LayersOf returns the layers of that name of documents.
func LayersOf(name string, docs ...*text.Document) LayersInMemory {
	out := make(LayersInMemory, len(docs))
	for _, d := range docs {
		out[d.Seq] = d.Layer(name)
	}
	return out
}

// Has implements LayerSource.
func (m LayersInMemory) Has(seq uint64) bool { _, ok := m[seq]; return ok }

// Layer implements LayerSource.
func (m LayersInMemory) Layer(d *text.Document) (*text.Layer, error) { return m[d.Seq], nil }

// TestPredictionsKeepProbAndRank stores them for some documents and reads them in every way that a file is copied or
// written anew; rows of the others have none, NaN, and are the best.
func TestPredictionsKeepProbAndRank(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, simple("both", "Ann met Bob"), simple("neither", "Ann left"), simple("bare", "Ann"))
	docs := readAll(t, s, o)
	want := map[string]*text.Document{
		"both":    ranked(docs["both"], []float64{0.75, 0.25}, []int32{1, 2}),
		"neither": ranked(docs["neither"], nil, nil),
	}
	err := s.WriteLayers(background, o, []NewLayer{{LayersOf("topic", want["both"], want["neither"]), text.Labels,
		"topic", "topic@1"}})
	if err != nil {
		t.Fatal(err)
	}
	verify := func(when string, s *Store) {
		t.Helper()
		o, _ := s.Object("docs")
		got := readAll(t, s, o)
		both, neither := got["both"].Layer("topic"), got["neither"].Layer("topic")
		if !slices.Equal(both.Prob, []float64{0.75, 0.25}) || !slices.Equal(both.Rank, []int32{1, 2}) {
			t.Errorf("%s: prob %v, rank %v", when, both.Prob, both.Rank)
		}
		if !slices.Equal(neither.Rank, []int32{1, 1}) || len(neither.Prob) != 2 || !math.IsNaN(neither.Prob[0]) {
			t.Errorf("%s: without, prob %v, rank %v", when, neither.Prob, neither.Rank)
		}
		sn := s.Snapshot()
		defer sn.Close()
		l := sn.LayerDefs(o)
		i := slices.IndexFunc(l, func(l documents.LayerInfo) bool { return l.Name == "topic" })
		if i < 0 || !l[i].Prob || !l[i].Rank {
			t.Errorf("%s: the catalog does not know of prob and rank: %+v", when, l)
		}
		check(t, s)
	}
	verify("written", s)
	s = reopen(t, s)
	o, _ = s.Object("docs")
	verify("reopened", s)
	if err := s.rewrite(background, o, 0, len(s.state(background, o.ID).Gens)); err != nil {
		t.Fatal(err)
	}
	verify("merged", s)
	path := filepath.Join(t.TempDir(), "copy")
	if err := s.Backup(background, files.Anywhere, path); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	verify("copied", b)
}

// TestGoldHasNoRank stores layers as gold that came with prob and rank, which the content hash does not know.
func TestGoldHasNoRank(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	d := simple("a", "Ann")
	l := text.NewLayer(text.Labels)
	l.N, l.Prob, l.Rank = 1, []float64{0.5}, []int32{1}
	l.SetStrs("label", []string{"x"})
	d.SetLayer(l)
	insertDocuments(t, s, o, d)
	if got := readAll(t, s, o)["a"].Layer("labels"); got.Prob != nil || got.Rank != nil {
		t.Errorf("prob %v, rank %v", got.Prob, got.Rank)
	}
	check(t, s)
}

// TestDropWithTheOthers stores a layer and drops another in one change.
func TestDropWithTheOthers(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	gold := simple("a", "Ann")
	l := text.NewLayer(text.Labels)
	l.N = 1
	l.SetStrs("label", []string{"gold"})
	gold.SetLayer(l)
	insertDocuments(t, s, o, gold)
	write := func(name string, gone ...string) {
		t.Helper()
		l := text.NewLayer(text.Labels)
		l.Name, l.N = name, 1
		l.SetStrs("label", []string{"x"})
		d := readAll(t, s, o)["a"]
		d = &text.Document{Seq: d.Seq, ID: d.ID, Layers: []*text.Layer{l}}
		if err := s.WriteLayers(background, o, []NewLayer{{LayersOf(name, d), text.Labels, name, "m@1"}},
			gone...); err != nil {
			t.Fatal(err)
		}
	}
	write("m")
	write("m_more")
	write("m", "m_more", "labels")
	got := readAll(t, s, o)["a"]
	if got.Layer("m") == nil || got.Layer("m_more") != nil || got.Layer("labels") == nil {
		t.Errorf("layers %v: m and the gold labels are to stay", got.Layers)
	}
	check(t, s)
}
