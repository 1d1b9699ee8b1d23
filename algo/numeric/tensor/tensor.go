// Package tensor decomposes the sparse tensor of a knowledge base by alternating least squares:
// X_k ≈ A R_k A' with one row of A an entity and one square matrix R_k a relation (Nickel, Tresp
// and Kriegel 2011), with cells outside the argument types of a relation left out of the loss
// (Chang, Yih, Yang and Meek 2014).
package tensor

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Relation is one slice of the tensor: its cells that are not 0, in any order, each once.
type Relation struct {
	Subjects, Objects []int32   // rows and columns, from 0
	Values            []float64 // 0 or more; nil: all 1
	Left, Right       int       // numbers in Problem.Sets of what may be subject and object
}

// Problem is a tensor. With Sets, only cells between the two sets of a relation count, and cells
// given outside are left out; without, all cells count.
type Problem struct {
	Entities  int
	Relations []Relation
	Sets      [][]int32 // ascending numbers of entities
}

// slice is a relation turned so that its rows are the smaller of its two sides. Dense work goes with
// the rows, so that a relation with many objects and few subjects costs what the few cost.
type slice struct {
	rows    []int32 // entities, ascending
	offsets []int32 // of the cells of a row
	cols    []int32 // entities
	values  []float64
	turned  bool // rows are objects
	rowSet  int  // number of the set of the row side
	colSet  int
	at      int // number of its first row in its batch
}

// batch is consecutive relations whose rows fit in a buffer.
type batch struct {
	from, to int // relations
	rows     int
	offsets  []int32 // of the terms of an entity
	terms    []term
}

// term is a row of a buffer that counts for an entity: of the row products, or by a cell of the
// column products.
type term struct {
	row   int32
	cell  bool
	value float64
}

// tensor is a problem made ready.
type tensor struct {
	n       int
	slices  []slice
	batches []batch
	sets    [][]int32 // nil without types
	uses    [][]use   // of each set
	square  float64   // ‖X‖²
	cells   int
}

// use is a relation that a set is a side of.
type use struct {
	relation int
	row      bool
}

// ErrEmpty is returned for a problem without a cell that counts and is not 0.
var ErrEmpty = errors.New("there is no cell that counts and is not 0")

// compile checks and turns the relations.
func compile(p *Problem, rank int) (*tensor, error) {
	t := &tensor{n: p.Entities, sets: p.Sets, uses: make([][]use, max(1, len(p.Sets)))}
	if err := checkSets(p); err != nil {
		return nil, err
	}
	left, right := newMembers(p), newMembers(p)
	for k := range p.Relations {
		r := &p.Relations[k]
		cells, err := cellsOf(p, k)
		if err != nil {
			return nil, err
		}
		if p.Sets != nil {
			left.be(p.Sets, r.Left)
			right.be(p.Sets, r.Right)
			cells = slices.DeleteFunc(cells, func(c cell) bool { return !left.in[c.i] || !right.in[c.j] })
		}
		s, err := turn(cells, k)
		if err != nil {
			return nil, err
		}
		if p.Sets != nil {
			s.rowSet, s.colSet = r.Left, r.Right
			if s.turned {
				s.rowSet, s.colSet = r.Right, r.Left
			}
		}
		t.uses[s.rowSet] = append(t.uses[s.rowSet], use{k, true})
		t.uses[s.colSet] = append(t.uses[s.colSet], use{k, false})
		t.slices = append(t.slices, s)
		t.cells += len(cells)
		for _, c := range cells {
			t.square += c.value * c.value
		}
	}
	if t.cells == 0 {
		return nil, ErrEmpty
	}
	t.divide(rank)
	return t, nil
}

// checkSets refuses sets that are not ascending numbers of entities.
func checkSets(p *Problem) error {
	for s, set := range p.Sets {
		last := int32(-1)
		for _, e := range set {
			if e <= last || int(e) >= p.Entities {
				return fmt.Errorf("set %d: entity %d after %d; ascending numbers below %d are wanted", s, e, last, p.Entities)
			}
			last = e
		}
	}
	for k, r := range p.Relations {
		if p.Sets != nil && (r.Left < 0 || r.Right < 0 || r.Left >= len(p.Sets) || r.Right >= len(p.Sets)) {
			return fmt.Errorf("relation %d has the sets %d and %d of %d", k, r.Left, r.Right, len(p.Sets))
		}
	}
	return nil
}

// cell is X_k[i, j].
type cell struct {
	i, j  int32
	value float64
}

func cellsOf(p *Problem, k int) ([]cell, error) {
	r := &p.Relations[k]
	if len(r.Objects) != len(r.Subjects) || r.Values != nil && len(r.Values) != len(r.Subjects) {
		return nil, fmt.Errorf("relation %d has %d subjects, %d objects and %d values", k, len(r.Subjects), len(r.Objects),
			len(r.Values))
	}
	cells := make([]cell, 0, len(r.Subjects))
	for c, i := range r.Subjects {
		j, v := r.Objects[c], 1.0
		if i < 0 || j < 0 || int(i) >= p.Entities || int(j) >= p.Entities {
			return nil, fmt.Errorf("relation %d: cell (%d, %d) of %d entities", k, i, j, p.Entities)
		}
		if r.Values != nil {
			v = r.Values[c]
		}
		if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("relation %d: cell (%d, %d) is %v; a finite value of 0 or more is wanted", k, i, j, v)
		}
		if v > 0 {
			cells = append(cells, cell{i, j, v})
		}
	}
	return cells, nil
}

// turn makes the rows of a relation; cells are sorted and may be turned in place.
func turn(cells []cell, k int) (slice, error) {
	var s slice
	byRow := func(a, b cell) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) }
	subjects, objects := map[int32]bool{}, map[int32]bool{}
	plain := true
	for _, c := range cells {
		subjects[c.i], objects[c.j] = true, true
		plain = plain && c.value == 1
	}
	if s.turned = len(objects) < len(subjects); s.turned {
		for i, c := range cells {
			cells[i].i, cells[i].j = c.j, c.i
		}
	}
	slices.SortFunc(cells, byRow)
	s.cols = make([]int32, len(cells))
	if !plain {
		s.values = make([]float64, len(cells))
	}
	for x, c := range cells {
		if x > 0 && byRow(cells[x-1], c) == 0 {
			return s, fmt.Errorf("relation %d has a cell of entities %d and %d twice", k, c.i, c.j)
		}
		if x == 0 || cells[x-1].i != c.i {
			s.rows, s.offsets = append(s.rows, c.i), append(s.offsets, int32(x))
		}
		s.cols[x] = c.j
		if !plain {
			s.values[x] = c.value
		}
	}
	s.offsets = append(s.offsets, int32(len(cells)))
	return s, nil
}

// members marks the entities of one set.
type members struct {
	in  []bool
	set int
}

func newMembers(p *Problem) *members {
	return &members{in: make([]bool, p.Entities), set: -1}
}

// be marks another set.
func (m *members) be(sets [][]int32, set int) {
	if m.set == set {
		return
	}
	if m.set >= 0 {
		for _, e := range sets[m.set] {
			m.in[e] = false
		}
	}
	for _, e := range sets[set] {
		m.in[e] = true
	}
	m.set = set
}

// maxBuffer bounds the values in each of the two buffers of row products, 64 MB.
const maxBuffer = 1 << 23

// divide makes batches whose rows fit in the buffers, with the terms of each entity in the order of
// the relations: sums come out the same whoever computes them.
func (t *tensor) divide(rank int) {
	limit := max(1, maxBuffer/max(1, rank))
	for k := 0; k < len(t.slices); {
		b := batch{from: k}
		for ; k < len(t.slices); k++ {
			s := &t.slices[k]
			if b.rows > 0 && b.rows+len(s.rows) > limit {
				break
			}
			s.at = b.rows
			b.rows += len(s.rows)
		}
		b.to = k
		t.collect(&b)
		t.batches = append(t.batches, b)
	}
}

// collect lists the terms of each entity.
func (t *tensor) collect(b *batch) {
	b.offsets = make([]int32, t.n+1)
	t.each(b, func(e int32, _ term) { b.offsets[e+1]++ })
	for e := range t.n {
		b.offsets[e+1] += b.offsets[e]
	}
	b.terms = make([]term, b.offsets[t.n])
	at := slices.Clone(b.offsets)
	t.each(b, func(e int32, x term) {
		b.terms[at[e]] = x
		at[e]++
	})
}

func (t *tensor) each(b *batch, use func(int32, term)) {
	for k := b.from; k < b.to; k++ {
		s := &t.slices[k]
		for i, e := range s.rows {
			row := int32(s.at + i)
			use(e, term{row: row, value: 1})
			for c := s.offsets[i]; c < s.offsets[i+1]; c++ {
				use(s.cols[c], term{row: row, cell: true, value: s.value(c)})
			}
		}
	}
}

// value is that of a cell by its number.
func (s *slice) value(c int32) float64 {
	if s.values == nil {
		return 1
	}
	return s.values[c]
}
