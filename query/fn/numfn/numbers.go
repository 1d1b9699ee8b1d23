package numfn

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

func onFloat(f func(float64) float64) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) { return checkedFloat(f(a[0].Float()), a...) }
}

// checkedFloat is a result that is NaN only of NaN, and infinite only of what is infinite.
func checkedFloat(f float64, of ...value.Value) (value.Value, error) {
	if !math.IsInf(f, 0) && !math.IsNaN(f) {
		return value.Real(f), nil
	}
	infinite := false
	for _, v := range of {
		x := v.Float()
		if math.IsNaN(x) {
			return value.Real(math.NaN()), nil
		}
		infinite = infinite || math.IsInf(x, 0)
	}
	switch {
	case math.IsNaN(f):
		return value.Value{}, &fn.Fault{Code: "22003", Msg: "the function has no value there"}
	case !infinite:
		return value.Value{}, fmt.Errorf("the result is a float %w", value.ErrRange)
	}
	return value.Real(f), nil
}

// Names of the functions that the operators & | # << >> stand for.
const (
	BitAnd     = "int8and"
	BitOr      = "int8or"
	BitXor     = "int8xor"
	ShiftLeft  = "int8shl"
	ShiftRight = "int8shr"
	BitNot     = "int8not"
)

var numberFuncs = []fn.Func{
	{Name: BitNot, Doc: "the whole number with every bit exchanged; ~x", Example: "int8not(5)",
		Args: []value.Type{integer}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(^a[0].Int()), nil }},
	{Name: "min_scale", Doc: "number of decimals that a number has, zeros at the end left out, which floats do not " +
		"keep; NULL of NaN and infinity", Example: "min_scale(8.4100)", Args: []value.Type{float}, Result: integer,
		Eval: decimals},
	{Name: "scale", Doc: "the same as min_scale", Example: "scale(8.41)", Args: []value.Type{float}, Result: integer,
		Eval: decimals},
	{Name: "trim_scale", Doc: "the number: zeros at the end of decimals are not kept", Example: "trim_scale(8.4100)",
		Args: []value.Type{float}, Result: float,
		Eval: func(a []value.Value) (value.Value, error) { return value.Cast(a[0], float) }},
	{Name: "abs", Doc: "absolute value", Example: "abs(-3)", Args: []value.Type{fn.Any}, Result: fn.Any, Eval: abs},
	{Name: "sign", Doc: "-1, 0 or 1", Example: "sign(-2.5)", Args: []value.Type{float}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) {
			return value.Int(int64(value.Compare(a[0], value.Int(0)))), nil
		}},
	{Name: "ceil", Doc: "smallest whole number not below", Example: "ceil(1.2)", Args: []value.Type{float},
		Result: float, Eval: onFloat(math.Ceil)},
	{Name: "floor", Doc: "largest whole number not above", Example: "floor(-1.2)", Args: []value.Type{float},
		Result: float, Eval: onFloat(math.Floor)},
	{Name: "round", Doc: "rounded half away from zero, to n decimals", Example: "round(2.71828, 2)",
		Args: []value.Type{float, integer}, Optional: 1, Result: float, Eval: round},
	{Name: "trunc", Doc: "without its fraction, or what follows n decimals", Example: "trunc(-1.879, 1)",
		Args: []value.Type{float, integer}, Optional: 1, Result: float, Eval: trunc},
	{Name: "cbrt", Doc: "cube root", Example: "cbrt(27)", Args: []value.Type{float}, Result: float,
		Eval: onFloat(math.Cbrt)},
	{Name: "gcd", Doc: "greatest common divisor", Example: "gcd(12, 18)", Args: []value.Type{integer, integer},
		Result: integer, Eval: greatestDivisor},
	{Name: "lcm", Doc: "least common multiple", Example: "lcm(4, 6)", Args: []value.Type{integer, integer},
		Result: integer, Eval: leastMultiple},
	{Name: "to_hex", Doc: "hexadecimal digits, of a negative number those of its 64 bits", Example: "to_hex(255)",
		Args: []value.Type{integer}, Result: text,
		Eval: func(a []value.Value) (value.Value, error) { return value.Str(strconv.FormatUint(a[0].N, 16)), nil }},
	{Name: "sqrt", Doc: "square root", Example: "sqrt(2)", Args: []value.Type{float}, Result: float, Eval: squareRoot},
	{Name: "exp", Doc: "e to the power", Example: "exp(1)", Args: []value.Type{float}, Result: float,
		Eval: onFloat(math.Exp)},
	{Name: "ln", Doc: "natural logarithm", Example: "ln(10)", Args: []value.Type{float}, Result: float,
		Eval: logarithm(naturalLog)},
	{Name: "log", Doc: "decimal logarithm, or with two arguments the logarithm of the second to the base of the first",
		Example: "log(1000)", Args: []value.Type{float, float}, Optional: 1, Result: float, Eval: logTo},
	{Name: "log10", Doc: "decimal logarithm", Example: "log10(1000)", Args: []value.Type{float}, Result: float,
		Eval: logarithm(decimalLog)},
	{Name: "log2", Doc: "binary logarithm", Example: "log2(8)", Args: []value.Type{float}, Result: float,
		Eval: logarithm(math.Log2)},
	{Name: "power", Doc: "first argument to the power of the second", Example: "power(2, 10)",
		Args: []value.Type{float, float}, Result: float, Eval: power},
	{Name: "factorial", Doc: "product of the whole numbers from 1 to n, as a float", Example: "factorial(5)",
		Args: []value.Type{integer}, Result: float, Eval: factorial},
	{Name: "width_bucket", Doc: "number of the interval, from 1, that holds the first argument: of n equal ones " +
		"between two ends, 0 below and n + 1 above, or of those whose lower ends an array lists in order",
		Example: "width_bucket(5.35, 0.024, 10.06, 5)", Args: []value.Type{fn.Any, fn.Any, float, integer}, Optional: 2,
		Result: integer, Long: widthBucket},
	{Name: "div", Doc: "quotient without its fraction", Example: "div(-7, 2)", Args: []value.Type{fn.Any, fn.Any},
		Result: float, Eval: quotient},
	{Name: "mod", Doc: "remainder with the sign of the first argument", Example: "mod(-7, 3)",
		Args: []value.Type{integer, integer}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) {
			if a[1].Int() == 0 {
				return value.Value{}, fn.ErrDivision
			}
			if a[1].Int() == -1 {
				return value.Int(0), nil
			}
			return value.Int(a[0].Int() % a[1].Int()), nil
		}},
	{Name: BitAnd, Doc: "bits that both numbers have; x & y", Example: "int8and(6, 3)",
		Args: []value.Type{integer, integer}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(a[0].Int() & a[1].Int()), nil }},
	{Name: BitOr, Doc: "bits that one of the numbers has; x | y", Example: "int8or(6, 3)",
		Args: []value.Type{integer, integer}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(a[0].Int() | a[1].Int()), nil }},
	{Name: BitXor, Doc: "bits that only one of the numbers has; x # y", Example: "int8xor(6, 3)",
		Args: []value.Type{integer, integer}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(a[0].Int() ^ a[1].Int()), nil }},
	{Name: ShiftLeft, Doc: "bits moved to the left, by the second argument modulo 64; x << n", Example: "int8shl(1, 4)",
		Args: []value.Type{integer, integer}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(a[0].Int() << (a[1].Int() & 63)), nil }},
	{Name: ShiftRight, Doc: "bits moved to the right, the sign stays; x >> n", Example: "int8shr(-16, 2)",
		Args: []value.Type{integer, integer}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(a[0].Int() >> (a[1].Int() & 63)), nil }},
	{Name: "greatest", Doc: "largest argument, NULL left out", Example: "greatest(3, NULL, 7)",
		Args: []value.Type{fn.Any}, Variadic: true, Result: fn.Any, Nulls: true, Eval: greatestOrLeast(1)},
	{Name: "least", Doc: "smallest argument, NULL left out", Example: "least('pear', 'apple')",
		Args: []value.Type{fn.Any}, Variadic: true, Result: fn.Any, Nulls: true, Eval: greatestOrLeast(-1)},
}

// quotient divides integers exactly, down to the least one.
func quotient(a []value.Value) (value.Value, error) {
	if a[0].T == integer && a[1].T == integer && a[1].Int() != 0 && a[1].Int() != -1 {
		return value.Real(float64(a[0].Int() / a[1].Int())), nil
	}
	x, err := value.Cast(a[0], float)
	if err != nil {
		return value.Value{}, err
	}
	y, err := value.Cast(a[1], float)
	switch {
	case err != nil:
		return value.Value{}, err
	case y.Float() == 0:
		return value.Value{}, fn.ErrDivision
	}
	q := math.Trunc(x.Float()/y.Float()) + 0 // 0, not -0
	if math.IsNaN(q) {
		return value.Real(q), nil
	}
	return checkedFloat(q, x)
}

func abs(a []value.Value) (value.Value, error) {
	switch a[0].T {
	case integer:
		if a[0].Int() == math.MinInt64 {
			return value.Value{}, fmt.Errorf("integer %w", value.ErrRange)
		}
		return value.Int(max(a[0].Int(), -a[0].Int())), nil
	case float:
		return value.Real(math.Abs(a[0].Float())), nil
	}
	return value.Value{}, fmt.Errorf("abs takes a number, not %s", a[0].T)
}

func round(a []value.Value) (value.Value, error) {
	if len(a) == 1 {
		return value.Real(math.Round(a[0].Float())), nil
	}
	f := a[0].Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return a[0], nil
	}
	d := decimalOf(f)
	d.round(kept(a[1]))
	return checkedFloat(d.float(), a[0])
}

func trunc(a []value.Value) (value.Value, error) {
	f := a[0].Float()
	if len(a) == 1 || math.IsInf(f, 0) || math.IsNaN(f) {
		return value.Real(math.Trunc(f)), nil
	}
	d := decimalOf(f)
	d.cut(kept(a[1]))
	return value.Real(d.float()), nil
}

// kept is a number of decimals, within what any float has.
func kept(v value.Value) int { return int(max(-400, min(400, v.Int()))) }

// greatestDivisor computes on negative numbers, of which there is one more.
func greatestDivisor(a []value.Value) (value.Value, error) {
	x, y := min(a[0].Int(), -a[0].Int()), min(a[1].Int(), -a[1].Int())
	for y != 0 {
		if y == -1 {
			return value.Int(1), nil
		}
		x, y = y, x%y
	}
	if x == math.MinInt64 {
		return value.Value{}, fmt.Errorf("integer %w", value.ErrRange)
	}
	return value.Int(-x), nil
}

func leastMultiple(a []value.Value) (value.Value, error) {
	x, y := a[0].Int(), a[1].Int()
	if x == 0 || y == 0 {
		return value.Int(0), nil
	}
	d, err := greatestDivisor(a)
	if err != nil {
		return d, err
	}
	n := new(big.Int).Mul(big.NewInt(x/d.Int()), big.NewInt(y))
	if n.Abs(n); !n.IsInt64() {
		return value.Value{}, fmt.Errorf("integer %w", value.ErrRange)
	}
	return value.Int(n.Int64()), nil
}

func greatestOrLeast(sign int) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		var best value.Value
		for _, v := range a {
			if !v.IsNull() && (best.IsNull() || sign*value.Compare(v, best) > 0) {
				best = v
			}
		}
		return best, nil
	}
}

// NullIf is the name of the function that gives NULL for two equal arguments.
const NullIf = "nullif"

var nullFuncs = []fn.Func{
	{Name: "coalesce", Doc: "first argument that is not NULL; those after it are not computed",
		Example: "coalesce(NULL, 'none')", Args: []value.Type{fn.Any}, Variadic: true, Result: fn.Any, Nulls: true,
		First: true,
		Eval: func(a []value.Value) (value.Value, error) {
			for _, v := range a {
				if !v.IsNull() {
					return v, nil
				}
			}
			return value.Value{}, nil
		}},
	{Name: NullIf, Doc: "NULL if both are equal, else the first", Example: "nullif('_', '_')",
		Args: []value.Type{fn.Any, fn.Any}, Result: fn.Any, Nulls: true,
		Eval: func(a []value.Value) (value.Value, error) {
			if !a[0].IsNull() && !a[1].IsNull() && value.Compare(a[0], a[1]) == 0 {
				return value.Value{}, nil
			}
			return a[0], nil
		}},
	{Name: "num_nulls", Doc: "how many arguments are NULL", Example: "num_nulls(1, NULL, 'x')",
		Args: []value.Type{fn.Any}, Variadic: true, Result: integer, Nulls: true,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(nulls(a)), nil }},
	{Name: "num_nonnulls", Doc: "how many arguments are not NULL", Example: "num_nonnulls(1, NULL, 'x')",
		Args: []value.Type{fn.Any}, Variadic: true, Result: integer, Nulls: true,
		Eval: func(a []value.Value) (value.Value, error) { return value.Int(int64(len(a)) - nulls(a)), nil }},
	{Name: "typeof", Doc: "name of the type of the value", Example: "typeof(1.5)", Args: []value.Type{fn.Any},
		Result: text, Nulls: true,
		Eval: func(a []value.Value) (value.Value, error) { return value.Str(a[0].T.String()), nil }},
}

// nulls counts the values that are NULL.
func nulls(list []value.Value) int64 {
	n := int64(0)
	for _, v := range list {
		if v.IsNull() {
			n++
		}
	}
	return n
}

// decimals is the number of decimals of a number.
func decimals(a []value.Value) (value.Value, error) {
	f := a[0].Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return value.Value{}, nil
	}
	_, part, _ := strings.Cut(strconv.FormatFloat(f, 'f', -1, 64), ".")
	return value.Int(int64(len(part))), nil
}

// The checks of casts to types of narrower range.
var (
	SmallintCast = &fn.Func{Name: "smallint", Args: []value.Type{integer}, Result: integer, Eval: smallint}
	NumericCast  = &fn.Func{Name: "numeric", Args: []value.Type{float, integer, integer}, Result: float,
		Eval: numericCast}
)

func smallint(a []value.Value) (value.Value, error) {
	if n := a[0].Int(); n != int64(int16(n)) {
		return value.Value{}, &fn.Fault{Code: "22003",
			Msg: fmt.Sprintf("%d is out of range of smallint, -32768 to 32767", n)}
	}
	return a[0], nil
}

// numericCast rounds to decimals and refuses more digits than the precision, the second argument, has.
func numericCast(a []value.Value) (value.Value, error) {
	v, err := round([]value.Value{a[0], a[2]})
	if err != nil {
		return v, err
	}
	if most := math.Pow(10, float64(a[1].Int()-a[2].Int())); math.Abs(v.Float()) >= most && !math.IsNaN(v.Float()) {
		return value.Value{}, &fn.Fault{Code: "22003", Msg: fmt.Sprintf("%v is out of range of numeric(%d, %d)",
			v.Float(), a[1].Int(), a[2].Int()), Hint: fmt.Sprintf("it holds numbers below %v", most)}
	}
	return v, nil
}
