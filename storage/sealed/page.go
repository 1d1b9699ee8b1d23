package sealed

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"math"
)

// The layout of bbolt's pages, in the byte order of the machine. A page begins with a header: its number uint64, kind
// uint16, number of elements uint16, and the number of pages that continue it uint32. Elements of 16 bytes follow, then
// their keys and values. A branch element is place uint32, length of the key uint32, child uint64; that of a leaf is
// flags, place, length of the key and of the value, uint32 each. Places count from the element.
const (
	headerSize  = 16
	elementSize = 16
	bucketSize  = 16 // the head of a bucket in the list of buckets: its root and a sequence, uint64 each

	branchKind, leafKind, metaKind, freeKind = 0x01, 0x02, 0x04, 0x10

	bucketFlag = 1
	deepest    = 64 // limit of the depth of a tree
)

// page is a page with those that continue it.
type page []byte

func (p page) id() uint64   { return word64(p, 0) }
func (p page) kind() uint16 { return binary.NativeEndian.Uint16(p[8:]) }
func (p page) count() int   { return int(binary.NativeEndian.Uint16(p[10:])) }
func (p page) more() uint64 { return uint64(word32(p, 12)) }

func word64(b []byte, at int) uint64 { return binary.NativeEndian.Uint64(b[at:]) }
func word32(b []byte, at int) uint32 { return binary.NativeEndian.Uint32(b[at:]) }

// branch returns the key and the child of an element of a sound branch.
func (p page) branch(i int) (key []byte, child uint64) {
	at := headerSize + i*elementSize
	from := at + int(word32(p, at))
	return p[from : from+int(word32(p, at+4))], word64(p, at+8)
}

// leaf returns the key and the sealed value of an element of a sound leaf.
func (p page) leaf(i int) (key, value []byte) {
	at := headerSize + i*elementSize
	from, k, v := at+int(word32(p, at+4)), int(word32(p, at+8)), int(word32(p, at+12))
	return p[from : from+k], p[from+k : from+k+v]
}

// key returns the key of an element of a sound page.
func (p page) key(i int) []byte {
	if p.kind() == branchKind {
		k, _ := p.branch(i)
		return k
	}
	k, _ := p.leaf(i)
	return k
}

// extent verifies that keys and values follow each other without a gap from the last element on, as they are written,
// and that keys ascend. So the number of elements, places and lengths prove each other. It returns where the last one
// ends.
func (p page) extent() (end int, ok bool) {
	n, isLeaf := p.count(), p.kind() == leafKind
	end = headerSize + n*elementSize
	if end > len(p) || !isLeaf && p.kind() != branchKind {
		return 0, false
	}
	var last []byte
	for i := range n {
		at := headerSize + i*elementSize
		place, k, v := word32(p, at), word32(p, at+4), uint32(0)
		if isLeaf {
			place, k, v = word32(p, at+4), word32(p, at+8), word32(p, at+12)
		}
		if uint64(at)+uint64(place) != uint64(end) || k == 0 || uint64(end)+uint64(k)+uint64(v) > uint64(len(p)) {
			return 0, false
		}
		key := p[end : end+int(k)]
		if i > 0 && bytes.Compare(last, key) >= 0 {
			return 0, false
		}
		last, end = key, end+int(k)+int(v)
	}
	return end, true
}

// spans reports whether a key lies between the first and the last of a sound page.
func (p page) spans(key []byte) bool {
	return bytes.Compare(key, p.key(0)) >= 0 && bytes.Compare(key, p.key(p.count()-1)) <= 0
}

// within returns the index of the child that a key leads to: the last whose key is not greater, or the first.
func (p page) within(key []byte) int {
	from, to := 0, p.count() // the child is in [from, to), if it is not the first
	for to-from > 1 {
		i := (from + to) / 2
		if k, _ := p.branch(i); bytes.Compare(k, key) > 0 {
			to = i
		} else {
			from = i
		}
	}
	return from
}

// pages are the pages of a state of the file.
type pages struct {
	data []byte
	size uint64 // of a page
}

// end is the number of pages.
func (f pages) end() uint64 { return uint64(len(f.data)) / f.size }

// at returns a page with those that continue it; ok is false if it says that it is another one, or is out of bounds.
func (f pages) at(id uint64) (p page, ok bool) {
	end := f.end()
	if id < 2 || id >= end {
		return nil, false
	}
	p = page(f.data[id*f.size:])
	if p.id() != id || p.more() >= end-id {
		return nil, false
	}
	return p[: (p.more()+1)*f.size : (p.more()+1)*f.size], true
}

// tight returns a page whose keys and values end on the last page that continues it, as they are written.
func (f pages) tight(id uint64) (p page, ok bool) {
	p, ok = f.at(id)
	if !ok {
		return nil, false
	}
	end, ok := p.extent()
	return p, ok && (uint64(end)+f.size-1)/f.size*f.size == uint64(len(p))
}

// free returns the numbers of the list of free pages on a page; ok is false if it is no such list.
func (f pages) free(id uint64) (list []byte, p page, ok bool) {
	p, ok = f.at(id)
	if !ok || p.kind() != freeKind {
		return nil, p, false
	}
	n, at := uint64(p.count()), uint64(headerSize)
	if n == math.MaxUint16 { // then the first number is their number
		n, at = word64(p, headerSize), at+8
	}
	if n > (uint64(len(p))-at)/8 {
		return nil, p, false
	}
	return p[at : at+8*n], p, true
}

// meta is a meta page, which describes a state of the file: after the header of a page, magic, version, size of a page
// and flags, uint32 each, then uint64 the root of the list of buckets and its sequence, the list of free pages, the
// number of pages, the number of the transaction, and the FNV-1a checksum of what precedes.
type meta []byte

const (
	metaMagic    = 0xed0cdaed
	metaVersion  = 2
	metaSize     = headerSize + 64
	metaChecksum = headerSize + 56
)

func (m meta) root() uint64        { return word64(m, headerSize+16) }
func (m meta) free() uint64        { return word64(m, headerSize+32) }
func (m meta) transaction() uint64 { return word64(m, headerSize+48) }
func (m meta) pageSize() uint32    { return word32(m, headerSize+8) }
func (m meta) version() uint32     { return word32(m, headerSize+4) }

// sound reports whether it is the meta page of a place, 0 or 1, in a file with pages of that size.
func (m meta) sound(place, size uint64) bool {
	return page(m).id() == place && page(m).kind() == metaKind && word32(m, headerSize) == metaMagic &&
		m.version() == metaVersion && uint64(m.pageSize()) == size && m.transaction()%2 == place &&
		m.checksum() == word64(m, metaChecksum)
}

func (m meta) checksum() uint64 {
	h := fnv.New64a()
	h.Write(m[headerSize:metaChecksum])
	return h.Sum64()
}
