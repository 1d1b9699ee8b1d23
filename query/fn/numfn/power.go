package numfn

import (
	"context"
	"errors"
	"math"

	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// squareRoot and the others have codes of SQL for what they are not defined for.
func squareRoot(a []value.Value) (value.Value, error) {
	if a[0].Float() < 0 {
		return value.Value{}, &fn.Fault{Code: "2201F", Msg: "negative numbers have no square root"}
	}
	return checkedFloat(math.Sqrt(a[0].Float()), a...)
}

// logarithm refuses what has none; f is one to some base.
func logarithm(f func(float64) float64) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		if err := hasLogarithm(a[0].Float()); err != nil {
			return value.Value{}, err
		}
		return checkedFloat(f(a[0].Float()), a...)
	}
}

func hasLogarithm(x float64) error {
	switch {
	case x == 0:
		return &fn.Fault{Code: "2201E", Msg: "0 has no logarithm"}
	case x < 0:
		return &fn.Fault{Code: "2201E", Msg: "negative numbers have no logarithm"}
	}
	return nil
}

// naturalLog is math.Log, which is wrong for numbers below the least one that has all its digits.
func naturalLog(x float64) float64 {
	const least = 0x1p-1022
	if x > 0 && x < least {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

func decimalLog(x float64) float64 {
	const least = 0x1p-1022
	if x > 0 && x < least {
		return math.Log10(x*0x1p54) - 54*(math.Ln2/math.Ln10)
	}
	return math.Log10(x)
}

// logTo is log(x), or log(base, x).
func logTo(a []value.Value) (value.Value, error) {
	if len(a) == 1 {
		return logarithm(decimalLog)(a)
	}
	for _, v := range a {
		if err := hasLogarithm(v.Float()); err != nil {
			return value.Value{}, err
		}
	}
	base := naturalLog(a[0].Float())
	if base == 0 {
		return value.Value{}, fn.ErrDivision
	}
	x := naturalLog(a[1].Float()) / base
	if n := math.Round(x); math.Pow(a[0].Float(), n) == a[1].Float() {
		x = n // powers of the base have whole logarithms
	}
	return checkedFloat(x, a...)
}

func power(a []value.Value) (value.Value, error) {
	x, y := a[0].Float(), a[1].Float()
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
	case x == 0 && y < 0:
		return value.Value{}, &fn.Fault{Code: "2201F", Msg: "0 has no negative powers"}
	case x < 0 && y != math.Trunc(y):
		return value.Value{}, &fn.Fault{Code: "2201F", Msg: "a negative number has only powers that are whole numbers"}
	}
	return checkedFloat(math.Pow(x, y), a...)
}

// factorial is exact; 20! is the largest integer, 170! the largest float.
func factorial(a []value.Value) (value.Value, error) {
	n := a[0].Int()
	if n < 0 {
		return value.Value{}, &fn.Fault{Code: "22003", Msg: "negative numbers have no factorial"}
	}
	out := 1.0
	for i := int64(2); i <= min(n, 171); i++ {
		out *= float64(i)
	}
	return checkedFloat(out)
}

// widthBucket is the number of the interval that holds x: of n equal ones from low to high, or of those whose lower
// ends an array lists.
func widthBucket(ctx context.Context, a []value.Value) (value.Value, error) {
	if len(a) == 2 {
		return arrayBucket(ctx, a)
	}
	if len(a) != 4 {
		return value.Value{}, errors.New("width_bucket takes x, low, high, n, or x and an array")
	}
	var err error
	for i := range a {
		if a[i], err = value.Cast(a[i], float); err != nil {
			return value.Value{}, err
		}
	}
	x, low, high, n := a[0].Float(), a[1].Float(), a[2].Float(), a[3].Float()
	switch {
	case !(n > 0) || n != math.Trunc(n) || n > 1<<31-2:
		return value.Value{}, &fn.Fault{Code: "2201G", Msg: "a number of intervals is a whole number from 1"}
	case math.IsNaN(x) || math.IsNaN(low) || math.IsNaN(high) || math.IsInf(low, 0) || math.IsInf(high, 0):
		return value.Value{}, &fn.Fault{Code: "2201G", Msg: "the ends of the intervals are finite numbers"}
	case low == high:
		return value.Value{}, &fn.Fault{Code: "2201G", Msg: "the lower end equals the upper one"}
	case low < high && x < low, low > high && x > low:
		return value.Int(0), nil
	case low < high && x >= high, low > high && x <= high:
		return value.Int(int64(n) + 1), nil
	}
	if math.IsInf(high-low, 0) {
		x, low, high = x/2, low/2, high/2
	}
	return value.Int(int64(min(n*((x-low)/(high-low)), n-1)) + 1), nil
}

func arrayBucket(ctx context.Context, a []value.Value) (value.Value, error) {
	items, err := jsonfn.ItemsWithin(ctx, a[1])
	if err != nil {
		return value.Value{}, err
	}
	n := 0
	for _, low := range items {
		if low.IsNull() {
			return value.Value{}, &fn.Fault{Code: "22004", Msg: "a lower end is NULL"}
		}
		if value.Compare(a[0], low) < 0 {
			break
		}
		n++
	}
	return value.Int(int64(n)), nil
}
