package storage

import (
	"testing"

	"parlance/storage/documents"
)

// TestTransactionsKeepDroppedIndexes: an index that a transaction drops is whole when that goes back to before, though
// the transaction has made another.
func TestTransactionsKeepDroppedIndexes(t *testing.T) {
	texts, forms := documents.FulltextIndex{Column: "text"}, documents.FulltextIndex{Layer: "entities", Column: "form"}
	for name, own := range map[string]bool{"committed": false, "of the transaction": true} {
		s := open(t)
		o := corpusOf(t, s)
		insertDocuments(t, s, o, sentence("1", "Ann sees bob"), sentence("2", "bob sees Cy"))
		tx := s.Begin()
		ctx := tx.Context(background)
		first := background
		if own {
			first = ctx
		}
		if err := s.CreateFulltext(first, o, texts); err != nil {
			t.Fatal(err)
		}
		mark := tx.Savepoint()
		if err := s.DropFulltext(ctx, o, "", "text"); err != nil {
			t.Fatal(err)
		}
		if err := s.CreateFulltext(ctx, o, forms); err != nil {
			t.Fatal(err)
		}
		tx.RollbackTo(mark)
		if err := tx.Commit(background); err != nil {
			t.Fatal(err)
		}
		if err := s.Collect(background); err != nil {
			t.Fatal(err)
		}
		if got := find(t, s, "bob"); got != "12" {
			t.Errorf("%s: documents %q have bob", name, got)
		}
		checked(t, s)
	}
}
