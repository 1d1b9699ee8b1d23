package storage

import (
	"context"
	"encoding/binary"
)

// An index that a transaction makes has the entries of what is committed in the file before Commit, which nobody looks
// up; those of rows that the transaction has changed follow with the rows. The entries of one that it drops stay until
// then, and serve one that it makes in its place.

// wrote reports whether the transaction, which may be nil, has written or dropped the index whose entries begin so.
func (t *Transaction) wrote(prefix []byte) bool {
	if t == nil {
		return false
	}
	_, known := t.indexes[string(prefix)]
	return known
}

// writes notes that the transaction, which may be nil, writes or drops the index of an entry of the catalog.
func (t *Transaction) writes(entry uint32, prefix []byte) {
	if t != nil {
		t.indexes[string(prefix)] = entry
	}
}

// tidyIndexes removes the entries of indexes that there are not when the transaction has ended. What cannot be removed
// is swept at the next opening.
func (t *Transaction) tidyIndexes() {
	s := t.s
	for prefix, entry := range t.indexes {
		s.mu.RLock()
		o := s.cat.byID(entry)
		s.mu.RUnlock()
		if o == nil { // they go with it
			continue
		}
		o = o.within(binary.BigEndian.Uint32([]byte(prefix)))
		if o == nil || !o.hasEntries([]byte(prefix)) {
			_ = s.deletePrefix(context.Background(), bucketIndex, []byte(prefix))
		}
	}
	clear(t.indexes)
}

// hasIndex reports whether the transaction of the snapshot has an index whose entries begin so, whatever the catalog
// of the file says.
func (sn *Snapshot) hasIndex(o *Object, prefix []byte) bool {
	for _, x := range sn.names {
		if x != nil {
			if x = x.within(o.ID); x != nil && x.hasEntries(prefix) {
				return true
			}
		}
	}
	return false
}
