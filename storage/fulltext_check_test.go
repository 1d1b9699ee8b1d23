package storage

import (
	"errors"
	"slices"
	"testing"

	"parlance/storage/documents"
)

// TestCheckComparesRuns: the check of an index holds each number of a run against the documents. Blocks are sound here,
// so that nothing but the comparison can find the fault.
func TestCheckComparesRuns(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, sentence("a", "one two"), sentence("b", "two three four"))
	if err := s.CreateFulltext(background, o, documents.FulltextIndex{Column: "text", Case: "lower"}); err != nil {
		t.Fatal(err)
	}
	st := s.state(background, o.ID)
	g, x := st.Gens[0], st.Indexes[0]
	if err := s.texts.CheckIndex(background, st, g, x); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(r []documents.RunMeta) []documents.RunMeta{
		"not from the first segment": func(r []documents.RunMeta) []documents.RunMeta { r[0].First++; r[0].Last++; return r },
		"beyond the last segment":    func(r []documents.RunMeta) []documents.RunMeta { r[len(r)-1].Last++; return r },
		"first after last": func(r []documents.RunMeta) []documents.RunMeta {
			return append(r, documents.RunMeta{First: 1, Last: 0})
		},
		"the same segment again": func(r []documents.RunMeta) []documents.RunMeta { return append(r, r[0]) },
		"no run":                 func(r []documents.RunMeta) []documents.RunMeta { return nil },
		"one token more":         func(r []documents.RunMeta) []documents.RunMeta { r[0].Tokens++; return r },
		"one unit more":          func(r []documents.RunMeta) []documents.RunMeta { r[0].Units++; return r },
	} {
		other := *g
		other.Runs = map[uint16][]documents.RunMeta{x.Part: change(slices.Clone(g.Runs[x.Part]))}
		if err := s.texts.CheckIndex(background, st, &other, x); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := *g
	other.Runs = nil
	if err := s.texts.CheckIndex(background, st, &other, x); !errors.Is(err, ErrCorrupt) {
		t.Errorf("without an index: %v", err)
	}
}
