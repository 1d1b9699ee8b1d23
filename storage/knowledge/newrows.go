package knowledge

import (
	"slices"
	"strings"

	"parlance/storage/catalog"
	"parlance/storage/value"
)

// valueCodes numbers different values from 1.
type valueCodes struct {
	of     map[value.Value]uint32
	values []value.Value // by code less 1
	size   int           // in bytes, approximately
}

func newValueCodes() *valueCodes { return &valueCodes{of: map[value.Value]uint32{}} }

// code returns the number of a value, and the stored copy of the value.
func (v *valueCodes) code(x value.Value) (uint32, value.Value) {
	if c, ok := v.of[x]; ok {
		return c, v.values[c-1]
	}
	x.S = strings.Clone(x.S) // it may be part of a longer text
	v.values = append(v.values, x)
	c := uint32(len(v.values))
	v.of[x] = c
	v.size += 96 + len(x.S)
	return c, x
}

// newRows are the rows of a change that are in memory, with codes for the values of indexed columns.
type newRows struct {
	columns []int // that are indexed, those of the key first
	codes   []uint32
	last    map[[3]uint32]int32 // the last row with a key
	before  []int32             // for each row the previous one with the same key, or -1
	rows    [][]value.Value
	size    int // in bytes, approximately
}

func newRowsOf(o *catalog.Object) newRows {
	n := newRows{last: map[[3]uint32]int32{}}
	for i, c := range o.Columns {
		if slices.ContainsFunc(o.Indexes, func(cols []string) bool { return slices.Contains(cols, c.Name) }) {
			n.columns = append(n.columns, i)
		}
	}
	return n
}

// encode writes the codes of a row. Texts of the row are replaced by the stored copies.
func (n *newRows) encode(i int, row []value.Value, v *valueCodes) []uint32 {
	codes := n.codes[i*len(n.columns) : (i+1)*len(n.columns)]
	for k, c := range n.columns {
		codes[k], row[c] = v.code(row[c])
	}
	return codes
}

// add adds a row whose first columns are its key.
func (n *newRows) add(row []value.Value, key int, v *valueCodes) {
	n.codes = append(n.codes, make([]uint32, len(n.columns))...)
	codes := n.encode(len(n.rows), row, v)
	var k [3]uint32
	copy(k[:], codes[:key])
	was, ok := n.last[k]
	if !ok {
		was = -1
	}
	n.last[k] = int32(len(n.before))
	n.before = append(n.before, was)
	n.rows = append(n.rows, row)
	n.size += 48 + 4*len(n.columns) + 40*len(row)
}

// set gives a row other values with the same key.
func (n *newRows) set(i int, row []value.Value, v *valueCodes) {
	n.encode(i, row, v)
	n.rows[i] = row
}

// find lists the rows with a key.
func (n *newRows) find(key []value.Value, v *valueCodes) (out []int) {
	var k [3]uint32
	for i, x := range key {
		if k[i] = v.of[x]; k[i] == 0 {
			return nil
		}
	}
	i, ok := n.last[k]
	for ; ok && i >= 0; i = n.before[i] {
		out = append(out, int(i))
	}
	slices.Reverse(out)
	return out
}

// having reports whether a row has a value in an indexed column.
func (n *newRows) having(column int, x value.Value, v *valueCodes) bool {
	code, at, width := v.of[x], slices.Index(n.columns, column), len(n.columns)
	for i := range n.before {
		if code != 0 && n.codes[i*width+at] == code {
			return true
		}
	}
	return false
}
