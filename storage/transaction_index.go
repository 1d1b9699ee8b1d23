package storage

import (
	"context"
	"encoding/binary"

	"parlance/storage/catalog"
)

// An index that a transaction creates has entries of all committed rows in the file before Commit, which no other
// reader uses. Entries of rows that the transaction has changed are written with the rows. The entries of a dropped
// index stay until Commit, and are used again if the transaction creates the same index.

// wrote reports whether the transaction, which may be nil, has created or dropped the index with a prefix of entries.
func (t *Transaction) wrote(prefix []byte) bool {
	if t == nil {
		return false
	}
	_, known := t.indexes[string(prefix)]
	return known
}

// writes records that the transaction, which may be nil, creates or drops an index.
func (t *Transaction) writes(entry uint32, prefix []byte) {
	if t != nil {
		t.indexes[string(prefix)] = entry
	}
}

// tidyIndexes removes the entries of indexes that do not exist after the end of the transaction. Entries that cannot be
// removed are orphans, which are removed at the next opening.
func (t *Transaction) tidyIndexes() {
	s := t.s
	for prefix, entry := range t.indexes {
		o := s.byID(entry)
		if o == nil { // its entries are removed with it
			continue
		}
		o = o.Within(binary.BigEndian.Uint32([]byte(prefix)))
		if o == nil || !o.HasEntries([]byte(prefix)) {
			s.removeUnnamed(o, []byte(prefix))
		}
	}
	clear(t.indexes)
}

// removeUnnamed removes the entries of an index that does not exist; o is nil if its table was dropped.
func (s *Store) removeUnnamed(o *Object, prefix []byte) {
	if o != nil && o.Kind != catalog.CorpusObject {
		_ = s.removeRuns(context.Background(), o, binary.BigEndian.Uint32(prefix[4:]))
		return
	}
	_ = s.DeletePrefix(context.Background(), bucketIndex, prefix)
}

// hasIndex reports whether the transaction of the snapshot has created the index with a prefix of entries.
func (sn *Snapshot) hasIndex(o *Object, prefix []byte) bool {
	for _, x := range sn.names {
		if x != nil {
			if x = x.Within(o.ID); x != nil && x.HasEntries(prefix) {
				return true
			}
		}
	}
	return false
}
