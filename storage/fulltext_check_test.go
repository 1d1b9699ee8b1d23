package storage

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"parlance/storage/fulltext"
)

// TestCheckComparesRuns: the check of an index holds each number of a run, and each term, against the documents. Blocks
// are sound here, so that nothing but the comparison can find the fault.
func TestCheckComparesRuns(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, sentence("a", "one two"), sentence("b", "two three four"))
	if err := s.CreateFulltext(background, o, FulltextIndex{Column: "text", Case: "lower"}); err != nil {
		t.Fatal(err)
	}
	st := s.state(background, o.ID)
	g, x := st.gens[0], st.indexes[0]
	if err := s.checkIndex(background, st, o, g, x); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(r []runMeta) []runMeta{
		"not from the first segment": func(r []runMeta) []runMeta { r[0].First++; r[0].Last++; return r },
		"beyond the last segment":    func(r []runMeta) []runMeta { r[len(r)-1].Last++; return r },
		"first after last":           func(r []runMeta) []runMeta { return append(r, runMeta{First: 1, Last: 0}) },
		"the same segment again":     func(r []runMeta) []runMeta { return append(r, r[0]) },
		"no run":                     func(r []runMeta) []runMeta { return nil },
		"one token more":             func(r []runMeta) []runMeta { r[0].Tokens++; return r },
		"one unit more":              func(r []runMeta) []runMeta { r[0].Units++; return r },
	} {
		other := *g
		other.runs = map[uint16][]runMeta{x.Part: change(slices.Clone(g.runs[x.Part]))}
		if err := s.checkIndex(background, st, o, &other, x); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := *g
	other.runs = nil
	if err := s.checkIndex(background, st, o, &other, x); !errors.Is(err, ErrCorrupt) {
		t.Errorf("without an index: %v", err)
	}
	units, err := s.segmentUnits(st, o, g.segments[0], x)
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
		b := newRunBuilder(s, st.id, g.id, x.Part)
		b.gather(g.segments[0].number, invert(units, x.FulltextIndex))
		change(b.terms)
		meta := g.runs[x.Part][0]
		h := &runHead{key: headKey{st.id, g.id, x.Part, meta.First}, meta: meta}
		head, err := s.runBlock(h.key, h.number)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.decode(head, len(units)); err != nil {
			t.Fatal(err)
		}
		if err := s.checkTerms(background, h, b); errors.Is(err, ErrCorrupt) != (name != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
