package aggfn

import (
	"math"

	"parlance/storage/value"
)

// spread sums squared differences from the running mean (Welford 1962), which loses no digits where
// values are large and close to each other.
type spread struct {
	sample, root bool
	n            int64
	mean, sum    float64
}

func (s *spread) Add(a []value.Value) error {
	s.n++
	x := a[0].Float()
	d := x - s.mean
	s.mean += d / float64(s.n)
	s.sum += d * (x - s.mean)
	return nil
}

func (s *spread) Value() value.Value {
	n := s.n
	if s.sample {
		n--
	}
	if n <= 0 {
		return value.Value{}
	}
	v := s.sum / float64(n)
	if s.root {
		v = math.Sqrt(v)
	}
	return value.Real(v)
}
