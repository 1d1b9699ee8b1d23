// Package sealed keeps a bbolt file (go.etcd.io/bbolt, unchanged) in which damage is noticed before it becomes an
// answer, a lost entry or a damaged write. bbolt itself trusts the pages that it reads.
//
//   - Behind each value stands the CRC-32C of its bucket, key and content. A leaf is verified when it is first used
//     after the file was opened: that its elements lie as they are written, and all of its entries. So a key that is
//     not there is one that was not written. Pages that this process has written itself are trusted.
//   - The bucket "sums" has the number of entries of each bucket and a sum of hashes of them (Sum). A cursor through a
//     whole bucket compares the number, Check and SumCursor the sum: a leaf of an earlier state, whose entries are
//     right, is noticed by these alone.
//   - When a file is opened, both meta pages are read, and the pages are walked (walk.go): the list of buckets with all
//     that is in it, branches, the list of free pages, and the heads of leaves that are continued by further pages. No
//     page is used twice, and none is free and in use. Other leaves are left to their first use.
//
// # Meta pages
//
// bbolt writes the pages of a transaction, waits for the disk, then writes meta page 0 or 1, in turn, and waits again.
// It takes the later one that is sound, so where that is damaged it falls back to the state before without a word, and
// a transaction that was acknowledged is lost. Here both must be sound, and of consecutive transactions. A crash does
// not leave a file that would be refused for it. The 80 bytes of a meta page lie at the beginning of a page and so in
// one sector, which a disk writes whole or not at all, and a killed process leaves a write of one page whole or undone
// in memory. So the page that was being written has the old or the new state; if it is the old one, it is of the
// transaction two before, the one before is in the other page, and both are sound. Until the first wait of a file that
// is being created, its pages may be missing. Such a file holds nothing yet; it is refused like a file of another
// program.
package sealed

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

var (
	// ErrTimeout is returned by Open of a file that another one has open.
	ErrTimeout = bolterrors.ErrTimeout
	// ErrForeign is returned by Open of a file that this package did not write.
	ErrForeign = errors.New("it is no file with checksums")
	// ErrInvalid is returned by Open of what is no file of bbolt.
	ErrInvalid = bolterrors.ErrInvalid
	// ErrVersion is returned by Open of a file whose meta pages are those of another version.
	ErrVersion = bolterrors.ErrVersionMismatch
)

// Options of Open.
type Options struct {
	Timeout  time.Duration // to wait for another process; 0 is without end
	ReadOnly bool
	NoSync   bool // writes do not wait for the disk
	Empty    bool // the file has nothing in it yet; the same writes make the same bytes

	// InitialMmapSize is a size in bytes up to which the file need not be mapped again when it grows.
	InitialMmapSize int
	// OpenFile opens the file; nil is os.OpenFile.
	OpenFile func(name string, flag int, mode fs.FileMode) (*os.File, error)
}

// DB is an open file. It is safe for concurrent use.
type DB struct {
	bolt *bolt.DB
	good verified
}

// Open opens or creates a file. It returns a *Damage as error if the file is not what was written. A file that is to be
// written is first opened and verified as one to read, for bbolt uses the list of free pages when it opens it, and
// panics if that is damaged.
func Open(path string, mode fs.FileMode, o *Options) (*DB, error) {
	if o == nil {
		o = &Options{}
	}
	info, err := os.Stat(path)
	filled := !o.Empty && err == nil && info.Size() > 0
	if filled && info.Size() < 2*int64(os.Getpagesize()) {
		return nil, ErrInvalid
	}
	if o.ReadOnly {
		return openVerified(path, mode, o)
	}
	d := &DB{}
	if filled {
		first := *o
		first.ReadOnly, first.InitialMmapSize = true, 0
		read, err := openVerified(path, mode, &first)
		if err != nil {
			return nil, err
		}
		d.good = read.good
		if err := read.Close(); err != nil {
			return nil, err
		}
	}
	d.bolt, err = bolt.Open(path, mode, o.bolt())
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (o *Options) bolt() *bolt.Options {
	free := bolt.FreelistMapType // takes any free pages that fit
	if o.Empty {
		free = bolt.FreelistArrayType // takes the first, which is slow only where thousands are free
	}
	return &bolt.Options{Timeout: o.Timeout, ReadOnly: o.ReadOnly, NoSync: o.NoSync, OpenFile: o.OpenFile,
		InitialMmapSize: o.InitialMmapSize, FreelistType: free}
}

// openVerified opens a file to read, and verifies it.
func openVerified(path string, mode fs.FileMode, o *Options) (*DB, error) {
	b, err := bolt.Open(path, mode, o.bolt())
	if errors.Is(err, bolterrors.ErrChecksum) {
		return nil, &Damage{What: "neither description of the state is what was written"}
	}
	if err != nil {
		return nil, err
	}
	d := &DB{bolt: b}
	defer func() {
		if v := recover(); v != nil { // the disk failed
			b.Close()
			panic(v)
		}
	}()
	if err := d.verify(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return d, nil
}

// verify walks the pages of a file that was opened.
func (d *DB) verify() error {
	return d.bolt.View(func(tx *bolt.Tx) error {
		f := mapped(tx)
		info, err := os.Stat(d.bolt.Path())
		if err == nil && uint64(info.Size()) < uint64(len(f.data)) {
			return &Damage{What: "the file is cut off"}
		}
		m, err := metaOf(f)
		if err != nil {
			return err
		}
		d.good = newVerified(f.end())
		var first *Damage
		w := walk{pages: f, ctx: context.Background(), good: d.good, say: func(found *Damage) {
			if first == nil {
				first = found
			}
		}}
		if err := w.run(m.root(), m.free()); err != nil {
			return err
		}
		if _, ok := w.names[string(sums)]; !ok && len(w.names) > 0 {
			return ErrForeign
		}
		if first != nil {
			return first
		}
		return nil
	})
}

// metaOf returns the later of two sound meta pages.
func metaOf(f pages) (meta, error) {
	m := [2]meta{}
	for i := range m {
		if m[i] = meta(f.data[uint64(i)*f.size:][:metaSize]); !m[i].sound(uint64(i), f.size) {
			return nil, &Damage{Page: uint64(i), What: "a description of the state is not what was written"}
		}
	}
	if m[0].transaction() > m[1].transaction() {
		m[0], m[1] = m[1], m[0]
	}
	if m[0].transaction()+1 != m[1].transaction() {
		return nil, &Damage{What: "the descriptions of the state are not of transactions that follow each other"}
	}
	return m[1], nil
}

// Unsealed returns a value of a file that this package did not write; nil if there is none.
func Unsealed(path string, timeout time.Duration, bucket, key []byte) (v []byte, err error) {
	d, err := bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: timeout})
	if err != nil {
		return nil, err
	}
	err = d.View(func(tx *bolt.Tx) error {
		if b := tx.Bucket(bucket); b != nil {
			v = bytes.Clone(b.Get(key))
		}
		return nil
	})
	return v, errors.Join(err, d.Close())
}

// SetAllocSize sets by how many bytes the file grows.
func (d *DB) SetAllocSize(n int) { d.bolt.AllocSize = n }

// Path is the path of the file.
func (d *DB) Path() string { return d.bolt.Path() }

// Stats are bbolt's statistics of the file.
func (d *DB) Stats() bolt.Stats { return d.bolt.Stats() }

// Sync waits until what was written is on the disk.
func (d *DB) Sync() error { return d.bolt.Sync() }

// Close closes the file; it waits for transactions to end.
func (d *DB) Close() error { return d.bolt.Close() }

// View runs f in a transaction that reads. Reads panic if data is damaged.
func (d *DB) View(f func(*Tx) error) error {
	return d.bolt.View(func(b *bolt.Tx) error { return f(d.begin(b)) })
}

// Update runs f in a transaction that writes, one at a time, and commits it unless f returns an error.
func (d *DB) Update(f func(*Tx) error) error {
	return d.bolt.Update(func(b *bolt.Tx) error {
		t := d.begin(b)
		if err := f(t); err != nil {
			return err
		}
		return t.finish()
	})
}
