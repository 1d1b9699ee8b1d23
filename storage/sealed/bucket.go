package sealed

import (
	"bytes"

	bolt "go.etcd.io/bbolt"
)

// Bucket is a bucket of a transaction.
type Bucket struct {
	// FillPercent is how full pages are that a transaction splits, .1 to 1; 0 is .5.
	FillPercent float64

	tx      *Tx
	bolt    *bolt.Bucket
	name    []byte
	tree    tree
	change  Sum    // what this transaction adds
	created bool   // by this transaction
	deleted bool   // from it, by this transaction
	known   span   // keys whose leaf is verified for a write
	beside  bool   // so are the leaves beside it
	top     []byte // no key is greater; nil if that is not known
}

// span are keys from one on, to one that is not in it, or nil.
type span struct{ low, high []byte }

func (s span) has(k []byte) bool {
	return s.low != nil && bytes.Compare(k, s.low) >= 0 && (s.high == nil || bytes.Compare(k, s.high) < 0)
}

// Sum is what the bucket should hold, with what this transaction has changed.
func (b *Bucket) Sum() Sum {
	s := b.tx.stored(b.name)
	s.plus(b.change)
	return s
}

// Count is the number of entries that the bucket should have.
func (b *Bucket) Count() int { return int(b.Sum().Count) }

// Get returns the content of a key, nil if it is not there. It is valid until the end of the transaction.
func (b *Bucket) Get(k []byte) []byte {
	v := b.bolt.Get(k)
	if v == nil {
		b.tree.missed(k)
		return nil
	}
	if at := b.tree.pageOf(v); at > 0 && !b.tree.good.has(at) {
		b.tree.landed(nil, k)
	}
	return unseal(v)
}

// Put sets the content of a key.
func (b *Bucket) Put(k, content []byte) error {
	b.prepare(k, false)
	if b.top != nil && bytes.Compare(k, b.top) > 0 {
		b.top = append(b.top[:0], k...)
	} else if old := b.bolt.Get(k); old != nil {
		b.change.remove(k, old)
	}
	sealed := seal(b.tree.seed, k, content)
	b.bolt.FillPercent = b.FillPercent
	if err := b.bolt.Put(k, sealed); err != nil {
		return err
	}
	b.change.add(k, sealed)
	return nil
}

// Delete removes a key, if it is there.
func (b *Bucket) Delete(k []byte) error {
	b.prepare(k, true)
	old := b.bolt.Get(k)
	if old == nil {
		return nil
	}
	b.change.remove(k, old)
	b.bolt.FillPercent = b.FillPercent
	b.deleted = true
	return b.bolt.Delete(k)
}

// prepare verifies the leaf that a write of a key changes. A leaf that loses entries may be joined with one beside it.
func (b *Bucket) prepare(k []byte, joins bool) {
	if b.tree.root == 0 || b.known.has(k) && (b.beside || !joins) {
		return
	}
	w := b.tree.near(nil, k)
	p := w.leaf()
	last := p.key(p.count() - 1)
	b.known, b.beside = span{p.key(0), append(bytes.Clone(last), 0)}, joins
	if joins || bytes.Compare(k, last) > 0 {
		b.known.high = nil
		if next := b.tree.beside(w, 1); next != nil {
			b.known.high = next.key(0)
		} else if b.top == nil {
			b.top = bytes.Clone(last)
		}
	}
	if joins {
		b.tree.move(w, -1)
	}
}

// ForEach calls f with each entry, in the order of keys. f must not change the bucket.
func (b *Bucket) ForEach(f func(k, v []byte) error) error {
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if err := f(k, v); err != nil {
			return err
		}
	}
	return nil
}

// Cursor returns a cursor. If it goes from First to the end of the bucket in a read transaction, the number of entries
// is verified.
func (b *Bucket) Cursor() *Cursor { return &Cursor{bolt: b.bolt.Cursor(), b: b} }

// SumCursor returns a cursor that verifies the sum of entries as well.
func (b *Bucket) SumCursor() *Cursor { return &Cursor{bolt: b.bolt.Cursor(), b: b, sums: true} }
