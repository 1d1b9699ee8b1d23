package storage

import (
	"bytes"
	"encoding/binary"

	"parlance/storage/bbolt"
	"parlance/storage/guard"
)

// Most ad-hoc texts are asked for once, and their answers are not in the file. A filter of those that are tells
// so without a look at the file.

const (
	filterMisses = 64      // looks in the file without an answer, after which a filter is made
	filterSlice  = 1 << 14 // keys read at once to make one
)

// textFilter is a Bloom filter (Bloom 1970) of numbers of ad-hoc texts, which are hashes: four bits for each, in one
// line of the processor's cache. With room for n numbers it has 10·n bits or more; one in fifty of other
// numbers at most passes.
type textFilter struct {
	lines  [][8]uint64
	n, max int
}

func newTextFilter(max int) *textFilter {
	return &textFilter{lines: make([][8]uint64, max*10/512+1), max: max}
}

// place returns the line of a number and four bits of it, 9 bits a bit.
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

// passes is true of all numbers that were added.
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

// mayHold reports whether the file may have an answer for a unit; the lock is held.
func (m *cacheModel) mayHold(seq uint64) bool {
	return m.Entries > 0 && (m.filter == nil || !isAdhoc(seq) || m.filter.passes(seq))
}

// wrote notes an answer that is in the file now; the lock is held.
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

// missed notes looks in the file for ad-hoc texts that found nothing, and has a filter made after many; the lock is held.
func (c *Cache) missed(key [8]byte, n int) {
	m := c.model(key)
	if m.fruitless += n; m.fruitless < filterMisses || m.filter != nil || m.filtering || c.closing {
		return
	}
	m.filtering = true
	c.wait.Add(1)
	go c.filter(key)
}

// filter makes the filter of a model. Nothing is written to the file meanwhile.
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

// textsOf returns the numbers of the ad-hoc texts of a model that the file has, unless it cannot be read or closes.
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
