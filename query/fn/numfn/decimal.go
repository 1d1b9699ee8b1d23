package numfn

import (
	"math"
	"strconv"
	"strings"
)

// decimal is the shortest decimal number that reads as a float: the digits 0.d1d2… times a power of ten.
// Rounding it gives what people see to round: 1.005 becomes 1.01, though the float lies below.
type decimal struct {
	negative bool
	digits   string // without leading or trailing zeros
	point    int    // power of ten
}

// decimalOf is the decimal of a finite float.
func decimalOf(f float64) decimal {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'e', -1, 64), "e")
	point, _ := strconv.Atoi(exponent)
	return decimal{negative: f < 0, digits: strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0"), point: point + 1}
}

// cut leaves n decimals, and tells whether the first digit that goes is at least 5.
func (d *decimal) cut(n int) (half bool) {
	kept := d.point + n
	if kept >= len(d.digits) {
		return false
	}
	if kept < 0 {
		d.digits = ""
		return false
	}
	half = d.digits[kept] >= '5'
	d.digits = d.digits[:kept]
	return half
}

// round rounds half away from zero to n decimals.
func (d *decimal) round(n int) {
	if !d.cut(n) {
		return
	}
	digits := []byte(d.digits)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			d.digits = string(digits)
			return
		}
		digits[i] = '0'
	}
	d.digits, d.point = "1"+string(digits), d.point+1
}

func (d *decimal) float() float64 {
	if d.digits == "" {
		return 0
	}
	f, _ := strconv.ParseFloat("0."+d.digits+"e"+strconv.Itoa(d.point), 64)
	if d.negative {
		return -f
	}
	return f
}
