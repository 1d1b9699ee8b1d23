package fn

import (
	"math"

	"parlance/storage/value"
)

// inverse refuses what the inverse of a function is not defined for.
func inverse(f func(float64) float64, least, most float64) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		if x := a[0].Float(); x < least || x > most {
			return value.Value{}, &Fault{Code: "22003", Msg: a[0].String() + " is out of range", Hint: "the function takes " + value.Real(least).String() + " to " + value.Real(most).String()}
		}
		return value.Real(f(a[0].Float())), nil
	}
}

// ofTwo is a function of two numbers.
func ofTwo(f func(x, y float64) float64) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) { return computed(f(a[0].Float(), a[1].Float()), a...) }
}

var degree = math.Pi / 180

// sinDegrees is exact at multiples of 30 degrees.
func sinDegrees(x float64) float64 {
	x = math.Mod(x, 360)
	sign := 1.0
	if x < 0 {
		x, sign = -x, -1
	}
	if x > 180 {
		x, sign = x-180, -sign
	}
	if x > 90 {
		x = 180 - x
	}
	switch x {
	case 0:
		return 0
	case 30:
		return sign * 0.5
	case 90:
		return sign
	}
	if x > 45 {
		return sign * math.Cos((90-x)*degree)
	}
	return sign * math.Sin(x*degree)
}

func cosDegrees(x float64) float64 { return sinDegrees(90 - math.Mod(x, 360)) }

func tanDegrees(x float64) float64 {
	switch math.Mod(x, 180) {
	case 45, -135:
		return 1
	case -45, 135:
		return -1
	}
	return sinDegrees(x) / cosDegrees(x)
}

// inDegrees is an inverse function in degrees, exact where it gives a multiple of 30 or 45.
func inDegrees(f func(float64) float64) func(float64) float64 {
	return func(x float64) float64 { return wholeDegrees(f(x) / degree) }
}

func wholeDegrees(x float64) float64 {
	for _, step := range []float64{30, 45} {
		if near := math.Round(x/step) * step; math.Abs(x-near) < 1e-13 {
			return near
		}
	}
	return x
}

var trigonometryFuncs = []Func{
	{Name: "pi", Doc: "the ratio of a circle's circumference to its diameter", Example: "pi()", Result: float, Eval: func([]value.Value) (value.Value, error) { return value.Real(math.Pi), nil }},
	{Name: "degrees", Doc: "radians as degrees", Example: "degrees(0.5)", Args: []value.Type{float}, Result: float, Eval: onFloat(func(x float64) float64 { return x / degree })},
	{Name: "radians", Doc: "degrees as radians", Example: "radians(45)", Args: []value.Type{float}, Result: float, Eval: onFloat(func(x float64) float64 { return x * degree })},
	{Name: "sin", Doc: "sine of radians", Example: "sin(1)", Args: []value.Type{float}, Result: float, Eval: onFloat(math.Sin)},
	{Name: "cos", Doc: "cosine of radians", Example: "cos(1)", Args: []value.Type{float}, Result: float, Eval: onFloat(math.Cos)},
	{Name: "tan", Doc: "tangent of radians", Example: "tan(1)", Args: []value.Type{float}, Result: float, Eval: onFloat(math.Tan)},
	{Name: "cot", Doc: "cotangent of radians", Example: "cot(1)", Args: []value.Type{float}, Result: float, Eval: unbounded(func(x float64) float64 { return 1 / math.Tan(x) })},
	{Name: "asin", Doc: "radians with a sine from -1 to 1", Example: "asin(1)", Args: []value.Type{float}, Result: float, Eval: inverse(math.Asin, -1, 1)},
	{Name: "acos", Doc: "radians with a cosine from -1 to 1", Example: "acos(1)", Args: []value.Type{float}, Result: float, Eval: inverse(math.Acos, -1, 1)},
	{Name: "atan", Doc: "radians with a tangent", Example: "atan(1)", Args: []value.Type{float}, Result: float, Eval: onFloat(math.Atan)},
	{Name: "atan2", Doc: "radians with the tangent y / x, in the quadrant of the point (x, y); the arguments are y, x", Example: "atan2(1, -1)", Args: []value.Type{float, float}, Result: float, Eval: ofTwo(math.Atan2)},
	{Name: "sind", Doc: "sine of degrees", Example: "sind(30)", Args: []value.Type{float}, Result: float, Eval: onFloat(sinDegrees)},
	{Name: "cosd", Doc: "cosine of degrees", Example: "cosd(60)", Args: []value.Type{float}, Result: float, Eval: onFloat(cosDegrees)},
	{Name: "tand", Doc: "tangent of degrees", Example: "tand(45)", Args: []value.Type{float}, Result: float, Eval: onFloat(tanDegrees)},
	{Name: "cotd", Doc: "cotangent of degrees", Example: "cotd(45)", Args: []value.Type{float}, Result: float, Eval: onFloat(func(x float64) float64 { return tanDegrees(90 - math.Mod(x, 180)) })},
	{Name: "asind", Doc: "degrees with a sine from -1 to 1", Example: "asind(0.5)", Args: []value.Type{float}, Result: float, Eval: inverse(inDegrees(math.Asin), -1, 1)},
	{Name: "acosd", Doc: "degrees with a cosine from -1 to 1", Example: "acosd(0.5)", Args: []value.Type{float}, Result: float, Eval: inverse(inDegrees(math.Acos), -1, 1)},
	{Name: "atand", Doc: "degrees with a tangent", Example: "atand(1)", Args: []value.Type{float}, Result: float, Eval: onFloat(inDegrees(math.Atan))},
	{Name: "atan2d", Doc: "atan2 in degrees", Example: "atan2d(1, -1)", Args: []value.Type{float, float}, Result: float, Eval: ofTwo(func(y, x float64) float64 { return wholeDegrees(math.Atan2(y, x) / degree) })},
	{Name: "sinh", Doc: "hyperbolic sine", Example: "sinh(1)", Args: []value.Type{float}, Result: float, Eval: unbounded(math.Sinh)},
	{Name: "cosh", Doc: "hyperbolic cosine", Example: "cosh(1)", Args: []value.Type{float}, Result: float, Eval: unbounded(math.Cosh)},
	{Name: "tanh", Doc: "hyperbolic tangent", Example: "tanh(1)", Args: []value.Type{float}, Result: float, Eval: onFloat(math.Tanh)},
	{Name: "asinh", Doc: "number with a hyperbolic sine", Example: "asinh(1)", Args: []value.Type{float}, Result: float, Eval: onFloat(math.Asinh)},
	{Name: "acosh", Doc: "number with a hyperbolic cosine from 1 on", Example: "acosh(2)", Args: []value.Type{float}, Result: float, Eval: inverse(math.Acosh, 1, math.Inf(1))},
	{Name: "atanh", Doc: "number with a hyperbolic tangent between -1 and 1", Example: "atanh(0.5)", Args: []value.Type{float}, Result: float, Eval: inverse(math.Atanh, -1, 1)},
}
