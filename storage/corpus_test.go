package storage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/loading"
	"parlance/storage/sealed"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var background = context.Background()

func open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "test.parlance"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func reopen(t testing.TB, s *Store) *Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(s.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Close() })
	again.cleaner.ended.Wait()
	return again
}

func corpusOf(t testing.TB, s *Store) *Object {
	t.Helper()
	o, err := s.CreateObject(background,
		Object{Name: "docs", Kind: catalog.CorpusObject,
			Columns: []catalog.ColumnDef{{Name: "split", Type: value.Text}, {Name: "n", Type: value.Integer}}})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// drawer is the part of rapid.T that random documents need.
type drawer = *rapid.T

func drawDocument(t drawer, id string) *text.Document {
	d := &text.Document{ID: id}
	toks := text.NewLayer(text.Tokens)
	var b strings.Builder
	word := rapid.SampledFrom([]string{"a", "Häuser", "don't", "x", ".", "日本"})
	odd := rapid.Bool().Draw(t, "odd")
	for s := range rapid.IntRange(0, 3).Draw(t, "sentences") {
		for k := range rapid.IntRange(1, 5).Draw(t, "tokens") {
			w := word.Draw(t, "word")
			toks.Cols[0].Ints = append(toks.Cols[0].Ints, int32(s+1))
			toks.Cols[1].Ints = append(toks.Cols[1].Ints, int32(k+1))
			toks.Cols[2].Ints = append(toks.Cols[2].Ints, int32(b.Len()))
			b.WriteString(w)
			toks.Cols[3].Ints = append(toks.Cols[3].Ints, int32(b.Len()))
			b.WriteByte(' ')
			form := w
			if odd && k == 0 {
				form = "*" + w
			}
			toks.Cols[4].Strs = append(toks.Cols[4].Strs, form)
			toks.Cols[5].Strs = append(toks.Cols[5].Strs,
				rapid.SampledFrom([]string{"", strings.ToLower(w), w, "Haus"}).Draw(t, "lemma"))
			toks.Cols[6].Strs = append(toks.Cols[6].Strs, rapid.SampledFrom([]string{"NOUN", "VERB"}).Draw(t, "upos"))
			toks.N++
		}
	}
	d.Text = b.String()
	if toks.N > 0 {
		d.SetLayer(toks)
		dep := text.NewLayer(text.Dependencies)
		dep.N = toks.N
		dep.Cols[0].Ints, dep.Cols[1].Ints = toks.Cols[0].Ints, toks.Cols[1].Ints
		for range toks.N {
			dep.Cols[3].Ints = append(dep.Cols[3].Ints, rapid.Int32Range(0, 5).Draw(t, "head"))
			dep.Cols[4].Strs = append(dep.Cols[4].Strs, rapid.SampledFrom([]string{"root", "obj"}).Draw(t, "deprel"))
		}
		d.SetLayer(dep)
		d.SetLayer(d.SpanLayer(text.Entities,
			[]text.Span{{Sent: 1, First: 1, Last: 1, Label: rapid.SampledFrom([]string{"PER", "LOC"}).Draw(t, "label")}}))
	}
	if rapid.Bool().Draw(t, "split") {
		d.Fields = append(d.Fields,
			text.Field{Name: "split", Value: value.Str(rapid.SampledFrom([]string{"train", "test"}).Draw(t, "value"))})
	}
	if rapid.Bool().Draw(t, "n") {
		d.Fields = append(d.Fields, text.Field{Name: "n", Value: value.Int(rapid.Int64().Draw(t, "value"))})
	}
	return d
}

var everything = documents.Want{Text: true, AllFields: true, AllLayers: true}

func readAll(t fatal, s *Store, o *Object) map[string]*text.Document {
	return readSnapshot(t, s.Snapshot(), o)
}

// readSnapshot reads all documents of a snapshot and closes it.
func readSnapshot(t fatal, sn *Snapshot, o *Object) map[string]*text.Document {
	defer sn.Close()
	out := map[string]*text.Document{}
	for _, id := range sn.Segments(o) {
		sg, err := sn.Segment(background, o, id, everything)
		if err != nil {
			t.Fatalf("segment: %v", err)
		}
		for _, d := range sg.Documents() {
			if out[d.ID] != nil {
				t.Fatalf("document %s is there twice", d.ID)
			}
			out[d.ID] = d
		}
	}
	if len(out) != sn.Count(o) {
		t.Fatalf("%d documents are read, %d counted", len(out), sn.Count(o))
	}
	return out
}

type fatal interface{ Fatalf(string, ...any) }

// normal brings documents to a form in which equal ones compare equal: no prob is NaN where others have one, no rank is
// 1.
func normal(d *text.Document) *text.Document {
	c := *d
	c.Seq = 0
	c.Layers = nil
	for _, l := range d.Layers {
		if l.N > 0 { // a document without rows of a layer that others have gets an empty one
			x := *l
			if !slices.ContainsFunc(l.Prob, func(p float64) bool { return !math.IsNaN(p) }) {
				x.Prob = nil
			}
			if !slices.ContainsFunc(l.Rank, func(k int32) bool { return k != 1 }) {
				x.Rank = nil
			}
			c.Layers = append(c.Layers, &x)
		}
	}
	sort.Slice(c.Layers, func(i, j int) bool { return c.Layers[i].Name < c.Layers[j].Name })
	c.Fields = append([]text.Field{}, d.Fields...)
	sort.Slice(c.Fields, func(i, j int) bool { return c.Fields[i].Name < c.Fields[j].Name })
	return &c
}

func same(t fatal, got, want map[string]*text.Document) {
	for id, w := range want {
		if got[id] == nil {
			t.Fatalf("document %s is lost", id)
		}
		if diff := cmp.Diff(normal(w), normal(got[id]), cmpopts.EquateEmpty(),
			cmp.Comparer(func(a, b *text.LayerDef) bool { return a == b })); diff != "" {
			t.Fatalf("document %s differs (want -, got +):\n%s", id, diff)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d documents, want %d", len(got), len(want))
	}
}

func check(t fatal, s *Store) {
	if err := s.CheckCorpora(background, func(m string) { t.Fatalf("check: %s", m) }); err != nil {
		t.Fatalf("check: %v", err)
	}
}

// TestCorpusAgainstMap runs random changes against a map.
func TestCorpusAgainstMap(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s, err := Open(filepath.Join(dir, fmt.Sprint(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		o, err := s.CreateObject(background,
			Object{Name: "docs", Kind: catalog.CorpusObject,
				Columns: []catalog.ColumnDef{{Name: "split", Type: value.Text}, {Name: "n", Type: value.Integer}}})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]*text.Document{}
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"load", "load", "replace", "delete", "abort", "reopen", "index"}).Draw(t, "step") {
			case "load", "abort":
				mode := rapid.SampledFrom([]string{"error", "replace", "skip"}).Draw(t, "mode")
				next := map[string]*text.Document{}
				for k, v := range want {
					next[k] = v
				}
				l, err := s.NewLoad(background, o, loading.Options{OnConflict: mode})
				if err != nil {
					t.Fatal(err)
				}
				var failed error
				for range rapid.IntRange(0, 8).Draw(t, "documents") {
					d := drawDocument(t, fmt.Sprintf("d%d", rapid.IntRange(0, 12).Draw(t, "id")))
					_, taken := next[d.ID]
					failed = l.Add(background, []*text.Document{d}, []string{"file:7"})
					var dup *loading.DuplicateError
					if taken && mode == "error" {
						if !errors.As(failed, &dup) {
							t.Fatalf("document %s twice gives %v", d.ID, failed)
						}
						break
					}
					if failed != nil {
						t.Fatal(failed)
					}
					if !taken || mode == "replace" {
						next[d.ID] = d
					}
				}
				if failed != nil || rapid.Bool().Draw(t, "give up") {
					l.Abort()
					break
				}
				if _, err := l.Commit(background); err != nil {
					t.Fatal(err)
				}
				want = next
			case "replace":
				var docs []*text.Document
				for id := range want {
					if rapid.Bool().Draw(t, "pick") {
						docs = append(docs, drawDocument(t, id))
					}
				}
				if err := s.ReplaceDocuments(background, o, docs); err != nil {
					t.Fatal(err)
				}
				for _, d := range docs {
					want[d.ID] = d
				}
			case "delete":
				var seqs []uint64
				for id, d := range readAll(t, s, o) {
					if rapid.Bool().Draw(t, "pick") {
						seqs = append(seqs, d.Seq)
						delete(want, id)
					}
				}
				if k, err := s.DeleteDocuments(background, o, seqs); err != nil || k != len(seqs) {
					t.Fatalf("%d of %d deleted, %v", k, len(seqs), err)
				}
			case "index":
				o = toggleIndex(t, s, o, rapid.SampledFrom([][]string{{"n"}, {"split", "n"}}).Draw(t, "index"))
			case "reopen":
				s.Close()
				if s, err = Open(s.Path(), Options{}); err != nil {
					t.Fatal(err)
				}
				o, _ = s.Object("docs")
			}
			same(t, readAll(t, s, o), want)
			selections(t, s.Snapshot(), want)
		}
		check(t, s)
	})
}

func simple(id, content string) *text.Document { return &text.Document{ID: id, Text: content} }

func TestDuplicateNamesBothPlaces(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	l, err := s.NewLoad(background, o, loading.Options{OnConflict: "error"})
	if err != nil {
		t.Fatal(err)
	}
	err = l.Add(background, []*text.Document{simple("x", "1"), simple("y", "2"), simple("x", "3")},
		[]string{"f:1", "f:2", "f:3"})
	if err == nil || err.Error() != "document id x is taken: it is in f:1 and in f:3" {
		t.Errorf("error %v", err)
	}
	l.Abort()
	if got := readAll(t, s, o); len(got) != 0 {
		t.Errorf("%d documents of a load that failed", len(got))
	}
}

func TestSnapshotKeepsItsState(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	if err := s.ReplaceDocuments(background, o, []*text.Document{simple("a", "old"), simple("b", "two")}); err != nil {
		t.Fatal(err)
	}
	sn := s.Snapshot()
	if err := s.ReplaceDocuments(background, o, []*text.Document{simple("a", "new")}); err != nil {
		t.Fatal(err)
	}
	if err := s.DropObject(background, "docs"); err != nil {
		t.Fatal(err)
	}
	sg, err := sn.Segment(background, o, sn.Segments(o)[0], everything)
	if err != nil {
		t.Fatal(err)
	}
	if d := sg.Documents(); len(d) != 2 || d[0].Text != "old" {
		t.Errorf("the snapshot sees %d documents, the first %q", len(d), d[0].Text)
	}
	sn.Close()
	if err := s.Collect(background); err != nil {
		t.Fatal(err)
	}
	if n := keys(t, s, bucketSegment); n != 0 {
		t.Errorf("%d blocks of a dropped corpus are left", n)
	}
}

func keys(t *testing.T, s *Store, bucket []byte) int {
	n := 0
	err := s.View(func(tx *sealed.Tx) error {
		n = tx.Bucket(bucket).Count()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestUnpublishedLoadIsSwept leaves a load behind as a killed process does.
func TestUnpublishedLoadIsSwept(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	if err := s.ReplaceDocuments(background, o, []*text.Document{simple("a", "kept")}); err != nil {
		t.Fatal(err)
	}
	before := keys(t, s, bucketSegment)
	l, err := s.NewLoad(background, o, loading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, []*text.Document{simple("b", strings.Repeat("lost ", 20000)), simple("c", "x")},
		nil); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Finish(background); err != nil { // written, never published
		t.Fatal(err)
	}
	if keys(t, s, bucketSegment) == before {
		t.Fatal("nothing was written")
	}
	s = reopen(t, s)
	o, _ = s.Object("docs")
	same(t, readAll(t, s, o), map[string]*text.Document{"a": simple("a", "kept")})
	if n := keys(t, s, bucketSegment); n != before {
		t.Errorf("%d blocks after sweeping, want %d", n, before)
	}
	check(t, s)
}

func TestTailIsMerged(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	want := map[string]*text.Document{}
	for i := range 150 {
		d := simple(fmt.Sprint("d", i), fmt.Sprint("text ", i))
		if err := s.ReplaceDocuments(background, o, []*text.Document{d}); err != nil {
			t.Fatal(err)
		}
		want[d.ID] = d
	}
	if n := len(s.state(background, o.ID).Gens); n > documents.TailGenerations {
		t.Errorf("%d generations after 150 insertions", n)
	}
	same(t, readAll(t, s, o), want)
	s = reopen(t, s)
	o, _ = s.Object("docs")
	same(t, readAll(t, s, o), want)
	check(t, s)
}

func TestWriteLayers(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	var docs []*text.Document
	for i := range 3 {
		docs = append(docs, simple(fmt.Sprint("d", i), "Ann met Bob"))
	}
	if err := s.ReplaceDocuments(background, o, docs); err != nil {
		t.Fatal(err)
	}
	predict := func(label string, ids ...string) {
		var out []*text.Document
		for id, d := range readAll(t, s, o) {
			for _, want := range ids {
				if id == want {
					l := text.NewLayer(text.Labels)
					l.Name, l.N = "topic", 1
					l.SetStrs("label", []string{label})
					out = append(out, &text.Document{Seq: d.Seq, ID: id, Text: d.Text, Layers: []*text.Layer{l}})
				}
			}
		}
		if err := s.WriteLayers(background, o,
			[]NewLayer{{LayersOf("topic", out...), text.Labels, "topic", "topic@1"}}); err != nil {
			t.Fatal(err)
		}
	}
	predict("one", "d0", "d1")
	predict("two", "d1", "d2")
	s = reopen(t, s)
	o, _ = s.Object("docs")
	for id, want := range map[string]string{"d0": "one", "d1": "two", "d2": "two"} {
		l := readAll(t, s, o)[id].Layer("topic")
		if l == nil || l.N != 1 || l.Strs("label")[0] != want || l.Def != text.Labels {
			t.Errorf("%s has %v, want %s", id, l, want)
		}
	}
	check(t, s)
}

func TestDamageIsFound(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	if err := s.ReplaceDocuments(background, o,
		[]*text.Document{simple("a", strings.Repeat("some text ", 50))}); err != nil {
		t.Fatal(err)
	}
	err := s.Update(func(tx *sealed.Tx) error {
		c := tx.Bucket(bucketSegment).Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			broken := append([]byte{}, v...)
			broken[len(broken)-1] ^= 1
			if err := tx.Bucket(bucketSegment).Put(append([]byte{}, k...), broken); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	var found []string
	if err := s.CheckCorpora(background, func(m string) { found = append(found, m) }); !errors.Is(err, ErrCorrupt) ||
		len(found) == 0 {
		t.Errorf("check found %v, %v", found, err)
	}
	o, _ = s.Object("docs")
	sn := s.Snapshot()
	defer sn.Close()
	if _, err := sn.Segment(background, o, sn.Segments(o)[0], everything); !errors.Is(err, ErrCorrupt) {
		t.Errorf("reading gives %v", err)
	}
}

// TestLemmasBesideDocumentsWithout: a document without lemmas between others of a segment takes nothing from them.
func TestLemmasBesideDocumentsWithout(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	with := func(id, words string, lemmas ...string) *text.Document {
		d := sentence(id, words)
		if lemmas != nil {
			d.Layer("tokens").SetStrs("lemma", lemmas)
		}
		return d
	}
	docs := []*text.Document{with("a", "Dogs bark", "dog", "bark"), with("b", "Cats sleep now"),
		with("c", "Mice ran", "mouse", "run"), with("d", "It rains"), with("e", "Geese", "goose")}
	if err := s.ReplaceDocuments(background, o, docs); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	o, _ = s.Object("docs")
	all := readAll(t, s, o)
	for _, d := range docs {
		want := d.Layer("tokens").Strs("lemma")
		got := all[d.ID].Layer("tokens").Strs("lemma")
		if strings.Join(got, " ") != strings.Join(want, " ") &&
			strings.TrimSpace(strings.Join(got, " ")) != strings.Join(want, " ") {
			t.Errorf("document %s has the lemmas %q, want %q", d.ID, got, want)
		}
	}
	check(t, s)
}
