package sealed

import (
	"bytes"

	bolt "go.etcd.io/bbolt"
)

// Cursor moves through the entries of a bucket in the order of keys, which are valid until the end of the transaction.
type Cursor struct {
	bolt   *bolt.Cursor
	b      *Bucket
	page   uint64 // where the last entry is
	way    way    // to its leaf; empty if that is not known
	sought []byte // where Seek has led to while the way is not known
	whole  bool   // every entry since the first was seen
	sums   bool   // their sum is verified
	seen   Sum    // of the entries since the first
}

// First moves to the first entry; k is nil if there is none.
func (c *Cursor) First() (k, v []byte) {
	c.b.tree.ended(firstLeaf)
	c.jump()
	c.whole, c.seen = !c.b.tx.bolt.Writable(), Sum{}
	k, v = c.bolt.First()
	return c.to(k, v, 0)
}

// Last moves to the last entry; k is nil if there is none. Where this transaction has deleted something it goes there
// from the first one: Last of bbolt 1.5.0 does not return from leaves that have become empty.
func (c *Cursor) Last() (k, v []byte) {
	c.b.tree.ended(lastLeaf)
	c.jump()
	if !c.b.deleted {
		k, v = c.bolt.Last()
		return c.to(k, v, 0)
	}
	for at, sealed := c.bolt.First(); at != nil; at, sealed = c.bolt.Next() {
		k, v = at, sealed
	}
	return c.to(k, v, 0)
}

// Next moves to the next entry; k is nil behind the last one.
func (c *Cursor) Next() (k, v []byte) {
	if k, v = c.bolt.Next(); k == nil {
		c.b.tree.ended(lastLeaf)
		c.end()
	}
	return c.to(k, v, 1)
}

// Prev moves to the entry before; k is nil before the first one.
func (c *Cursor) Prev() (k, v []byte) {
	c.whole = false
	if k, v = c.bolt.Prev(); k == nil { // or bbolt stops at a leaf without elements
		c.b.tree.ended(firstLeaf)
		c.way = c.b.tree.before(c.way, c.sought)
	}
	return c.to(k, v, -1)
}

// Seek moves to the first entry whose key is not less than one; k is nil if there is none.
func (c *Cursor) Seek(key []byte) (k, v []byte) {
	c.jump()
	k, v = c.bolt.Seek(key)
	if !bytes.Equal(k, key) {
		c.b.tree.missed(key)
	}
	if at := c.b.tree.pageOf(k); at > 0 && c.b.tree.good.has(at) {
		c.page, c.sought = at, k // its leaf was verified
	}
	return c.to(k, v, 0)
}

// jump forgets where the cursor was.
func (c *Cursor) jump() { c.whole, c.page, c.way, c.sought = false, 0, c.way[:0], nil }

// to verifies an entry that bbolt has moved to, and returns its content. by is 1 or -1 after Next and Prev, else 0.
func (c *Cursor) to(k, sealed []byte, by int) ([]byte, []byte) {
	if k == nil {
		return nil, nil
	}
	if at := c.b.tree.pageOf(k); at > 0 && at != c.page {
		if by != 0 {
			c.way = c.b.tree.passed(c.way, k, by)
		} else {
			c.way = c.b.tree.landed(c.way, k)
		}
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
