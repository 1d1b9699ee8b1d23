// Package table keeps tables: the state of a table names the generations of its rows, and a draft is a change of it
// that ends as another state. Locks, snapshots and transactions are those of the caller.
package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// Env is the file of tables, and what they share.
type Env struct {
	*dbfile.File
	Blocks      *relation.Cache
	Generations *atomic.Uint32 // number of the next generation
	FewRows     int            // for tests: how many changed rows are few; 0 for the default
}

// Read runs f with a reader of blocks in a read transaction.
func (e *Env) Read(f func(relation.Reader) error) error {
	return e.View(func(tx *sealed.Tx) error { return f(tx.Bucket(dbfile.Segment)) })
}

// Rows returns the rows of a state of a table.
func (e *Env) Rows(o *catalog.Object, st *State) *relation.View {
	return &relation.View{Generations: st.Gens, Types: o.SlotTypes(), Cache: e.Blocks}
}

// NewGeneration returns the number of a new generation.
func (e *Env) NewGeneration() uint32 { return e.Generations.Add(1) - 1 }

// smallRows is how many rows a small generation holds or deletes.
func (e *Env) smallRows() int {
	if e.FewRows > 0 {
		return e.FewRows
	}
	return relation.SmallRows
}

// The rows of a table are a relation of generations, whose blocks are in the bucket of segments under the identifier of
// the table. The state of a table names its generations. A snapshot keeps states, so it sees the rows of its moment.

// State is the committed state of a table, its manifest. It is immutable.
type State struct {
	Next  uint64 // next row number
	Count int
	Sum   relation.Sum // of the hashes of all rows
	Gens  []*relation.Generation
}

var prefix = []byte("table/")

// Key is the key of the state of a table in the catalog.
func Key(id uint32) []byte { return fmt.Appendf(nil, "%s%08x", prefix, id) }

// stateVersion is the first byte of a stored state.
const stateVersion = 1

func (st *State) encode() []byte {
	b := []byte{stateVersion}
	b = binary.AppendUvarint(b, st.Next)
	b = binary.AppendUvarint(b, uint64(st.Count))
	b = append(b, st.Sum.Bytes()...)
	b = binary.AppendUvarint(b, uint64(len(st.Gens)))
	for _, g := range st.Gens {
		b = binary.AppendUvarint(b, uint64(g.ID))
		small := uint64(0)
		if g.Small {
			small = 1
		}
		b = binary.AppendUvarint(b, uint64(g.Rows)<<1|small)
		b = binary.AppendUvarint(b, uint64(g.Gone))
	}
	return b
}

// Decode reads the state of a table; ok is false if it is damaged.
func Decode(id uint32, b []byte) (st State, ok bool) {
	if len(b) < 1 || b[0] != stateVersion {
		return st, false
	}
	b = b[1:]
	ok = true
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b, ok = nil, false
			return 0
		}
		b = b[n:]
		return v
	}
	st.Next, st.Count = next(), int(next())
	if len(b) < 16 {
		return st, false
	}
	st.Sum = relation.Sum{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
	b = b[16:]
	n := next()
	if n > uint64(len(b)) {
		return st, false
	}
	for range n {
		g := &relation.Generation{Rel: id, ID: uint32(next())}
		rows := next()
		g.Rows, g.Small, g.Gone = int(rows>>1), rows&1 != 0, int(next())
		st.Gens = append(st.Gens, g)
	}
	return st, ok && len(b) == 0
}

// Put writes the state of a table.
func (st *State) Put(tx *sealed.Tx, id uint32) error {
	return tx.Bucket(dbfile.Catalog).Put(Key(id), st.encode())
}

// names reports whether the state has a generation.
func (st *State) names(id uint32) bool {
	return slices.ContainsFunc(st.Gens, func(g *relation.Generation) bool { return g.ID == id })
}

// Same reports whether both states have the same generations.
func (st *State) Same(o State) bool {
	if len(st.Gens) != len(o.Gens) || st.Next != o.Next {
		return false
	}
	for i, g := range st.Gens {
		if g != o.Gens[i] {
			return false
		}
	}
	return true
}

// IDs returns the tables that have a state.
func IDs(tx *sealed.Tx) (out []uint32) {
	c := tx.Bucket(dbfile.Catalog).Cursor()
	var id uint32
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		if _, err := fmt.Sscanf(string(k[len(prefix):]), "%08x", &id); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// exists returns an error if the transaction has dropped the object.
func exists(tx *sealed.Tx, o *catalog.Object) error {
	b := tx.Bucket(dbfile.Catalog)
	if b.Get(catalog.ObjectKey(o.EntryID())) == nil && b.Get(catalog.ComingKey(o.EntryID())) == nil {
		return fmt.Errorf("%s %w", o.Name, dbfile.ErrNotFound)
	}
	return nil
}

// CheckRow verifies that a row has the columns and types of its table.
func CheckRow(o *catalog.Object, row []value.Value) error {
	if len(row) != len(o.Columns) {
		return fmt.Errorf("%d values for the %d columns of %s", len(row), len(o.Columns), o.Name)
	}
	for i, v := range row {
		if !v.IsNull() && v.T != o.Columns[i].Type {
			return fmt.Errorf("column %s of %s is %s, not %s", o.Columns[i].Name, o.Name, o.Columns[i].Type, v.T)
		}
	}
	return nil
}

// CheckColumn verifies that n values have the type of a column of their table.
func CheckColumn(o *catalog.Object, at int, v *value.Vec, n int) error {
	want := o.Columns[at]
	if v.Type == want.Type && v.Any == nil {
		return nil
	}
	for i := range n {
		if x := v.At(i); !x.IsNull() && x.T != want.Type {
			return fmt.Errorf("column %s of %s is %s, not %s", want.Name, o.Name, want.Type, x.T)
		}
	}
	return nil
}
