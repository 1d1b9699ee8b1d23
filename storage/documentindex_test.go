package storage

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
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

// within tests a document against a range by comparing values.
func within(d *text.Document, cols []string, r catalog.KeyRange) bool {
	for i, v := range r.Equal {
		if value.Compare(d.Field(cols[i]), v) != 0 {
			return false
		}
	}
	if r.Low == nil && r.High == nil {
		return true
	}
	v := d.Field(cols[len(r.Equal)])
	if v.IsNull() {
		return false
	}
	if r.Low != nil {
		if c := value.Compare(v, *r.Low); c < 0 || c == 0 && r.LowOpen {
			return false
		}
	}
	if r.High != nil {
		if c := value.Compare(v, *r.High); c > 0 || c == 0 && r.HighOpen {
			return false
		}
	}
	return true
}

// drawRange draws a range of an index over values that documents have, and others.
func drawRange(t *rapid.T, cols []string, docs map[string]*text.Document) catalog.KeyRange {
	var r catalog.KeyRange
	draw := func(col string) value.Value {
		pick := []value.Value{value.Int(0), value.Int(math.MinInt64), value.Real(0.5)}
		if col == "split" {
			pick = []value.Value{value.Str("train"), value.Str("")}
		}
		for _, id := range []string{"d0", "d1", "d2", "d3", "d4"} {
			if d := docs[id]; d != nil && !d.Field(col).IsNull() {
				pick = append(pick, d.Field(col))
			}
		}
		return rapid.SampledFrom(pick).Draw(t, "bound")
	}
	for i := range rapid.IntRange(0, len(cols)).Draw(t, "equal") {
		r.Equal = append(r.Equal, draw(cols[i]))
	}
	if len(r.Equal) == len(cols) {
		return r
	}
	next := cols[len(r.Equal)]
	if rapid.Bool().Draw(t, "low") {
		v := draw(next)
		r.Low, r.LowOpen = &v, rapid.Bool().Draw(t, "open")
	}
	if rapid.Bool().Draw(t, "high") {
		v := draw(next)
		r.High, r.HighOpen = &v, rapid.Bool().Draw(t, "open")
	}
	return r
}

// picked reads what an index finds, in order.
func picked(t fatal, sn *Snapshot, o *Object, cols []string, ranges ...catalog.KeyRange) (ids []string) {
	sel, err := sn.Select(background, o, cols, ranges)
	if err != nil {
		t.Fatalf("select: %v", err)
	}
	for _, d := range documentsOf(t, sn, o, sel, documents.Want{}) {
		ids = append(ids, d.ID)
	}
	return ids
}

// selections compares what indexes find with a filter over all documents. What a transaction has loaded may be found
// besides.
func selections(t *rapid.T, sn *Snapshot, docs map[string]*text.Document) {
	defer sn.Close()
	o, _ := sn.Object("docs")
	for _, cols := range o.Indexes {
		r := drawRange(t, cols, docs)
		var want []string
		for _, id := range loadOrderIn(t, sn, o) {
			if within(docs[id], cols, r) {
				want = append(want, id)
			}
		}
		got := picked(t, sn, o, cols, r, r)
		if sn.overlay > 0 {
			got = slices.DeleteFunc(got, func(id string) bool { return !within(docs[id], cols, r) })
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("index on %v, range %+v: %s", cols, r, d)
		}
		if n, err := sn.Estimate(background, o, cols, []catalog.KeyRange{r}, math.MaxInt); err != nil || n < len(want) ||
			sn.overlay == 0 && n != len(want) {
			t.Fatalf("%d documents are estimated, %d are there, %v", n, len(want), err)
		}
	}
}

func yearOf(id string, year int) *text.Document {
	return &text.Document{ID: id, Text: id, Fields: []text.Field{{Name: "n", Value: value.Int(int64(year))}}}
}

// TestOldSnapshotWithoutIndex reads a state whose generations were merged away before the
// index came.
func TestOldSnapshotWithoutIndex(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, yearOf("a", 1), yearOf("b", 2))
	old := s.Snapshot()
	defer old.Close()
	insertDocuments(t, s, o, yearOf("c", 1))
	if err := s.rewrite(background, o, 0, 2); err != nil {
		t.Fatal(err)
	}
	if err := s.CreateIndex(background, o, []string{"n"}); err != nil {
		t.Fatal(err)
	}
	o, _ = s.Object("docs")
	one := catalog.KeyRange{Equal: []value.Value{value.Int(1)}}
	if got := picked(t, old, o, []string{"n"}, one); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the old snapshot reads %v", got)
	}
	now := s.Snapshot()
	defer now.Close()
	if got := picked(t, now, o, []string{"n"}, one); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("the new snapshot reads %v", got)
	}
	if err := s.DropIndex(background, o, []string{"n"}); err != nil {
		t.Fatal(err)
	}
	if got := picked(t, now, o, []string{"n"}, one); len(got) != 3 {
		t.Errorf("without the index %v are read", got)
	}
	if n := keys(t, s, bucketIndex); n != 0 {
		t.Errorf("%d entries of a dropped index", n)
	}
}

// TestIndexEntriesLeave with generations, dropped corpora and unfinished statements.
func TestIndexEntriesLeave(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	if err := s.CreateIndex(background, o, []string{"n"}); err != nil {
		t.Fatal(err)
	}
	o, _ = s.Object("docs")
	for round := range 5 {
		if err := s.ReplaceDocuments(background, o, []*text.Document{yearOf("a", round), yearOf("b", round+1)}); err != nil {
			t.Fatal(err)
		}
		if n := keys(t, s, bucketIndex); n != 3 {
			t.Fatalf("%d entries for two values and a mark", n)
		}
	}
	l, err := s.NewLoad(background, o, loading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, []*text.Document{yearOf("c", 1)}, nil); err != nil {
		t.Fatal(err)
	}
	l.Abort()
	if n := keys(t, s, bucketIndex); n != 3 {
		t.Errorf("%d entries after a load was given up", n)
	}
	stopped, cancel := context.WithCancel(background)
	cancel()
	if err := s.CreateIndex(stopped, o, []string{"split"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	checked(t, s)
	s = reopen(t, s)
	checked(t, s)
	if err := s.DropObject(background, "docs"); err != nil {
		t.Fatal(err)
	}
	if n := keys(t, s, bucketIndex); n != 0 {
		t.Errorf("%d entries of a dropped corpus", n)
	}
}

// TestLongKeys has values beyond what an entry holds: nothing in a range is missed.
func TestLongKeys(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	var docs []*text.Document
	all := map[string]*text.Document{}
	for i, tail := range []string{"", "a", "b", "\x00", "bb"} {
		for _, n := range []int{catalog.IndexKeyBytes - sha256.Size - 20, catalog.IndexKeyBytes - 20, 3000} {
			d := simple(fmt.Sprint(i, "-", n), "x")
			d.Fields = []text.Field{{Name: "split", Value: value.Str(strings.Repeat("x", n) + tail)}}
			docs, all[d.ID] = append(docs, d), d
		}
	}
	insertDocuments(t, s, o, docs...)
	cols := []string{"split"}
	if err := s.CreateIndex(background, o, cols); err != nil {
		t.Fatal(err)
	}
	o, _ = s.Object("docs")
	checked(t, s)
	sn := s.Snapshot()
	defer sn.Close()
	for _, x := range docs {
		v := x.Field("split")
		for _, r := range []catalog.KeyRange{{Equal: []value.Value{v}}, {Low: &v}, {High: &v}, {Low: &v, LowOpen: true},
			{High: &v, HighOpen: true}} {
			got := picked(t, sn, o, cols, r)
			for id, d := range all {
				if within(d, cols, r) && !slices.Contains(got, id) {
					t.Fatalf("range %+v misses %s", r, id)
				}
			}
		}
	}
}

// TestDamagedDocumentIndex removes, changes and adds entries.
func TestDamagedDocumentIndex(t *testing.T) {
	for what, harm := range map[string]func(b *sealed.Bucket, k, v []byte) error{
		"missing":   func(b *sealed.Bucket, k, _ []byte) error { return b.Delete(k) },
		"changed":   func(b *sealed.Bucket, k, _ []byte) error { return b.Put(k, []byte{0}) },
		"too large": func(b *sealed.Bucket, k, _ []byte) error { return b.Put(k, []byte{99}) },
		"added":     func(b *sealed.Bucket, k, v []byte) error { return b.Put(append(slices.Clone(k), 0), v) },
	} {
		s := open(t)
		o := corpusOf(t, s)
		insertDocuments(t, s, o, yearOf("a", 1), yearOf("b", 1))
		if err := s.CreateIndex(background, o, []string{"n"}); err != nil {
			t.Fatal(err)
		}
		o, _ = s.Object("docs")
		err := s.Update(func(tx *sealed.Tx) error {
			b := tx.Bucket(bucketIndex)
			k, v := b.Cursor().Last()
			return harm(b, slices.Clone(k), slices.Clone(v))
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckCorpora(background, func(string) {}); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
		sn := s.Snapshot()
		if _, err := sn.Select(background, o, []string{"n"}, []catalog.KeyRange{{}}); err != nil && !errors.Is(err,
			ErrCorrupt) {
			t.Errorf("%s: select: %v", what, err)
		}
		sn.Close()
	}
}

// TestIndexAfterKill opens the file as a killed CREATE INDEX or load would leave it.
func TestIndexAfterKill(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, yearOf("a", 1), yearOf("b", 2))
	if err := s.fillDocumentIndex(background, o, []string{"split"}); err != nil {
		t.Fatal(err)
	}
	if n := keys(t, s, bucketIndex); n != 2 {
		t.Fatalf("%d entries, one value and a mark are expected", n)
	}
	image := imageOf(t, s)
	checked(t, image)
	if n := keys(t, image, bucketIndex); n != 0 {
		t.Errorf("%d entries of an index that was never made", n)
	}
	if err := s.CreateIndex(background, o, []string{"n"}); err != nil {
		t.Fatal(err)
	}
	o, _ = s.Object("docs")
	l, err := s.NewLoad(background, o, loading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, []*text.Document{yearOf("c", 1), yearOf("d", 3)}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Finish(background); err != nil { // written, never published
		t.Fatal(err)
	}
	if n := keys(t, s, bucketIndex); n <= 5 {
		t.Fatalf("%d entries: the load has written none", n)
	}
	image = imageOf(t, s)
	checked(t, image)
	if n := keys(t, image, bucketIndex); n != 3 {
		t.Errorf("%d entries after a kill, two values and a mark are expected", n)
	}
	now, _ := image.Object("docs")
	sn := image.Snapshot()
	defer sn.Close()
	if got := picked(t, sn, now, []string{"n"}, catalog.KeyRange{Equal: []value.Value{value.Int(1)}}); !slices.Equal(got,
		[]string{"a"}) {
		t.Errorf("after a kill %v is found", got)
	}
}
