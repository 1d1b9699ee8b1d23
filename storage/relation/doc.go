// Package relation stores the rows of tables as columns.
//
// A relation is a list of generations, oldest first; the manifest of its table names them. A generation holds rows
// under their numbers and the numbers of rows that it deletes. A row of a later generation takes the place of the row
// with the same number in earlier ones, so a changed row keeps its place. Generations never change: a snapshot is a
// list of them.
//
// A large generation is a set of blocks: segments of at most SegmentRows rows with one block for each column, and for
// each index runs of entries sorted by key. A small one is a single value with all of its rows, which are kept in
// memory once they were read.
//
// Nothing here begins transactions: readers get a Reader, and a Builder hands its blocks to a function.
package relation

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrDamaged is the error of stored data that is not what was written.
var ErrDamaged = errors.New("damaged data")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Reader reads stored values; nil means that there is none. A value is valid until the transaction ends.
type Reader interface {
	Get(key []byte) []byte
}

// Parts of a generation besides the columns, whose part is their slot.
const (
	partIDs       = 0x4000 // row numbers of a segment
	partGone      = 0x4001 // numbers of deleted rows
	partSmall     = 0x4002 // all of a small generation
	partDirectory = 0x4003
	partIndex     = 0x8000
)

// blockKey is the key of a block: relation u32, generation u32, part u16, number u32, big endian.
func blockKey(rel, gen uint32, part uint16, number int) []byte {
	k := make([]byte, 0, 14)
	k = binary.BigEndian.AppendUint32(k, rel)
	k = binary.BigEndian.AppendUint32(k, gen)
	k = binary.BigEndian.AppendUint16(k, part)
	return binary.BigEndian.AppendUint32(k, uint32(number))
}

// IndexPrefix is the prefix of the keys of an index of a generation.
func IndexPrefix(rel, gen, index uint32) []byte {
	k := blockKey(rel, gen, partIndex, 0)[:10]
	return binary.BigEndian.AppendUint32(k, index)
}

// runKey is the key of a block of a run, or of the list of runs if run is runList.
func runKey(rel, gen, index uint32, run uint16, number int) []byte {
	k := binary.BigEndian.AppendUint16(IndexPrefix(rel, gen, index), run)
	return binary.BigEndian.AppendUint32(k, uint32(number))
}

const runList = 0xffff
