package calibrate

import (
	"cmp"
	"math"
	"slices"
)

// row is a prediction on a held-out document.
type row struct {
	prob  float64
	right bool
}

// curve is a rising function from [0, 1] to [0, 1]: straight lines between its points, level beyond them.
type curve struct {
	X, Y []float64
}

// at is the value of the curve.
func (c curve) at(x float64) float64 {
	k, exact := slices.BinarySearch(c.X, x)
	switch {
	case exact || k == 0:
		return c.Y[k]
	case k == len(c.X):
		return c.Y[k-1]
	}
	// Y[k-1] + share·(Y[k] − Y[k-1]) may leave the two by rounding
	share := (x - c.X[k-1]) / (c.X[k] - c.X[k-1])
	return min(c.Y[k], max(c.Y[k-1], c.Y[k-1]+share*(c.Y[k]-c.Y[k-1])))
}

// sound tells whether the curve rises within [0, 1].
func (c curve) sound() bool {
	inside := func(v float64) bool { return v >= 0 && v <= 1 }
	if len(c.X) == 0 || len(c.X) != len(c.Y) {
		return false
	}
	for i := range c.X {
		if !inside(c.X[i]) || !inside(c.Y[i]) || i > 0 && (c.X[i] <= c.X[i-1] || c.Y[i] < c.Y[i-1]) {
			return false
		}
	}
	return true
}

// block is neighbouring rows that get one value.
type block struct{ n, x, right float64 } // rows, sum of their prob, those that are right

// pool merges neighbouring blocks until the share of right rows rises strictly: the least squares among rising
// functions (Ayer et al. 1955, pool adjacent violators).
func pool(blocks []block) []block {
	out := blocks[:0]
	for _, b := range blocks {
		for len(out) > 0 && out[len(out)-1].right*b.n >= b.right*out[len(out)-1].n {
			last := out[len(out)-1]
			b = block{last.n + b.n, last.x + b.x, last.right + b.right}
			out = out[:len(out)-1]
		}
		out = append(out, b)
	}
	return out
}

// isotonic fits a curve through the middles of the pooled blocks. One right row below all others and one wrong row
// above all keep the ends from saying 0 or 1 of a few rows.
func isotonic(rows []row) curve {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.prob, b.prob) })
	first, last := rows[0].prob, rows[len(rows)-1].prob
	blocks := []block{{1, first, 1}}
	for i, r := range rows {
		if i == 0 || r.prob != rows[i-1].prob {
			blocks = append(blocks, block{})
		}
		b := &blocks[len(blocks)-1]
		b.n, b.x = b.n+1, b.x+r.prob
		if r.right {
			b.right++
		}
	}
	var c curve
	for _, b := range pool(append(blocks, block{1, last, 0})) {
		x, y := math.Min(1, b.x/b.n), b.right/b.n
		if k := len(c.X); k > 0 && x <= c.X[k-1] { // equal but for rounding
			c.Y[k-1] = y
			continue
		}
		c.X, c.Y = append(c.X, x), append(c.Y, y)
	}
	return c
}
