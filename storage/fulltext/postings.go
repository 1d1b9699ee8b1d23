package fulltext

import (
	"encoding/binary"
	"errors"
)

// ErrPostings tells of postings that do not decode.
var ErrPostings = errors.New("damaged postings")

// A list of postings is two streams of varints. Units: gap to the unit before, less one, times
// two, plus one where the term occurs once; else the frequency less two follows. Positions: for
// each unit the first position and the gaps less one. Before the positions of a finished list
// stands the number of their bytes for each full group of postings.
const group = 128

// Builder gathers the postings of a term.
type Builder struct {
	units, positions, groups []byte
	count                    int // of units
	last                     uint32
	mark                     int // of positions, where the present group begins
}

// Add appends a unit with the positions of the term in it; both ascend.
func (b *Builder) Add(unit uint32, positions []int32) {
	gap := uint64(unit)
	if b.count > 0 {
		gap = uint64(unit-b.last) - 1
	}
	b.last = unit
	if len(positions) == 1 {
		b.units = binary.AppendUvarint(b.units, gap<<1|1)
	} else {
		b.units = binary.AppendUvarint(b.units, gap<<1)
		b.units = binary.AppendUvarint(b.units, uint64(len(positions)-2))
	}
	prev := int32(-1)
	for _, p := range positions {
		b.positions = binary.AppendUvarint(b.positions, uint64(p-prev-1))
		prev = p
	}
	if b.count++; b.count%group == 0 {
		b.groups = binary.AppendUvarint(b.groups, uint64(len(b.positions)-b.mark))
		b.mark = len(b.positions)
	}
}

// Reset empties the list, whose memory is used again.
func (b *Builder) Reset() {
	*b = Builder{units: b.units[:0], positions: b.positions[:0], groups: b.groups[:0]}
}

// Count returns the number of units.
func (b *Builder) Count() int { return b.count }

// Size returns the bytes of the streams.
func (b *Builder) Size() int { return len(b.units) + len(b.positions) + len(b.groups) }

// Append appends the streams to two buffers.
func (b *Builder) Append(units, positions []byte) ([]byte, []byte) {
	return append(units, b.units...), append(append(positions, b.groups...), b.positions...)
}

// List is the units that hold a term, ascending, and how often each does.
type List struct {
	Units, Freqs []uint32
}

// Decode reads count postings of units below limit.
func Decode(p []byte, count, limit int) (List, error) {
	if count > len(p) || count > limit {
		return List{}, ErrPostings
	}
	l := List{make([]uint32, count), make([]uint32, count)}
	next := uint64(0)
	for i := range count {
		x, w := uint64(0), 1
		if len(p) > 0 && p[0] < 0x80 {
			x = uint64(p[0])
		} else if x, w = binary.Uvarint(p); w <= 0 {
			return List{}, ErrPostings
		}
		p = p[w:]
		freq := uint64(1)
		if x&1 == 0 {
			f, w := binary.Uvarint(p)
			if w <= 0 || f > 1<<31 {
				return List{}, ErrPostings
			}
			freq, p = f+2, p[w:]
		}
		unit := next + x>>1
		if unit >= uint64(limit) {
			return List{}, ErrPostings
		}
		l.Units[i], l.Freqs[i] = uint32(unit), uint32(freq)
		next = unit + 1
	}
	if len(p) != 0 {
		return List{}, ErrPostings
	}
	return l, nil
}

// Positions reads the positions of a list, for ascending places in it.
type Positions struct {
	list   List
	groups []int // bytes of the full groups
	rest   []byte
	at     int // place in the list of what rest begins with
	out    []int32
}

// NewPositions opens the stream of positions of a list.
func NewPositions(l List, p []byte) (*Positions, error) {
	x := &Positions{list: l}
	for range len(l.Units) / group {
		n, w := binary.Uvarint(p)
		if w <= 0 || n > uint64(len(p)) {
			return nil, ErrPostings
		}
		x.groups, p = append(x.groups, int(n)), p[w:]
	}
	x.rest = p
	return x, nil
}

// At returns the positions of the k-th unit of the list, valid until the next call; k must not
// descend below that of the call before.
func (x *Positions) At(k int) ([]int32, error) {
	if k < x.at {
		return x.out, nil // the same unit again
	}
	for x.at%group == 0 && x.at/group < k/group {
		n := x.groups[x.at/group]
		if n > len(x.rest) {
			return nil, ErrPostings
		}
		x.rest, x.at = x.rest[n:], x.at+group
	}
	for x.at < k {
		if x.skip(int(x.list.Freqs[x.at])); x.rest == nil {
			return nil, ErrPostings
		}
		if x.at++; x.at%group == 0 && x.at/group < k/group {
			return x.At(k)
		}
	}
	out, rest, prev := x.out[:0], x.rest, int64(-1)
	for range x.list.Freqs[k] {
		d, w := uint64(0), 1
		if len(rest) > 0 && rest[0] < 0x80 {
			d = uint64(rest[0])
		} else {
			d, w = binary.Uvarint(rest)
		}
		if prev += int64(d) + 1; w <= 0 || d > 1<<31 || prev > 1<<31-1 {
			return nil, ErrPostings
		}
		out, rest = append(out, int32(prev)), rest[w:]
	}
	x.out, x.rest, x.at = out, rest, x.at+1
	return out, nil
}

// skip passes n varints; rest becomes nil where there are fewer.
func (x *Positions) skip(n int) {
	for i, b := range x.rest {
		if n == 0 {
			x.rest = x.rest[i:]
			return
		}
		if b < 0x80 {
			n--
		}
	}
	if x.rest = x.rest[len(x.rest):]; n > 0 {
		x.rest = nil
	}
}
