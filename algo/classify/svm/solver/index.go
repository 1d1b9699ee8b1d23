package solver

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// index finds the products of one sample with all of a list of samples. Where all values are 1, a
// product is the number of common columns: the most frequent columns are bits of two words a
// sample, others lists of the samples that have them, so that a row of products costs little more
// than what the samples have in common. Positions are those in the list.
type index struct {
	n       int
	binary  bool
	radial  bool      // z is |x − x′|² instead of x·x′
	square  []float64 // x·x
	bits    []uint64  // two words a sample, of frequent columns
	start   []uint32  // rare columns of sample t: cols[start[t]:start[t+1]]
	cols    []uint32  // local numbers of rare columns
	vals    []float32 // of cols; nil: all are 1
	from    []uint32  // samples with rare column c: at[from[c]:from[c+1]]
	at      []uint32
	weight  []float32 // of at; nil: all are 1
	largest int       // z at most, of binary samples
}

const frequent = 128 // columns that are bits

// ColumnMap gives columns local numbers. It is memory that trainings one after the other share.
type ColumnMap struct {
	number  []uint32
	touched []uint32 // columns that have a number
}

const unknown = math.MaxUint32

// NewColumnMap returns one for columns below width.
func NewColumnMap(width int) *ColumnMap {
	m := &ColumnMap{number: make([]uint32, width)}
	for i := range m.number {
		m.number[i] = unknown
	}
	return m
}

func (m *ColumnMap) reset() {
	for _, c := range m.touched {
		m.number[c] = unknown
	}
	m.touched = m.touched[:0]
}

// count numbers the columns of the samples ids in the order in which they are met and returns how
// many samples have each.
func (m *ColumnMap) count(x *Rows, ids []uint32) (counts []uint32) {
	m.reset()
	for _, id := range ids {
		cols, _ := x.Row(int(id))
		for _, c := range cols {
			if m.number[c] == unknown {
				m.number[c] = uint32(len(m.touched))
				m.touched = append(m.touched, c)
				counts = append(counts, 0)
			}
			counts[m.number[c]]++
		}
	}
	return counts
}

// newIndex indexes the samples ids of x; m is overwritten with the numbers of their columns: below
// frequent for bits, then rare columns.
func newIndex(x *Rows, ids []uint32, radial bool, m *ColumnMap) *index {
	d := &index{n: len(ids), binary: x.Values == nil, radial: radial, square: make([]float64, len(ids)),
		start: make([]uint32, 1, len(ids)+1)}
	counts := d.number(x, ids, m)
	d.bits = make([]uint64, 2*len(ids))
	longest := 0
	for t, id := range ids {
		d.square[t] = x.square(int(id))
		cols, vals := x.Row(int(id))
		longest = max(longest, len(cols))
		for k, c := range cols {
			n := m.number[c]
			if n < frequent {
				d.bits[2*t+int(n>>6)] |= 1 << (n & 63)
				continue
			}
			d.cols = append(d.cols, n-frequent)
			if vals != nil {
				d.vals = append(d.vals, vals[k])
			}
		}
		d.start = append(d.start, uint32(len(d.cols)))
	}
	if d.largest = longest; radial {
		d.largest = 2 * longest
	}
	if d.largest > math.MaxUint16 {
		d.binary = false
	}
	d.invert(counts)
	return d
}

// number gives local numbers to the columns of the samples and returns the sizes of the lists of
// rare ones.
func (d *index) number(x *Rows, ids []uint32, m *ColumnMap) []uint32 {
	counts := m.count(x, ids)
	var order []uint32 // of frequent columns
	if x.Values == nil {
		for c, n := range counts {
			if int(n) > len(ids)/64 && n > 4 {
				order = append(order, uint32(c))
			}
		}
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(counts[b], counts[a]) })
		order = order[:min(len(order), frequent)]
	}
	bit := make([]uint32, len(counts))
	for i, c := range order {
		bit[c] = uint32(i) + 1
	}
	rare := counts[:0]
	for i, c := range m.touched {
		n := counts[i]
		if b := bit[i]; b > 0 {
			m.number[c] = b - 1
			continue
		}
		m.number[c] = frequent + uint32(len(rare))
		rare = append(rare, n)
	}
	return rare
}

// invert makes the lists of samples by rare column.
func (d *index) invert(counts []uint32) {
	d.from = make([]uint32, len(counts)+1)
	for c, n := range counts {
		d.from[c+1] = d.from[c] + n
	}
	d.at = make([]uint32, len(d.cols))
	if d.vals != nil {
		d.weight = make([]float32, len(d.cols))
	}
	next := slices.Clone(d.from)
	for t := range d.n {
		for k := d.start[t]; k < d.start[t+1]; k++ {
			c := d.cols[k]
			d.at[next[c]] = uint32(t)
			if d.vals != nil {
				d.weight[next[c]] = d.vals[k]
			}
			next[c]++
		}
	}
}

// query is a sample by the numbers of an index.
type query struct {
	bits   [2]uint64
	cols   []uint32 // rare ones
	vals   []float32
	square float64
}

// sample is sample t of the index as a query.
func (d *index) sample(t int) query {
	from, to := d.start[t], d.start[t+1]
	q := query{bits: [2]uint64{d.bits[2*t], d.bits[2*t+1]}, cols: d.cols[from:to], square: d.square[t]}
	if d.vals != nil {
		q.vals = d.vals[from:to]
	}
	return q
}

// translate makes a query of columns; its slices are reused.
func (q *query) translate(m *ColumnMap, cols []uint32, vals []float32) {
	*q = query{cols: q.cols[:0], vals: q.vals[:0]}
	for k, c := range cols {
		v := float32(1)
		if vals != nil {
			v = vals[k]
		}
		q.square += float64(v) * float64(v)
		n := uint32(unknown)
		if int(c) < len(m.number) {
			n = m.number[c]
		}
		switch {
		case n == unknown:
		case n < frequent:
			q.bits[n>>6] |= 1 << (n & 63)
		default:
			q.cols = append(q.cols, n-frequent)
			q.vals = append(q.vals, v)
		}
	}
}

// counts sets out[t] to z of the query and binary sample t.
func (d *index) counts(q query, out []uint16) {
	a, b := q.bits[0], q.bits[1]
	words := d.bits
	for t := range out {
		w := words[2*t : 2*t+2 : 2*t+2]
		out[t] = uint16(bits.OnesCount64(a&w[0]) + bits.OnesCount64(b&w[1]))
	}
	for _, c := range q.cols {
		for _, t := range d.at[d.from[c]:d.from[c+1]] {
			out[t]++
		}
	}
	if d.radial {
		for t := range out {
			out[t] = uint16(int(q.square) + int(d.square[t]) - 2*int(out[t]))
		}
	}
}

// products sets out[t] to z of the query and sample t, whatever the values.
func (d *index) products(q query, out []float64) {
	a, b := q.bits[0], q.bits[1]
	for t := range out {
		out[t] = float64(bits.OnesCount64(a&d.bits[2*t]) + bits.OnesCount64(b&d.bits[2*t+1]))
	}
	for k, c := range q.cols {
		v := 1.0
		if len(q.vals) > 0 {
			v = float64(q.vals[k])
		}
		from, to := d.from[c], d.from[c+1]
		if d.weight == nil {
			for _, t := range d.at[from:to] {
				out[t] += v
			}
			continue
		}
		for i := from; i < to; i++ {
			out[d.at[i]] += v * float64(d.weight[i])
		}
	}
	if d.radial {
		for t := range out {
			out[t] = max(0, q.square+d.square[t]-2*out[t])
		}
	}
}
