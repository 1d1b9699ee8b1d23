package semimarkov

import (
	"fmt"
	"math"
	"slices"
)

// Table is which columns, rising, each attribute has weights for: attribute a has Cols[Start[a]:Start[a+1]].
type Table struct {
	Start []uint32
	Cols  []uint32
}

// Attributes returns the number of attributes.
func (t *Table) Attributes() int { return max(0, len(t.Start)-1) }

// Layout numbers the weights: attributes by label, then pairs of neighbouring labels, then attributes by pair, from·N
// + to.
type Layout struct {
	Labels  *Labels
	Longest int   // positions of a segment
	Lengths int   // attributes of lengths, the last of States
	States  Table // columns are labels
	Pairs   []uint32
	Edges   Table // columns are pairs
}

// maxWeights keeps indices in 32 bits with room to spare.
const maxWeights = 1 << 31

// Size returns the number of weights.
func (l *Layout) Size() int { return len(l.States.Cols) + len(l.Pairs) + len(l.Edges.Cols) }

func (l *Layout) firstPair() int { return len(l.States.Cols) }
func (l *Layout) firstEdge() int { return len(l.States.Cols) + len(l.Pairs) }

// split cuts a vector into its three parts.
func (l *Layout) split(w []float64) (states, pairs, edges []float64) {
	return w[:l.firstPair()], w[l.firstPair():l.firstEdge()], w[l.firstEdge():]
}

// Check tells what is wrong with a layout and weights that were read from somewhere.
func (l *Layout) Check(w []float64) error {
	n := uint32(l.Labels.N)
	if l.Longest < 1 || l.Lengths < 0 || l.Lengths > l.States.Attributes() {
		return fmt.Errorf("%w: longest %d with %d attributes of lengths", ErrInvalid, l.Longest, l.Lengths)
	}
	if err := l.States.check(n); err != nil {
		return err
	}
	if err := l.Edges.check(n * n); err != nil {
		return err
	}
	if err := rising(l.Pairs, n*n); err != nil {
		return err
	}
	if len(w) != l.Size() {
		return fmt.Errorf("%w: %d weights, want %d", ErrInvalid, len(w), l.Size())
	}
	for _, v := range w {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: weight %g, want a finite number", ErrInvalid, v)
		}
	}
	return nil
}

func (t *Table) check(columns uint32) error {
	if len(t.Start) == 0 && len(t.Cols) == 0 {
		return nil
	}
	if len(t.Start) == 0 || t.Start[0] != 0 || int(t.Start[len(t.Start)-1]) != len(t.Cols) ||
		!slices.IsSorted(t.Start) {
		return fmt.Errorf("%w: starts must rise from 0 to %d", ErrInvalid, len(t.Cols))
	}
	for a := range t.Attributes() {
		if err := rising(t.Cols[t.Start[a]:t.Start[a+1]], columns); err != nil {
			return err
		}
	}
	return nil
}

func rising(list []uint32, below uint32) error {
	for i, c := range list {
		if c >= below || i > 0 && c <= list[i-1] {
			return fmt.Errorf("%w: column %d is out of order or not below %d", ErrInvalid, c, below)
		}
	}
	return nil
}

// Features says which weights there are besides those of what gold segments have.
type Features struct {
	AllStates bool // every attribute with every label
	AllPairs  bool // every pair of neighbouring labels that is allowed
	AllEdges  bool // every attribute of edges with every such pair
}

// NewLayout numbers the weights for the data: with a taxonomy, those of the labels above as well.
func NewLayout(d *Data, labels *Labels, longest int, f Features) (*Layout, error) {
	l := &Layout{Labels: labels, Longest: longest, Lengths: d.LengthAttributes}
	n := labels.N
	if f.AllStates && d.Attributes > maxWeights/n || d.EdgeAttributes > maxWeights/(n*n) {
		return nil, fmt.Errorf("%w: %d attributes with %d labels are too many weights", ErrInvalid,
			d.Attributes+d.EdgeAttributes, n)
	}
	states, pairs, edges := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
	above := func(y int32, add func(z uint64)) {
		for z := y; z >= 0; z = labels.above(z) {
			add(uint64(z))
		}
	}
	both := func(from, to int32, add func(pair uint64)) {
		above(from, func(a uint64) { above(to, func(b uint64) { add(a*uint64(n) + b) }) })
	}
	for i, gold := range d.Gold {
		d.visit(&d.Sequences[i], gold, func(attr uint32, label int32, _ float64) {
			if !f.AllStates {
				above(label, func(z uint64) { states[uint64(attr)<<32|z] = true })
			}
		}, func(from, to int32) {
			both(from, to, func(p uint64) { pairs[p] = true })
		}, func(attr uint32, from, to int32, _ float64) {
			both(from, to, func(p uint64) { edges[uint64(attr)<<32|p] = true })
		})
	}
	if f.AllStates {
		every := make([]uint32, n)
		for y := range every {
			every[y] = uint32(y)
		}
		l.States = repeated(d.Attributes, every)
	} else {
		l.States = table(states, d.Attributes)
	}
	if f.AllPairs {
		for p := range n * n {
			if labels.Forbid == nil || !labels.Forbid[p] {
				pairs[uint64(p)] = true
			}
		}
	}
	for p := range pairs {
		l.Pairs = append(l.Pairs, uint32(p))
	}
	slices.Sort(l.Pairs)
	if f.AllEdges {
		l.Edges = repeated(d.EdgeAttributes, l.Pairs)
	} else {
		l.Edges = table(edges, d.EdgeAttributes)
	}
	if l.Size() > maxWeights {
		return nil, fmt.Errorf("%w: more than %d weights", ErrInvalid, maxWeights)
	}
	return l, nil
}

// repeated is a table in which every attribute has the same columns.
func repeated(attributes int, columns []uint32) Table {
	t := Table{Start: make([]uint32, attributes+1), Cols: make([]uint32, 0, attributes*len(columns))}
	for a := range attributes {
		t.Cols = append(t.Cols, columns...)
		t.Start[a+1] = uint32(len(t.Cols))
	}
	return t
}

// table makes one of the keys attribute<<32 | column.
func table(keys map[uint64]bool, attributes int) Table {
	list := make([]uint64, 0, len(keys))
	for k := range keys {
		list = append(list, k)
	}
	slices.Sort(list)
	t := Table{Start: make([]uint32, attributes+1), Cols: make([]uint32, len(list))}
	for i, k := range list {
		t.Start[k>>32+1]++
		t.Cols[i] = uint32(k)
	}
	for a := range attributes {
		t.Start[a+1] += t.Start[a]
	}
	return t
}

// AddGold adds by times the attributes of the gold segmentation of a sequence to a vector of weights.
func (l *Layout) AddGold(d *Data, i int, by float64, to []float64) {
	l.EachGold(d, i, func(weight int, v float64) { to[weight] += by * v })
}

// EachGold calls f with each weight that the gold segmentation of a sequence has. A weight may come several times.
func (l *Layout) EachGold(d *Data, i int, f func(weight int, value float64)) {
	n := int32(l.Labels.N)
	both := func(from, to int32, each func(pair uint32)) {
		for a := from; a >= 0; a = l.Labels.above(a) {
			for b := to; b >= 0; b = l.Labels.above(b) {
				each(uint32(a*n + b))
			}
		}
	}
	d.visit(&d.Sequences[i], d.Gold[i], func(attr uint32, label int32, v float64) {
		for z := label; z >= 0; z = l.Labels.above(z) {
			if k := l.States.find(attr, uint32(z)); k >= 0 {
				f(k, v)
			}
		}
	}, func(from, to int32) {
		both(from, to, func(p uint32) {
			if k, ok := slices.BinarySearch(l.Pairs, p); ok {
				f(l.firstPair()+k, 1)
			}
		})
	}, func(attr uint32, from, to int32, v float64) {
		both(from, to, func(p uint32) {
			if k := l.Edges.find(attr, p); k >= 0 {
				f(l.firstEdge()+k, v)
			}
		})
	})
}

// Row returns the columns of an attribute and the number of its first weight in the table.
func (t *Table) Row(attr uint32) ([]uint32, int) {
	if int(attr) >= t.Attributes() {
		return nil, 0
	}
	lo, hi := t.Start[attr], t.Start[attr+1]
	return t.Cols[lo:hi], int(lo)
}

// find returns the number of a weight in the table, −1 for none.
func (t *Table) find(attr, column uint32) int {
	cols, first := t.Row(attr)
	if k, ok := slices.BinarySearch(cols, column); ok {
		return first + k
	}
	return -1
}

// EachAttribute calls f with the attributes of a segment, that of its length among them. One may come several times.
func (l *Layout) EachAttribute(s *Sequence, g Segment, f func(attr uint32, value float64)) {
	s.eachAttribute(g, l.States.Attributes(), l.Lengths, f)
}

// Weight returns what an attribute weighs for a label, with what it weighs for the labels above.
func (l *Layout) Weight(w []float64, attr uint32, label int32) (sum float64) {
	for z := label; z >= 0; z = l.Labels.above(z) {
		if k := l.States.find(attr, uint32(z)); k >= 0 {
			sum += w[k]
		}
	}
	return sum
}

// PairWeight returns what a pair of neighbouring labels weighs, EdgeWeight what an attribute of edges weighs for it.
func (l *Layout) PairWeight(w []float64, from, to int32) float64 {
	return l.pairs(from, to, func(p uint32) float64 {
		if k, ok := slices.BinarySearch(l.Pairs, p); ok {
			return w[l.firstPair()+k]
		}
		return 0
	})
}

func (l *Layout) EdgeWeight(w []float64, attr uint32, from, to int32) float64 {
	return l.pairs(from, to, func(p uint32) float64 {
		if k := l.Edges.find(attr, p); k >= 0 {
			return w[l.firstEdge()+k]
		}
		return 0
	})
}

// pairs sums up over a pair and the pairs above it.
func (l *Layout) pairs(from, to int32, of func(pair uint32) float64) (sum float64) {
	for a := from; a >= 0; a = l.Labels.above(a) {
		for b := to; b >= 0; b = l.Labels.above(b) {
			sum += of(uint32(a)*uint32(l.Labels.N) + uint32(b))
		}
	}
	return sum
}
