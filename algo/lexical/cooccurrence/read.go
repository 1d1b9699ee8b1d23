package cooccurrence

import (
	"context"
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/storage/value"
)

// Table is the table of counts that kinds learn from.
var Table = kind.TableUse{Name: "counts", Doc: "how often words stand in contexts; what comes twice is added",
	Columns: []kind.Column{
		{Name: "word", Type: value.Text, Doc: "word"},
		{Name: "context", Type: value.Text, Doc: "context"},
		{Name: "count", Type: value.Float, Doc: "how often: 0, or from 1e-30 to 1e15"}}}

// The least and the greatest count but 0. Between them squares, products and quotients of counts are far from where a
// float64 becomes 0 or infinite.
const (
	MinCount = 1e-30
	MaxCount = 1e15
)

// IsCount reports whether a number can be a count: 0, or from MinCount to MaxCount.
func IsCount(x float64) bool { return x == 0 || x >= MinCount && x <= MaxCount }

// Read makes a matrix of the rows of a table with the columns of Table. Words and contexts are
// numbered as they come first. Cells with count 0 are left out. It takes 32 bytes a row besides the texts.
func Read(ctx context.Context, t kind.Table) (*Matrix, error) {
	words, contexts := NewTexts(), NewTexts()
	var cells []cell
	n := 0
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() {
			return nil, fmt.Errorf("row %d of the counts: word, context and count may not be NULL", n)
		}
		c := row[2].Float()
		if !IsCount(c) {
			return nil, fmt.Errorf(
				"row %d of the counts: the count of '%s' with '%s' is %v; 0 or a number from %v to %v is wanted", n,
				row[0].S, row[1].S, c, MinCount, MaxCount)
		}
		if c > 0 {
			cells = append(cells, cell{words.Number(row[0].S), contexts.Number(row[1].S), c})
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(cells) == 0 {
		return nil, fmt.Errorf("%w: there are no counts", kind.ErrNoData)
	}
	m := &Matrix{Words: words.List, Contexts: contexts.List, Rows: gather(cells, len(words.List), len(contexts.List))}
	m.Ready()
	return m, nil
}

type cell struct {
	word, context uint32
	count         float64
}

// gather sorts the cells into rows and adds those of one place, in the order that they came in.
func gather(cells []cell, words, contexts int) *Index {
	x := &Index{Start: make([]int, words+1), IDs: make([]uint32, len(cells)), Counts: make([]float64, len(cells))}
	for _, c := range cells {
		x.Start[c.word+1]++
	}
	for i := range words {
		x.Start[i+1] += x.Start[i]
	}
	next := append([]int(nil), x.Start[:words]...)
	for _, c := range cells {
		x.IDs[next[c.word]], x.Counts[next[c.word]] = c.context, c.count
		next[c.word]++
	}
	return x.Sorted(contexts).merged()
}

// Sorted returns the matrix with the columns of every row rising; equal ones keep their order.
func (x *Index) Sorted(columns int) *Index { return x.Transpose(columns).Transpose(x.Len()) }

// merged adds neighbouring cells of the same column, in place.
func (x *Index) merged() *Index {
	n, from := 0, 0
	for i := range x.Len() {
		to, first := x.Start[i+1], n
		for k := from; k < to; k++ {
			if n > first && x.IDs[n-1] == x.IDs[k] {
				x.Counts[n-1] += x.Counts[k]
				continue
			}
			x.IDs[n], x.Counts[n] = x.IDs[k], x.Counts[k]
			n++
		}
		from, x.Start[i+1] = to, n
	}
	x.IDs, x.Counts = x.IDs[:n], x.Counts[:n]
	return x
}

// Texts numbers texts from 0 in the order that they come first.
type Texts struct {
	List  []string
	index map[string]uint32
}

// NewTexts returns an empty list.
func NewTexts() *Texts { return &Texts{index: map[string]uint32{}} }

// Number returns the number of a text, a new one for one not seen before.
func (t *Texts) Number(s string) uint32 {
	if n, ok := t.index[s]; ok {
		return n
	}
	s = strings.Clone(s)
	n := uint32(len(t.List))
	t.index[s] = n
	t.List = append(t.List, s)
	return n
}
