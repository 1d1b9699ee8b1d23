package table

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// Draft is a change of a table that its writer, who has locked the table, prepares. Many rows go to the file as blocks
// that no state names yet. It ends by Commit, or is discarded: then its writer removes the generations in Made. It is
// for one goroutine.
type Draft struct {
	Object *catalog.Object
	State  State    // with the changes so far, but those in rows and builder
	Made   []uint32 // numbers of the generations in the file

	env     *Env
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

// NewDraft begins a change of a table, which the caller has locked.
func NewDraft(env *Env, o *catalog.Object, st State) *Draft {
	st.Gens = slices.Clip(st.Gens)
	return &Draft{env: env, Object: o, State: st}
}

// Rows are the rows of the table with the changes so far, but those of the generation under way.
func (d *Draft) Rows() *relation.View { return d.env.Rows(d.Object, &d.State) }

// Add appends a row, whose values are by slot.
func (d *Draft) Add(row []value.Value) error {
	d.State.Sum.Add(row)
	d.State.Count++
	d.State.Next++
	return d.hold(d.State.Next-1, row)
}

// AddRows appends n rows, of which there is a column for each slot, nil where all are NULL.
func (d *Draft) AddRows(n int, cols []*value.Vec) error {
	d.State.Sum.Replace(n, nil, cols)
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = d.State.Next + uint64(i)
	}
	d.State.Count += n
	d.State.Next += uint64(n)
	return d.holdRows(ids, cols)
}

// Edit is a change of rows, whose numbers ascend. Columns are by slot.
type Edit struct {
	IDs   []uint64
	Known []*value.Vec // columns of the rows as they are; nil for those that were not read
	Fresh []*value.Vec // new columns; nil for those that stay
	Gone  []bool       // rows to delete; nil for none
}

// Change changes rows. Rows that do not exist are left out; those of which columns are known exist.
func (d *Draft) Change(ctx context.Context, e *Edit) error {
	if len(e.IDs) == 0 {
		return nil
	}
	if d.follows(e.IDs[0]) {
		if err := d.End(); err != nil {
			return err
		}
	}
	return d.Rows().Complete(ctx, d.env.Read, e.IDs, e.Known,
		func(at []int, old []*value.Vec) error { return d.replace(e, at, old) })
}

// replace changes some of the rows of an edit, of which old are all columns.
func (d *Draft) replace(e *Edit, at []int, old []*value.Vec) error {
	fresh, types := slices.Clone(old), d.Object.SlotTypes()
	for slot, c := range relation.Pick(e.Fresh, at) {
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
		if e.Gone != nil && e.Gone[k] {
			gone = append(gone, e.IDs[k])
		} else {
			kept, stay = append(kept, e.IDs[k]), append(stay, i)
		}
	}
	if len(gone) == 0 {
		d.State.Sum.Replace(len(at), old, fresh)
	} else {
		fresh = relation.Pick(fresh, stay)
		d.State.Sum.Replace(len(at), old, nil)
		d.State.Sum.Replace(len(kept), nil, fresh)
		d.State.Count -= len(gone)
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
func (d *Draft) follows(id uint64) bool {
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

// hold adds a row to the generation under way.
func (d *Draft) hold(id uint64, row []value.Value) error {
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
func (d *Draft) holdRows(ids []uint64, cols []*value.Vec) error {
	if d.builder == nil && len(d.ids)+len(d.gone)+len(ids) > d.env.smallRows() {
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

func (d *Draft) remove(id uint64) error {
	if d.builder != nil {
		return d.built(d.builder.Delete(id))
	}
	d.gone = append(d.gone, id)
	return d.grow()
}

// grow begins a large generation if the rows are too many for a small one.
func (d *Draft) grow() error {
	if len(d.ids)+len(d.gone) <= d.env.smallRows() && d.held <= relation.SmallBytes {
		return nil
	}
	return d.build()
}

// build begins a large generation.
func (d *Draft) build() error {
	d.number = d.env.NewGeneration()
	d.Made = append(d.Made, d.number)
	d.builder = relation.NewBuilder(d.Object.ID, d.number, d.Object.Slots(), d.Object.TableIndexes(), d.keep)
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

func (d *Draft) keep(k, v []byte) error {
	d.blocks = append(d.blocks, dbfile.Pair{Key: k, Value: v})
	d.size += len(k) + len(v)
	return nil
}

// Block adds a block of an index to those that go to the file.
func (d *Draft) Block(k, v []byte) error { return d.built(d.keep(k, v)) }

// built writes blocks to the file if there are many.
func (d *Draft) built(err error) error {
	if err != nil || d.waits || d.size < dbfile.TransactionBytes {
		return err
	}
	return d.Flush()
}

// Flush writes the blocks to the file.
func (d *Draft) Flush() error {
	if len(d.blocks) == 0 {
		return nil
	}
	return d.env.Update(d.write)
}

// write puts the blocks into the file.
func (d *Draft) write(tx *sealed.Tx) error {
	if err := exists(tx, d.Object); err != nil {
		return err
	}
	slices.SortFunc(d.blocks, func(a, b dbfile.Pair) int { return bytes.Compare(a.Key, b.Key) })
	b := tx.Bucket(dbfile.Segment)
	b.FillPercent = 1
	for _, p := range d.blocks {
		if err := b.Put(p.Key, p.Value); err != nil {
			return err
		}
	}
	d.blocks, d.size = nil, 0
	return nil
}

// End ends the generation under way, so that its rows can be read.
func (d *Draft) End() error { return d.Seal(true) }

// finish makes a generation of what was changed since the last one; nil for nothing. Its blocks, or its rows if it is
// small, are not in the file yet.
func (d *Draft) finish() (*relation.Generation, error) {
	if d.builder != nil {
		b := d.builder
		d.builder = nil
		return b.Finish()
	}
	if len(d.ids)+len(d.gone) == 0 {
		return nil, nil
	}
	g := relation.NewSmall(d.Object.ID, d.env.NewGeneration(), d.ids, d.rows, d.gone)
	d.ids, d.rows, d.gone, d.held = nil, nil, nil, 0
	return g, nil
}

// Seal ends the last generation. If many blocks wait to be written, or flush is set, they go to the file.
func (d *Draft) Seal(flush bool) error {
	g, err := d.finish()
	if err != nil {
		return err
	}
	if g != nil {
		d.State.Gens = append(d.State.Gens, g)
	}
	if flush || d.size > dbfile.TransactionBytes {
		return d.Flush()
	}
	return nil
}

// Small reports whether a sealed draft has put nothing into the file, and has at most one generation of its own, which
// is small. before is the number of generations that it began with.
func (d *Draft) Small(before int) bool {
	return len(d.Made) == 0 && len(d.blocks) == 0 && len(d.State.Gens)-before <= 1
}

// Unused are the generations in the file that the state does not name.
func (d *Draft) Unused() (out []uint32) {
	for _, id := range d.Made {
		if !d.State.names(id) {
			out = append(out, id)
		}
	}
	return out
}

// Commit writes the rest of the draft and its state, with its small generations merged.
func (d *Draft) Commit(tx *sealed.Tx) error {
	if err := d.write(tx); err != nil {
		return err
	}
	return d.WriteState(tx)
}

// WriteState writes the state of the table, with small generations merged.
func (d *Draft) WriteState(tx *sealed.Tx) error {
	if err := d.mergeSmall(tx); err != nil {
		return err
	}
	return d.State.Put(tx, d.Object.ID)
}
