package predictions

import (
	"testing"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// TestCacheWithoutBooks damages the books: the answers are found all the same, and counted.
func TestCacheWithoutBooks(t *testing.T) {
	for _, books := range []string{"", "{", "[]"} {
		s := open(t)
		put(t, s.Cache(), 1, 1, 1, "one")
		put(t, s.Cache(), 2, 1, 1, "two")
		if err := s.Cache().Flush(background); err != nil {
			t.Fatal(err)
		}
		err := s.Update(func(tx *sealed.Tx) error { return tx.Bucket(dbfile.Meta).Put(dbfile.CacheBooks, []byte(books)) })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = openStore(s.Path(), dbfile.Options{}); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if got := get(s.Cache(), 1, 1, 1) + get(s.Cache(), 2, 1, 1); got != "onetwo" {
			t.Errorf("with books %q the answers are %q", books, got)
		}
		if n := s.Cache().Written().Entries; n != 2 {
			t.Errorf("with books %q the file has %d answers, want 2", books, n)
		}
	}
}
