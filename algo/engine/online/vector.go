package online

import (
	"cmp"
	"slices"
)

// Vector is a sparse vector, each place once, by rising place.
type Vector []Term

// Term is one place with its value.
type Term struct {
	At    uint64
	Value float64
}

// Collect sorts terms and adds up those of equal place, in their order. It works in place.
func Collect(terms []Term) Vector {
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(a.At, b.At) })
	n := 0
	for _, t := range terms {
		if n > 0 && terms[n-1].At == t.At {
			terms[n-1].Value += t.Value
			continue
		}
		terms[n] = t
		n++
	}
	return Vector(terms[:n])
}

// Difference returns a − b, without zeros.
func Difference(a, b Vector) Vector {
	out := make(Vector, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var t Term
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].At < b[0].At:
			t, a = a[0], a[1:]
		case len(a) == 0 || b[0].At < a[0].At:
			t, b = Term{b[0].At, -b[0].Value}, b[1:]
		default:
			t, a, b = Term{a[0].At, a[0].Value - b[0].Value}, a[1:], b[1:]
		}
		if t.Value != 0 {
			out = append(out, t)
		}
	}
	return out
}

// Dot is the inner product.
func (a Vector) Dot(b Vector) (sum float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].At < b[j].At:
			i++
		case a[i].At > b[j].At:
			j++
		default:
			sum += a[i].Value * b[j].Value
			i++
			j++
		}
	}
	return sum
}
