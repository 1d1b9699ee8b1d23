package common

import (
	"encoding/binary"
	"hash/crc32"
	"unsafe"
)

// The checksum of a page is the CRC-32 (Castagnoli) of its number, 4 bytes little endian, and of all that comes after
// its first 8 bytes, pages that continue it included. It is never 0, which pages of an UncheckedVersion have.
const (
	pageNumber   = 1<<32 - 1
	checksumBits = 32
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum computes the checksum of a page of so many bytes.
func (p *Page) Checksum(size int) uint32 {
	var number [4]byte
	binary.LittleEndian.PutUint32(number[:], uint32(p.Id()))
	sum := crc32.Update(0, castagnoli, number[:])
	sum = crc32.Update(sum, castagnoli, unsafe.Slice((*byte)(unsafe.Pointer(p)), size)[unsafe.Sizeof(p.id):])
	return max(sum, 1)
}

// Seal gives a page of so many bytes its checksum.
func (p *Page) Seal(size int) { p.id = p.Id() | Pgid(p.Checksum(size))<<checksumBits }

// Sealed reports whether the page has a checksum.
func (p *Page) Sealed() bool { return p.id > pageNumber }

// Sound reports whether a page of so many bytes is what was sealed, or was never.
func (p *Page) Sound(size int) bool {
	return !p.Sealed() || p.Checksum(size) == uint32(p.id>>checksumBits)
}
