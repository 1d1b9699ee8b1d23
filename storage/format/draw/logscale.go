package draw

import (
	"math"
	"strconv"
)

// logarithms returns the plot with decimal logarithms on its logarithmic scales; where there is
// none, the point is NaN. Names and times have no such scale.
func (p *Plot) logarithms() *Plot {
	out := *p
	out.LogX = p.LogX && p.Categories == nil && !p.Times
	if !out.LogX && !out.LogY {
		return &out
	}
	out.Series = make([]Series, len(p.Series))
	for i, s := range p.Series {
		out.Series[i] = s
		if out.LogX {
			out.Series[i].X = logs(s.X)
		}
		if out.LogY {
			out.Series[i].Y = logs(s.Y)
		}
	}
	return &out
}

func logs(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.NaN()
		if v > 0 {
			out[i] = math.Log10(v)
		}
	}
	return out
}

// powers returns the logarithms of powers of ten within the range, of 2 and 5 times these where
// they are few, and of every n-th power where they are many.
func (a *axis) powers() (out []float64) {
	parts := []float64{0}
	if a.hi-a.lo < 3 {
		parts = []float64{0, math.Log10(2), math.Log10(5)}
	}
	step := max(1, math.Ceil((a.hi-a.lo)/12))
	for k := math.Floor(a.lo/step) * step; k <= a.hi; k += step {
		for _, x := range parts {
			v := k + x
			if p := math.Pow(10, v); v >= a.lo-1e-9 && v <= a.hi+1e-9 && finite(p) && p > 0 {
				out = append(out, v)
			}
		}
	}
	return out
}

// power writes 10 to the v, which is 1, 2 or 5 times a power of ten.
func power(v float64) string {
	x := math.Pow(10, v)
	s := strconv.FormatFloat(x, 'g', 3, 64)
	if x < 1e-4 || x >= 1e7 {
		return s
	}
	round, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(round, 'f', -1, 64)
}
