package storage

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"parlance/storage/sealed"
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

// ranks are the places of the values in the order of their keys, by code; values of equal keys share one.
func (v *valueCodes) ranks(ctx context.Context) ([]uint32, error) {
	order := make([]uint32, len(v.values))
	for i := range order {
		order[i] = uint32(i)
	}
	steps := 0
	slices.SortFunc(order, func(a, b uint32) int {
		if steps++; steps&(1<<14-1) == 0 && ctx.Err() != nil {
			steps = math.MinInt // from here on all are equal
		}
		if steps < 0 {
			return 0
		}
		return value.Compare(v.values[a], v.values[b])
	})
	out := make([]uint32, len(order)+1)
	rank := uint32(0)
	for i, c := range order {
		if i > 0 && value.Compare(v.values[order[i-1]], v.values[c]) != 0 {
			rank++
		}
		out[c+1] = rank
	}
	return out, ctx.Err()
}

// codedRows are rows with codes for the values of indexed columns. Millions of them fit in memory, so that all entries
// of an index are written or deleted in one pass, in the order of their keys.
type codedRows struct {
	columns []int // that are indexed, those of the key first
	codes   []uint32
	base    uint64   // number of the first row
	ids     []uint64 // numbers of the rows, nil where they are consecutive
	rows    int
}

func codedRowsOf(o *Object, base uint64) codedRows {
	n := codedRows{base: base}
	for i, c := range o.Columns {
		if slices.ContainsFunc(o.Indexes, func(cols []string) bool { return slices.Contains(cols, c.Name) }) {
			n.columns = append(n.columns, i)
		}
	}
	return n
}

func (n *codedRows) count() int { return n.rows }

// add adds a row and returns its codes. Texts of the row are replaced by the stored copies.
func (n *codedRows) add(row []value.Value, v *valueCodes) []uint32 {
	n.codes = append(n.codes, make([]uint32, len(n.columns))...)
	n.rows++
	return n.encode(n.rows-1, row, v)
}

func (n *codedRows) encode(i int, row []value.Value, v *valueCodes) []uint32 {
	codes := n.codes[i*len(n.columns) : (i+1)*len(n.columns)]
	for k, c := range n.columns {
		codes[k], row[c] = v.code(row[c])
	}
	return codes
}

func (n *codedRows) id(i int) uint64 {
	if n.ids != nil {
		return n.ids[i]
	}
	return n.base + uint64(i)
}

// order sorts rows by the ranks of columns, which are given by their positions in the codes: a radix sort with one
// stable counting pass for each column, the last column first.
func (n *codedRows) order(columns []int, ranks []uint32) []int32 {
	order, next := make([]int32, n.count()), make([]int32, n.count())
	for i := range order {
		order[i] = int32(i)
	}
	width := len(n.columns)
	starts := make([]int32, len(ranks)+1)
	for _, c := range slices.Backward(columns) {
		clear(starts)
		for _, i := range order {
			starts[ranks[n.codes[int(i)*width+c]]+1]++
		}
		for r := 1; r < len(starts); r++ {
			starts[r] += starts[r-1]
		}
		for _, i := range order {
			r := ranks[n.codes[int(i)*width+c]]
			next[starts[r]] = i
			starts[r]++
		}
		order, next = next, order
	}
	return order
}

// entryWriter writes or deletes the index entries of rows, index by index in the order of their keys.
type entryWriter struct {
	v      *valueCodes
	ranks  []uint32
	remove bool
	lists  []entryList
	order  []int32 // of the rows for the first of the lists, nil before its beginning
	at     int
	key    []byte
}

// entryList is the entries of an index.
type entryList struct {
	prefix  []byte
	rows    *codedRows
	columns []int   // of the index, by their places in the codes
	fill    float64 // of pages
}

func newEntryWriter(ctx context.Context, v *valueCodes) (*entryWriter, error) {
	ranks, err := v.ranks(ctx)
	return &entryWriter{v: v, ranks: ranks}, err
}

// add adds the entries of rows in all indexes of their table to what is written.
func (w *entryWriter) add(o *Object, rows *codedRows, fill float64) {
	if rows.count() == 0 {
		return
	}
	for _, cols := range o.Indexes {
		l := entryList{prefix: indexPrefix(o, cols), rows: rows, fill: fill}
		for _, name := range cols {
			l.columns = append(l.columns, slices.Index(rows.columns, o.Column(name)))
		}
		w.lists = append(w.lists, l)
	}
	slices.SortFunc(w.lists, func(a, b entryList) int { return cmp.Compare(string(a.prefix), string(b.prefix)) })
}

// put writes entries of about that many bytes; done is true if there are no more.
func (w *entryWriter) put(ctx context.Context, tx *sealed.Tx, bytes int) (done bool, err error) {
	b := tx.Bucket(bucketIndex)
	for ; len(w.lists) > 0; w.lists, w.order, w.at = w.lists[1:], nil, 0 {
		l := &w.lists[0]
		b.FillPercent = l.fill
		if w.order == nil {
			w.order = l.rows.order(l.columns, w.ranks)
		}
		for ; w.at < len(w.order); w.at++ {
			if w.at&255 == 0 && ctx.Err() != nil {
				return false, ctx.Err()
			}
			if bytes < 0 {
				return false, nil
			}
			k := l.key(w.key[:0], int(w.order[w.at]), w.v)
			w.key = k
			if err := w.write(b, k); err != nil {
				return false, err
			}
			bytes -= len(k)
		}
	}
	return true, nil
}

func (w *entryWriter) write(b *sealed.Bucket, k []byte) error {
	if w.remove {
		return b.Delete(k)
	}
	return b.Put(k, []byte{})
}

// key appends the entry of a row.
func (l *entryList) key(k []byte, row int, v *valueCodes) []byte {
	k = append(k, l.prefix...)
	for _, c := range l.columns {
		k = value.AppendKey(k, v.values[l.rows.codes[row*len(l.rows.columns)+c]-1])
	}
	return binary.BigEndian.AppendUint64(bounded(k), l.rows.id(row))
}
