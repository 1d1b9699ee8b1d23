package count

import (
	"context"
	"slices"
	"sort"
)

// blockRows is the number of rows of a block, which is encoded at once.
const blockRows = 2048

// source yields rows by rising key, in batches that are valid until the next call; an empty one is the end. Keys of
// one source may repeat.
type source[K Key] interface {
	next() (keys []K, counts []uint64, err error)
}

// run is counted keys by rising key, each once.
type run[K Key] struct {
	blocks []block[K]
	rows   int64
}

type block[K Key] struct {
	first K
	rows  int
	piece
}

// bounds cut the keys from lo to before hi, nil being none.
type bounds[K Key] struct{ lo, hi *K }

// record writes what a source yields as a run.
func record[K Key](
	ctx context.Context, c *codec[K], from source[K], to *spool, each func(rows int),
) (r run[K], err error) {
	var buf []byte
	for {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		keys, counts, err := from.next()
		if err != nil || len(keys) == 0 {
			return r, err
		}
		buf = c.encode(buf[:0], keys, counts)
		p, err := to.put(buf)
		if err != nil {
			return r, err
		}
		r.blocks = append(r.blocks, block[K]{c.own(keys[0]), len(keys), p})
		r.rows += int64(len(keys))
		each(len(keys))
	}
}

// list is sorted keys in memory; without counts, each stands for one.
type list[K Key] struct {
	keys   []K
	counts []uint64
}

// cut returns the part within bounds.
func (l list[K]) cut(c *codec[K], b bounds[K]) list[K] {
	from, to := 0, len(l.keys)
	if b.lo != nil {
		from = sort.Search(len(l.keys), func(i int) bool { return !c.before(l.keys[i], *b.lo) })
	}
	if b.hi != nil {
		to = sort.Search(len(l.keys), func(i int) bool { return !c.before(l.keys[i], *b.hi) })
	}
	if l.counts == nil {
		return list[K]{keys: l.keys[from:max(from, to)]}
	}
	return list[K]{l.keys[from:max(from, to)], l.counts[from:max(from, to)]}
}

// listed reads a list, equal keys as one row.
type listed[K Key] struct {
	list[K]
	outKeys   []K
	outCounts []uint64
}

func (s *listed[K]) next() ([]K, []uint64, error) {
	if s.counts != nil {
		n := min(blockRows, len(s.keys))
		keys, counts := s.keys[:n], s.counts[:n]
		s.keys, s.counts = s.keys[n:], s.counts[n:]
		return keys, counts, nil
	}
	if s.outKeys == nil {
		s.outKeys, s.outCounts = make([]K, blockRows), make([]uint64, blockRows)
	}
	n, i := 0, 0
	for ; i < len(s.keys) && n < blockRows; n++ {
		k, from := s.keys[i], i
		for i++; i < len(s.keys) && s.keys[i] == k; i++ {
		}
		s.outKeys[n], s.outCounts[n] = k, uint64(i-from)
	}
	s.keys = s.keys[i:]
	return s.outKeys[:n], s.outCounts[:n], nil
}

// reader reads a run within bounds.
type reader[K Key] struct {
	codec  *codec[K]
	from   *spool
	blocks []block[K]
	bounds bounds[K]
	buf    []byte
	keys   []K
	counts []uint64
}

func newReader[K Key](c *codec[K], from *spool, r run[K], b bounds[K]) *reader[K] {
	blocks := r.blocks
	if b.lo != nil { // the block before the first one that begins above lo may hold it
		n := sort.Search(len(blocks), func(i int) bool { return c.before(*b.lo, blocks[i].first) })
		blocks = blocks[max(0, n-1):]
	}
	if b.hi != nil {
		blocks = blocks[:sort.Search(len(blocks), func(i int) bool { return !c.before(blocks[i].first, *b.hi) })]
	}
	return &reader[K]{codec: c, from: from, blocks: blocks, bounds: b}
}

func (r *reader[K]) next() ([]K, []uint64, error) {
	for len(r.blocks) > 0 {
		b := r.blocks[0]
		r.blocks = r.blocks[1:]
		data, room, err := r.from.get(b.piece, r.buf)
		if r.buf = room; err != nil {
			return nil, nil, err
		}
		r.keys, r.counts = slices.Grow(r.keys[:0], b.rows)[:b.rows], slices.Grow(r.counts[:0], b.rows)[:b.rows]
		if err := r.codec.decode(data, r.keys, r.counts); err != nil {
			return nil, nil, err
		}
		if l := (list[K]{r.keys, r.counts}).cut(r.codec, r.bounds); len(l.keys) > 0 {
			return l.keys, l.counts, nil
		}
	}
	return nil, nil, nil
}
