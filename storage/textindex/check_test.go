package textindex

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"parlance/algo/text"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/fulltext"
)

// TestCheckComparesTerms: the check of a run holds each of its terms against the documents. Blocks are sound here, so
// that nothing but the comparison can find the fault.
func TestCheckComparesTerms(t *testing.T) {
	f, err := dbfile.Open(filepath.Join(t.TempDir(), "test.parlance"), dbfile.Options{},
		func(*dbfile.File) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	index := documents.FulltextIndex{Column: "text", Case: "lower"}
	docs := []*text.Document{{ID: "a", Text: "one two"}, {ID: "b", Text: "two three four"}}
	for i, ends := range [][]int32{{3, 7}, {3, 9, 14}} {
		toks := text.NewLayer(text.Tokens)
		toks.N = len(ends)
		for k, end := range ends {
			start := int32(0)
			if k > 0 {
				start = ends[k-1] + 1
			}
			for c, v := range []int32{1, int32(k + 1), start, end} {
				toks.Cols[c].Ints = append(toks.Cols[c].Ints, v)
			}
			toks.Cols[4].Strs = append(toks.Cols[4].Strs, docs[i].Text[start:end])
		}
		docs[i].SetLayer(toks)
	}
	b := NewBuilder(f, 1, 2, 3)
	if err := b.Add(0, Invert(docs, index)); err != nil {
		t.Fatal(err)
	}
	runs, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(terms map[string]*fulltext.Builder){
		"":                func(map[string]*fulltext.Builder) {},
		"a term too many": func(m map[string]*fulltext.Builder) { m["zzz"] = m["two"] },
		"a term too few":  func(m map[string]*fulltext.Builder) { delete(m, "two") },
		"another term":    func(m map[string]*fulltext.Builder) { m["zzz"] = m["two"]; delete(m, "two") },
		"other postings":  func(m map[string]*fulltext.Builder) { m["one"] = m["three"] },
		"other positions": func(m map[string]*fulltext.Builder) { m["four"] = m["three"] },
		"fewer documents": func(m map[string]*fulltext.Builder) { m["two"] = m["one"] },
		"the last is other": func(m map[string]*fulltext.Builder) {
			last := slices.Max(slices.Collect(maps.Keys(m)))
			m[last] = m["one"]
		},
	} {
		s, again := NewReader(f, nil), NewBuilder(f, 1, 2, 3)
		again.gather(0, Invert(docs, index))
		change(again.terms)
		h := &runHead{key: headKey{1, 2, 3, 0}, meta: runs[0]}
		head, err := s.runBlock(h.key, h.number)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.decode(head, len(docs)); err != nil {
			t.Fatal(err)
		}
		if err := s.checkTerms(t.Context(), h, again); errors.Is(err, dbfile.ErrCorrupt) != (name != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
