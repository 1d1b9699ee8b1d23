package relation

import (
	"parlance/storage/value"
)

// Limits of a segment. Texts of a segment are together at most SegmentBytes, unless it is one row.
const (
	SegmentRows  = 16384
	SegmentBytes = 1 << 20
)

// goneRows is how many numbers a block of deleted rows holds.
const goneRows = 1 << 16

// Builder writes a large generation. It is for one goroutine.
type Builder struct {
	g       *Generation
	put     func(k, v []byte) error
	columns []column
	ids     []uint64
	size    int // of the texts of the segment
	gone    []uint64
	dir     directory
	indexes []collector
}

// NewBuilder begins a generation with slots columns. Blocks go to put in no order; they are not changed afterwards.
func NewBuilder(rel, id uint32, slots int, indexes []*Index, put func(k, v []byte) error) *Builder {
	b := &Builder{g: &Generation{Rel: rel, ID: id}, put: put, columns: make([]column, slots)}
	room := new(sortRoom)
	for _, x := range indexes {
		b.indexes = append(b.indexes, collector{x: x, room: room})
	}
	return b
}

// Add adds a row, whose values are by slot; missing ones are NULL. The numbers of rows must ascend.
func (b *Builder) Add(id uint64, row []value.Value) error {
	b.widen(len(row))
	for i := range b.columns {
		if i < len(row) {
			b.columns[i].add(row[i])
			b.size += len(row[i].S)
		} else {
			b.columns[i].add(value.Value{})
		}
	}
	b.ids = append(b.ids, id)
	b.g.Rows++
	for i := range b.indexes {
		x := &b.indexes[i]
		if x.add(id, row); x.full() {
			if err := x.write(b.g.Rel, b.g.ID, b.put); err != nil {
				return err
			}
		}
	}
	if len(b.ids) >= SegmentRows || b.size >= SegmentBytes {
		return b.cut()
	}
	return nil
}

// widen makes room for n columns.
func (b *Builder) widen(n int) {
	for n > len(b.columns) {
		b.columns = append(b.columns, column{})
		for range b.ids {
			b.columns[len(b.columns)-1].add(value.Value{})
		}
	}
}

// AddRows adds rows, a column for each slot, as Add does; nil columns and missing ones are NULL.
func (b *Builder) AddRows(ids []uint64, cols []*value.Vec) error {
	b.widen(len(cols))
	null := &value.Vec{}
	row := make([]value.Value, len(b.columns))
	for from := 0; from < len(ids); {
		to := from
		for to < len(ids) && len(b.ids)+to-from < SegmentRows && b.size < SegmentBytes {
			for _, v := range cols {
				b.size += textLen(v, to)
			}
			to++
		}
		for i := range b.columns {
			v := columnAt(cols, i)
			if v == nil {
				v = null
			}
			b.columns[i].addRows(v, from, to)
		}
		b.ids = append(b.ids, ids[from:to]...)
		b.g.Rows += to - from
		for i := range b.indexes {
			if err := b.index(&b.indexes[i], ids[from:to], cols, from, row); err != nil {
				return err
			}
		}
		if len(b.ids) >= SegmentRows || b.size >= SegmentBytes {
			if err := b.cut(); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// textLen is the length of the text in a row of a column.
func textLen(v *value.Vec, i int) int {
	switch {
	case v == nil || v.Ints != nil || v.Floats != nil:
		return 0
	case v.Strs != nil && v.Null == nil:
		return len(v.Strs[i])
	}
	return len(v.At(i).S)
}

// index adds rows from one on of a batch to an index. row has room for the values of a row.
func (b *Builder) index(x *collector, ids []uint64, cols []*value.Vec, from int, row []value.Value) error {
	clear(row)
	for i, id := range ids {
		for _, slot := range x.x.Slots {
			if v := columnAt(cols, slot); v != nil {
				row[slot] = v.At(from + i)
			}
		}
		x.add(id, row)
		if x.rank(cols, from+i); x.full() {
			if err := x.write(b.g.Rel, b.g.ID, b.put); err != nil {
				return err
			}
		}
	}
	return nil
}

// Last returns the number of the last row added, and of the last deleted one.
func (b *Builder) Last() (row, gone uint64) {
	if n := len(b.ids); n > 0 {
		row = b.ids[n-1]
	} else if n := len(b.dir.segments); n > 0 {
		row = b.dir.segments[n-1].last
	}
	if n := len(b.gone); n > 0 {
		gone = b.gone[n-1]
	} else if n := len(b.dir.gone); n > 0 {
		gone = b.dir.gone[n-1].last
	}
	return row, gone
}

// Size is the number of rows that were added or deleted.
func (b *Builder) Size() int { return b.g.Size() }

// cut writes the rows in memory as a segment.
func (b *Builder) cut() error {
	if len(b.ids) == 0 {
		return nil
	}
	number := len(b.dir.segments)
	for slot := range b.columns {
		c := &b.columns[slot]
		if err := b.put(blockKey(b.g.Rel, b.g.ID, uint16(slot), number), c.encode()); err != nil {
			return err
		}
		c.reset()
	}
	e, err := b.numbers(partIDs, number, b.ids)
	b.dir.segments = append(b.dir.segments, e)
	b.ids, b.size = b.ids[:0], 0
	return err
}

// numbers writes row numbers, unless they are consecutive.
func (b *Builder) numbers(part uint16, number int, ids []uint64) (extent, error) {
	e := extent{ids[0], ids[len(ids)-1], len(ids)}
	if e.consecutive() {
		return e, nil
	}
	return e, b.put(blockKey(b.g.Rel, b.g.ID, part, number), packed(nil, appendIDs(nil, ids)))
}

// Delete deletes a row of earlier generations. The numbers must ascend.
func (b *Builder) Delete(id uint64) error {
	b.gone = append(b.gone, id)
	b.g.Gone++
	if len(b.gone) < goneRows {
		return nil
	}
	return b.cutGone()
}

func (b *Builder) cutGone() error {
	if len(b.gone) == 0 {
		return nil
	}
	e, err := b.numbers(partGone, len(b.dir.gone), b.gone)
	b.dir.gone, b.gone = append(b.dir.gone, e), b.gone[:0]
	return err
}

// Finish writes the rest and returns the generation.
func (b *Builder) Finish() (*Generation, error) {
	if err := b.cut(); err != nil {
		return nil, err
	}
	if err := b.cutGone(); err != nil {
		return nil, err
	}
	for i := range b.indexes {
		if err := b.indexes[i].finish(b.g.Rel, b.g.ID, b.put); err != nil {
			return nil, err
		}
	}
	b.dir.slots = len(b.columns)
	return b.g, b.put(blockKey(b.g.Rel, b.g.ID, partDirectory, 0), b.dir.encode())
}

// BuildIndex writes the runs of an index for a large generation. Columns are read by read, a short transaction each.
func BuildIndex(g *Generation, x *Index, types []value.Type, read func(func(Reader) error) error,
	put func(k, v []byte) error) error {
	c := collector{x: x, room: new(sortRoom)}
	c.reserve(g.Rows)
	var d *directory
	err := read(func(r Reader) (err error) {
		d, err = g.directory(r)
		return err
	})
	if err != nil {
		return err
	}
	row := make([]value.Value, len(types))
	for s := range d.segments {
		var ids []uint64
		cols := make([]*value.Vec, len(types))
		err := read(func(r Reader) (err error) {
			for _, slot := range x.Slots {
				if cols[slot], err = g.columnOf(r, d, s, slot, types[slot], nil); err != nil {
					return err
				}
			}
			ids, err = g.numbersOf(r, partIDs, d.segments, s, nil)
			return err
		})
		if err != nil {
			return err
		}
		for i, id := range ids {
			for _, slot := range x.Slots {
				row[slot] = cols[slot].At(i)
			}
			if c.add(id, row); c.full() {
				if err := c.write(g.Rel, g.ID, put); err != nil {
					return err
				}
			}
		}
	}
	return c.finish(g.Rel, g.ID, put)
}
