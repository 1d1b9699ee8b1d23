package storage

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/loading"
	"parlance/storage/textindex"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// modelDoc is a document of the model: an id and which change has written it.
type modelDoc struct {
	id  string
	was int
}

// listModel is what a corpus should hold, in its order. Lists are copied on change.
type listModel []modelDoc

// put changes the document with the id where it stands, or adds it at the end.
func (m listModel) put(d modelDoc) listModel {
	out := slices.Clone(m)
	if i := slices.IndexFunc(m, func(x modelDoc) bool { return x.id == d.id }); i >= 0 {
		out[i] = d
		return out
	}
	return append(out, d)
}

// worded is a document of the words of a text.
func worded(id, words string) *text.Document {
	d := &text.Document{ID: id, Text: words}
	toks := text.NewLayer(text.Tokens)
	at := int32(0)
	for k, w := range strings.Fields(words) {
		toks.Cols[0].Ints = append(toks.Cols[0].Ints, 1)
		toks.Cols[1].Ints = append(toks.Cols[1].Ints, int32(k+1))
		toks.Cols[2].Ints = append(toks.Cols[2].Ints, at)
		toks.Cols[3].Ints = append(toks.Cols[3].Ints, at+int32(len(w)))
		toks.Cols[4].Strs = append(toks.Cols[4].Strs, w)
		at += int32(len(w)) + 1
		toks.N++
	}
	d.SetLayer(toks)
	return d
}

// readInOrder reads all documents in their order.
func readInOrder(t fatal, sn *Snapshot, o *Object, want documents.Want) []*text.Document {
	return documentsOf(t, sn, o, sn.Windows(o), want)
}

// documentsOf reads the documents of windows.
func documentsOf(t fatal, sn *Snapshot, o *Object, windows []documents.Window,
	want documents.Want) (out []*text.Document) {
	for _, w := range windows {
		docs, err := sn.Documents(background, o, w, want)
		if err != nil {
			t.Fatalf("documents: %v", err)
		}
		out = append(out, docs...)
	}
	return out
}

// orderCheck runs random changes of a store beside the model.
type orderCheck struct {
	s     *Store
	o     *Object
	count int // of changes
}

// document makes the next version of a document: a text of one or two tokens that all versions share, and its number.
func (c *orderCheck) document(id string) (*text.Document, modelDoc) {
	c.count++
	d := worded(id, []string{"a", "a b", "a b a"}[c.count%3])
	d.Fields = []text.Field{{Name: "n", Value: value.Int(int64(c.count))}}
	return d, modelDoc{id, c.count}
}

// change makes a random change under a context, in which the corpus holds now, and returns what it should hold then.
func (c *orderCheck) change(t *rapid.T, ctx context.Context, now listModel) listModel {
	switch rapid.SampledFrom([]string{"load", "replace", "one", "one", "one", "delete"}).Draw(t, "change") {
	case "load":
		return c.load(t, ctx, now)
	case "replace", "one":
		most := len(now)
		if most == 0 {
			return now
		}
		picked := rapid.Permutation(now).Draw(t, "documents")[:rapid.IntRange(1, min(most, 1+c.count%4)).Draw(t, "number")]
		var docs []*text.Document
		for _, x := range picked {
			d, y := c.document(x.id)
			docs, now = append(docs, d), now.put(y)
		}
		if err := c.s.ReplaceDocuments(ctx, c.o, docs); err != nil {
			t.Fatal(err)
		}
	case "delete":
		sn := c.snapshot(ctx)
		defer sn.Close()
		var seqs []uint64
		for _, x := range now {
			if rapid.IntRange(0, 5).Draw(t, "delete") > 0 {
				continue
			}
			seq, ok, err := sn.Find(c.o, x.id)
			if err != nil || !ok {
				t.Fatalf("document %s is not found, %v", x.id, err)
			}
			seqs = append(seqs, seq)
			now = slices.DeleteFunc(slices.Clone(now), func(y modelDoc) bool { return y == x })
		}
		if n, err := c.s.DeleteDocuments(ctx, c.o, seqs); err != nil || n != len(seqs) {
			t.Fatalf("%d of %d deleted, %v", n, len(seqs), err)
		}
	}
	return now
}

// load adds and replaces documents in any order, some of them twice.
func (c *orderCheck) load(t *rapid.T, ctx context.Context, now listModel) listModel {
	l, err := c.s.NewLoad(ctx, c.o, loading.Options{OnConflict: "replace"})
	if err != nil {
		t.Fatal(err)
	}
	next := now
	for range rapid.IntRange(1, 30).Draw(t, "documents") {
		d, x := c.document(fmt.Sprint("d", rapid.IntRange(0, 40).Draw(t, "id")))
		if err := l.Add(ctx, []*text.Document{d}, nil); err != nil {
			t.Fatal(err)
		}
		next = next.put(x)
	}
	if rapid.IntRange(0, 4).Draw(t, "give up") == 0 {
		l.Abort()
		return now
	}
	if _, err := l.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	return next
}

func (c *orderCheck) snapshot(ctx context.Context) *Snapshot {
	if x := transaction(ctx); x != nil {
		return x.Capture(new(Snapshot))
	}
	return c.s.Snapshot()
}

// compare reads a snapshot by all ways that give an order, and closes it.
func (c *orderCheck) compare(t *rapid.T, what string, sn *Snapshot, want listModel) {
	defer sn.Close()
	var got listModel
	var last uint64
	for _, d := range readInOrder(t, sn, c.o, everything) {
		got = append(got, modelDoc{d.ID, int(d.Field("n").Int())})
		if d.Seq <= last {
			t.Fatalf("%s: document %s has the number %d after %d", what, d.ID, d.Seq, last)
		}
		last = d.Seq
		if again, err := sn.Document(background, c.o, d.Seq, everything); err != nil || again.ID != d.ID ||
			again.Field("n") != d.Field("n") {
			t.Fatalf("%s: document %d is %v, %v, not %s", what, d.Seq, again, err, d.ID)
		}
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.AllowUnexported(modelDoc{})); diff != "" {
		t.Fatalf("%s: order (want -, got +):\n%s", what, diff)
	}
	c.compareSelection(t, what, sn, want)
	c.compareSearch(t, what, sn, want)
}

// compareSelection compares the order of documents that an index finds.
func (c *orderCheck) compareSelection(t *rapid.T, what string, sn *Snapshot, want listModel) {
	low := value.Int(int64(rapid.IntRange(0, c.count).Draw(t, "low")))
	var some, got []string
	for _, x := range want {
		if int64(x.was) >= low.Int() {
			some = append(some, x.id)
		}
	}
	windows, err := sn.Select(background, c.o, []string{"n"}, []catalog.KeyRange{{Low: &low}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documentsOf(t, sn, c.o, windows, documents.Want{Fields: []string{"n"}}) {
		if sn.overlay == 0 || d.Field("n").Int() >= low.Int() {
			got = append(got, d.ID)
		}
	}
	if diff := cmp.Diff(some, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s: order of an index from %v (want -, got +):\n%s", what, low, diff)
	}
}

// compareSearch compares the order of hits: all of them, and the best, of which equal ones stand in order.
func (c *orderCheck) compareSearch(t *rapid.T, what string, sn *Snapshot, want listModel) {
	q := compiled(t, "a")
	hits, err := sn.Search(background, c.o, "", "text", q, true)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[uint64]string{}
	for _, d := range readInOrder(t, sn, c.o, documents.Want{}) {
		ids[d.Seq] = d.ID
	}
	var got []string
	for i, h := range hits.List {
		got = append(got, ids[h.Seq])
		if again, ok := hits.Find(h.Seq, h.Row); !ok || again != h {
			t.Fatalf("%s: hit %d is not found again", what, i)
		}
	}
	var all []string
	for _, x := range want {
		all = append(all, x.id)
	}
	if diff := cmp.Diff(all, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s: order of hits (want -, got +):\n%s", what, diff)
	}
	best := slices.Clone(hits.List)
	slices.SortStableFunc(best, func(a, b textindex.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	k := rapid.IntRange(1, 10).Draw(t, "best")
	top, err := sn.SearchTop(background, c.o, "", "text", q, k)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range top {
		if best[i].Seq != h.Seq {
			t.Fatalf("%s: hit %d of the best %d is %s, not %s", what, i, k, ids[h.Seq], ids[best[i].Seq])
		}
	}
	if len(top) != min(k, len(best)) {
		t.Fatalf("%s: %d of the best %d of %d", what, len(top), k, len(best))
	}
}

// smallSegments makes segments of a few documents, and has few generations merged, until the end of a test.
func smallSegments(t *testing.T) {
	docs, tail := documents.SegmentDocs, documents.TailGenerations
	documents.SegmentDocs, documents.TailGenerations = 8, 3
	t.Cleanup(func() { documents.SegmentDocs, documents.TailGenerations = docs, tail })
}

// TestChangedDocumentsKeepTheirPlaces runs random changes, in transactions and outside, with small segments that are
// merged often, against a list. Older snapshots keep seeing the older order.
func TestChangedDocumentsKeepTheirPlaces(t *testing.T) {
	smallSegments(t)
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s, err := Open(filepath.Join(dir, fmt.Sprint(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := &orderCheck{s: s}
		defer func() { c.s.Close() }()
		if c.o, err = s.CreateObject(background, Object{Name: "docs", Kind: catalog.CorpusObject,
			Columns: []catalog.ColumnDef{{Name: "n", Type: value.Integer}}}); err != nil {
			t.Fatal(err)
		}
		c.o = toggleIndex(t, s, c.o, []string{"n"})
		if err := s.CreateFulltext(background, c.o, documents.FulltextIndex{Column: "text", Case: "lower"}); err != nil {
			t.Fatal(err)
		}
		c.run(t)
		check(t, c.s)
	})
}

// run makes random steps.
func (c *orderCheck) run(t *rapid.T) {
	committed := c.load(t, background, nil)
	tx, own := c.s.Begin(), committed
	defer func() { tx.Rollback(background) }()
	mark, marked := Savepoint{}, own
	end := func(now listModel) {
		committed, own, marked = now, now, now
		tx, mark = c.s.Begin(), Savepoint{}
	}
	old, seen := c.s.Snapshot(), committed
	for range rapid.IntRange(1, 15).Draw(t, "steps") {
		switch rapid.SampledFrom([]string{"change", "change", "change", "change", "within", "within", "mark", "back",
			"commit", "rollback", "reopen", "snapshot", "compact"}).Draw(t, "step") {
		case "change":
			tx.Rollback(background)
			end(c.change(t, background, committed))
		case "within":
			own = c.change(t, tx.Context(background), own)
		case "mark":
			mark, marked = tx.Savepoint(), own
		case "back":
			tx.RollbackTo(mark)
			own = marked
		case "commit":
			if err := tx.Commit(background); err != nil {
				t.Fatal(err)
			}
			end(own)
		case "rollback":
			tx.Rollback(background)
			end(committed)
		case "snapshot":
			c.compare(t, "older snapshot", old, seen)
			old, seen = c.s.Snapshot(), committed
		case "compact":
			tx.Rollback(background)
			end(committed)
			if err := c.s.rewrite(background, c.o, 0, len(c.s.state(background, c.o.ID).Gens)); err != nil {
				t.Fatal(err)
			}
		case "reopen": // as if the process had been killed
			c.compare(t, "older snapshot", old, seen)
			c.s.Close()
			s, err := Open(c.s.Path(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			c.s = s
			c.o, _ = s.Object("docs")
			end(committed)
			old, seen = s.Snapshot(), committed
		}
		c.compare(t, "transaction", tx.Capture(new(Snapshot)), own)
		c.compare(t, "committed", c.s.Snapshot(), committed)
	}
	c.compare(t, "older snapshot", old, seen)
}

// TestShuffledLoad replaces all documents in an order of its own, which a merge then puts right.
func TestShuffledLoad(t *testing.T) {
	smallSegments(t)
	s := open(t)
	o := corpusOf(t, s)
	var docs, shuffled []*text.Document
	for i := range 800 {
		docs = append(docs, worded(fmt.Sprint("d", i), "a b"))
		shuffled = append(shuffled, worded(fmt.Sprint("d", i), "a b c"))
	}
	insertDocuments(t, s, o, docs...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(docs), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if err := s.ReplaceDocuments(background, o, shuffled[:700]); err != nil {
		t.Fatal(err)
	}
	for _, g := range s.state(background, o.ID).Gens {
		if g.Overlaps {
			t.Error("a generation is out of order after the merge")
		}
	}
	if err := s.ReplaceDocuments(background, o, shuffled[700:]); err != nil {
		t.Fatal(err)
	}
	order := loadOrder(t, s, o)
	for i, id := range order {
		if want := fmt.Sprint("d", i); id != want {
			t.Fatalf("document %d is %s", i, id)
		}
	}
	if len(order) != len(docs) {
		t.Errorf("%d documents", len(order))
	}
	check(t, s)
}
