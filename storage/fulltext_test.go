package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/fulltext"
	"parlance/storage/loading"
	"parlance/storage/sealed"
	"parlance/storage/textindex"

	"pgregory.net/rapid"
)

// drawnQuery is a query with an oracle of its own.
type drawnQuery struct {
	text    string
	matches func(terms []string) bool
	leaves  []func(term string) bool // that scores count
}

func equals(w string) func(string) bool { return func(t string) bool { return t == w } }

func drawQuery(t drawer, depth int) drawnQuery {
	word := rapid.SampledFrom([]string{"a", "häuser", "don't", "x", ".", "日本", "z"})
	kinds := []string{"word", "prefix", "phrase"}
	if depth > 0 {
		kinds = append(kinds, "and", "or", "not")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "prefix":
		p := rapid.SampledFrom([]string{"h", "do", "日", "q"}).Draw(t, "prefix")
		is := func(t string) bool { return strings.HasPrefix(t, p) }
		return drawnQuery{p + "*", func(ts []string) bool { return count(ts, is) > 0 }, []func(string) bool{is}}
	case "phrase":
		ws := rapid.SliceOfN(word, 1, 3).Draw(t, "phrase")
		q := drawnQuery{text: `"` + strings.Join(ws, " ") + `"`, matches: func(ts []string) bool {
			return strings.Contains(" "+strings.Join(ts, " ")+" ", " "+strings.Join(ws, " ")+" ")
		}}
		for _, w := range ws {
			q.leaves = append(q.leaves, equals(w))
		}
		return q
	case "and", "or":
		or := rapid.Bool().Draw(t, "or")
		a, b := drawQuery(t, depth-1), drawQuery(t, depth-1)
		q := drawnQuery{text: "(" + a.text + " " + b.text + ")",
			leaves:  append(append([]func(string) bool{}, a.leaves...), b.leaves...),
			matches: func(ts []string) bool { return a.matches(ts) && b.matches(ts) }}
		if or {
			q.text = "(" + a.text + " OR " + b.text + ")"
			q.matches = func(ts []string) bool { return a.matches(ts) || b.matches(ts) }
		}
		return q
	case "not":
		a := drawQuery(t, 0)
		return drawnQuery{text: "-" + a.text, matches: func(ts []string) bool { return !a.matches(ts) }}
	}
	w := word.Draw(t, "word")
	return drawnQuery{w, func(ts []string) bool { return count(ts, equals(w)) > 0 }, []func(string) bool{equals(w)}}
}

func count(terms []string, is func(string) bool) int {
	n := 0
	for _, t := range terms {
		if is(t) {
			n++
		}
	}
	return n
}

func compiled(t fatal, q string) *fulltext.Search {
	p, err := fulltext.Parse(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	cut := func(s string) ([]string, error) { return strings.Fields(s), nil }
	s, err := p.Compile(cut, strings.ToLower, strings.ToLower)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return s
}

// unitsOf lists the units of documents by id and row with their terms, as an index sees them.
func unitsOf(docs map[string]*text.Document, layer string) map[string][]string {
	out := map[string][]string{}
	for id, d := range docs {
		toks := d.Layer("tokens")
		fold := func(from, to int32) []string {
			var ts []string
			for i := range toks.N {
				if toks.Ints("char_start")[i] >= from && toks.Ints("char_end")[i] <= to {
					ts = append(ts, strings.ToLower(toks.Strs("form")[i]))
				}
			}
			return ts
		}
		if layer == "" {
			out[id+"/0"] = nil
			if toks != nil {
				out[id+"/0"] = fold(0, math.MaxInt32)
			}
		} else if l := d.Layer(layer); l != nil {
			for i := range l.N {
				out[fmt.Sprint(id, "/", i)] = fold(l.Ints("char_start")[i], l.Ints("char_end")[i])
			}
		}
	}
	return out
}

// searchAll compares a search by index with the oracle.
func searchAll(t fatal, s *Store, o *Object, layer string, q drawnQuery) {
	sn := s.Snapshot()
	defer sn.Close()
	docs := readAll(t, s, o)
	units := unitsOf(docs, layer)
	search := compiled(t, q.text)
	hits, err := sn.Search(background, o, layer, "text", search, true)
	if err != nil {
		t.Fatalf("%s: %v", q.text, err)
	}
	ids := map[uint64]string{}
	for id, d := range docs {
		ids[d.Seq] = id
	}
	tokens := 0
	want := map[string]bool{}
	for u, ts := range units {
		tokens += len(ts)
		if q.matches(ts) {
			want[u] = true
		}
		if found, err := search.Match(context.Background(), ts); q.matches(ts) != found || err != nil {
			t.Fatalf("%s: scanning %v differs, %v", q.text, ts, err)
		}
	}
	mean := float64(tokens) / float64(len(units))
	for i, h := range hits.List {
		u := fmt.Sprint(ids[h.Seq], "/", h.Row)
		if !want[u] {
			t.Fatalf("%s finds %s: %v", q.text, u, units[u])
		}
		delete(want, u)
		if i > 0 && (hits.List[i-1].Seq > h.Seq || hits.List[i-1].Seq == h.Seq && hits.List[i-1].Row >= h.Row) {
			t.Fatalf("%s: hits are not in load order", q.text)
		}
		if x, ok := hits.Find(h.Seq, h.Row); !ok || x != h {
			t.Fatalf("%s: hit %d is not found again", q.text, i)
		}
		score := 0.0
		for l := range search.Leaves { // each distinct term counts once
			leaf := search.Leaves[l]
			if leaf.Excluded {
				continue
			}
			is := func(t string) bool { return t == leaf.Text || leaf.Prefix && strings.HasPrefix(t, leaf.Text) }
			df := 0
			for _, ts := range units {
				if count(ts, is) > 0 {
					df++
				}
			}
			tf := float64(count(units[u], is))
			idf := math.Log(1 + (float64(len(units)-df)+0.5)/(float64(df)+0.5))
			if tokens > 0 {
				score += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(len(units[u]))/mean))
			}
		}
		if math.Abs(score-h.Score) > 1e-9 {
			t.Fatalf("%s: score of %s is %g, want %g", q.text, u, h.Score, score)
		}
	}
	if len(want) > 0 {
		t.Fatalf("%s does not find %v", q.text, want)
	}
	ranked := slices.Clone(hits.List)
	slices.SortStableFunc(ranked, func(a, b textindex.Hit) int { return cmp.Compare(b.Score, a.Score) })
	for _, k := range []int{1, 2, len(ranked) + 1} {
		top, err := sn.SearchTop(background, o, layer, "text", search, k)
		if err != nil {
			t.Fatalf("%s: %v", q.text, err)
		}
		same := func(a, b textindex.Hit) bool { return a.Seq == b.Seq && a.Row == b.Row && a.Score == b.Score }
		if !slices.EqualFunc(top, ranked[:min(k, len(ranked))], same) {
			t.Fatalf("%s: the best %d are %v, want %v", q.text, k, top, ranked)
		}
	}
}

// TestSearchAgainstScan searches while documents come, change and go.
func TestSearchAgainstScan(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s, err := Open(filepath.Join(dir, fmt.Sprint(n)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		o, err := s.CreateObject(background, Object{Name: "docs", Kind: catalog.CorpusObject})
		if err != nil {
			t.Fatal(err)
		}
		has := map[string]bool{}
		for step := range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"insert", "insert", "replace", "index", "index", "drop", "delete", "rewrite",
				"reopen"}).Draw(t, "step") {
			case "insert":
				var docs []*text.Document
				for k := range rapid.IntRange(1, 5).Draw(t, "documents") {
					docs = append(docs, drawDocument(t, fmt.Sprintf("d%d.%d", step, k)))
				}
				insertDocuments(t, s, o, docs...)
			case "replace":
				var docs []*text.Document
				for id := range readAll(t, s, o) {
					if rapid.Bool().Draw(t, "pick") {
						docs = append(docs, drawDocument(t, id))
					}
				}
				if err := s.ReplaceDocuments(background, o, docs); err != nil {
					t.Fatal(err)
				}
			case "index", "drop":
				layer := rapid.SampledFrom([]string{"", "entities"}).Draw(t, "layer")
				if has[layer] {
					err = s.DropFulltext(background, o, layer, "text")
				} else {
					err = s.CreateFulltext(background, o, documents.FulltextIndex{Layer: layer, Column: "text", Case: "lower"})
				}
				if has[layer] = !has[layer]; err != nil {
					t.Fatal(err)
				}
			case "delete":
				var seqs []uint64
				for _, d := range readAll(t, s, o) {
					if rapid.Bool().Draw(t, "pick") {
						seqs = append(seqs, d.Seq)
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
			for layer, ok := range has {
				if ok {
					searchAll(t, s, o, layer, drawQuery(t, 2))
				}
			}
		}
		check(t, s)
	})
}

// sentence is a document of words with tokens and one entity over each capital.
func sentence(id, content string) *text.Document {
	d := &text.Document{ID: id, Text: content}
	toks := text.NewLayer(text.Tokens)
	at := 0
	var spans []text.Span
	for i, w := range strings.Fields(content) {
		start := at + strings.Index(content[at:], w)
		at = start + len(w)
		for c, x := range []int32{1, int32(i + 1), int32(start), int32(at)} {
			toks.Cols[c].Ints = append(toks.Cols[c].Ints, x)
		}
		toks.Cols[4].Strs = append(toks.Cols[4].Strs, w)
		toks.N++
		if w[0] >= 'A' && w[0] <= 'Z' {
			spans = append(spans, text.Span{Sent: 1, First: int32(i + 1), Last: int32(i + 1), Label: "X"})
		}
	}
	d.SetLayer(toks)
	d.SetLayer(d.SpanLayer(text.Entities, spans))
	return d
}

func find(t testing.TB, s *Store, q string) (ids string) {
	t.Helper()
	o, _ := s.Object("docs")
	sn := s.Snapshot()
	defer sn.Close()
	hits, err := sn.Search(background, o, "", "text", compiled(t, q), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits.List {
		d, err := sn.Document(background, o, h.Seq, documents.Want{})
		if err != nil {
			t.Fatal(err)
		}
		ids += d.ID
	}
	return ids
}

// TestSearchOfManyRuns indexes more than one run holds, and lists longer than a block.
func TestSearchOfManyRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: nothing for a short run")
	}
	s := open(t)
	o := corpusOf(t, s)
	if err := s.CreateFulltext(background, o, documents.FulltextIndex{Column: "text", Case: "lower"}); err != nil {
		t.Fatal(err)
	}
	l, err := s.NewLoad(background, o, loading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const docs = 12000
	for i := range docs {
		var b strings.Builder
		for k := range 40 {
			fmt.Fprintf(&b, "the w%d ", (i*40+k)%250000)
		}
		if err := l.Add(background, []*text.Document{sentence(fmt.Sprint("d", i, "."), b.String())}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Commit(background); err != nil {
		t.Fatal(err)
	}
	runs := s.state(background, o.ID).Gens[0].Runs
	if len(runs) != 1 || len(runs[documents.FirstLayer]) < 2 {
		t.Errorf("runs: %v", runs)
	}
	sn := s.Snapshot()
	defer sn.Close()
	for q, want := range map[string]int{"the": docs, "w249999": 1, "w1": 2, `"the w1 the w2"`: 2, `"w2 the w1"`: 0,
		"w24999*": 3, "the -w1": docs - 2, "w1 | w249999": 3} {
		hits, err := sn.Search(background, o, "", "text", compiled(t, q), true)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits.List) != want {
			t.Errorf("%s: %d hits, want %d", q, len(hits.List), want)
		}
		if top := hits.Top(5); want > 5 && len(top.List) < 5 {
			t.Errorf("%s: %d of the top 5", q, len(top.List))
		}
	}
	check(t, s)
}

// TestIndexBelongsToItsSnapshot reads an index that was dropped, of documents that were changed.
func TestIndexBelongsToItsSnapshot(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, sentence("a", "one two"), sentence("b", "two three"))
	if err := s.CreateFulltext(background, o, documents.FulltextIndex{Column: "text", Case: "lower"}); err != nil {
		t.Fatal(err)
	}
	if err := s.CreateFulltext(background, o, documents.FulltextIndex{Column: "text", Case: "lower"}); !errors.Is(err,
		ErrExists) {
		t.Errorf("a second index: %v", err)
	}
	if got := find(t, s, "two"); got != "ab" {
		t.Errorf("two is in %s", got)
	}
	old := s.Snapshot()
	if err := s.ReplaceDocuments(background, o, []*text.Document{sentence("a", "four")}); err != nil {
		t.Fatal(err)
	}
	if got := find(t, s, "two") + find(t, s, "four") + find(t, s, "-four"); got != "bab" {
		t.Errorf("after the change: %s", got)
	}
	if err := s.DropFulltext(background, o, "", "text"); err != nil {
		t.Fatal(err)
	}
	if err := s.DropFulltext(background, o, "", "text"); !errors.Is(err, ErrNotFound) {
		t.Errorf("dropping it again: %v", err)
	}
	hits, err := old.Search(background, o, "", "text", compiled(t, "two"), true)
	if err != nil || len(hits.List) != 2 {
		t.Errorf("the old snapshot: %v, %v", hits, err)
	}
	blocks := keys(t, s, bucketSegment)
	old.Close()
	if err := s.Collect(background); err != nil {
		t.Fatal(err)
	}
	if n := keys(t, s, bucketSegment); n >= blocks {
		t.Errorf("%d blocks after the index is collected, %d before", n, blocks)
	}
	check(t, s)
}

// TestStoppedIndexLeavesNothing cancels CREATE FULLTEXT INDEX, and leaves blocks behind as a
// killed process does.
func TestStoppedIndexLeavesNothing(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	for i := range 5 {
		insertDocuments(t, s, o, sentence(fmt.Sprint(i), "one two"))
	}
	counted := func(s *Store) int { // without what merges left to the background
		if err := s.Collect(background); err != nil {
			t.Fatal(err)
		}
		return keys(t, s, bucketSegment)
	}
	before := counted(s)
	stopped, cancel := context.WithCancel(background)
	cancel()
	x := documents.FulltextIndex{Column: "text", Case: "lower"}
	if err := s.CreateFulltext(stopped, o, x); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled index: %v", err)
	}
	ctx := &stopAfter{Context: background, n: 4}
	if err := s.CreateFulltext(ctx, o, x); !errors.Is(err, context.Canceled) {
		t.Errorf("an index cancelled in the middle: %v", err)
	}
	if n := counted(s); n != before {
		t.Errorf("%d blocks, want %d", n, before)
	}
	b := textindex.NewBuilder(s.File, o.ID, s.state(background, o.ID).Gens[0].ID, 77)
	if err := b.Add(0, textindex.Invert([]*text.Document{sentence("lost", "lost")}, x)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Finish(); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	if n := counted(s); n != before {
		t.Errorf("%d blocks after reopening, want %d", n, before)
	}
}

// TestCheckFindsIndexFaults damages blocks of an index.
func TestCheckFindsIndexFaults(t *testing.T) {
	for name, damage := range map[string]func(b *sealed.Bucket, k []byte) error{
		"lost": func(b *sealed.Bucket, k []byte) error { return b.Delete(k) },
		"changed": func(b *sealed.Bucket, k []byte) error {
			v := append([]byte{}, b.Get(k)...)
			v[len(v)-1] ^= 1
			return b.Put(k, v)
		},
		"of other documents": func(b *sealed.Bucket, k []byte) error {
			other := append([]byte{}, k...)
			other[7] ^= 1
			return b.Put(k, append([]byte{}, b.Get(other)...))
		},
	} {
		for block := range uint32(2) {
			s := open(t)
			o := corpusOf(t, s)
			insertDocuments(t, s, o, sentence("a", "one two"))
			insertDocuments(t, s, o, sentence("b", "two three four"))
			if err := s.CreateFulltext(background, o, documents.FulltextIndex{Column: "text", Case: "lower"}); err != nil {
				t.Fatal(err)
			}
			check(t, s)
			g := s.state(background, o.ID).Gens[0]
			err := s.Update(func(tx *sealed.Tx) error {
				return damage(tx.Bucket(bucketSegment), documents.BlockKey(o.ID, g.ID, s.state(background, o.ID).Indexes[0].Part,
					block))
			})
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			if err := s.CheckDatabase(background, func(m string) { said = append(said, m) }); !errors.Is(err, ErrCorrupt) ||
				!strings.Contains(strings.Join(said, "\n"), "full-text index") {
				t.Errorf("block %d %s: %v, %q", block, name, err, said)
			}
			sn := s.Snapshot()
			if _, err := sn.Search(background, o, "", "text", compiled(t, `"one two"`), true); name != "of other documents" &&
				!errors.Is(err, ErrCorrupt) {
				t.Errorf("block %d %s: searching gives %v", block, name, err)
			}
			sn.Close()
		}
	}
}

// TestIndexOfPredictions follows a layer of predictions that is written anew and dropped.
func TestIndexOfPredictions(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, sentence("a", "one Two three"), sentence("b", "Two Four"))
	write := func(docs map[string]*text.Document, word int) {
		var out []*text.Document
		for id, d := range docs {
			l := d.SpanLayer(text.Entities, []text.Span{{Sent: 1, First: int32(word), Last: int32(word), Label: "X"}})
			l.Name = "found"
			out = append(out, &text.Document{Seq: d.Seq, ID: id, Layers: []*text.Layer{l}})
		}
		if err := s.WriteLayers(background, o,
			[]NewLayer{{LayersOf("found", out...), text.Entities, "found", "ner@1"}}); err != nil {
			t.Fatal(err)
		}
	}
	n := func(q string) int {
		sn := s.Snapshot()
		defer sn.Close()
		hits, err := sn.Search(background, o, "found", "text", compiled(t, q), true)
		if err != nil {
			t.Fatal(err)
		}
		return len(hits.List)
	}
	write(readAll(t, s, o), 1)
	if err := s.CreateFulltext(background, o, documents.FulltextIndex{Layer: "found", Column: "text",
		Case: "lower"}); err != nil {
		t.Fatal(err)
	}
	if n("two") != 1 || n("one") != 1 || n("four") != 0 {
		t.Error("hits of the first predictions")
	}
	write(readAll(t, s, o), 2)
	if n("two") != 1 || n("one") != 0 || n("four") != 1 {
		t.Error("hits of the second predictions")
	}
	check(t, s)
	testIndexesOfLayers(t, s, o)
	if err := s.WriteLayers(background, o, nil, "found"); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	sn := s.Snapshot()
	defer sn.Close()
	if o, _ = s.Object("docs"); len(sn.Fulltext(o)) != 0 {
		t.Error("the index outlives its layer")
	}
	check(t, s)
}

// testIndexesOfLayers writes two indexed layers at once, twice.
func testIndexesOfLayers(t *testing.T, s *Store, o *Object) {
	t.Helper()
	names := []string{"found", "other"}
	for round := range 3 {
		layers := make([]NewLayer, len(names))
		for i, name := range names {
			of := LayersInMemory{}
			layers[i] = NewLayer{of, text.Entities, name, name + "@1"}
			for _, d := range readAll(t, s, o) {
				word := int32((i+round)%2 + 1)
				l := d.SpanLayer(text.Entities, []text.Span{{Sent: 1, First: word, Last: word, Label: "X"}})
				l.Name = name
				of[d.Seq] = l
			}
		}
		if err := s.WriteLayers(background, o, layers); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			if err := s.CreateFulltext(background, o, documents.FulltextIndex{Layer: "other", Column: "text",
				Case: "lower"}); err != nil {
				t.Fatal(err)
			}
		}
		for i, name := range names {
			sn := s.Snapshot()
			hits, err := sn.Search(background, o, name, "text", compiled(t, "one"), true)
			if want := 1 - (i+round)%2; err != nil || len(hits.List) != want {
				t.Errorf("round %d, layer %s: %d hits, want %d: %v", round, name, len(hits.List), want, err)
			}
			sn.Close()
		}
		check(t, s)
	}
	if err := s.WriteLayers(background, o, nil, "other"); err != nil {
		t.Fatal(err)
	}
}
