package catalog

import (
	"encoding/json"
	"slices"
	"strconv"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// ObjectKey is the key of an entry.
func ObjectKey(id uint32) []byte { return []byte("object/" + strconv.FormatUint(uint64(id)+1<<32, 10)) }

// HiddenPrefix begins the keys of objects that have no entry yet.
var HiddenPrefix = []byte("coming/")

// ComingKey is the key of an object that is being filled and has no entry yet.
func ComingKey(id uint32) []byte { return append(slices.Clone(HiddenPrefix), dbfile.Key(id)...) }

// PutEntry writes the entry of an object.
func PutEntry(tx *sealed.Tx, o *Object) error {
	raw, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := tx.Bucket(dbfile.Catalog).Delete(ComingKey(o.ID)); err != nil {
		return err
	}
	return tx.Bucket(dbfile.Catalog).Put(ObjectKey(o.ID), raw)
}
