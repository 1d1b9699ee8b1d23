package metrics

// Units is the statistics of scored units in input order, a row of equal length each. A float32
// counts exactly up to 2^24 and keeps seven digits of a fraction; sums are taken in float64.
type Units struct {
	width  int
	values []float32
}

// Stat is the statistics of a unit that are three at most.
type Stat [3]float32

// UnitsOf returns the units with these rows. Metrics of the same units share them.
func UnitsOf(rows []Stat) Units {
	out := Units{width: len(Stat{}), values: make([]float32, 0, len(Stat{})*len(rows))}
	for i := range rows {
		out.values = append(out.values, rows[i][:]...)
	}
	return out
}

// Add appends a unit. All rows have the length of the first.
func (u *Units) Add(row ...float32) {
	if u.width == 0 {
		u.width = len(row)
	}
	if len(row) != u.width || u.width == 0 {
		panic("metrics: units with statistics of different length")
	}
	u.values = append(u.values, row...)
}

// Len returns the number of units.
func (u Units) Len() int {
	if u.width == 0 {
		return 0
	}
	return len(u.values) / u.width
}

// Row returns the statistics of a unit, not to be changed.
func (u Units) Row(i int) []float32 { return u.values[i*u.width : (i+1)*u.width] }

// Empty reports whether all statistics are 0.
func (u Units) Empty() bool {
	for _, v := range u.values {
		if v != 0 {
			return false
		}
	}
	return true
}

// sums adds the rows up; there are at least width sums.
func (u Units) sums(width int) []float64 {
	out := make([]float64, max(width, u.width))
	u.add(0, u.Len(), out)
	return out
}

// add adds the rows from … to−1 to sums.
func (u Units) add(from, to int, sums []float64) {
	for i := from; i < to; i++ {
		for k, v := range u.Row(i) {
			sums[k] += float64(v)
		}
	}
}

// first tells units of the same memory from others.
func (u Units) first() *float32 {
	if len(u.values) == 0 {
		return nil
	}
	return &u.values[0]
}

// One is 1 for what holds, else 0.
func One(holds bool) float32 {
	if holds {
		return 1
	}
	return 0
}
