package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"

	"parlance/storage/bbolt"
)

// Pages of bbolt: a header (number uint32 and checksum uint32 as one uint64, flags uint16, count uint16, further pages
// uint32), then elements. Branches have elements of place uint32, key uint32, child uint64; leaves of flags, place,
// key, value uint32. Places count from their element, keys and values are lengths.
const (
	pageHeader                     = 16
	pageElement                    = 16
	branchPage, leafPage, freePage = 0x01, 0x02, 0x10
	bucketElement                  = 0x01
	noFreePages                    = math.MaxUint64
	pageNumber                     = math.MaxUint32
	metaSize                       = 64
	metaRoot, metaFree, metaEnd    = 16, 32, 40 // positions in a meta page
	metaTransaction, metaChecksum  = 48, 56
	deepest                        = 100 // limit of the depth of a page, nested buckets included
	triesForAState                 = 100
)

// pageWalk verifies the pages of one state of the file: each page is part of one tree, or free, and keys are in order.
// It reads free pages from the file, not from the memory of bbolt, so that it needs no lock.
type pageWalk struct {
	ctx     context.Context
	file    io.ReaderAt
	size    int64
	end     uint64 // pages of the state
	reached pageSet
	free    pageSet
	buffers [deepest][]byte
	say     func(string, ...any)
}

type pageSet []uint64

func newPageSet(n uint64) pageSet       { return make(pageSet, n/64+1) }
func (s pageSet) has(page uint64) bool  { return s[page/64]&(1<<(page%64)) != 0 }
func (s pageSet) add(page uint64)       { s[page/64] |= 1 << (page % 64) }
func word64(b []byte, place int) uint64 { return binary.NativeEndian.Uint64(b[place:]) }
func word32(b []byte, place int) uint32 { return binary.NativeEndian.Uint32(b[place:]) }

// stateOf reads the meta page of the state that a transaction sees; ok is false if a later state has overwritten it.
func stateOf(file io.ReaderAt, size int64, tx *bbolt.Tx) (meta []byte, ok bool, err error) {
	meta = make([]byte, metaSize)
	if _, err := file.ReadAt(meta, int64(tx.ID()%2)*size+pageHeader); err != nil {
		return nil, false, err
	}
	sum := fnv.New64a()
	sum.Write(meta[:metaChecksum])
	return meta, sum.Sum64() == word64(meta, metaChecksum) && word64(meta, metaTransaction) == uint64(tx.ID()), nil
}

// run verifies the pages of the state.
func (w *pageWalk) run(meta []byte) error {
	w.end = word64(meta, metaEnd)
	w.reached, w.free = newPageSet(w.end), newPageSet(w.end)
	w.reached.add(0)
	w.reached.add(1)
	list := word64(meta, metaFree)
	if list != noFreePages {
		if err := w.freePages(list); err != nil {
			return err
		}
	}
	if err := w.page(word64(meta, metaRoot), 0, nil, nil); err != nil {
		return err
	}
	for i := uint64(0); i < w.end && list != noFreePages; i++ {
		if !w.reached.has(i) && !w.free.has(i) {
			w.say("page %d: in no tree and not free", i)
		}
	}
	return nil
}

// read returns a page with its overflow pages; ok is false if it is damaged, which is reported.
func (w *pageWalk) read(id uint64, depth int) (p []byte, ok bool, err error) {
	if err := w.ctx.Err(); err != nil {
		return nil, false, err
	}
	if id < 2 || id >= w.end {
		w.say("page %d: out of bounds, there are %d", id, w.end)
		return nil, false, nil
	}
	p = w.buffers[depth]
	if int64(len(p)) < w.size {
		p = make([]byte, w.size)
	}
	if _, err := w.file.ReadAt(p[:w.size], int64(id)*w.size); err != nil {
		return nil, false, fmt.Errorf("%w: page %d: %w", ErrCorrupt, id, err)
	}
	more := uint64(word32(p, 12))
	if number := word64(p, 0) & pageNumber; number != id || id+more >= w.end {
		w.say("page %d: it says that it is page %d, continued by %d", id, number, more)
		return nil, false, nil
	}
	for i := id; i <= id+more; i++ {
		if w.reached.has(i) {
			w.say("page %d: reached twice", i)
			return nil, false, nil
		}
		w.reached.add(i)
	}
	whole := int64(1+more) * w.size
	if int64(len(p)) < whole {
		p = append(make([]byte, 0, whole), p[:w.size]...)[:whole]
	}
	w.buffers[depth] = p
	p = p[:whole]
	if more > 0 {
		if _, err := w.file.ReadAt(p[w.size:], int64(id)*w.size+w.size); err != nil {
			return nil, false, err
		}
	}
	if !bbolt.Sound(p) {
		w.say("page %d: its checksum", id)
		return nil, false, nil
	}
	return p, true, nil
}

// freePages reads the list of free pages.
func (w *pageWalk) freePages(id uint64) error {
	p, ok, err := w.read(id, 0)
	if !ok {
		return err
	}
	n, at := uint64(binary.NativeEndian.Uint16(p[10:])), pageHeader
	if n == math.MaxUint16 {
		n, at = word64(p, at), at+8
	}
	if binary.NativeEndian.Uint16(p[8:]) != freePage || n > uint64(len(p)-at)/8 {
		w.say("page %d: no list of free pages", id)
		return nil
	}
	for i := range int(n) {
		switch free := word64(p, at+8*i); {
		case free < 2 || free >= w.end:
			w.say("page %d: free, but out of bounds, there are %d", free, w.end)
		case w.free.has(free):
			w.say("page %d: freed twice", free)
		default:
			w.free.add(free)
		}
	}
	return nil
}

// page verifies the subtree of a page. Keys must be in [low, high), as far as these are not nil.
func (w *pageWalk) page(id uint64, depth int, low, high []byte) error {
	if depth == deepest {
		w.say("page %d: too deep", id)
		return nil
	}
	p, ok, err := w.read(id, depth)
	if !ok {
		return err
	}
	flags, n := binary.NativeEndian.Uint16(p[8:]), int(binary.NativeEndian.Uint16(p[10:]))
	switch {
	case w.free.has(id):
		w.say("page %d: in a tree, but free", id)
	case flags != branchPage && flags != leafPage || flags == branchPage && n == 0 || pageHeader+n*pageElement > len(p):
		w.say("page %d: neither branch nor leaf", id)
		return nil
	}
	var last []byte
	for i := range n {
		key, rest, ok := element(p, i, flags)
		if !ok || last != nil && bytes.Compare(last, key) >= 0 || low != nil && bytes.Compare(key, low) < 0 ||
			high != nil && bytes.Compare(key, high) >= 0 {
			w.say("page %d: element %d is out of order", id, i)
			return nil
		}
		last = key
		switch {
		case flags == branchPage:
			end := high
			if i+1 < n {
				if end, _, ok = element(p, i+1, flags); !ok {
					end = high
				}
			}
			err = w.page(rest.child, depth+1, key, end)
		case rest.bucket && rest.child != 0: // 0 is an inline bucket
			err = w.page(rest.child, depth+1, nil, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// below is the child of an element: a page of its tree, or the root of a bucket.
type below struct {
	child  uint64
	bucket bool
}

// element returns the key of an element; ok is false if it is outside of its page.
func element(p []byte, i int, flags uint16) (key []byte, to below, ok bool) {
	at := pageHeader + i*pageElement
	if flags == branchPage {
		from, n := uint64(at)+uint64(word32(p, at)), uint64(word32(p, at+4))
		if from+n > uint64(len(p)) {
			return nil, to, false
		}
		return p[from : from+n], below{child: word64(p, at+8)}, true
	}
	from, n, m := uint64(at)+uint64(word32(p, at+4)), uint64(word32(p, at+8)), uint64(word32(p, at+12))
	to.bucket = word32(p, at)&bucketElement != 0
	if from+n+m > uint64(len(p)) || to.bucket && m < 16 {
		return nil, to, false
	}
	if to.bucket {
		to.child = word64(p, int(from+n))
	}
	return p[from : from+n], to, true
}
