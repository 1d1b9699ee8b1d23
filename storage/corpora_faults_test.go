package storage

import (
	"errors"
	"fmt"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/loading"
	"parlance/storage/value"
)

// parsed is a document "a bb ccc" with tokens and, if heads are given, dependencies.
func parsed(id string, heads ...int32) *text.Document {
	d := &text.Document{ID: id, Text: "a bb ccc"}
	t := text.NewLayer(text.Tokens)
	t.N = 3
	t.SetInts("sent", []int32{1, 1, 1})
	t.SetInts("tok", []int32{1, 2, 3})
	t.SetInts("char_start", []int32{0, 2, 5})
	t.SetInts("char_end", []int32{1, 4, 8})
	t.SetStrs("form", []string{"a", "bb", "ccc"})
	d.SetLayer(t)
	if heads != nil {
		d.SetLayer(arcs(heads))
	}
	return d
}

func arcs(heads []int32) *text.Layer {
	l := text.NewLayer(text.Dependencies)
	l.N = len(heads)
	l.SetInts("sent", []int32{1, 1, 1})
	l.SetInts("tok", []int32{1, 2, 3})
	l.SetInts("head", heads)
	return l
}

// TestPredictionsOfTokensAndArcs stores layers whose encoding refers to other columns under
// names other than that of their definition.
func TestPredictionsOfTokensAndArcs(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	if err := s.ReplaceDocuments(background, o,
		[]*text.Document{parsed("gold", 0, 1, 1), parsed("bare"), simple("plain", "dd e")}); err != nil {
		t.Fatal(err)
	}
	var tagged, trees []*text.Document
	want := map[string]*text.Document{}
	for id, d := range readAll(t, s, o) {
		w := *d
		tags := text.NewLayer(text.Tokens)
		tags.Name, tags.N = "tagger", 2
		tags.SetInts("sent", []int32{1, 1})
		tags.SetInts("tok", []int32{1, 2})
		tags.SetInts("char_start", []int32{0, 3})
		tags.SetInts("char_end", []int32{2, 4})
		tags.SetStrs("form", []string{d.Text[0:2], d.Text[3:4]})
		tags.SetStrs("lemma", []string{"dog", d.Text[3:4]})
		tree := arcs([]int32{2, 0, 2})
		tree.Name = "parser"
		tagged = append(tagged, &text.Document{Seq: d.Seq, ID: id, Layers: []*text.Layer{tags}})
		trees = append(trees, &text.Document{Seq: d.Seq, ID: id, Layers: []*text.Layer{tree}})
		w.SetLayer(tags)
		w.SetLayer(tree)
		want[id] = &w
	}
	if err := s.WriteLayers(background, o,
		[]NewLayer{{LayersOf("tagger", tagged...), text.Tokens, "tagger", "tagger@1"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteLayers(background, o,
		[]NewLayer{{LayersOf("parser", trees...), text.Dependencies, "parser", "parser@1"}}); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	o, _ = s.Object("docs")
	same(t, readAll(t, s, o), want)
	check(t, s)
}

// TestColumnsOfSomeDocuments mixes documents with and without a column.
func TestColumnsOfSomeDocuments(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	def := &text.LayerDef{Name: "sense",
		Columns: []text.Column{{Name: "count", Type: value.Integer}, {Name: "weight", Type: value.Float},
			{Name: "name", Type: value.Text}}}
	layer := func(full bool) *text.Layer {
		l := text.NewLayer(def)
		l.N = 2
		if full {
			l.Cols[0].Ints, l.Cols[1].Floats, l.Cols[2].Strs = []int32{0, 7}, []float64{0, .5}, []string{"", "x"}
		}
		return l
	}
	want := map[string]*text.Document{}
	var docs []*text.Document
	for i := range 6 {
		d := simple(fmt.Sprint("d", i), "x")
		d.SetLayer(layer(i%2 == 1))
		docs = append(docs, d)
		want[d.ID] = d
	}
	if err := s.ReplaceDocuments(background, o, docs); err != nil {
		t.Fatal(err)
	}
	check(t, s)
	for id, d := range readAll(t, s, o) {
		l, w := d.Layer("sense"), want[id].Layer("sense")
		if (l.Cols[0].Ints == nil) != (w.Cols[0].Ints == nil) || (l.Cols[1].Floats == nil) != (w.Cols[1].Floats == nil) {
			t.Errorf("%s: missing columns come back as %v, want %v", id, l.Cols, w.Cols)
		}
	}
	sn := s.Snapshot()
	defer sn.Close()
	sg, err := sn.Segment(background, o, sn.Segments(o)[0], everything)
	if err != nil {
		t.Fatal(err)
	}
	for c, name := range []string{"count", "weight"} {
		v, ok := sg.Vec("sense", name, 0, 12)
		if !ok || len(v.Null) != 12 || !v.Null[0] || v.Null[2] {
			t.Errorf("column %d: nulls %v", c, v.Null)
		}
	}
}

// TestFormsAreContent: documents that differ only in a form are not the same.
func TestFormsAreContent(t *testing.T) {
	hash := func(form string) [16]byte {
		d := parsed("x")
		d.Layer("tokens").SetStrs("form", []string{"a", "bb", form})
		h, _ := documents.DocumentHash(d, nil)
		return h
	}
	if hash("ccc") == hash("other") {
		t.Error("a changed form does not change the content hash")
	}
	d := parsed("x")
	d.Layer("tokens").SetStrs("form", nil)
	if h, _ := documents.DocumentHash(d, nil); h == hash("other") {
		t.Error("a document without forms has the hash of one with another form")
	}
}

// TestLayerOfOtherColumns refuses a layer that does not fit the stored one.
func TestLayerOfOtherColumns(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	put := func(id string, names ...string) error {
		def := &text.LayerDef{Name: "frames"}
		for _, n := range names {
			def.Columns = append(def.Columns, text.Column{Name: n, Type: value.Text})
		}
		d := simple(id, "x")
		l := text.NewLayer(def)
		l.N = 1
		for i := range names {
			l.Cols[i].Strs = []string{"v"}
		}
		d.SetLayer(l)
		return s.ReplaceDocuments(background, o, []*text.Document{d})
	}
	if err := put("a", "role", "word"); err != nil {
		t.Fatal(err)
	}
	if err := put("b", "role", "word"); err != nil {
		t.Errorf("an equal definition is refused: %v", err)
	}
	if err := put("c", "role"); err == nil {
		t.Error("a definition with other columns is taken")
	}
	s = reopen(t, s)
	o, _ = s.Object("docs")
	if err := put("d", "role", "word"); err != nil {
		t.Errorf("an equal definition is refused after reopening: %v", err)
	}
	if got := readAll(t, s, o); len(got) != 3 || got["d"].Layer("frames").N != 1 {
		t.Errorf("%d documents", len(got))
	}
	check(t, s)
}

// TestBrokenLayersAreRefused hands in layers whose columns do not fit; none may panic.
func TestBrokenLayersAreRefused(t *testing.T) {
	broken := map[string]func(d *text.Document){
		"short forms":     func(d *text.Document) { d.Layer("tokens").SetStrs("form", []string{"a"}) },
		"short sentences": func(d *text.Document) { d.Layer("tokens").SetInts("sent", []int32{1}) },
		"long heads":      func(d *text.Document) { d.Layer("dependencies").SetInts("head", []int32{0, 1, 1, 1}) },
		"negative head":   func(d *text.Document) { d.Layer("dependencies").SetInts("head", []int32{0, -1 << 31, 1}) },
		"texts for heads": func(d *text.Document) { d.Layer("dependencies").SetStrs("head", []string{"0", "1", "1"}) },
		"far offset":      func(d *text.Document) { d.Layer("tokens").SetInts("char_end", []int32{1, 4, 99}) },
	}
	for name, damage := range broken {
		s := open(t)
		o := corpusOf(t, s)
		d := parsed("x", 0, 1, 1)
		damage(d)
		if err := s.ReplaceDocuments(background, o, []*text.Document{d}); err == nil {
			t.Errorf("%s: taken", name)
		}
		if got := readAll(t, s, o); len(got) != 0 {
			t.Errorf("%s: %d documents", name, len(got))
		}
	}
	s := open(t)
	o := corpusOf(t, s)
	d := parsed("x", 0, 9, 1<<31-1)        // odd, yet they come back
	d.Layer("tokens").SetInts("sent", nil) // missing in tokens, given in dependencies
	if err := s.ReplaceDocuments(background, o, []*text.Document{d}); err != nil {
		t.Fatal(err)
	}
	same(t, readAll(t, s, o), map[string]*text.Document{"x": d})
	check(t, s)
}

// TestDropDuringLoad drops the corpus that a load fills.
func TestDropDuringLoad(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	l, err := s.NewLoad(background, o, loading.Options{OnConflict: "error"})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.AddColumn(catalog.ColumnDef{Name: "extra", Type: value.Text}); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, []*text.Document{simple("a", "x")}, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.dropEntry("docs", o.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Commit(background); !errors.Is(err, ErrNotFound) {
		t.Errorf("commit into a dropped corpus gives %v", err)
	}
	if n := keys(t, s, bucketSegment); n != 0 {
		t.Errorf("%d blocks are left", n)
	}
}

// TestTokensWithoutArcsFirst: arcs that repeat the numbers of their tokens follow a document
// that has tokens only.
func TestTokensWithoutArcsFirst(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	bare, tree := parsed("bare"), parsed("tree", 0, 1, 1)
	bare.Layer("tokens").SetInts("sent", []int32{1, 2, 3})
	bare.Layer("tokens").SetInts("tok", []int32{1, 1, 1})
	if err := s.ReplaceDocuments(background, o, []*text.Document{bare, tree}); err != nil {
		t.Fatal(err)
	}
	same(t, readAll(t, s, o), map[string]*text.Document{"bare": bare, "tree": tree})
	check(t, s)
}
