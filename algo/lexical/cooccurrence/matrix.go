// Package cooccurrence holds counts of words in contexts: a sparse matrix that is read from a table,
// indexed by rows and by columns, and stored in a model.
package cooccurrence

import "slices"

// Matrix is the counts of words in contexts. Words and contexts have texts of their own, all different.
type Matrix struct {
	Words    []string
	Contexts []string
	Rows     *Index // of each word its contexts
	index    map[string]uint32
}

// Index is a sparse matrix by rows. The cells of row i are Start[i] to Start[i+1], by rising column;
// all counts are positive and finite.
type Index struct {
	Start  []int
	IDs    []uint32 // columns, 0-based
	Counts []float64
}

// Len returns the number of rows.
func (x *Index) Len() int { return len(x.Start) - 1 }

// Row returns the columns and counts of a row; they may not be changed.
func (x *Index) Row(i int) ([]uint32, []float64) {
	return x.IDs[x.Start[i]:x.Start[i+1]], x.Counts[x.Start[i]:x.Start[i+1]]
}

// Width returns the number of cells of a row.
func (x *Index) Width(i int) int { return x.Start[i+1] - x.Start[i] }

// Sum returns the sum of a row, added from left to right.
func (x *Index) Sum(i int) float64 {
	s := 0.0
	_, counts := x.Row(i)
	for _, c := range counts {
		s += c
	}
	return s
}

// Transpose exchanges rows and columns, in time linear in cells and columns.
func (x *Index) Transpose(columns int) *Index {
	t := &Index{Start: make([]int, columns+1), IDs: make([]uint32, len(x.IDs)), Counts: make([]float64, len(x.IDs))}
	for _, k := range x.IDs {
		t.Start[k+1]++
	}
	for k := range columns {
		t.Start[k+1] += t.Start[k]
	}
	next := slices.Clone(t.Start[:columns])
	for i := range x.Len() {
		ids, counts := x.Row(i)
		for j, k := range ids {
			t.IDs[next[k]], t.Counts[next[k]] = uint32(i), counts[j]
			next[k]++
		}
	}
	return t
}

// Ready indexes the words by text; look-ups need it.
func (m *Matrix) Ready() {
	m.index = make(map[string]uint32, len(m.Words))
	for i, w := range m.Words {
		m.index[w] = uint32(i)
	}
}

// Find returns the number of a word.
func (m *Matrix) Find(word string) (int, bool) {
	i, ok := m.index[word]
	return int(i), ok
}

// Bytes is what the matrix takes in memory, the texts included.
func (m *Matrix) Bytes() int64 {
	n := int64(12*len(m.Rows.IDs) + 8*len(m.Rows.Start))
	for _, list := range [][]string{m.Words, m.Contexts} {
		for _, s := range list {
			n += int64(len(s)) + 16
		}
	}
	return n + int64(40*len(m.index))
}
