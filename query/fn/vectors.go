package fn

import (
	"errors"
	"fmt"
	"math"

	"parlance/storage/value"
)

var twoVectors = []value.Type{value.Vector, value.Vector}

var vectorFuncs = []Func{
	{Name: "dot", Doc: "inner product of two vectors", Args: twoVectors, Result: float, Eval: onVectors(func(ab, _, _ float64) (float64, error) { return ab, nil })},
	{Name: "cosine", Doc: "cosine of the angle of two vectors", Args: twoVectors, Result: float, Eval: onVectors(func(ab, aa, bb float64) (float64, error) {
		if aa == 0 || bb == 0 {
			return 0, errors.New("cosine of a zero vector")
		}
		return ab / math.Sqrt(aa*bb), nil
	})},
}

func onVectors(f func(ab, aa, bb float64) (float64, error)) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		x, err := value.Cast(a[0], value.Vector)
		if err != nil {
			return value.Value{}, err
		}
		y, err := value.Cast(a[1], value.Vector)
		if err != nil {
			return value.Value{}, err
		}
		u, v := x.Vector(), y.Vector()
		if len(u) != len(v) {
			return value.Value{}, fmt.Errorf("vectors of %d and %d components", len(u), len(v))
		}
		var ab, aa, bb float64
		for i := range u {
			ab += float64(u[i]) * float64(v[i])
			aa += float64(u[i]) * float64(u[i])
			bb += float64(v[i]) * float64(v[i])
		}
		r, err := f(ab, aa, bb)
		return value.Real(r), err
	}
}
