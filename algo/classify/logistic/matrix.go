// Package logistic fits multinomial logistic regressions, which are conditional maximum entropy
// models, on numbers: coordinate descent, iterative scaling (Huang, Hsieh, Chang and Lin 2009) and
// inequality constraints (Kazama and Tsujii 2003).
//
// A feature is an attribute together with a label that it was seen with. For contexts x with c(x)
// events, of which the label y has c(x, y),
//
//	S(x, y) = exp Σ_k w_k·f_k(x, y)   T(x) = Σ_y S(x, y)   O_k = Σ_{x,y} c(x, y)·f_k(x, y)
//	F(w) = Σ_x c(x)·log T(x) − Σ_k w_k·O_k + ½·L2·|w|² + Σ_k A_k·|w_k|
//
// is minimised. Losses are sums over events: where papers write means, L2 and A are theirs times
// the number of events.
package logistic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/engine/chain"
)

// Matrix is the contexts of training events by attribute. Events with equal attributes and values
// are one context. It never changes and may be shared by problems.
type Matrix struct {
	contexts, attributes int
	event                []uint32  // context of an event
	count                []float64 // events of a context
	unit                 bool      // every count is 1 and every value is 1
	start                []uint32  // attribute a has places start[a] to start[a+1]
	at                   []uint32  // contexts, rising in an attribute
	values               []float32 // of places; nil: all are 1
	high                 []float64 // largest |value| of an attribute
	negative             int       // an attribute with a value below 0, −1 for none
	classes              [][]uint32
	apart                int // classes before this share no context within
}

// maxPlaces keeps places within 32 bits.
const maxPlaces = math.MaxUint32 - 1

// maxClasses is the number of classes of attributes that share no context.
const maxClasses = 64

// NewMatrix takes the tokens of the data as events; sequences do not matter.
func NewMatrix(ctx context.Context, d *chain.Data) (*Matrix, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if len(d.Attrs) > maxPlaces {
		return nil, fmt.Errorf("%w: more than %d attributes of events", chain.ErrInvalid, maxPlaces)
	}
	rows, err := collapse(ctx, d)
	if err != nil {
		return nil, err
	}
	m := &Matrix{contexts: len(rows.count), attributes: d.Attributes, event: rows.event, count: rows.count, negative: -1}
	m.transpose(rows)
	m.colour()
	return m, ctx.Err()
}

// Events returns the number of events.
func (m *Matrix) Events() int { return len(m.event) }

// Contexts returns the number of contexts.
func (m *Matrix) Contexts() int { return m.contexts }

// distinct is contexts by row.
type distinct struct {
	event   []uint32
	count   []float64
	offsets []uint32
	attrs   []uint32
	values  []float32
	valued  bool // some value is not 1
}

// collapse finds the distinct rows; attributes that come twice in a row are added up.
func collapse(ctx context.Context, d *chain.Data) (*distinct, error) {
	n := d.Tokens()
	out := &distinct{event: make([]uint32, n), offsets: make([]uint32, 1, n+1), attrs: make([]uint32, 0, len(d.Attrs)),
		values: make([]float32, 0, len(d.Attrs))}
	index := make(map[uint64]uint32, n) // hash → 1 + last context with it
	var before []uint32                 // by context: 1 + the one before with its hash
	var row []entry
	for i := range n {
		if i&4095 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row = row[:0]
		for k := d.AttrOffsets[i]; k < d.AttrOffsets[i+1]; k++ {
			v := float32(1)
			if d.Values != nil {
				v = d.Values[k]
			}
			row = append(row, entry{d.Attrs[k], v})
		}
		row = canonical(row)
		h := hash(row)
		x := index[h]
		for x != 0 && !out.equal(x-1, row) {
			x = before[x-1]
		}
		if x == 0 {
			before = append(before, index[h])
			x = out.add(row)
			index[h] = x
		}
		out.event[i] = x - 1
		out.count[x-1]++
	}
	return out, nil
}

type entry struct {
	attr  uint32
	value float32
}

// canonical sorts a row, adds up equal attributes and drops values of 0.
func canonical(row []entry) []entry {
	slices.SortFunc(row, func(a, b entry) int { return int(a.attr) - int(b.attr) })
	out := row[:0]
	for _, e := range row {
		if n := len(out); n > 0 && out[n-1].attr == e.attr {
			out[n-1].value += e.value
			continue
		}
		out = append(out, e)
	}
	return slices.DeleteFunc(out, func(e entry) bool { return e.value == 0 })
}

func hash(row []entry) uint64 {
	h := uint64(len(row))
	for _, e := range row {
		h = (h ^ (uint64(e.attr)<<32 | uint64(math.Float32bits(e.value)))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

func (r *distinct) equal(x uint32, row []entry) bool {
	from, to := r.offsets[x], r.offsets[x+1]
	if int(to-from) != len(row) {
		return false
	}
	for i, e := range row {
		if r.attrs[from+uint32(i)] != e.attr || r.values[from+uint32(i)] != e.value {
			return false
		}
	}
	return true
}

// add appends a context and returns 1 + its number.
func (r *distinct) add(row []entry) uint32 {
	for _, e := range row {
		r.attrs, r.values = append(r.attrs, e.attr), append(r.values, e.value)
		r.valued = r.valued || e.value != 1
	}
	r.offsets = append(r.offsets, uint32(len(r.attrs)))
	r.count = append(r.count, 0)
	return uint32(len(r.count))
}

// transpose fills the columns.
func (m *Matrix) transpose(r *distinct) {
	m.start = make([]uint32, m.attributes+1)
	for _, a := range r.attrs {
		m.start[a+1]++
	}
	for a := range m.attributes {
		m.start[a+1] += m.start[a]
	}
	next := slices.Clone(m.start[:m.attributes])
	m.at, m.high = make([]uint32, len(r.attrs)), make([]float64, m.attributes)
	if r.valued {
		m.values = make([]float32, len(r.attrs))
	}
	for x := range r.count {
		for k := r.offsets[x]; k < r.offsets[x+1]; k++ {
			a, v := r.attrs[k], r.values[k]
			m.at[next[a]] = uint32(x)
			if r.valued {
				m.values[next[a]] = v
			}
			next[a]++
			m.high[a] = max(m.high[a], math.Abs(float64(v)))
			if v < 0 && m.negative < 0 {
				m.negative = int(a)
			}
		}
	}
	m.unit = !r.valued && !slices.ContainsFunc(m.count, func(c float64) bool { return c != 1 })
}

// colour divides the attributes into classes within which no two share a context, frequent ones
// first: steps along features of such a class do not touch each other, so that they may be taken at
// the same time. Attributes for which no class is left come in a last one that may share.
func (m *Matrix) colour() {
	order := make([]uint32, m.attributes)
	for a := range order {
		order[a] = uint32(a)
	}
	size := func(a uint32) int { return int(m.start[a+1] - m.start[a]) }
	slices.SortStableFunc(order, func(a, b uint32) int { return size(b) - size(a) })
	used := make([]uint64, m.contexts) // classes met in a context
	m.classes = make([][]uint32, maxClasses+1)
	for _, a := range order {
		met := uint64(0)
		column := m.at[m.start[a]:m.start[a+1]]
		for _, x := range column {
			met |= used[x]
		}
		c := 0
		for c < maxClasses && met&(1<<c) != 0 {
			c++
		}
		m.classes[c] = append(m.classes[c], a)
		if c < maxClasses {
			for _, x := range column {
				used[x] |= 1 << c
			}
		}
	}
	for _, c := range m.classes { // neighbours in memory are visited one after the other
		slices.Sort(c)
	}
	m.apart = maxClasses
	if len(m.classes[maxClasses]) == 0 {
		m.classes = slices.DeleteFunc(m.classes, func(c []uint32) bool { return len(c) == 0 })
		m.apart = len(m.classes)
	}
}
