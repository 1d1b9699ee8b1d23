package storage

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// tableDraft is a change of a table that its writer, who has locked the table, prepares. Many rows go to the file as
// blocks that no state names yet. It ends by commitDrafts or discard.
type tableDraft struct {
	s    *Store
	o    *Object
	t    *Transaction // nil outside one
	st   tableState   // with the changes so far, but those in rows and builder
	made []uint32     // numbers of the generations in the file

	builder *relation.Builder // nil while there are few rows
	number  uint32            // of the generation of builder
	blocks  []dbfile.Pair     // of builder, to be written to the file
	size    int               // of blocks, in bytes

	// The first rows of a change, which may become a small generation. Numbers ascend.
	ids  []uint64
	rows [][]value.Value
	gone []uint64
	held int // size of rows, in bytes

	waits bool // the blocks wait for a transaction of the file that is open
}

// draft begins a change of a locked table.
func (s *Store) draft(ctx context.Context, o *Object) *tableDraft {
	d := &tableDraft{s: s, o: o, t: transaction(ctx)}
	if d.t != nil {
		d.st = d.t.table(o)
	} else {
		d.st = s.tableState(o)
	}
	d.st.gens = slices.Clip(d.st.gens)
	return d
}

// add appends a row, whose values are by slot.
func (d *tableDraft) add(row []value.Value) error {
	d.st.Sum.Add(row, true)
	d.st.Count++
	d.st.Next++
	return d.hold(d.st.Next-1, row)
}

// rowsEdit is a change of rows, whose numbers ascend. Columns are by slot.
type rowsEdit struct {
	ids   []uint64
	known []*value.Vec // columns of the rows as they are; nil for those that were not read
	fresh []*value.Vec // new columns; nil for those that stay
	gone  []bool       // rows to delete; nil for none
}

// change changes rows. Rows that do not exist are left out; those of which columns are known exist.
func (d *tableDraft) change(ctx context.Context, e *rowsEdit) error {
	if len(e.ids) == 0 {
		return nil
	}
	if d.follows(e.ids[0]) {
		if err := d.end(); err != nil {
			return err
		}
	}
	return d.s.relation(d.o, d.st).Complete(ctx, d.s.readBlocks, e.ids, e.known,
		func(at []int, old []*value.Vec) error { return d.replace(e, at, old) })
}

// replace changes some of the rows of an edit, of which old are all columns.
func (d *tableDraft) replace(e *rowsEdit, at []int, old []*value.Vec) error {
	fresh, types := slices.Clone(old), d.o.SlotTypes()
	for slot, c := range relation.Pick(e.fresh, at) {
		if c != nil {
			fresh[slot] = c
		}
	}
	for slot := range fresh {
		if slot >= len(types) || types[slot] == value.Null {
			fresh[slot] = nil // a dropped column
		}
	}
	var gone []uint64
	kept, stay := make([]uint64, 0, len(at)), make([]int, 0, len(at))
	for i, k := range at {
		if e.gone != nil && e.gone[k] {
			gone = append(gone, e.ids[k])
		} else {
			kept, stay = append(kept, e.ids[k]), append(stay, i)
		}
	}
	if len(gone) == 0 {
		d.st.Sum.Replace(len(at), old, fresh)
	} else {
		fresh = relation.Pick(fresh, stay)
		d.st.Sum.Replace(len(at), old, nil)
		d.st.Sum.Replace(len(kept), nil, fresh)
		d.st.Count -= len(gone)
	}
	if err := d.holdRows(kept, fresh); err != nil {
		return err
	}
	for _, id := range gone {
		if err := d.remove(id); err != nil {
			return err
		}
	}
	return nil
}

// follows reports whether the generation under way has a number that is not less than id.
func (d *tableDraft) follows(id uint64) bool {
	if n := len(d.ids); n > 0 && d.ids[n-1] >= id {
		return true
	}
	if n := len(d.gone); n > 0 && d.gone[n-1] >= id {
		return true
	}
	if d.builder == nil || d.builder.Size() == 0 {
		return false
	}
	row, gone := d.builder.Last()
	return max(row, gone) >= id
}

// rowsPerView is the number of rows that are looked up in one transaction.
const rowsPerView = 2048

// hold adds a row to the generation under way.
func (d *tableDraft) hold(id uint64, row []value.Value) error {
	if d.builder != nil {
		return d.built(d.builder.Add(id, row))
	}
	row = slices.Clone(row)
	d.held += 16
	for i := range row {
		d.held += 9 + len(row[i].S)
		row[i].S = strings.Clone(row[i].S) // it may be part of a long text, and a small generation stays in memory
	}
	d.ids, d.rows = append(d.ids, id), append(d.rows, row)
	return d.grow()
}

// holdRows adds rows to the generation under way, whose columns are by slot.
func (d *tableDraft) holdRows(ids []uint64, cols []*value.Vec) error {
	if d.builder == nil && len(d.ids)+len(d.gone)+len(ids) > d.s.smallRows() {
		if err := d.build(); err != nil {
			return err
		}
	}
	if d.builder != nil {
		return d.built(d.builder.AddRows(ids, cols))
	}
	for i, id := range ids {
		row := make([]value.Value, len(cols))
		for slot, c := range cols {
			if c != nil {
				row[slot] = c.At(i)
			}
		}
		if err := d.hold(id, row); err != nil {
			return err
		}
	}
	return nil
}

func (d *tableDraft) remove(id uint64) error {
	if d.builder != nil {
		return d.built(d.builder.Delete(id))
	}
	d.gone = append(d.gone, id)
	return d.grow()
}

// smallRows is how many rows a small generation holds or deletes.
func (s *Store) smallRows() int {
	if s.fewRows > 0 {
		return s.fewRows
	}
	return relation.SmallRows
}

// grow begins a large generation if the rows are too many for a small one.
func (d *tableDraft) grow() error {
	if len(d.ids)+len(d.gone) <= d.s.smallRows() && d.held <= relation.SmallBytes {
		return nil
	}
	return d.build()
}

// build begins a large generation.
func (d *tableDraft) build() error {
	d.number = d.s.newGeneration()
	d.made = append(d.made, d.number)
	d.builder = relation.NewBuilder(d.o.ID, d.number, d.o.Slots(), d.o.TableIndexes(), d.keep)
	for i, id := range d.ids {
		if err := d.builder.Add(id, d.rows[i]); err != nil {
			return err
		}
	}
	for _, id := range d.gone {
		if err := d.builder.Delete(id); err != nil {
			return err
		}
	}
	d.ids, d.rows, d.gone, d.held = nil, nil, nil, 0
	return d.built(nil)
}

func (d *tableDraft) keep(k, v []byte) error {
	d.blocks = append(d.blocks, dbfile.Pair{Key: k, Value: v})
	d.size += len(k) + len(v)
	return nil
}

// built writes blocks to the file if there are many.
func (d *tableDraft) built(err error) error {
	if err != nil || d.waits || d.size < transactionBytes {
		return err
	}
	return d.flush()
}

// flush writes the blocks to the file.
func (d *tableDraft) flush() error {
	if len(d.blocks) == 0 {
		return nil
	}
	return d.s.Update(d.write)
}

// write puts the blocks into the file.
func (d *tableDraft) write(tx *sealed.Tx) error {
	if err := exists(tx, d.o); err != nil {
		return err
	}
	slices.SortFunc(d.blocks, func(a, b dbfile.Pair) int { return bytes.Compare(a.Key, b.Key) })
	b := tx.Bucket(bucketSegment)
	b.FillPercent = 1
	for _, p := range d.blocks {
		if err := b.Put(p.Key, p.Value); err != nil {
			return err
		}
	}
	d.blocks, d.size = nil, 0
	return nil
}

// end ends the generation under way, so that its rows can be read.
func (d *tableDraft) end() error {
	g, err := d.finish()
	if err != nil || g == nil {
		return err
	}
	d.st.gens = append(d.st.gens, g)
	return d.flush()
}

// finish makes a generation of what was changed since the last one; nil for nothing. Its blocks, or its rows if it is
// small, are not in the file yet.
func (d *tableDraft) finish() (*relation.Generation, error) {
	if d.builder != nil {
		b := d.builder
		d.builder = nil
		return b.Finish()
	}
	if len(d.ids)+len(d.gone) == 0 {
		return nil, nil
	}
	g := relation.NewSmall(d.o.ID, d.s.newGeneration(), d.ids, d.rows, d.gone)
	d.ids, d.rows, d.gone, d.held = nil, nil, nil, 0
	return g, nil
}

// count is the number of rows after the change.
func (d *tableDraft) count() int { return d.st.Count }

// waste is what the draft has put into the file, without the generations of a state.
func (d *tableDraft) waste(st *tableState) (out []garbage) {
	for _, id := range d.made {
		if st == nil || !slices.ContainsFunc(st.gens, func(g *relation.Generation) bool { return g.ID == id }) {
			out = append(out, garbage{corpus: d.o.ID, gen: id, all: true})
		}
	}
	return out
}

// discard removes what the drafts have put into the file. If that takes long, the rest is left to the background.
func (s *Store) discardDrafts(drafts ...*tableDraft) {
	var waste []garbage
	for _, d := range drafts {
		if d != nil {
			waste = append(waste, d.waste(nil)...)
			d.blocks, d.made = nil, nil
		}
	}
	if len(waste) > 0 {
		s.discard(waste...)
	}
}

// commitDrafts publishes changes of tables in one transaction, or adds them to the transaction of the context.
func (s *Store) commitDrafts(ctx context.Context, drafts ...*tableDraft) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, d := range drafts {
		g, err := d.finish()
		if err != nil {
			return err
		}
		if g != nil {
			d.st.gens = append(d.st.gens, g)
		}
		if d.size > transactionBytes || d.t != nil {
			if err := d.flush(); err != nil {
				return err
			}
		}
	}
	if t := transaction(ctx); t != nil {
		return t.adopt(drafts)
	}
	states := map[uint32]tableState{}
	var waste []garbage
	err := s.Update(func(tx *sealed.Tx) error {
		for _, d := range drafts {
			more, err := d.commit(tx)
			if err != nil {
				return err
			}
			states[d.o.ID], waste = d.st, append(waste, more...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.publishTables(states, waste)
	return nil
}

// commit writes the draft, with its small generations merged, and returns what the state no longer names.
func (d *tableDraft) commit(tx *sealed.Tx) ([]garbage, error) {
	if err := d.write(tx); err != nil {
		return nil, err
	}
	if err := d.mergeSmall(tx); err != nil {
		return nil, err
	}
	return d.waste(&d.st), d.st.put(tx, d.o.ID)
}
