package relation

import (
	"encoding/binary"
	"slices"
	"sort"
	"sync"

	"parlance/storage/value"
)

// Generation is a generation of a relation. It is immutable but for what it remembers of the file.
type Generation struct {
	Rel, ID uint32
	Rows    int // rows that it holds
	Gone    int // rows of earlier generations that it deletes
	Small   bool

	mu        sync.Mutex // guards what follows
	dir       *directory
	held      *rows // of a small one
	unwritten bool  // a small one that is not in the file yet
	runs      map[uint32][]run
}

// Size is the number of rows that it holds or deletes.
func (g *Generation) Size() int { return g.Rows + g.Gone }

// directory says which blocks a large generation has.
type directory struct {
	slots    int // columns that are stored; further ones are NULL
	segments []extent
	gone     []extent // blocks of numbers of deleted rows
}

// extent is a block of n ascending row numbers, from first to last.
type extent struct {
	first, last uint64
	n           int
}

// consecutive reports whether no number is missing between first and last.
func (e extent) consecutive() bool { return e.last-e.first == uint64(e.n-1) }

func appendExtents(dst []byte, list []extent) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	last := uint64(0)
	for _, e := range list {
		dst = binary.AppendUvarint(dst, e.first-last)
		dst = binary.AppendUvarint(dst, e.last-e.first)
		dst = binary.AppendUvarint(dst, uint64(e.n))
		last = e.last
	}
	return dst
}

func (r *input) extents() []extent {
	out := make([]extent, 0, r.count(3))
	last := uint64(0)
	for range cap(out) {
		e := extent{first: last + r.uvarint()}
		e.last = e.first + r.uvarint()
		e.n = int(min(r.uvarint(), mostBlock))
		if e.first < last || e.last < e.first || e.n < 1 || uint64(e.n-1) > e.last-e.first {
			r.bad = true
		}
		last = e.last
		out = append(out, e)
	}
	return out
}

func (d *directory) encode() []byte {
	raw := binary.AppendUvarint(nil, uint64(d.slots))
	return packed(nil, appendExtents(appendExtents(raw, d.segments), d.gone))
}

func decodeDirectory(b []byte) (*directory, error) {
	raw, err := unpacked(b)
	if err != nil {
		return nil, err
	}
	r := &input{b: raw}
	d := &directory{slots: int(min(r.uvarint(), partIDs))}
	d.segments = r.extents()
	d.gone = r.extents()
	if r.bad || len(r.b) > 0 {
		return nil, damaged("the list of blocks of a generation")
	}
	return d, nil
}

// directory reads the list of blocks.
func (g *Generation) directory(r Reader) (*directory, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dir != nil {
		return g.dir, nil
	}
	b := r.Get(blockKey(g.Rel, g.ID, partDirectory, 0))
	if b == nil {
		return nil, damaged("generation %d is missing", g.ID)
	}
	d, err := decodeDirectory(b)
	if err != nil {
		return nil, err
	}
	rows, gone := 0, 0
	for _, e := range d.segments {
		rows += e.n
	}
	for _, e := range d.gone {
		gone += e.n
	}
	if rows != g.Rows || gone != g.Gone {
		return nil, damaged("generation %d has %d rows, %d are expected", g.ID, rows, g.Rows)
	}
	g.dir = d
	return d, nil
}

// at returns the first extent that ends at or after a number.
func at(list []extent, id uint64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].last >= id })
}

// columnOf reads rows of a column of a segment, all if some is nil. A column that the generation does not have is NULL,
// of type t.
func (g *Generation) columnOf(r Reader, d *directory, segment, slot int, t value.Type, some []int) (*value.Vec, error) {
	if slot >= d.slots {
		n := d.segments[segment].n
		if some != nil {
			n = len(some)
		}
		v := nullColumn(t, n)
		return &v, nil
	}
	p, err := g.points(r, segment, slot, d.segments[segment].n)
	if err != nil {
		return nil, err
	}
	v, err := p.column(t, some)
	return &v, err
}

// points reads the column of a segment with n rows.
func (g *Generation) points(r Reader, segment, slot, n int) (*points, error) {
	b := r.Get(blockKey(g.Rel, g.ID, uint16(slot), segment))
	if b == nil {
		return nil, damaged("column %d of segment %d of generation %d is missing", slot, segment, g.ID)
	}
	return pointsOf(b, n)
}

// numbersOf reads the row numbers of a block of rows or of deleted rows, into room if that suffices.
func (g *Generation) numbersOf(r Reader, part uint16, list []extent, i int, room []uint64) ([]uint64, error) {
	e := list[i]
	if e.consecutive() {
		out := slices.Grow(room[:0], e.n)[:e.n]
		for k := range out {
			out[k] = e.first + uint64(k)
		}
		return out, nil
	}
	b := r.Get(blockKey(g.Rel, g.ID, part, i))
	if b == nil {
		return nil, damaged("row numbers of generation %d are missing", g.ID)
	}
	raw, err := unpacked(b)
	if err != nil {
		return nil, err
	}
	in := &input{b: raw}
	ids := in.ids(e.n)
	if in.bad || len(in.b) > 0 || len(ids) != e.n || ids[0] != e.first || ids[e.n-1] != e.last {
		return nil, damaged("row numbers of generation %d", g.ID)
	}
	return ids, nil
}

// place finds a row: its segment and index there; ok is false if the generation does not hold it.
func (g *Generation) place(r Reader, c *Cache, d *directory, id uint64) (segment, index int, ok bool, err error) {
	segment = at(d.segments, id)
	if segment == len(d.segments) || d.segments[segment].first > id {
		return 0, 0, false, nil
	}
	if e := d.segments[segment]; e.consecutive() {
		return segment, int(id - e.first), true, nil
	}
	ids, err := c.numbers(r, g, partIDs, d.segments, segment)
	if err != nil {
		return 0, 0, false, err
	}
	index, ok = slices.BinarySearch(ids, id)
	return segment, index, ok, nil
}

// has reports whether the generation holds or deletes a row.
func (g *Generation) has(r Reader, c *Cache, id uint64) (bool, error) {
	if g.Small {
		h, err := g.small(r)
		if err != nil {
			return false, err
		}
		return h.has(id), nil
	}
	d, err := g.directory(r)
	if err != nil {
		return false, err
	}
	if _, _, ok, err := g.place(r, c, d, id); ok || err != nil {
		return ok, err
	}
	i := at(d.gone, id)
	if i == len(d.gone) || d.gone[i].first > id {
		return false, nil
	}
	ids, err := c.numbers(r, g, partGone, d.gone, i)
	if err != nil {
		return false, err
	}
	_, ok := slices.BinarySearch(ids, id)
	return ok, nil
}
