package storage

import (
	"context"
	"math/bits"
	"slices"

	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// sameTier is how many generations of a tier at the end of a table are merged. A row is rewritten once a tier, so n
// rows that are added one by one are rewritten log n times, and a table has at most some tens of generations.
const sameTier = 8

// tableTier is the size class of a generation: rows are counted by powers of eight.
func tableTier(g *relation.Generation) int { return bits.Len(uint(g.Size())) / 3 }

// mostOfTiers is how many generations of a tier and below may stand at the end in any order.
const mostOfTiers = 8 * sameTier

// endOfTier returns where the generations at the end of a table begin that should be merged; len(gens) for none: some
// of one tier with smaller ones among them, so that a large one is not rewritten for a few small ones. If small is set,
// they are small ones.
func endOfTier(gens []*relation.Generation, small bool) int {
	for tier := range 22 {
		first, same := len(gens), 0
		for first > 0 && tableTier(gens[first-1]) <= tier && (gens[first-1].Small || !small) {
			if first--; tableTier(gens[first]) == tier {
				same++
			}
		}
		if same >= sameTier || len(gens)-first >= mostOfTiers {
			return first
		}
	}
	return len(gens)
}

// mergeSmall merges small generations at the end of the draft in the transaction that commits it. The others are
// written as they are. Small generations that the file had are removed from it: they are in the memory of the snapshots
// that read them.
func (d *tableDraft) mergeSmall(tx *sealed.Tx) error {
	for {
		first := endOfTier(d.st.gens, true)
		if own := d.ownSmall(); own < len(d.st.gens)-1 {
			first = min(first, own) // a transaction becomes one generation
		}
		if first == len(d.st.gens) {
			break
		}
		if err := d.mergeFrom(tx, first); err != nil {
			return err
		}
	}
	b := tx.Bucket(bucketSegment)
	for _, g := range d.st.gens {
		if g.Unwritten() {
			if err := g.Write(b.Put); err != nil {
				return err
			}
		}
	}
	return nil
}

// ownSmall returns where the small generations at the end begin that a transaction has made.
func (d *tableDraft) ownSmall() int {
	first := len(d.st.gens)
	for first > 0 && d.st.gens[first-1].Unwritten() {
		first--
	}
	return first
}

// mergeFrom merges the small generations from one on into one.
func (d *tableDraft) mergeFrom(tx *sealed.Tx, first int) error {
	b := tx.Bucket(bucketSegment)
	old := d.st.gens[first:]
	merged := &tableDraft{s: d.s, o: d.o, waits: true}
	v := &relation.View{Generations: old, Types: d.o.SlotTypes(), Cache: d.s.blocks}
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
	d.st.gens = slices.Clone(d.st.gens[:first])
	if g != nil {
		d.st.gens = append(d.st.gens, g)
	}
	return nil
}

// mergeOwn merges small generations that the transaction of the draft has made, as mergeSmall does.
func (d *tableDraft) mergeOwn(ctx context.Context) error {
	for {
		first := max(endOfTier(d.st.gens, true), d.ownSmall())
		if len(d.st.gens)-first < 2 {
			return nil
		}
		merged := &tableDraft{s: d.s, o: d.o}
		v := &relation.View{Generations: d.st.gens[first:], Types: d.o.SlotTypes(), Cache: d.s.blocks}
		err := merged.copyRows(ctx, d.s.readBlocks, v, first > 0)
		var g *relation.Generation
		if err == nil {
			g, err = merged.finish()
		}
		if err == nil {
			err = merged.flush()
		}
		d.made = append(d.made, merged.made...)
		if err != nil {
			return err
		}
		d.st.gens = slices.Clone(d.st.gens[:first])
		if g != nil {
			d.st.gens = append(d.st.gens, g)
		}
	}
}

// copyRows adds the rows of a view, and the numbers of deleted ones if earlier generations may hold them.
func (d *tableDraft) copyRows(ctx context.Context, read func(func(relation.Reader) error) error, v *relation.View,
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

// generationsToMerge returns the first of the last generations of a table that should be merged; ok is false for none.
func (st *tableState) generationsToMerge() (first int, ok bool) {
	size := 0
	for _, g := range st.gens {
		size += g.Size()
	}
	if len(st.gens) > 1 && size > 4*st.Count+relation.SegmentRows {
		return 0, true // most of it is of changed and deleted rows
	}
	first = endOfTier(st.gens, false)
	return first, first < len(st.gens)
}

// mergeTable is the compaction of a table: it keeps the number of generations small. The table must be locked. The
// change before it is committed already, so a failure is left to the next change.
func (s *Store) mergeTable(ctx context.Context, o *Object) {
	for ctx.Err() == nil {
		st := s.tableState(o)
		first, ok := st.generationsToMerge()
		if !ok || s.rewriteTable(ctx, o, st, first) != nil {
			return
		}
	}
}

// rewriteTable replaces the generations of a table from one on by one.
func (s *Store) rewriteTable(ctx context.Context, o *Object, st tableState, first int) error {
	d := &tableDraft{s: s, o: o, st: st}
	v := &relation.View{Generations: st.gens[first:], Types: o.SlotTypes(), Cache: s.blocks}
	err := d.copyRows(ctx, s.readBlocks, v, first > 0)
	if err == nil && d.size > transactionBytes {
		err = d.flush()
	}
	var g *relation.Generation
	if err == nil {
		g, err = d.finish()
	}
	var waste []garbage
	if err == nil {
		d.st.gens = slices.Clone(st.gens[:first])
		if g != nil {
			d.st.gens = append(d.st.gens, g)
		}
		for _, x := range st.gens[first:] {
			waste = append(waste, garbage{corpus: o.ID, gen: x.ID, all: true})
		}
		err = s.Update(func(tx *sealed.Tx) error {
			if _, err := d.commit(tx); err != nil {
				return err
			}
			return nil
		})
	}
	if err != nil {
		s.discardDrafts(d)
		return err
	}
	s.publishTables(map[uint32]tableState{o.ID: d.st}, waste)
	return nil
}

// mergeAfter merges generations of a locked table after a committed change, and removes what snapshots do not read any
// more. In a transaction its Commit does so.
func (s *Store) mergeAfter(ctx context.Context, o *Object) {
	if transaction(ctx) != nil {
		return
	}
	s.mergeTable(ctx, o)
	s.collectIfAny(ctx)
}

// collectIfAny collects garbage if there is any that nobody reads.
func (s *Store) collectIfAny(ctx context.Context) {
	if len(s.corpora.ready()) > 0 {
		s.collectSoon(ctx)
	}
}
