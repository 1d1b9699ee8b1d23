package agreement

import "math"

// Moments are the sums of pairs from which their correlation follows, taken about an origin, which
// changes no correlation and keeps digits.
type Moments struct{ n, x, y, xx, yy, xy float64 }

// Add counts a pair as often as times says.
func (m *Moments) Add(x, y, times float64) {
	m.n += times
	m.x += times * x
	m.y += times * y
	m.xx += times * x * x
	m.yy += times * y * y
	m.xy += times * x * y
}

// Correlation returns the correlation of Pearson,
//
//	r = (n Σxy − Σx Σy) / √((n Σx² − (Σx)²) (n Σy² − (Σy)²)),
//
// from −1 to 1; 0 where either side does not vary.
func (m *Moments) Correlation() float64 {
	vx, vy := m.n*m.xx-m.x*m.x, m.n*m.yy-m.y*m.y
	// What is left of equal numbers by rounding is no variance.
	if !(vx > 1e-13*m.n*m.xx) || !(vy > 1e-13*m.n*m.yy) {
		return 0
	}
	return max(-1, min(1, (m.n*m.xy-m.x*m.y)/(math.Sqrt(vx)*math.Sqrt(vy))))
}

// Pearson returns the correlation of two lists of the same length; 0 where either does not vary.
func Pearson(x, y []float64) float64 {
	cx, cy := Mean(x), Mean(y)
	if !varies(x, cx) || !varies(y, cy) {
		return 0
	}
	var m Moments
	for i := range x {
		m.Add(x[i]-cx, y[i]-cy, 1)
	}
	return m.Correlation()
}

// varies reports whether values differ from their mean by more than rounding does.
func varies(values []float64, mean float64) bool {
	squares, size := 0.0, 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
		size += v * v
	}
	return squares > 1e-26*size
}

// Spearman returns the correlation of the ranks of two lists of the same length, where equal
// values share the mean of their ranks; 0 where either does not vary.
func Spearman(x, y []float64) float64 { return Pearson(Ranks(x), Ranks(y)) }

// Mean returns the arithmetic mean, 0 of nothing.
func Mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s / float64(len(x))
}

// Standard returns the values moved to mean 0 and scaled to variance 1 (that of n, not of n−1);
// all 0 where they do not vary.
func Standard(values []float64) []float64 {
	m, squares := Mean(values), 0.0
	out := make([]float64, len(values))
	if !varies(values, m) {
		return out
	}
	for i, v := range values {
		out[i] = v - m
		squares += out[i] * out[i]
	}
	deviation := math.Sqrt(squares / float64(len(values)))
	for i := range out {
		out[i] /= deviation
	}
	return out
}
