package sealed

import (
	"bytes"

	bolt "go.etcd.io/bbolt"
)

// Cursor moves through the entries of a bucket in the order of keys, which are valid until the end of the transaction.
type Cursor struct {
	bolt  *bolt.Cursor
	b     *Bucket
	page  uint64 // where the last entry is
	whole bool   // every entry since the first was seen
	sums  bool   // their sum is verified
	seen  Sum    // of the entries since the first
}

// First moves to the first entry; k is nil if there is none.
func (c *Cursor) First() (k, v []byte) {
	c.b.tree.ended(firstLeaf)
	c.whole, c.seen, c.page = !c.b.tx.bolt.Writable(), Sum{}, 0
	k, v = c.bolt.First()
	return c.to(k, v, -1)
}

// Last moves to the last entry; k is nil if there is none. Where this transaction has deleted something it goes there
// from the first one: Last of bbolt 1.5.0 does not return from leaves that have become empty.
func (c *Cursor) Last() (k, v []byte) {
	c.b.tree.ended(lastLeaf)
	c.whole, c.page = false, 0
	if !c.b.deleted {
		k, v = c.bolt.Last()
		return c.to(k, v, 1)
	}
	for at, sealed := c.bolt.First(); at != nil; at, sealed = c.bolt.Next() {
		k, v = at, sealed
	}
	return c.to(k, v, 1)
}

// Next moves to the next entry; k is nil behind the last one.
func (c *Cursor) Next() (k, v []byte) {
	if k, v = c.bolt.Next(); k == nil {
		c.b.tree.ended(lastLeaf)
		c.end()
	}
	return c.to(k, v, -1)
}

// Prev moves to the entry before; k is nil before the first one.
func (c *Cursor) Prev() (k, v []byte) {
	c.whole = false
	if k, v = c.bolt.Prev(); k == nil {
		c.b.tree.ended(firstLeaf)
	}
	return c.to(k, v, 1)
}

// Seek moves to the first entry whose key is not less than one; k is nil if there is none.
func (c *Cursor) Seek(key []byte) (k, v []byte) {
	c.whole, c.page = false, 0
	k, v = c.bolt.Seek(key)
	if !bytes.Equal(k, key) {
		c.b.tree.missed(key)
	}
	if at := c.b.tree.pageOf(k); at > 0 && c.b.tree.good.has(at) {
		c.page = at // what lies before was verified
	}
	return c.to(k, v, -1)
}

// to verifies an entry that bbolt has moved to, and returns its content. by is where the cursor came from.
func (c *Cursor) to(k, sealed []byte, by int) ([]byte, []byte) {
	if k == nil {
		return nil, nil
	}
	if at := c.b.tree.pageOf(k); at > 0 && at != c.page {
		c.b.tree.landed(k, by)
		c.page = at
	}
	if c.sums {
		c.seen.add(k, sealed)
	} else {
		c.seen.Count++
	}
	return k, unseal(sealed)
}

// end compares what was seen with what should be there.
func (c *Cursor) end() {
	if !c.whole {
		return
	}
	c.whole = false
	want := c.b.Sum()
	if c.seen.Count != want.Count {
		panic(&Damage{Bucket: string(c.b.name), What: "entries are missing, or too many"})
	}
	if c.sums && c.seen != want {
		panic(&Damage{Bucket: string(c.b.name), What: "entries are of another state"})
	}
}
