package storage

import (
	"fmt"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/loading"
	"parlance/storage/sealed"
	"parlance/storage/value"

	"pgregory.net/rapid"
)

// insertDocuments loads documents as INSERT does.
func insertDocuments(t fatal, s *Store, o *Object, docs ...*text.Document) {
	l, err := s.NewLoad(background, o, loading.Options{OnConflict: "error"})
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	if err := l.Add(background, docs, nil); err != nil {
		l.Abort()
		t.Fatalf("add: %v", err)
	}
	if _, err := l.Commit(background); err != nil {
		t.Fatalf("commit: %v", err)
	}
}

// loadOrder reads the ids of the documents in their order.
func loadOrder(t fatal, s *Store, o *Object) (ids []string) {
	sn := s.Snapshot()
	defer sn.Close()
	return loadOrderIn(t, sn, o)
}

func loadOrderIn(t fatal, sn *Snapshot, o *Object) (ids []string) {
	for _, d := range readInOrder(t, sn, o, documents.Want{IDs: true}) {
		ids = append(ids, d.ID)
	}
	return ids
}

func TestInsertionsAreMerged(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	for i := range 200 {
		insertDocuments(t, s, o, parsed(fmt.Sprintf("d%03d", i), 0, 1, 1))
	}
	if n := len(s.state(background, o.ID).Gens); n > documents.TailGenerations {
		t.Errorf("%d generations after 200 insertions", n)
	}
	for i, id := range loadOrder(t, s, o) {
		if want := fmt.Sprintf("d%03d", i); id != want {
			t.Fatalf("document %d is %s", i, id)
		}
	}
	check(t, s)
}

func TestMergingIsDeterministic(t *testing.T) {
	var sums [][]byte
	for range 2 {
		s := open(t)
		o := corpusOf(t, s)
		for i := range 130 {
			insertDocuments(t, s, o, parsed(fmt.Sprint("d", i), 0, 1, 1))
		}
		var all []byte
		err := s.View(func(tx *sealed.Tx) error {
			return tx.Bucket(bucketSegment).ForEach(func(k, v []byte) error {
				all = append(append(all, k...), v...)
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, all)
	}
	if string(sums[0]) != string(sums[1]) {
		t.Error("the same insertions give other bytes")
	}
}

// TestReplacedDocumentsLeaveTheFile changes all documents again and again.
func TestReplacedDocumentsLeaveTheFile(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	var first int
	for round := range 10 {
		var docs []*text.Document
		for i := range 20 {
			docs = append(docs, simple(fmt.Sprint("d", i), fmt.Sprint("round ", round)))
		}
		if err := s.ReplaceDocuments(background, o, docs); err != nil {
			t.Fatal(err)
		}
		if n := keys(t, s, bucketSegment); round == 0 {
			first = n
		} else if n != first {
			t.Fatalf("%d blocks after round %d, %d after the first", n, round, first)
		}
		if n := keys(t, s, bucketDir); n != 20 {
			t.Fatalf("%d directory entries", n)
		}
	}
	var seqs []uint64
	for id, d := range readAll(t, s, o) {
		if id != "d3" && id != "d7" {
			seqs = append(seqs, d.Seq)
		}
	}
	if _, err := s.DeleteDocuments(background, o, seqs); err != nil {
		t.Fatal(err)
	}
	if n := keys(t, s, bucketDir); n != 2 {
		t.Errorf("%d directory entries of 2 documents", n)
	}
	check(t, s)
}

// predicted gives a document a layer of predictions.
func predicted(d *text.Document, name, label string) *text.Document {
	l := text.NewLayer(text.Labels)
	l.Name, l.N = name, 1
	l.SetStrs("label", []string{label})
	return &text.Document{Seq: d.Seq, ID: d.ID, Layers: []*text.Layer{l}}
}

// TestDropPredictions writes a layer of predictions and drops it.
func TestDropPredictions(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, parsed("a", 0, 1, 1), simple("plain", "x"))
	insertDocuments(t, s, o, parsed("b", 2, 0, 2))
	bare := s.state(background, o.ID).Sum
	for _, d := range readAll(t, s, o) {
		if err := s.WriteLayers(background, o,
			[]NewLayer{{LayersOf("topic", predicted(d, "topic", "x")), text.Labels, "topic", "topic@1"}}); err != nil {
			t.Fatal(err)
		}
	}
	if s.state(background, o.ID).Sum != bare {
		t.Error("predictions change the content hash")
	}
	if err := s.WriteLayers(background, o, nil, "topic"); err != nil {
		t.Fatal(err)
	}
	same(t, readAll(t, s, o), map[string]*text.Document{"a": parsed("a", 0, 1, 1), "b": parsed("b", 2, 0, 2),
		"plain": simple("plain", "x")})
	check(t, s)
}

// TestPartIsNotReusedWhileRead: a snapshot reads a dropped layer while its number is wanted.
func TestPartIsNotReusedWhileRead(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, simple("a", "x"))
	write := func(name, label string) {
		if err := s.WriteLayers(background, o,
			[]NewLayer{{LayersOf(name, predicted(readAll(t, s, o)["a"], name, label)), text.Labels, name,
				name + "@1"}}); err != nil {
			t.Fatal(err)
		}
	}
	label := func(sn *Snapshot, name string) string {
		sg, err := sn.Segment(background, o, sn.Segments(o)[0], everything)
		if err != nil {
			t.Fatal(err)
		}
		if l := sg.Documents()[0].Layer(name); l != nil {
			return l.Strs("label")[0]
		}
		return ""
	}
	write("one", "first")
	old := s.Snapshot()
	if err := s.WriteLayers(background, o, nil, "one"); err != nil {
		t.Fatal(err)
	}
	write("two", "second")
	s.EvictSegments(o)
	if got := label(old, "one"); got != "first" {
		t.Errorf("the snapshot reads %q", got)
	}
	old.Close()
	if err := s.Collect(background); err != nil {
		t.Fatal(err)
	}
	write("three", "third") // takes the number of the first
	now := s.Snapshot()
	defer now.Close()
	for name, want := range map[string]string{"one": "", "two": "second", "three": "third"} {
		if got := label(now, name); got != want {
			t.Errorf("layer %s reads %q, want %q", name, got, want)
		}
	}
	check(t, s)
}

// TestLostPartsAreSwept leaves blocks of a layer behind as a killed process does.
func TestLostPartsAreSwept(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, parsed("a", 0, 1, 1))
	before := keys(t, s, bucketSegment)
	err := s.putBlocks(background, []dbfile.Pair{
		{Key: documents.BlockKey(o.ID, s.state(background, o.ID).Gens[0].ID, 99, 0), Value: []byte("lost")}})
	if err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	o, _ = s.Object("docs")
	if n := keys(t, s, bucketSegment); n != before {
		t.Errorf("%d blocks, want %d", n, before)
	}
	same(t, readAll(t, s, o), map[string]*text.Document{"a": parsed("a", 0, 1, 1)})
}

// TestLayersAgainstMap writes, drops and merges layers against a map.
func TestLayersAgainstMap(t *testing.T) {
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
		for step := range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"insert", "insert", "write", "write", "drop", "delete", "rewrite", "reopen"}).Draw(
				t, "step") {
			case "insert":
				for k := range rapid.IntRange(1, 3).Draw(t, "documents") {
					d := drawDocument(t, fmt.Sprintf("d%d.%d", step, k))
					insertDocuments(t, s, o, d)
					want[d.ID] = d
				}
			case "write":
				name := rapid.SampledFrom([]string{"tagger", "parser", "topic"}).Draw(t, "layer")
				def := map[string]*text.LayerDef{"tagger": text.Tokens, "parser": text.Dependencies, "topic": text.Labels}[name]
				var docs []*text.Document
				for id, d := range readAll(t, s, o) {
					if !rapid.Bool().Draw(t, "pick") {
						continue
					}
					l := &text.Layer{Def: def, Name: name, N: 1, Cols: make([]text.Col, len(def.Columns))}
					if def == text.Labels {
						l.SetStrs("label", []string{rapid.SampledFrom([]string{"x", "y"}).Draw(t, "label")})
						if rapid.Bool().Draw(t, "has prob") {
							l.Prob = []float64{rapid.Float64Range(0, 1).Draw(t, "prob")}
						}
						if rapid.Bool().Draw(t, "has rank") {
							l.Rank = []int32{rapid.Int32Range(1, 9).Draw(t, "rank")}
						}
					} else if from := drawDocument(t, "").Layer(def.Name); from != nil && from.Def == text.Dependencies {
						*l = *from
						l.Name = name
					} else {
						l.N = 0
					}
					w := *want[id]
					w.SetLayer(l)
					want[id] = &w
					docs = append(docs, &text.Document{Seq: d.Seq, ID: id, Layers: []*text.Layer{l}})
				}
				if err := s.WriteLayers(background, o, []NewLayer{{LayersOf(name, docs...), def, name, name + "@1"}}); err != nil {
					t.Fatal(err)
				}
			case "drop":
				name := rapid.SampledFrom([]string{"tagger", "parser", "topic"}).Draw(t, "layer")
				if err := s.WriteLayers(background, o, nil, name); err != nil {
					t.Fatal(err)
				}
				for id, d := range want {
					w := *d
					w.DropLayer(name)
					want[id] = &w
				}
			case "delete":
				var seqs []uint64
				for id, d := range readAll(t, s, o) {
					if rapid.Bool().Draw(t, "pick") {
						seqs = append(seqs, d.Seq)
						delete(want, id)
					}
				}
				if _, err := s.DeleteDocuments(background, o, seqs); err != nil {
					t.Fatal(err)
				}
			case "rewrite":
				if err := s.rewrite(background, o, 0, len(s.state(background, o.ID).Gens)); err != nil {
					t.Fatal(err)
				}
			case "reopen":
				s.Close()
				if s, err = Open(s.Path(), Options{}); err != nil {
					t.Fatal(err)
				}
				o, _ = s.Object("docs")
			}
			same(t, readAll(t, s, o), want)
		}
		check(t, s)
	})
}

// TestReadersBesideWriters reads while documents come, change and go; every snapshot must be
// whole.
func TestReadersBesideWriters(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, parsed("d0", 0, 1, 1))
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 3 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				select {
				case <-stop:
					return
				default:
				}
				sn := s.Snapshot()
				n := 0
				for _, id := range sn.Segments(o) {
					sg, err := sn.Segment(background, o, id, everything)
					if err != nil {
						t.Errorf("segment: %v", err)
						break
					}
					n += len(sg.Documents())
				}
				if n != sn.Count(o) {
					t.Errorf("%d documents of %d", n, sn.Count(o))
				}
				sn.Close()
			}
		}()
	}
	for i := range 80 {
		insertDocuments(t, s, o, parsed(fmt.Sprint("e", i), 0, 1, 1))
		if i%10 == 0 {
			d := readAll(t, s, o)["d0"]
			if err := s.WriteLayers(background, o,
				[]NewLayer{{LayersOf("topic", predicted(d, "topic", fmt.Sprint(i))), text.Labels, "topic",
					"topic@1"}}); err != nil {
				t.Fatal(err)
			}
			if err := s.ReplaceDocuments(background, o, []*text.Document{parsed("d0", 0, 1, 2)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(stop)
	wait.Wait()
	check(t, s)
}

// TestForgetDecoded lets go of a corpus, and reads the same again.
func TestForgetDecoded(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, parsed("a", 0, 1, 1), parsed("b", 1, 2, 1))
	want := readAll(t, s, o)
	if s.Statistics().SegmentBytes == 0 {
		t.Fatal("nothing is kept")
	}
	s.EvictSegments(o)
	if n := s.Statistics().SegmentBytes; n != 0 {
		t.Errorf("%d bytes are kept", n)
	}
	if got := readAll(t, s, o); !reflect.DeepEqual(got, want) {
		t.Error("other documents are read")
	}
}
