package sparse

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Vector is the features of a document, with rising indices from 1.
type Vector struct {
	Index []uint32
	Value []float64
}

// Parse reads pairs index:value, parted by white space, whose indices rise.
func (v *Vector) Parse(text string) error {
	v.Index, v.Value = v.Index[:0], v.Value[:0]
	for field := range strings.FieldsSeq(text) {
		index, value, ok := strings.Cut(field, ":")
		i, err := strconv.ParseUint(index, 10, 31)
		if !ok || err != nil || i == 0 {
			return fmt.Errorf("%q is no feature such as 3:0.5, an index from 1 and a value", field)
		}
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("the feature %q has no finite value", field)
		}
		if n := len(v.Index); n > 0 && uint32(i) <= v.Index[n-1] {
			return fmt.Errorf("the index of %q does not rise: %d stands before it", field, v.Index[n-1])
		}
		v.Index, v.Value = append(v.Index, uint32(i)), append(v.Value, x)
	}
	return nil
}

// dot is the product with entries of a support vector.
func (v *Vector) dot(index []uint32, value []float64) (sum float64) {
	for i, k := 0, 0; i < len(v.Index) && k < len(index); {
		switch {
		case v.Index[i] == index[k]:
			sum += v.Value[i] * value[k]
			i, k = i+1, k+1
		case v.Index[i] < index[k]:
			i++
		default:
			k++
		}
	}
	return sum
}

// distance is the square of that to a support vector.
func (v *Vector) distance(index []uint32, value []float64) (sum float64) {
	i, k := 0, 0
	for i < len(v.Index) || k < len(index) {
		d := 0.0
		switch {
		case k == len(index) || i < len(v.Index) && v.Index[i] < index[k]:
			d = v.Value[i]
			i++
		case i == len(v.Index) || v.Index[i] > index[k]:
			d = value[k]
			k++
		default:
			d = v.Value[i] - value[k]
			i, k = i+1, k+1
		}
		sum += d * d
	}
	return sum
}

func (k Kernel) of(v *Vector, index []uint32, value []float64) float64 {
	switch k.Name {
	case "rbf":
		return math.Exp(-k.Gamma * v.distance(index, value))
	case "polynomial":
		base, out := k.Gamma*v.dot(index, value)+k.Coef0, 1.0
		for n := k.Degree; n > 0; n /= 2 {
			if n%2 == 1 {
				out *= base
			}
			base *= base
		}
		return out
	case "sigmoid":
		return math.Tanh(k.Gamma*v.dot(index, value) + k.Coef0)
	}
	return v.dot(index, value)
}
