package relation

import (
	"context"
	"slices"

	"parlance/storage/value"
)

// View is a relation as a snapshot sees it.
type View struct {
	Generations []*Generation // oldest first
	Types       []value.Type  // by slot; Null where a column was dropped
	Cache       *Cache
}

// source is what a generation has in a window of row numbers.
type source struct {
	g       *Generation
	d       *directory // nil for a small one
	held    *rows      // of a small one
	segment int
	extent  extent
	ids     []uint64
	from    int // index of ids[0] in its segment or among the rows of a small generation
	gone    []uint64
}

// Scan emits the rows with numbers in order, in batches with the wanted slots in the order of slots. Each batch is read
// by read, in a short transaction, and emitted outside of it. The numbers must not be kept.
func (v *View) Scan(ctx context.Context, read func(func(Reader) error) error, slots []int,
	emit func(ids []uint64, b *value.Batch) error) error {
	s := &scan{v: v, slots: slots, blocks: map[*Generation]*loaded{}}
	var cuts []uint64
	err := read(func(r Reader) (err error) {
		cuts, err = s.cuts(r)
		return err
	})
	if err != nil {
		return err
	}
	for i, from := range cuts {
		to := ^uint64(0)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var ids []uint64
		var b *value.Batch
		err := read(func(r Reader) (err error) {
			ids, b, err = s.window(r, from, to)
			return err
		})
		if err == nil && b.N > 0 {
			err = emit(ids, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Complete emits rows by number, in batches: at are the places of the rows among ids, ascending, and cols their columns
// by slot. The numbers ascend; rows that do not exist are left out. known are columns of these rows that the caller has
// read, by slot, nil for the others; if there are any, the rows exist. Windows with many of the rows are read as a
// whole, others row by row. Nothing is read while emit runs.
func (v *View) Complete(ctx context.Context, read func(func(Reader) error) error, ids []uint64, known []*value.Vec,
	emit func(at []int, cols []*value.Vec) error) error {
	s := &scan{v: v, blocks: map[*Generation]*loaded{}}
	width, cuts := 0, []uint64{0}
	err := read(func(r Reader) (err error) {
		if width, err = v.Slots(r); err == nil && len(ids) >= manyRows {
			cuts, err = s.cuts(r)
		}
		return err
	})
	if err != nil {
		return err
	}
	for i := range width {
		if columnAt(known, i) == nil {
			s.slots = append(s.slots, i)
		}
	}
	if len(s.slots) == 0 {
		return emit(places(len(ids)), known)
	}
	if width > len(v.Types) {
		wide := *v
		wide.Types = append(slices.Clone(v.Types), make([]value.Type, width-len(v.Types))...)
		s.v = &wide
	}
	for from := 0; from < len(ids); {
		if err := ctx.Err(); err != nil {
			return err
		}
		k, found := slices.BinarySearch(cuts, ids[from])
		if !found {
			k--
		}
		first, end, to := cuts[k], ^uint64(0), len(ids)
		if k+1 < len(cuts) {
			end = cuts[k+1]
			to, _ = slices.BinarySearch(ids, end)
		}
		var at []int
		var b *value.Batch
		err := read(func(r Reader) (err error) {
			at, b, err = s.rows(r, first, end, ids[from:to])
			return err
		})
		if err == nil && len(at) > 0 {
			for i := range at {
				at[i] += from
			}
			cols := make([]*value.Vec, width)
			copy(cols, Pick(known, at))
			for i, slot := range s.slots {
				cols[slot] = &b.Cols[i]
			}
			err = emit(at, cols)
		}
		if err != nil {
			return err
		}
		from = to
	}
	return nil
}

// places are the numbers below n.
func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Pick returns some rows of columns, of which some may be nil.
func Pick(cols []*value.Vec, at []int) []*value.Vec {
	out := make([]*value.Vec, len(cols))
	n := len(at)
	for i, c := range cols {
		switch {
		case c == nil:
		case n > 0 && at[n-1]-at[0] == n-1:
			v := c.Slice(at[0], at[n-1]+1)
			out[i] = &v
		default:
			v := c.Select(at)
			out[i] = &v
		}
	}
	return out
}

// manyRows is from how many rows on a window is read as a whole.
var manyRows = 256

// rows reads some of the rows of a window, and returns the places of those that exist.
func (s *scan) rows(r Reader, from, to uint64, ids []uint64) (at []int, b *value.Batch, err error) {
	if len(ids) < manyRows {
		return s.few(r, ids)
	}
	sources, err := s.sources(r, from, to)
	if err != nil {
		return nil, nil, err
	}
	if len(sources) == 1 && sources[0].held == nil && sources[0].from == 0 { // only these rows are decoded
		x := &sources[0]
		at, of := placesOf(x.ids, ids)
		b = &value.Batch{N: len(at), Cols: make([]value.Vec, len(s.slots))}
		for i, slot := range s.slots {
			if len(at) == 0 {
				break
			}
			c, err := x.g.columnOf(r, x.d, x.segment, slot, s.v.Types[slot], of)
			if err != nil {
				return nil, nil, err
			}
			b.Cols[i] = *c
		}
		return at, b, nil
	}
	there, b, err := s.window(r, from, to)
	if err != nil {
		return nil, nil, err
	}
	at, of := placesOf(there, ids)
	return at, b.Select(of), nil
}

// placesOf returns where numbers that there are stand among ids, and where among there. Both ascend.
func placesOf(there, ids []uint64) (at, of []int) {
	at, of = make([]int, 0, len(ids)), make([]int, 0, len(ids))
	k := 0
	for i, id := range ids {
		for k < len(there) && there[k] < id {
			k++
		}
		if k < len(there) && there[k] == id {
			at, of = append(at, i), append(of, k)
		}
	}
	return at, of
}

// few reads rows one by one.
func (s *scan) few(r Reader, ids []uint64) (at []int, b *value.Batch, err error) {
	need := make([]bool, len(s.v.Types))
	types := make([]value.Type, len(s.slots))
	for i, slot := range s.slots {
		need[slot], types[i] = true, s.v.Types[slot]
	}
	var rows [][]value.Value
	for i, id := range ids {
		row, err := s.v.Row(r, id, need)
		if err != nil {
			return nil, nil, err
		}
		if row == nil {
			continue
		}
		values := make([]value.Value, len(s.slots))
		for k, slot := range s.slots {
			values[k] = row[slot]
		}
		at, rows = append(at, i), append(rows, values)
	}
	return at, value.FromRows(types, rows), nil
}

type scan struct {
	v      *View
	slots  []int
	blocks map[*Generation]*loaded
	picks  []pick
	other  []pick
}

// loaded is the last segment of a generation that a scan has read.
type loaded struct {
	segment int
	ids     []uint64
	cols    map[int]*value.Vec
	gone    int // block of deleted numbers
	goneIDs []uint64
}

// cuts returns the first numbers of windows, in each of which a generation has rows of one segment at most.
func (s *scan) cuts(r Reader) ([]uint64, error) {
	cuts := []uint64{0}
	for _, g := range s.v.Generations {
		if g.Small {
			h, err := g.small(r)
			if err != nil {
				return nil, err
			}
			if len(h.ids) > 0 { // many small ones after each other are read by windows too
				cuts = append(cuts, h.ids[0])
			}
			continue
		}
		d, err := g.directory(r)
		if err != nil {
			return nil, err
		}
		for _, e := range d.segments {
			cuts = append(cuts, e.first)
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts), nil
}

func (s *scan) load(g *Generation) *loaded {
	l := s.blocks[g]
	if l == nil {
		l = &loaded{segment: -1, gone: -1}
		s.blocks[g] = l
	}
	return l
}

// sources returns what the generations have in [from, to), newest first.
func (s *scan) sources(r Reader, from, to uint64) ([]source, error) {
	var out []source
	for _, g := range slices.Backward(s.v.Generations) {
		x := source{g: g}
		if g.Small {
			h, err := g.small(r)
			if err != nil {
				return nil, err
			}
			i, k := within(h.ids, from, to)
			x.held, x.ids, x.from = h, h.ids[i:k], i
			i, k = within(h.gone, from, to)
			x.gone = h.gone[i:k]
		} else if err := s.large(r, &x, from, to); err != nil {
			return nil, err
		}
		if len(x.ids)+len(x.gone) > 0 {
			out = append(out, x)
		}
	}
	return out, nil
}

// large finds what a large generation has in [from, to).
func (s *scan) large(r Reader, x *source, from, to uint64) (err error) {
	if x.d, err = x.g.directory(r); err != nil {
		return err
	}
	l := s.load(x.g)
	if i := at(x.d.segments, from); i < len(x.d.segments) && x.d.segments[i].first < to {
		if l.segment != i {
			l.segment, l.cols = i, map[int]*value.Vec{}
			if l.ids, err = x.g.numbersOf(r, partIDs, x.d.segments, i, l.ids); err != nil {
				return err
			}
		}
		a, b := within(l.ids, from, to)
		x.segment, x.extent, x.ids, x.from = i, x.d.segments[i], l.ids[a:b], a
	}
	for i := at(x.d.gone, from); i < len(x.d.gone) && x.d.gone[i].first < to; i++ {
		if l.gone != i {
			if l.goneIDs, err = x.g.numbersOf(r, partGone, x.d.gone, i, l.goneIDs); err != nil {
				return err
			}
			l.gone = i
		}
		a, b := within(l.goneIDs, from, to)
		x.gone = append(x.gone[:len(x.gone):len(x.gone)], l.goneIDs[a:b]...)
	}
	return nil
}

// column returns a column of the rows of a source.
func (s *scan) column(r Reader, x *source, slot int) (value.Vec, error) {
	if x.held != nil {
		return *x.held.column(slot, s.v.Types[slot], x.from, x.from+len(x.ids)), nil
	}
	l := s.load(x.g)
	c := l.cols[slot]
	if c == nil {
		var err error
		c, err = x.g.columnOf(r, x.d, x.segment, slot, s.v.Types[slot], nil)
		if err != nil {
			return value.Vec{}, err
		}
		l.cols[slot] = c
	}
	return c.Slice(x.from, x.from+len(x.ids)), nil
}

// pick is a visible row: the source that holds it, and its index there; no index if it is deleted.
type pick struct {
	id     uint64
	source int32
	index  int32
}

// window reads the rows with numbers in [from, to).
func (s *scan) window(r Reader, from, to uint64) ([]uint64, *value.Batch, error) {
	sources, err := s.sources(r, from, to)
	if err != nil {
		return nil, nil, err
	}
	holders := 0
	for _, x := range sources {
		if len(x.ids) > 0 {
			holders++
		}
	}
	if holders == 0 {
		return nil, &value.Batch{}, nil
	}
	if holders == 1 && len(sources) == 1 {
		x := &sources[0]
		b := &value.Batch{N: len(x.ids), Cols: make([]value.Vec, len(s.slots))}
		for i, slot := range s.slots {
			if b.Cols[i], err = s.column(r, x, slot); err != nil {
				return nil, nil, err
			}
		}
		return x.ids, b, nil
	}
	s.merge(sources)
	return s.gather(r, sources)
}

// merge finds the visible rows of sources: of equal numbers, that of the newest source counts.
func (s *scan) merge(sources []source) {
	s.picks = s.picks[:0]
	for k := range sources {
		x := &sources[k]
		s.add(x.ids, int32(k), true)
		s.add(x.gone, int32(k), false)
	}
	s.picks = slices.DeleteFunc(s.picks, func(p pick) bool { return p.index < 0 })
}

// add merges the numbers of a source that is older than the picks.
func (s *scan) add(ids []uint64, source int32, held bool) {
	if len(ids) == 0 {
		return
	}
	out, old := s.other[:0], s.picks
	for i, id := range ids {
		for len(old) > 0 && old[0].id < id {
			out, old = append(out, old[0]), old[1:]
		}
		if len(old) > 0 && old[0].id == id {
			continue // taken with the next one
		}
		index := int32(-1)
		if held {
			index = int32(i)
		}
		out = append(out, pick{id, source, index})
	}
	out = append(out, old...)
	s.other, s.picks = s.picks, out
}

// gather makes a batch of the picked rows.
func (s *scan) gather(r Reader, sources []source) ([]uint64, *value.Batch, error) {
	ids := make([]uint64, len(s.picks))
	used := make([]bool, len(sources))
	for i, p := range s.picks {
		ids[i], used[p.source] = p.id, true
	}
	b := &value.Batch{N: len(ids), Cols: make([]value.Vec, len(s.slots))}
	cols := make([]value.Vec, len(sources))
	for i, slot := range s.slots {
		for k := range sources {
			if !used[k] {
				continue
			}
			var err error
			if cols[k], err = s.column(r, &sources[k], slot); err != nil {
				return nil, nil, err
			}
		}
		b.Cols[i] = gathered(s.v.Types[slot], s.picks, cols, used)
	}
	return ids, b, nil
}

// gathered is a column of the picked rows.
func gathered(t value.Type, picks []pick, cols []value.Vec, used []bool) value.Vec {
	only := -1 // the one source, if there is only one
	for k, yes := range used {
		switch {
		case yes && only == -1:
			only = k
		case yes:
			only = -2
		}
	}
	if only >= 0 {
		idx := make([]int, len(picks))
		for i, p := range picks {
			idx[i] = int(p.index)
		}
		return cols[only].Select(idx)
	}
	if t == value.Null {
		for k, yes := range used {
			if yes && cols[k].Type != value.Null {
				t = cols[k].Type
			}
		}
	}
	out := value.Vec{Type: t}
	for k, yes := range used {
		if yes && (cols[k].Null != nil || cols[k].Any != nil) {
			out.Null = make([]bool, len(picks))
		}
	}
	if out.Null != nil {
		for i, p := range picks {
			out.Null[i] = cols[p.source].IsNull(int(p.index))
		}
	}
	switch {
	case t == value.Null:
		return nullColumn(t, len(picks))
	case t == value.Float:
		out.Floats = make([]float64, len(picks))
		for i, p := range picks {
			if c := &cols[p.source]; c.Floats != nil {
				out.Floats[i] = c.Floats[p.index]
			}
		}
	case t.InNumber():
		out.Ints = make([]int64, len(picks))
		for i, p := range picks {
			if c := &cols[p.source]; c.Ints != nil {
				out.Ints[i] = c.Ints[p.index]
			}
		}
	default:
		out.Strs = make([]string, len(picks))
		for i, p := range picks {
			if out.Null == nil || !out.Null[i] {
				out.Strs[i] = textAt(&cols[p.source], int(p.index))
			}
		}
	}
	return out
}

func textAt(c *value.Vec, i int) string {
	switch {
	case c.Codes != nil:
		return c.Dict.Words[c.Codes[i]]
	case c.Strs != nil:
		return c.Strs[i]
	}
	return c.At(i).S
}
