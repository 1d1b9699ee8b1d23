package table

import (
	"context"
	"math/bits"
	"slices"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// SameTier is how many generations of a tier at the end of a table are merged. A row is rewritten once a tier, so n
// rows that are added one by one are rewritten log n times, and a table has at most some tens of generations.
const SameTier = 8

// tierOf is the size class of a generation: rows are counted by powers of eight.
func tierOf(g *relation.Generation) int { return bits.Len(uint(g.Size())) / 3 }

// mostOfTiers is how many generations of a tier and below may stand at the end in any order.
const mostOfTiers = 8 * SameTier

// endOfTier returns where the generations at the end of a table begin that should be merged; len(gens) for none: some
// of one tier with smaller ones among them, so that a large one is not rewritten for a few small ones. If small is set,
// they are small ones.
func endOfTier(gens []*relation.Generation, small bool) int {
	for tier := range 22 {
		first, same := len(gens), 0
		for first > 0 && tierOf(gens[first-1]) <= tier && (gens[first-1].Small || !small) {
			if first--; tierOf(gens[first]) == tier {
				same++
			}
		}
		if same >= SameTier || len(gens)-first >= mostOfTiers {
			return first
		}
	}
	return len(gens)
}

// mergeSmall merges small generations at the end of the draft in the transaction that commits it. The others are
// written as they are. Small generations that the file had are removed from it: they are in the memory of the snapshots
// that read them.
func (d *Draft) mergeSmall(tx *sealed.Tx) error {
	for {
		first := endOfTier(d.State.Gens, true)
		if own := d.ownSmall(); own < len(d.State.Gens)-1 {
			first = min(first, own) // a transaction becomes one generation
		}
		if first == len(d.State.Gens) {
			break
		}
		if err := d.mergeFrom(tx, first); err != nil {
			return err
		}
	}
	b := tx.Bucket(dbfile.Segment)
	for _, g := range d.State.Gens {
		if g.Unwritten() {
			if err := g.Write(b.Put); err != nil {
				return err
			}
		}
	}
	return nil
}

// ownSmall returns where the small generations at the end begin that a transaction has made.
func (d *Draft) ownSmall() int {
	first := len(d.State.Gens)
	for first > 0 && d.State.Gens[first-1].Unwritten() {
		first--
	}
	return first
}

// mergeFrom merges the small generations from one on into one.
func (d *Draft) mergeFrom(tx *sealed.Tx, first int) error {
	b := tx.Bucket(dbfile.Segment)
	old := d.State.Gens[first:]
	merged := &Draft{env: d.env, Object: d.Object, waits: true}
	v := &relation.View{Generations: old, Types: d.Object.SlotTypes(), Cache: d.env.Blocks}
	read := func(f func(relation.Reader) error) error { return f(b) }
	if err := merged.copyRows(context.Background(), read, v, first > 0); err != nil {
		return err
	}
	g, err := merged.finish()
	if err != nil {
		return err
	}
	if err := merged.write(tx); err != nil {
		return err
	}
	for _, x := range old {
		if x.Unwritten() {
			continue
		}
		if err := b.Delete(x.SmallKey()); err != nil {
			return err
		}
	}
	d.State.Gens = slices.Clone(d.State.Gens[:first])
	if g != nil {
		d.State.Gens = append(d.State.Gens, g)
	}
	return nil
}

// MergeOwn merges small generations that the transaction of the draft has made, as mergeSmall does.
func (d *Draft) MergeOwn(ctx context.Context) error {
	for {
		first := max(endOfTier(d.State.Gens, true), d.ownSmall())
		if len(d.State.Gens)-first < 2 {
			return nil
		}
		merged := &Draft{env: d.env, Object: d.Object}
		v := &relation.View{Generations: d.State.Gens[first:], Types: d.Object.SlotTypes(), Cache: d.env.Blocks}
		err := merged.copyRows(ctx, d.env.Read, v, first > 0)
		var g *relation.Generation
		if err == nil {
			g, err = merged.finish()
		}
		if err == nil {
			err = merged.Flush()
		}
		d.Made = append(d.Made, merged.Made...)
		if err != nil {
			return err
		}
		d.State.Gens = slices.Clone(d.State.Gens[:first])
		if g != nil {
			d.State.Gens = append(d.State.Gens, g)
		}
	}
}

// copyRows adds the rows of a view, and the numbers of deleted ones if earlier generations may hold them.
func (d *Draft) copyRows(ctx context.Context, read func(func(relation.Reader) error) error, v *relation.View,
	deleted bool) error {
	var slots []int
	var gone []uint64
	err := read(func(r relation.Reader) error {
		n, err := v.Slots(r)
		if err != nil {
			return err
		}
		for i := range n {
			slots = append(slots, i)
		}
		if deleted {
			gone, err = v.Deleted(r)
		}
		return err
	})
	if err != nil {
		return err
	}
	for len(v.Types) < len(slots) {
		v.Types = append(slices.Clip(v.Types), value.Null)
	}
	for _, id := range gone {
		if err := d.remove(id); err != nil {
			return err
		}
	}
	return v.Scan(ctx, read, slots, func(ids []uint64, b *value.Batch) error {
		return d.holdRows(ids, b.Columns())
	})
}

// toMerge returns the first of the last generations of a table that should be merged; ok is false for none.
func (st *State) toMerge() (first int, ok bool) {
	size := 0
	for _, g := range st.Gens {
		size += g.Size()
	}
	if len(st.Gens) > 1 && size > 4*st.Count+relation.SegmentRows {
		return 0, true // most of it is of changed and deleted rows
	}
	first = endOfTier(st.Gens, false)
	return first, first < len(st.Gens)
}

// Mergeable reports whether Merge would merge generations of the table.
func (st *State) Mergeable() bool {
	_, ok := st.toMerge()
	return ok
}

// Merge prepares the next merge of generations of a table whose number should be smaller, and returns those that it
// replaces; nil for none.
func Merge(ctx context.Context, env *Env, o *catalog.Object, st State) (d *Draft, old []*relation.Generation,
	err error) {
	first, ok := st.toMerge()
	if !ok {
		return nil, nil, nil
	}
	d, old = NewDraft(env, o, st), st.Gens[first:]
	v := &relation.View{Generations: old, Types: o.SlotTypes(), Cache: env.Blocks}
	if err := d.copyRows(ctx, env.Read, v, first > 0); err != nil {
		return d, nil, err
	}
	d.State.Gens = slices.Clone(st.Gens[:first])
	return d, old, d.Seal(false)
}
