package storage

import (
	"bytes"
	"encoding/binary"

	"parlance/storage/bbolt"
	"parlance/storage/guard"
)

// Most ad-hoc texts are annotated once, so that the file has no entry for them. A Bloom filter of the texts in the file
// saves the lookup.

const (
	filterMisses = 64      // fruitless lookups after which the filter is built
	filterSlice  = 1 << 14 // keys read in one transaction to build it
)

// textFilter is a Bloom filter (Bloom 1970) of the hashes of ad-hoc texts. Each sets four bits in one cache line. For n
// hashes it has at least 10·n bits; at most one in fifty other hashes passes.
type textFilter struct {
	lines  [][8]uint64
	n, max int
}

func newTextFilter(max int) *textFilter {
	return &textFilter{lines: make([][8]uint64, max*10/512+1), max: max}
}

// place returns the cache line of a hash and its four bits, each given by 9 bits of the hash.
func (f *textFilter) place(seq uint64) (line *[8]uint64, bits uint64) {
	h := seq * 0x9e3779b97f4a7c15
	return &f.lines[(h>>32)*uint64(len(f.lines))>>32], (h ^ seq>>24) & (1<<36 - 1)
}

func (f *textFilter) add(seq uint64) {
	line, bits := f.place(seq)
	for range 4 {
		line[bits>>6&7] |= 1 << (bits & 63)
		bits >>= 9
	}
	f.n++
}

// passes is true for every hash that was added.
func (f *textFilter) passes(seq uint64) bool {
	line, bits := f.place(seq)
	for range 4 {
		if line[bits>>6&7]>>(bits&63)&1 == 0 {
			return false
		}
		bits >>= 9
	}
	return true
}

// mayHold reports whether the file may have an entry for a unit. The lock must be held.
func (m *cacheModel) mayHold(seq uint64) bool {
	return m.Entries > 0 && (m.filter == nil || !isAdhoc(seq) || m.filter.passes(seq))
}

// wrote adds a written entry to the filter. The lock must be held.
func (m *cacheModel) wrote(seq uint64) {
	if m.filter == nil || !isAdhoc(seq) {
		return
	}
	if m.filter.n == m.filter.max {
		m.filter, m.fruitless = nil, 0
		return
	}
	m.filter.add(seq)
}

// missed counts lookups of ad-hoc texts in the file that found nothing, and has the filter built after filterMisses.
// The lock must be held.
func (c *Cache) missed(key [8]byte, n int) {
	m := c.model(key)
	if m.fruitless += n; m.fruitless < filterMisses || m.filter != nil || m.filtering || c.closing {
		return
	}
	m.filtering = true
	c.wait.Add(1)
	go c.filter(key)
}

// filter builds the filter of a model. No entries are written meanwhile.
func (c *Cache) filter(key [8]byte) {
	defer c.wait.Done()
	c.flush.Lock()
	defer c.flush.Unlock()
	var seqs []uint64
	ok := false
	err := guard.Call("reading the cache", func() error {
		seqs, ok = c.textsOf(key)
		return nil
	})
	ok = ok && err == nil
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model(key)
	m.filtering, m.fruitless = false, 0
	if !ok {
		return
	}
	m.filter = newTextFilter(max(1<<12, 2*len(seqs)))
	for _, q := range seqs {
		m.filter.add(q)
	}
}

// textsOf returns the hashes of the ad-hoc texts of a model in the file; ok is false if the file cannot be read.
func (c *Cache) textsOf(key [8]byte) ([]uint64, bool) {
	var seqs []uint64
	at := cacheKeyBytes(cacheKey{key, 1 << 63})
	for at != nil {
		c.mu.Lock()
		closing := c.closing
		c.mu.Unlock()
		err := c.s.view(func(tx *bbolt.Tx) error {
			cur := tx.Bucket(bucketCache).Cursor()
			k, _ := cur.Seek(at)
			at = nil
			for n := 0; bytes.HasPrefix(k, key[:]); n++ {
				if n == filterSlice {
					at = bytes.Clone(k)
					return nil
				}
				if len(k) == 16 {
					seqs = append(seqs, binary.BigEndian.Uint64(k[8:]))
				}
				k, _ = cur.Next()
			}
			return nil
		})
		if err != nil || closing {
			return nil, false
		}
	}
	return seqs, true
}
