package relation

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
)

// A block of a run holds entries in the order of key and row number. It is not compressed as a whole, so that a look-up
// reads a few entries and not all:
//
//	block   = least uvarint, width u8, end uvarint and bytes, numbers, ends, groups
//	numbers = of each entry the row number less the least one, in width bits, lowest bits first
//	end     = the bytes with which all keys end; the groups hold the keys without them
//	ends    = of each group where it ends within groups, u32 little endian
//	group   = of groupEntries entries (fewer in the last one) the keys: length uvarint and bytes of the first,
//	          then of each the part in which it differs from the one before
//	part    = u8 with the number of shared bytes in the upper half and that of further ones in the lower half, or 0xff
//	          and both as uvarint if one of them is above 14; then the further bytes

// groupEntries is how many keys of a group depend on each other.
const groupEntries = 16

// widest is the most bits of a number that are packed; above them a number takes 64.
const widest = 56

// runBlock is a block of a run. It refers to the stored bytes.
type runBlock struct {
	n       int
	least   uint64
	width   int
	tail    []byte // with which all keys end
	numbers []byte // and all that follows them
	ends    []byte
	groups  []byte
}

// encode writes the entries, which are in order, as a block.
func (l *entryList) encode() []byte {
	n := len(l.ids)
	least, most := slices.Min(l.ids), slices.Max(l.ids)
	width := bits.Len64(most - least)
	if width > widest {
		width = 64
	}
	tail := l.sharedTail()
	dst := make([]byte, 0, n*width/8+len(l.keys)/2+64)
	dst = append(binary.AppendUvarint(dst, least), byte(width))
	k := l.key(0)
	dst = append(binary.AppendUvarint(dst, uint64(tail)), k[len(k)-tail:]...)
	dst = appendPacked(dst, l.ids, least, width)
	ends := len(dst)
	dst = append(dst, make([]byte, 4*groupsOf(n))...)
	groups := len(dst)
	var last []byte
	for i := range n {
		k := l.key(i)
		k = k[:len(k)-tail]
		if i%groupEntries == 0 {
			if i > 0 {
				binary.LittleEndian.PutUint32(dst[ends+4*(i/groupEntries-1):], uint32(len(dst)-groups))
			}
			dst = append(binary.AppendUvarint(dst, uint64(len(k))), k...)
		} else {
			dst = appendPart(dst, k, shared(last, k))
		}
		last = k
	}
	binary.LittleEndian.PutUint32(dst[groups-4:], uint32(len(dst)-groups))
	return dst
}

// groupsOf is the number of groups of n entries.
func groupsOf(n int) int { return (n + groupEntries - 1) / groupEntries }

// appendPart writes what follows the first same bytes of a key.
func appendPart(dst, k []byte, same int) []byte {
	more := len(k) - same
	if same < 15 && more < 15 {
		dst = append(dst, byte(same<<4|more))
	} else {
		dst = binary.AppendUvarint(append(dst, 0xff), uint64(same))
		dst = binary.AppendUvarint(dst, uint64(more))
	}
	return append(dst, k[same:]...)
}

// appendPacked writes the differences of numbers to the least one in width bits each, width at most widest or 64.
func appendPacked(dst []byte, ids []uint64, least uint64, width int) []byte {
	if width == 64 {
		for _, id := range ids {
			dst = binary.LittleEndian.AppendUint64(dst, id-least)
		}
		return dst
	}
	held, fill := uint64(0), 0
	for _, id := range ids {
		held |= (id - least) << fill
		for fill += width; fill >= 8; fill -= 8 {
			dst = append(dst, byte(held))
			held >>= 8
		}
	}
	if fill > 0 {
		dst = append(dst, byte(held))
	}
	return dst
}

// readRunBlock reads a block, whose groups are checked only where they are read.
func readRunBlock(r Reader, g *Generation, index uint32, run int, e *runExtent, number int) (*runBlock, error) {
	stored := r.Get(runKey(g.Rel, g.ID, index, uint16(run), number))
	if stored == nil {
		return nil, damaged("block %d of an index of generation %d is missing", number, g.ID)
	}
	in := &input{b: stored}
	b := &runBlock{n: e.n, least: in.uvarint(), width: int(in.byte())}
	if b.n > len(stored) || b.width > 64 || b.width > widest && b.width < 64 {
		return nil, damaged("a block of an index")
	}
	b.tail = in.take(in.count(1))
	b.numbers = in.b
	in.take((b.n*b.width + 7) / 8)
	b.ends = in.take(4 * groupsOf(b.n))
	b.groups = in.b
	if in.bad || b.end(groupsOf(b.n)-1) != len(b.groups) {
		return nil, damaged("a block of an index")
	}
	if first, ok := b.first(0); !ok || string(first)+string(b.tail) != e.first {
		return nil, damaged("a block of an index")
	}
	return b, nil
}

// id returns the row number of an entry.
func (b *runBlock) id(i int) uint64 {
	at := i * b.width
	var eight [8]byte
	from := b.numbers[at/8:]
	if len(from) < 8 {
		copy(eight[:], from)
		from = eight[:]
	}
	return b.least + binary.LittleEndian.Uint64(from)>>(at%8)&(^uint64(0)>>(64-b.width))
}

// end is where a group ends; that of group -1 is 0.
func (b *runBlock) end(group int) int {
	if group < 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b.ends[4*group:]))
}

// group returns the bytes of a group.
func (b *runBlock) group(i int) (input, bool) {
	from, to := b.end(i-1), b.end(i)
	if from > to || to > len(b.groups) {
		return input{}, false
	}
	return input{b: b.groups[from:to]}, true
}

// first returns the first key of a group.
func (b *runBlock) first(group int) ([]byte, bool) {
	in, ok := b.group(group)
	key := in.take(in.count(1))
	return key, ok && !in.bad
}

// entries reads entries in order.
type entries struct {
	b    *runBlock
	at   int    // number of the next entry
	key  []byte // of the last one read, until the next is read, with the common end
	part int    // length of the key without the common end
	rest input  // of the group
	bad  bool   // the block is damaged
}

// from returns the entries from the group on in which keys from key on begin.
func (b *runBlock) from(key []byte) *entries {
	e := &entries{b: b}
	// Entries with the key may begin in the group before the first one that begins with it.
	group := sort.Search(groupsOf(b.n), func(i int) bool {
		first, ok := b.first(i)
		e.bad = e.bad || !ok
		return !ok || compareParts(first, b.tail, key) >= 0
	}) - 1
	e.at = max(group, 0) * groupEntries
	return e
}

// next reads an entry; false at the end, or if the block is damaged.
func (e *entries) next() bool {
	if e.bad || e.at >= e.b.n {
		return false
	}
	same, n := 0, 0
	if e.at%groupEntries == 0 {
		var ok bool
		if e.rest, ok = e.b.group(e.at / groupEntries); !ok {
			e.bad = true
			return false
		}
		n = e.rest.count(1)
	} else if h := e.rest.byte(); h == 0xff {
		same, n = int(min(e.rest.uvarint(), mostBlock)), e.rest.count(1)
	} else {
		same, n = int(h>>4), int(h&15)
	}
	more := e.rest.take(n)
	if e.rest.bad || same > e.part {
		e.bad = true
		return false
	}
	e.part = same + len(more)
	e.key = append(append(e.key[:same], more...), e.b.tail...)
	e.at++
	return true
}

// compareParts compares a and then b with a key.
func compareParts(a, b, key []byte) int {
	if n := min(len(a), len(key)); n == len(key) || !bytes.Equal(a, key[:n]) {
		if c := bytes.Compare(a, key); c != 0 || len(b) == 0 {
			return c
		}
		return 1
	}
	return bytes.Compare(b, key[len(a):])
}

// id is the row number of the entry that was read last.
func (e *entries) id() uint64 { return e.b.id(e.at - 1) }

// visit visits the entries with keys in [from, to) until f returns false; a nil to is no end.
func (b *runBlock) visit(from, to []byte, f func(id uint64) (bool, error)) (bool, error) {
	e := b.from(from)
	for e.next() {
		if bytes.Compare(e.key, from) < 0 {
			continue
		}
		if to != nil && bytes.Compare(e.key, to) >= 0 {
			return true, nil
		}
		if on, err := f(e.id()); !on || err != nil {
			return false, err
		}
	}
	if e.bad {
		return false, damaged("a block of an index")
	}
	return true, nil
}
