package storage

import (
	"slices"

	"parlance/storage/value"
)

// newRows are the rows of a change that have no index entries yet. The last ones are not in the file either.
type newRows struct {
	codedRows
	last    map[[3]uint32]int32 // the last row with a key
	before  []int32             // for each row the previous one with the same key, or -1
	written int                 // rows that are in the file
	waiting [][]value.Value     // the others
}

func newRowsOf(o *Object, base uint64) newRows {
	return newRows{codedRows: codedRowsOf(o, base), last: map[[3]uint32]int32{}}
}

// size is the approximate memory of the rows that are written, in bytes.
func (n *newRows) size() int { return n.count() * (32 + 4*len(n.columns)) }

// add adds a row whose first columns are its key.
func (n *newRows) add(row []value.Value, key int, v *valueCodes) {
	codes := n.codedRows.add(row, v)
	k := [3]uint32(append(slices.Clone(codes[:key]), 0, 0, 0)[:3])
	was, ok := n.last[k]
	if !ok {
		was = -1
	}
	n.last[k] = int32(len(n.before))
	n.before = append(n.before, was)
	n.waiting = append(n.waiting, row)
}

// set gives a row in memory other values with the same key.
func (n *newRows) set(i int, row []value.Value, v *valueCodes) {
	n.encode(i, row, v)
	n.waiting[i-n.written] = row
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

// having lists the rows with a value in an indexed column.
func (n *newRows) having(column int, x value.Value, v *valueCodes) (out []int) {
	code, at, width := v.of[x], slices.Index(n.columns, column), len(n.columns)
	for i := range n.before {
		if code != 0 && n.codes[i*width+at] == code {
			out = append(out, i)
		}
	}
	return out
}
