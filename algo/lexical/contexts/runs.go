package contexts

import (
	"encoding/binary"
	"slices"
)

// run is counted keys by rising key: the difference from the key before and the count, as varints.
// A pair of word and context takes about 4 bytes.
type run struct {
	data []byte
	n    int
}

func (r *run) add(last, key, count uint64) {
	r.data = binary.AppendUvarint(r.data, key-last)
	r.data = binary.AppendUvarint(r.data, count)
	r.n++
}

// cursor reads a run; key and count are valid after next.
type cursor struct {
	rest       []byte
	key, count uint64
}

func (r run) cursor() cursor { return cursor{rest: r.data} }

func (c *cursor) next() bool {
	if len(c.rest) == 0 {
		return false
	}
	d, n := binary.Uvarint(c.rest)
	c.key += d
	c.rest = c.rest[n:]
	c.count, n = binary.Uvarint(c.rest)
	c.rest = c.rest[n:]
	return true
}

// merge adds the counts of two runs.
func merge(a, b run) run {
	out := run{data: make([]byte, 0, len(a.data)+len(b.data))}
	x, y := a.cursor(), b.cursor()
	moreX, moreY := x.next(), y.next()
	for last := uint64(0); moreX || moreY; {
		key, count := y.key, uint64(0)
		if moreX && (!moreY || x.key <= y.key) {
			key = x.key
		}
		if moreX && x.key == key {
			count += x.count
			moreX = x.next()
		}
		if moreY && y.key == key {
			count += y.count
			moreY = y.next()
		}
		out.add(last, key, count)
		last = key
	}
	out.data = slices.Clip(out.data)
	return out
}

// shard counts keys: those not yet counted in a buffer, the others in runs that halve in size, so that
// each key is merged as often as the logarithm of the number of runs.
type shard struct {
	buffer []uint64
	runs   []run
}

// shardKeys bounds the buffer of a shard.
const shardKeys = 1 << 18

// flush counts what is buffered.
func (s *shard) flush() {
	if len(s.buffer) == 0 {
		return
	}
	slices.Sort(s.buffer)
	var r run
	last := uint64(0)
	for i := 0; i < len(s.buffer); {
		j := i + 1
		for j < len(s.buffer) && s.buffer[j] == s.buffer[i] {
			j++
		}
		r.add(last, s.buffer[i], uint64(j-i))
		last, i = s.buffer[i], j
	}
	s.buffer = s.buffer[:0]
	s.runs = append(s.runs, r)
	for n := len(s.runs); n > 1 && s.runs[n-2].n < 2*s.runs[n-1].n; n-- {
		s.runs[n-2] = merge(s.runs[n-2], s.runs[n-1])
		s.runs = s.runs[:n-1]
	}
}

// finish leaves one run of everything.
func (s *shard) finish() {
	s.flush()
	s.buffer = nil
	for n := len(s.runs); n > 1; n-- {
		s.runs[n-2] = merge(s.runs[n-2], s.runs[n-1])
		s.runs = s.runs[:n-1]
	}
}
