package storage

import (
	"fmt"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/loading"
	"parlance/storage/sealed"
)

// TestSmallGenerationsGoTogether: what a transaction of many small changes leaves behind is deleted in few transactions
// of the file.
func TestSmallGenerationsGoTogether(t *testing.T) {
	s := open(t)
	o, err := s.CreateObject(background, Object{Name: "docs", Kind: catalog.CorpusObject})
	if err != nil {
		t.Fatal(err)
	}
	tx := s.Begin()
	for i := range 60 {
		l, err := s.NewLoad(tx.Context(background), o, loading.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Add(background, []*text.Document{{ID: fmt.Sprint(i), Text: "x"}}, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Commit(tx.Context(background)); err != nil {
			t.Fatal(err)
		}
	}
	last := func() (n int) {
		if err := s.View(func(tx *sealed.Tx) error { n = tx.ID(); return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := last()
	tx.Rollback(background)
	if n := last() - before; n == 0 || n > 5 {
		t.Errorf("%d transactions", n)
	}
	if err := s.View(func(tx *sealed.Tx) error {
		if n := tx.Bucket(bucketSegment).Count(); n > 0 {
			t.Errorf("%d keys are left", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
