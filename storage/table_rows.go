package storage

import (
	"bytes"

	bbolt "parlance/storage/sealed"
)

// tableRows are rows of a table that can be changed, in the file or in a transaction.
type tableRows interface {
	// get returns a row, nil for none. It is valid until the next change.
	get(id uint64) []byte
	// put replaces old by fresh; either is nil for no row.
	put(id uint64, old, fresh []byte) error
}

// fileRows are the rows in the file with their index entries. The entries of new rows are written by finish.
type fileRows struct {
	tx      *bbolt.Tx
	o       *Object
	entries [][]byte
}

func (f *fileRows) get(id uint64) []byte { return f.tx.Bucket(bucketTable).Get(rowKey(f.o.ID, id)) }

func (f *fileRows) put(id uint64, old, fresh []byte) error {
	b, key := f.tx.Bucket(bucketTable), rowKey(f.o.ID, id)
	switch {
	case fresh == nil:
		if err := indexRow(f.tx, f.o, id, old, false); err != nil {
			return err
		}
		return b.Delete(key)
	case old == nil:
		keys, err := indexKeys(f.o, id, fresh)
		if err != nil {
			return err
		}
		f.entries = append(f.entries, keys...)
		return b.Put(key, fresh)
	}
	if err := b.Put(key, fresh); err != nil {
		return err
	}
	return reindexRow(f.tx, f.o, id, old, fresh)
}

func (f *fileRows) finish() error { return putEntries(f.tx, f.entries) }

// remove deletes rows by number; missing rows are ignored.
func (c *tableChange) remove(rows []uint64) error {
	for _, id := range rows {
		old := bytes.Clone(c.rows.get(id))
		if old == nil {
			continue
		}
		if err := c.rows.put(id, old, nil); err != nil {
			return err
		}
		rowSum(&c.Sum, old, false)
		c.Count--
		c.was.add(id, old)
	}
	return nil
}

// replace replaces a row, if it still exists.
func (c *tableChange) replace(id uint64, fresh []byte) error {
	old := bytes.Clone(c.rows.get(id))
	if old == nil {
		return nil
	}
	if err := c.rows.put(id, old, fresh); err != nil {
		return err
	}
	rowSum(&c.Sum, old, false)
	rowSum(&c.Sum, fresh, true)
	c.was.add(id, old)
	return nil
}

// add appends a row.
func (c *tableChange) add(fresh []byte) error {
	if err := c.rows.put(c.Next, nil, fresh); err != nil {
		return err
	}
	rowSum(&c.Sum, fresh, true)
	c.Next++
	c.Count++
	return nil
}
