// Package significance tells how much of a score, or of the difference of two systems on the
// same data, may be chance: percentile bootstrap intervals, approximate randomisation and the
// exact test of McNemar.
//
// A score is a function of sums of counts over units, such as documents or sentences: right
// and all tokens for an accuracy; true positives, false positives and false negatives for F1.
// What is drawn or swapped is a unit with its counts, so nothing is predicted twice. Results
// depend on data and seed alone, not on the number of workers.
package significance

// Counts is the counts of units, a sparse row each.
type Counts struct {
	columns int
	ends    []int // where each row ends
	cols    []int32
	vals    []float64
}

// NewCounts returns an empty table of the given number of columns.
func NewCounts(columns int) *Counts { return &Counts{columns: columns} }

// Add appends the row of one unit; it has a value for every column.
func (c *Counts) Add(row []float64) {
	for k, v := range row {
		if v != 0 {
			c.cols, c.vals = append(c.cols, int32(k)), append(c.vals, v)
		}
	}
	c.ends = append(c.ends, len(c.cols))
}

// Units returns the number of rows.
func (c *Counts) Units() int { return len(c.ends) }

// Sums returns the sum of every column.
func (c *Counts) Sums() []float64 {
	out := make([]float64, c.columns)
	for k, j := range c.cols {
		out[j] += c.vals[k]
	}
	return out
}

// byColumn is the same counts with the units of each column together, so that the sum of a
// column stays in a register.
type byColumn struct {
	ends []int
	unit []int32
	vals []float64
}

func (c *Counts) byColumn() *byColumn {
	b := &byColumn{make([]int, c.columns), make([]int32, len(c.cols)), make([]float64, len(c.cols))}
	next := make([]int, c.columns+1)
	for _, j := range c.cols {
		next[j+1]++
	}
	for j := range c.columns {
		next[j+1] += next[j]
		b.ends[j] = next[j+1]
	}
	from := 0
	for i, end := range c.ends {
		for k := from; k < end; k++ {
			at := next[c.cols[k]]
			b.unit[at], b.vals[at] = int32(i), c.vals[k]
			next[c.cols[k]]++
		}
		from = end
	}
	return b
}

// weighted sums the columns, each unit as often as times says.
func (b *byColumn) weighted(times, out []float64) {
	from := 0
	for j, end := range b.ends {
		unit, vals := b.unit[from:end], b.vals[from:end]
		var s0, s1 float64
		k := 0
		for ; k+1 < len(unit) && k+1 < len(vals); k += 2 {
			s0 += times[unit[k]] * vals[k]
			s1 += times[unit[k+1]] * vals[k+1]
		}
		if k < len(unit) {
			s0 += times[unit[k]] * vals[k]
		}
		out[j], from = s0+s1, end
	}
}

// minus returns the rows of c less those of o, without rows that are zero.
func (c *Counts) minus(o *Counts) *Counts {
	d := NewCounts(c.columns)
	row := make([]float64, c.columns)
	from, other := 0, 0
	for i, end := range c.ends {
		for k := from; k < end; k++ {
			row[c.cols[k]] += c.vals[k]
		}
		for k := other; k < o.ends[i]; k++ {
			row[o.cols[k]] -= o.vals[k]
		}
		before := len(d.cols)
		d.gather(row, c.cols[from:end], o.cols[other:o.ends[i]])
		if len(d.cols) > before {
			d.ends = append(d.ends, len(d.cols))
		}
		from, other = end, o.ends[i]
	}
	return d
}

// gather moves what is not zero from the named columns of a row to the end of the table.
func (c *Counts) gather(row []float64, columns ...[]int32) {
	for _, list := range columns {
		for _, j := range list {
			if row[j] != 0 {
				c.cols, c.vals = append(c.cols, j), append(c.vals, row[j])
				row[j] = 0
			}
		}
	}
}

// Scores computes scores from the sums of the columns: sums in, scores out. It is called by
// several goroutines at once.
type Scores func(sums, scores []float64)
