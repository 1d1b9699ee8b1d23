package sealed

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// Sum is what a bucket should hold: the number of its entries, and the sum of a hash of each modulo 2^128. The sum
// does not depend on the order of changes, so a transaction adds what it puts and takes away what it deletes.
type Sum struct {
	Count     int64
	high, low uint64
}

const (
	sealSize = 4  // behind each value
	sumSize  = 24 // of an encoded Sum
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Two odd numbers without a pattern: the fractions of the golden ratio and of the square root of 2, times 2^64.
const (
	golden = 0x9e3779b97f4a7c15
	root2  = 0x6a09e667f3bcc909
)

// seed is the checksum of the name of a bucket, where those of its entries begin.
func seed(bucket []byte) uint32 { return crc32.Checksum(bucket, castagnoli) }

// checksum is the CRC-32C of the bucket, the key and the content of an entry. The length of the key tells where the
// content begins.
func checksum(seed uint32, k, v []byte) uint32 {
	return crc32.Update(crc32.Update(seed^uint32(len(k)), castagnoli, k), castagnoli, v)
}

// seal returns the content with the checksum of its entry behind it.
func seal(seed uint32, k, v []byte) []byte {
	out := make([]byte, len(v), len(v)+sealSize)
	copy(out, v)
	return binary.LittleEndian.AppendUint32(out, checksum(seed, k, v))
}

// unseal returns the content of a sealed value.
func unseal(sealed []byte) []byte {
	n := len(sealed) - sealSize
	return sealed[:n:n]
}

// isSealed reports whether an entry of a sound leaf has its checksum. The value follows the key.
func isSealed(seed uint32, p page, i int) bool {
	k, v := p.leaf(i)
	if len(v) < sealSize {
		return false
	}
	both := k[:len(k)+len(v)-sealSize]
	return crc32.Update(seed^uint32(len(k)), castagnoli, both) == binary.LittleEndian.Uint32(v[len(v)-sealSize:])
}

// hash is a hash of an entry of 128 bits. It is made of two checksums with different polynomials, for the one behind
// the value is what a stale entry has right, too.
func hash(k, sealed []byte) (high, low uint64) {
	n := len(sealed) - sealSize
	other := crc32.Update(crc32.ChecksumIEEE(k), crc32.IEEETable, sealed[:n])
	both := uint64(other)<<32 | uint64(binary.LittleEndian.Uint32(sealed[n:]))
	return mix(both, golden), mix(both+uint64(n), root2)
}

// mix multiplies to 128 bits and folds them.
func mix(x, by uint64) uint64 {
	high, low := bits.Mul64(x^by, golden)
	return high ^ low
}

// add counts a sealed entry.
func (s *Sum) add(k, sealed []byte) {
	high, low := hash(k, sealed)
	s.plus(Sum{1, high, low})
}

// remove is the opposite of add.
func (s *Sum) remove(k, sealed []byte) {
	high, low := hash(k, sealed)
	s.minus(Sum{1, high, low})
}

func (s *Sum) plus(o Sum) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, o.low, 0)
	s.high, _ = bits.Add64(s.high, o.high, carry)
	s.Count += o.Count
}

func (s *Sum) minus(o Sum) {
	var borrow uint64
	s.low, borrow = bits.Sub64(s.low, o.low, 0)
	s.high, _ = bits.Sub64(s.high, o.high, borrow)
	s.Count -= o.Count
}

func (s Sum) encode() []byte {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, sumSize+sealSize), uint64(s.Count))
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s.high), s.low)
}

func decodeSum(b []byte) Sum {
	return Sum{int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])}
}
