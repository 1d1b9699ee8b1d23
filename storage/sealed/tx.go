package sealed

import (
	"bytes"
	"slices"
	"unsafe"

	bolt "go.etcd.io/bbolt"
)

// sums is the bucket with the sums of the others, by name.
var sums = []byte("sums")

// Tx is a transaction. It may be used by one goroutine at a time if it writes.
type Tx struct {
	bolt    *bolt.Tx
	pages   pages
	good    verified
	buckets []*Bucket // of a transaction that writes
}

func (d *DB) begin(b *bolt.Tx) *Tx { return &Tx{bolt: b, pages: mapped(b), good: d.good} }

// mapped returns the pages of the state that a transaction has found. They stay mapped until it ends, or until it is
// committed.
func mapped(b *bolt.Tx) pages {
	info := b.DB().Info()
	start := *(*unsafe.Pointer)(unsafe.Pointer(&info.Data))
	return pages{unsafe.Slice((*byte)(start), b.Size()), uint64(info.PageSize)}
}

// ID is the number of the transaction: of the last one that was committed before it, or the next if it writes.
func (t *Tx) ID() int { return t.bolt.ID() }

// Size is the size of the state in bytes.
func (t *Tx) Size() int64 { return t.bolt.Size() }

// Bucket returns a bucket, nil if there is none of the name.
func (t *Tx) Bucket(name []byte) *Bucket {
	for _, b := range t.buckets {
		if bytes.Equal(b.name, name) {
			return b
		}
	}
	return t.wrap(name, t.bolt.Bucket(name))
}

// CreateBucketIfNotExists returns a bucket, and makes it if there is none of the name.
func (t *Tx) CreateBucketIfNotExists(name []byte) (*Bucket, error) {
	if b := t.Bucket(name); b != nil {
		return b, nil
	}
	made, err := t.bolt.CreateBucket(name)
	if err != nil {
		return nil, err
	}
	b := t.wrap(name, made)
	b.created, b.top = true, []byte{}
	return b, nil
}

func (t *Tx) wrap(name []byte, b *bolt.Bucket) *Bucket {
	if b == nil {
		return nil
	}
	name = bytes.Clone(name)
	out := &Bucket{FillPercent: b.FillPercent, tx: t, bolt: b, name: name}
	out.tree = tree{t.pages, t.good, string(name), seed(name), uint64(b.Root())}
	if t.bolt.Writable() {
		t.buckets = append(t.buckets, out)
	}
	return out
}

// ForEach calls f with each bucket, in the order of names.
func (t *Tx) ForEach(f func(name []byte, b *Bucket) error) error {
	return t.bolt.ForEach(func(name []byte, _ *bolt.Bucket) error {
		if bytes.Equal(name, sums) {
			return nil
		}
		return f(name, t.Bucket(name))
	})
}

// stored returns the sum of a bucket in the state that the transaction has found.
func (t *Tx) stored(name []byte) Sum {
	b := t.bolt.Bucket(sums)
	if b == nil {
		return Sum{}
	}
	v := b.Get(name)
	if len(v) != sumSize+sealSize {
		return Sum{}
	}
	return decodeSum(v)
}

// Fingerprint is a hash of the sums of all buckets but those of some names.
func (t *Tx) Fingerprint(but ...[]byte) uint64 {
	h := uint64(golden)
	_ = t.ForEach(func(name []byte, b *Bucket) error {
		if !slices.ContainsFunc(but, func(x []byte) bool { return bytes.Equal(x, name) }) {
			s := b.Sum()
			h = mix(h^s.high, golden) + mix(uint64(seed(name))^s.low, root2) + uint64(s.Count)
		}
		return nil
	})
	return h
}

// finish writes the sums of the buckets that have changed. What panics here would make bbolt read the list of free
// pages from the file once more, and it would not let the next writer go if that panics, too.
func (t *Tx) finish() (err error) {
	defer func() {
		v := recover()
		if _, fault := v.(interface{ Addr() uintptr }); fault {
			err = &Damage{What: "the file cannot be read, as if it were cut off"}
		} else if v != nil {
			panic(v)
		}
	}()
	var all *bolt.Bucket
	for _, b := range t.buckets {
		if !b.created && b.change == (Sum{}) {
			continue
		}
		if all == nil {
			if all, err = t.bolt.CreateBucketIfNotExists(sums); err != nil {
				return err
			}
		}
		if err := all.Put(b.name, seal(seed(sums), b.name, b.Sum().encode())); err != nil {
			return err
		}
	}
	return t.touchFree()
}

// touchFree reads the list of free pages, which bbolt reads while it commits: a file that was cut off is noticed
// before.
func (t *Tx) touchFree() error {
	m := meta(t.pages.data[uint64(t.bolt.ID()-1)%2*t.pages.size:])
	if _, _, ok := t.pages.free(m.free()); !ok {
		return &Damage{Page: m.free(), What: "it is no list of free pages"}
	}
	return nil
}
