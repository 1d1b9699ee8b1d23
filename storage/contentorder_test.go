package storage

import (
	"testing"

	"parlance/storage/catalog"
)

// orderHash is the hash of the order of an object now.
func orderHash(t *testing.T, s *Store, o *Object) [32]byte {
	t.Helper()
	sn := s.Snapshot()
	defer sn.Close()
	h, err := sn.OrderHash(background, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestOrderOfRows: the hash is of rows in their order alone, however they came to stand so.
func TestOrderOfRows(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	insert(t, s, o, rowsOf(20)...)
	first, rows := orderHash(t, s, o), s.TableHash(o)
	for n := range uint64(12) { // one generation each, which merge
		if err := s.UpdateRows(background, o, []uint64{n}, rowsOf(20)[n:n+1]); err != nil {
			t.Fatal(err)
		}
		if orderHash(t, s, o) != first {
			t.Fatalf("an update %d that changes nothing changes the order", n)
		}
	}
	insert(t, s, o, rowOf("more", 1))
	if orderHash(t, s, o) == first {
		t.Error("a row more leaves the order as it was")
	}
	if _, err := s.DeleteRows(background, o, []uint64{20}); err != nil {
		t.Fatal(err)
	}
	if orderHash(t, s, o) != first {
		t.Error("without the row the order is another")
	}
	if _, err := s.DeleteRows(background, o, []uint64{3}); err != nil {
		t.Fatal(err)
	}
	insert(t, s, o, rowsOf(20)[3])
	last := orderHash(t, s, o)
	if s.TableHash(o) != rows || last == first {
		t.Error("a row that stands last now leaves the order as it was")
	}
	s = reopen(t, s)
	if orderHash(t, s, object(t, s, "names")) != last {
		t.Error("after opening again the order is another")
	}
	again, err := s.RenameColumn(background, object(t, s, "names"), "n", "m")
	if err != nil {
		t.Fatal(err)
	}
	if orderHash(t, s, again) != last {
		t.Error("another name of a column changes the order of rows")
	}
}

// TestOrderOfKB follows the tables of a knowledge base.
func TestOrderOfKB(t *testing.T) {
	hash := func(rows ...string) [32]byte {
		s := open(t)
		kb := kbOf(t, s)
		for _, r := range rows {
			if err := add(s, kb, catalog.Triples, triple(r, "r", "x")); err != nil {
				t.Fatal(err)
			}
		}
		return orderHash(t, s, kb)
	}
	first, again, other := hash("a", "b"), hash("a", "b"), hash("b", "a")
	if first != again || first == other {
		t.Error("the order of triples is not that of the knowledge base")
	}
}

// TestOrderOfDocuments: a changed document keeps its place; one that was written again does not.
func TestOrderOfDocuments(t *testing.T) {
	s := open(t)
	o := corpusOf(t, s)
	insertDocuments(t, s, o, simple("a", "x"), simple("b", "y"))
	insertDocuments(t, s, o, simple("c", "z"))
	first := orderHash(t, s, o)
	if orderHash(t, s, o) != first {
		t.Error("the order is another when it is asked for again")
	}
	if _, err := s.DeleteDocuments(background, o, []uint64{1}); err != nil {
		t.Fatal(err)
	}
	without := orderHash(t, s, o)
	insertDocuments(t, s, o, simple("a", "x"))
	if last := orderHash(t, s, o); last == first || last == without {
		t.Error("a document that stands last now leaves the order as it was")
	}
}
