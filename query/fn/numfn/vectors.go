package numfn

import (
	"errors"
	"fmt"
	"math"

	"parlance/query/fn"
	"parlance/storage/value"
)

var twoVectors = []value.Type{value.Vector, value.Vector}

var vectorFuncs = []fn.Func{
	{Name: "dot", Doc: "inner product of two vectors", Example: "dot('[1, 2, 3]', '[4, 5, 6]')", Args: twoVectors,
		Result: float, Eval: onVectors(func(ab, _, _ float64) (float64, error) { return ab, nil })},
	{Name: "cosine", Doc: "cosine of the angle of two vectors", Example: "cosine('[1, 0]', '[1, 1]')", Args: twoVectors,
		Result: float, Eval: onVectors(func(ab, aa, bb float64) (float64, error) {
			if aa == 0 || bb == 0 {
				return 0, errors.New("cosine of a zero vector")
			}
			return ab / math.Sqrt(aa*bb), nil
		})},
	{Name: "l2_distance", Doc: "Euclidean distance of two vectors", Example: "l2_distance('[0, 0]', '[3, 4]')",
		Args: twoVectors, Result: float, Eval: onVectorPairs(func(u, v []float32) (value.Value, error) {
			sum := 0.0
			for i := range u {
				d := float64(u[i]) - float64(v[i])
				sum += d * d
			}
			return value.Real(math.Sqrt(sum)), nil
		})},
	{Name: "vector_add", Doc: "sum of two vectors", Example: "vector_add('[1, 2]', '[3, 4]')", Args: twoVectors,
		Result: value.Vector, Eval: onVectorPairs(func(u, v []float32) (value.Value, error) {
			return combineVectors(u, v, func(x, y float32) float32 { return x + y }), nil
		})},
	{Name: "vector_sub", Doc: "first vector less the second", Example: "vector_sub('[3, 4]', '[1, 2]')",
		Args: twoVectors, Result: value.Vector, Eval: onVectorPairs(func(u, v []float32) (value.Value, error) {
			return combineVectors(u, v, func(x, y float32) float32 { return x - y }), nil
		})},
	{Name: "vector_scale", Doc: "vector times a number", Example: "vector_scale('[1, 2]', 2)",
		Args: []value.Type{value.Vector, float}, Result: value.Vector,
		Eval: func(a []value.Value) (value.Value, error) {
			return onVector(a[0], func(v []float32) value.Value {
				return combineVectors(v, v, func(x, _ float32) float32 { return float32(float64(x) * a[1].Float()) })
			})
		}},
	{Name: "norm", Doc: "Euclidean length of a vector", Example: "norm('[3, 4]')", Args: []value.Type{value.Vector},
		Result: float, Eval: func(a []value.Value) (value.Value, error) {
			return onVector(a[0], func(v []float32) value.Value {
				sum := 0.0
				for _, x := range v {
					sum += float64(x) * float64(x)
				}
				return value.Real(math.Sqrt(sum))
			})
		}},
	{Name: "vector_dims", Doc: "number of components of a vector", Example: "vector_dims('[1, 2, 3]')",
		Args: []value.Type{value.Vector}, Result: integer, Eval: func(a []value.Value) (value.Value, error) {
			return onVector(a[0], func(v []float32) value.Value { return value.Int(int64(len(v))) })
		}},
}

func onVector(v value.Value, f func([]float32) value.Value) (value.Value, error) {
	x, err := value.Cast(v, value.Vector)
	if err != nil {
		return value.Value{}, err
	}
	return f(x.Vector()), nil
}

func combineVectors(u, v []float32, f func(x, y float32) float32) value.Value {
	out := make([]float32, len(u))
	for i := range u {
		out[i] = f(u[i], v[i])
	}
	return value.Vec32(out)
}

// onVectorPairs calls f with vectors of equal length.
func onVectorPairs(f func(u, v []float32) (value.Value, error)) func([]value.Value) (value.Value, error) {
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
		return f(u, v)
	}
}

// onVectors calls f with the sums of the products of the components, over the bytes of the vectors: scans call it for
// each row.
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
		if len(x.S) != len(y.S) {
			return value.Value{}, fmt.Errorf("vectors of %d and %d components", len(x.S)/4, len(y.S)/4)
		}
		var ab, aa, bb float64
		for u, v := x.S, y.S; len(u) >= 4 && len(v) >= 4; u, v = u[4:], v[4:] {
			c, d := float64(component(u)), float64(component(v))
			ab += c * d
			aa += c * c
			bb += d * d
		}
		r, err := f(ab, aa, bb)
		return value.Real(r), err
	}
}

// component is the first component of the bytes of a vector.
func component(s string) float32 {
	_ = s[3]
	return math.Float32frombits(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}
