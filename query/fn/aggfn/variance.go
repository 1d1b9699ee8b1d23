package aggfn

import (
	"math"

	"parlance/storage/value"
)

// variance sums squared differences from the running mean (Welford 1962), which loses no digits where
// values are large and close to each other.
type variance struct {
	sample, root bool
	n            int64
	mean, sum    float64
}

func (s *variance) Add(a []value.Value) error {
	s.n++
	x := a[0].Float()
	d := x - s.mean
	s.mean += d / float64(s.n)
	s.sum += d * (x - s.mean)
	return nil
}

func (s *variance) Value() value.Value {
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
