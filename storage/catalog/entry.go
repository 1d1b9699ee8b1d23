package catalog

import (
	"encoding/json"
	"sync"

	"parlance/storage/dbfile"
	"parlance/storage/recent"
	"parlance/storage/sealed"
)

// keptEntries is the number of catalog entries that stay decoded.
const keptEntries = 256

// EntryCache caches decoded catalog entries of the file. Index lookups need the entry as of the transaction that they
// read.
type EntryCache struct {
	mu   sync.Mutex
	kept recent.Map[uint32, entry]
}

// entry is an immutable object and the bytes that it was decoded from.
type entry struct {
	raw    string
	object *Object
}

// Get returns the object of the entry in a transaction, nil if there is none.
func (e *EntryCache) Get(tx *sealed.Tx, id uint32) *Object {
	raw := tx.Bucket(dbfile.Catalog).Get(ObjectKey(id))
	if raw == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if known, ok := e.kept.Get(id); ok && known.raw == string(raw) {
		return known.object
	}
	o := &Object{}
	if json.Unmarshal(raw, o) != nil {
		return nil
	}
	e.kept.Limit = keptEntries
	e.kept.Put(id, entry{string(raw), o})
	return o
}
