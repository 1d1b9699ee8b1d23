package textindex

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
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
	docs := []string{"one two", "two three four"}
	b := NewBuilder(f, 1, 2, 3)
	if err := b.Add(0, Invert(tokenised(docs), index)); err != nil {
		t.Fatal(err)
	}
	runs, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for name, others := range map[string][]string{
		"":                  docs,
		"a term too many":   {"one two", "two three four zzz"},
		"a term too few":    {"one two", "two three"},
		"the last too few":  {"one", "three four"},
		"another term":      {"one zzz", "zzz three four"},
		"other postings":    {"two one", "two three four"},
		"other positions":   {"one two", "two four three"},
		"fewer documents":   {"one two", "three four"},
		"the last is other": {"one twp", "twp three four"},
	} {
		s, again := NewReader(f, nil), NewBuilder(f, 1, 2, 3)
		again.gather(0, Invert(tokenised(others), index))
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

// tokenised is documents whose tokens are apart by blanks.
func tokenised(texts []string) (docs []*text.Document) {
	for _, t := range texts {
		d, toks := &text.Document{ID: fmt.Sprint(len(docs)), Text: t}, text.NewLayer(text.Tokens)
		start := 0
		for _, w := range strings.Fields(t) {
			start += strings.Index(t[start:], w)
			toks.N++
			for c, v := range []int{1, toks.N, start, start + len(w)} {
				toks.Cols[c].Ints = append(toks.Cols[c].Ints, int32(v))
			}
			toks.Cols[4].Strs = append(toks.Cols[4].Strs, w)
			start += len(w)
		}
		d.SetLayer(toks)
		docs = append(docs, d)
	}
	return docs
}
