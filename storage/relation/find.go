package relation

import (
	"context"
	"slices"

	"parlance/storage/value"
)

// Range is a range of keys of an index: From inclusive, To exclusive, nil for no end.
type Range struct{ From, To []byte }

// Find visits the numbers of the rows with keys in ranges of an index, in no order, until visit returns false. A row
// with a key in several ranges comes several times.
func (v *View) Find(ctx context.Context, r Reader, x *Index, ranges []Range, visit func(id uint64) bool) error {
	n := 0
	for k, g := range v.Generations {
		if g.Rows == 0 {
			continue
		}
		for _, w := range ranges {
			if err := ctx.Err(); err != nil {
				return err
			}
			on, err := g.visit(r, x, w.From, w.To, func(id uint64) (bool, error) {
				if n++; n&1023 == 0 && ctx.Err() != nil {
					return false, ctx.Err()
				}
				hidden, err := v.hidden(r, k, id)
				if hidden || err != nil {
					return true, err
				}
				return visit(id), nil
			})
			if err != nil || !on {
				return err
			}
		}
	}
	return nil
}

// hidden reports whether a generation after generation k holds or deletes a row.
func (v *View) hidden(r Reader, k int, id uint64) (bool, error) {
	for _, g := range slices.Backward(v.Generations[k+1:]) {
		if yes, err := g.has(r, v.Cache, id); yes || err != nil {
			return yes, err
		}
	}
	return false, nil
}

// Row returns the values of a row by slot, those that are needed (nil for all); nil if there is no such row.
func (v *View) Row(r Reader, id uint64, need []bool) ([]value.Value, error) {
	for _, g := range slices.Backward(v.Generations) {
		row, found, err := v.rowOf(r, g, id, need)
		if found || err != nil {
			return row, err
		}
	}
	return nil, nil
}

// rowOf looks for a row in a generation. found is true if it holds or deletes it.
func (v *View) rowOf(r Reader, g *Generation, id uint64, need []bool) (row []value.Value, found bool, err error) {
	if g.Small {
		h, err := g.small(r)
		if err != nil {
			return nil, false, err
		}
		if i, ok := slices.BinarySearch(h.ids, id); ok {
			out := make([]value.Value, max(len(v.Types), len(h.values[i])))
			copy(out, h.values[i])
			return out, true, nil
		}
		_, gone := slices.BinarySearch(h.gone, id)
		return nil, gone, nil
	}
	d, err := g.directory(r)
	if err != nil {
		return nil, false, err
	}
	segment, index, ok, err := g.place(r, v.Cache, d, id)
	if err != nil {
		return nil, false, err
	}
	if !ok {
		gone, err := g.has(r, v.Cache, id)
		return nil, gone, err
	}
	out := make([]value.Value, max(len(v.Types), d.slots))
	for slot := range out {
		if need != nil && (slot >= len(need) || !need[slot]) {
			continue
		}
		if slot >= d.slots {
			continue
		}
		c, err := v.Cache.points(r, g, segment, slot, d.segments[segment].n)
		if err == nil {
			out[slot], err = c.at(index)
		}
		if err != nil {
			return nil, false, err
		}
	}
	return out, true, nil
}

// Deleted returns the numbers of the rows that the generations of the view delete, ascending.
func (v *View) Deleted(r Reader) ([]uint64, error) {
	var out []uint64
	for _, g := range v.Generations {
		if g.Small {
			h, err := g.small(r)
			if err != nil {
				return nil, err
			}
			out = append(out, h.gone...)
			continue
		}
		d, err := g.directory(r)
		if err != nil {
			return nil, err
		}
		for i := range d.gone {
			ids, err := g.numbersOf(r, partGone, d.gone, i, nil)
			if err != nil {
				return nil, err
			}
			out = append(out, ids...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Slots is the number of columns that the generations store or that the view has.
func (v *View) Slots(r Reader) (int, error) {
	n := len(v.Types)
	for _, g := range v.Generations {
		if g.Small {
			h, err := g.small(r)
			if err != nil {
				return 0, err
			}
			for _, row := range h.values {
				n = max(n, len(row))
			}
			continue
		}
		d, err := g.directory(r)
		if err != nil {
			return 0, err
		}
		n = max(n, d.slots)
	}
	return n, nil
}
