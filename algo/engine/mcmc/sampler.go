package mcmc

import "math"

// Strategy says which of the factors that a change touches are evaluated.
type Strategy uint8

// The strategies.
const (
	Exact      Strategy = iota // all
	Uniform                    // a fixed share
	Confidence                 // as many as it takes for a narrow confidence interval of their mean
)

// Strategies are their names.
var Strategies = []string{"exact", "uniform", "confidence"}

// Sampler estimates the sum of many factors from some of them, drawn without replacement (Singh, Wick and McCallum
// 2012, eq. 7 to 9). The estimate is n times the mean of those drawn, which is unbiased for Uniform.
type Sampler struct {
	Strategy   Strategy
	Proportion float64 // Uniform: the share drawn, above 0 and at most 1
	Width      float64 // Confidence: drawing stops where the interval of the mean is at most so wide
	Z          float64 // Confidence: standard errors to each side, 1.96 for 95 %
	Least      int     // factors drawn at least, where there are as many; 1 and less stand for 1
}

// Want is how many of n factors Uniform draws.
func (s *Sampler) Want(n int) int {
	return min(n, max(1, s.Least, int(math.Round(s.Proportion*float64(n)))))
}

// Sum estimates the sum of n factors. factor draws one without replacement and returns its value. It returns
// the estimate and how many factors were evaluated.
//
//	I = 2 z · σ/√|S| · √((n − |S|) / (n − 1)),  σ² the variance of the drawn with denominator |S| − 1
func (s *Sampler) Sum(n int, factor func() float64) (float64, int) {
	if n == 0 {
		return 0, 0
	}
	if s.Strategy != Confidence {
		want := n
		if s.Strategy == Uniform {
			want = s.Want(n)
		}
		sum := 0.0
		for range want {
			sum += factor()
		}
		if want == n {
			return sum, n
		}
		return sum / float64(want) * float64(n), want
	}
	sum, mean, squares := 0.0, 0.0, 0.0
	for k := 1; ; k++ {
		x := factor()
		sum += x
		d := x - mean
		mean += d / float64(k)
		squares += d * (x - mean)
		if k == n {
			return sum, n
		}
		if k >= max(2, s.Least) && s.interval(n, k, squares) <= s.Width {
			return mean * float64(n), k
		}
	}
}

// interval is the width of the confidence interval of a mean of k of n factors, with the sum of squared deviations.
func (s *Sampler) interval(n, k int, squares float64) float64 {
	sigma := math.Sqrt(squares / float64(k-1))
	return 2 * s.Z * sigma / math.Sqrt(float64(k)) * math.Sqrt(float64(n-k)/float64(n-1))
}

// draws is a random order of the first of many numbers, made as far as it is asked for. Between uses its list is
// 0, 1, 2, …
type draws struct {
	list  []int32
	taken []int32 // what was exchanged with 0, 1, …
}

// next draws one of n numbers without replacement.
func (d *draws) next(n int, r *Rand) int {
	for len(d.list) < n {
		d.list = append(d.list, int32(len(d.list)))
	}
	k := len(d.taken)
	j := k + r.Intn(n-k)
	d.list[k], d.list[j] = d.list[j], d.list[k]
	d.taken = append(d.taken, int32(j))
	return int(d.list[k])
}

// reset takes the exchanges back.
func (d *draws) reset() {
	for k := len(d.taken) - 1; k >= 0; k-- {
		j := d.taken[k]
		d.list[k], d.list[j] = d.list[j], d.list[k]
	}
	d.taken = d.taken[:0]
}
