package expr

import (
	"math"

	"parlance/storage/value"
)

// mirrored maps an operator to the one with its sides exchanged.
var mirrored = map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// Mirrored is the operator that compares with the sides exchanged.
func Mirrored(op string) string { return mirrored[op] }

// vector compares numbers with numbers and texts with texts; ok is false for other pairs.
func (e *Compare) vector(env *Env, b *value.Batch) (value.Vec, bool, error) {
	if k, ok := constantOperand(e.Y, env); ok {
		return compareWith(e.Op, e.X, k, env, b)
	}
	if k, ok := constantOperand(e.X, env); ok {
		return compareWith(mirrored[e.Op], e.Y, k, env, b)
	}
	x, err := Eval(e.X, env, b)
	if err != nil {
		return x, false, err
	}
	y, err := Eval(e.Y, env, b)
	if err != nil {
		return y, false, err
	}
	out := newBooleans(b.N)
	out.Null = mergeNulls(x.Null, y.Null)
	switch {
	case x.Type == y.Type && x.Ints != nil && y.Ints != nil:
		compareSlices(out.Ints, e.Op, x.Ints, y.Ints)
	case x.Floats != nil && y.Floats != nil && noNaN(x.Floats) && noNaN(y.Floats):
		compareSlices(out.Ints, e.Op, x.Floats, y.Floats)
	case x.Strs != nil && y.Strs != nil && x.Type == y.Type && !x.Type.HasSortKey():
		compareSlices(out.Ints, e.Op, x.Strs, y.Strs)
	default:
		return out, false, nil
	}
	return out, true, nil
}

// noNaN reports whether no number is NaN, which compares in its own way.
func noNaN(v []float64) bool {
	for _, x := range v {
		if x != x {
			return false
		}
	}
	return true
}

// compareSlices compares two slices.
func compareSlices[T int64 | float64 | string](out []int64, op string, x, y []T) {
	switch op {
	case "=":
		for i := range out {
			out[i] = bit(x[i] == y[i])
		}
	case "<>":
		for i := range out {
			out[i] = bit(x[i] != y[i])
		}
	case "<":
		for i := range out {
			out[i] = bit(x[i] < y[i])
		}
	case "<=":
		for i := range out {
			out[i] = bit(x[i] <= y[i])
		}
	case ">":
		for i := range out {
			out[i] = bit(x[i] > y[i])
		}
	default:
		for i := range out {
			out[i] = bit(x[i] >= y[i])
		}
	}
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// compareSliceWith compares each element of a slice with one value.
func compareSliceWith[T int64 | float64 | string](out []int64, op string, x []T, k T) {
	switch op {
	case "=":
		for i := range out {
			out[i] = bit(x[i] == k)
		}
	case "<>":
		for i := range out {
			out[i] = bit(x[i] != k)
		}
	case "<":
		for i := range out {
			out[i] = bit(x[i] < k)
		}
	case "<=":
		for i := range out {
			out[i] = bit(x[i] <= k)
		}
	case ">":
		for i := range out {
			out[i] = bit(x[i] > k)
		}
	default:
		for i := range out {
			out[i] = bit(x[i] >= k)
		}
	}
}

// compareWith compares an operand with a value.
func compareWith(op string, e Expr, k value.Value, env *Env, b *value.Batch) (value.Vec, bool, error) {
	x, err := Eval(e, env, b)
	if err != nil {
		return x, false, err
	}
	out := newBooleans(b.N)
	out.Null = x.Null
	switch {
	case x.Type.HasSortKey():
		return out, false, nil
	case k.IsNull():
		out.Null = make([]bool, b.N)
		for i := range out.Null {
			out.Null[i] = true
		}
	case x.Codes != nil && k.T == x.Type:
		words := make([]int64, len(x.Dict.Words))
		compareSliceWith(words, op, x.Dict.Words, k.S)
		for i, c := range x.Codes[:b.N] {
			out.Ints[i] = words[c]
		}
	case x.Strs != nil && k.T == x.Type:
		compareSliceWith(out.Ints, op, x.Strs, k.S)
	case x.Ints != nil && k.T == x.Type:
		compareSliceWith(out.Ints, op, x.Ints, k.Int())
	case x.Floats != nil && (k.T == value.Float || k.T == value.Integer && k.Int() < 1<<53 && k.Int() > -1<<53) &&
		!math.IsNaN(k.Float()) && noNaN(x.Floats):
		compareSliceWith(out.Ints, op, x.Floats, k.Float())
	default:
		return out, false, nil
	}
	return out, true, nil
}
