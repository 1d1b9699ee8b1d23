package storage

import (
	"testing"

	"parlance/algo/text"
)

func TestReplacement(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	before := s.Statistics().Writes
	none := s.NewReplacement(o)
	if err := none.Add(background, nil); err != nil {
		t.Fatal(err)
	}
	if err := none.Commit(background); err != nil || s.Statistics().Writes != before {
		t.Errorf("nothing took %d transactions, %v", s.Statistics().Writes-before, err)
	}
	if err := s.ReplaceDocuments(background, o, []*text.Document{simple("a", "old"), simple("b", "kept")}); err != nil {
		t.Fatal(err)
	}
	p := s.NewReplacement(o)
	first := simple("a", "first")
	for _, d := range []*text.Document{first, simple("c", "new"), simple("a", "last")} {
		if err := p.Add(background, []*text.Document{d}); err != nil {
			t.Fatal(err)
		}
	}
	if got := readAll(t, s, o); len(got) != 2 || got["a"].Text != "old" {
		t.Errorf("seen before Commit: %v", got)
	}
	if err := p.Commit(background); err != nil {
		t.Fatal(err)
	}
	p.Abort()
	if first.Seq != 0 {
		t.Error("a document that was given has changed")
	}
	gone := s.NewReplacement(o)
	if err := gone.Add(background, []*text.Document{simple("b", "gone")}); err != nil {
		t.Fatal(err)
	}
	gone.Abort()
	if got := readAll(t, s, o); len(got) != 3 || got["a"].Text != "last" || got["b"].Text != "kept" ||
		got["c"].Text != "new" {
		t.Errorf("after Commit and Abort: %v", got)
	}
	check(t, s)
}
