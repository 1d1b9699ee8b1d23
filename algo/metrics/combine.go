package metrics

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Combine says how the summed statistics of the units make the value. Statistics are numbered from 0.
// A Metric without one is a Ratio.
type Combine struct {
	width int // statistics that it reads
	of    func(sums []float64) float64
}

// The combinations that need no sums of their own.
var (
	// a mean over labels: Parts are combined one by one and averaged; in a resample, those that have a count
	MeanOf   = &Combine{}
	Resample = &Combine{} // no function of sums: Sample computes it
)

// The combinations of right and all items, and of tp, fp and fn: right, wrong and missed items.
var (
	Ratio     = Share(0, 1)                                                                      // right/all
	Precision = Formula(2, func(s []float64) float64 { return ratio(s[0], s[0]+s[1]) })          // tp/(tp+fp)
	Recall    = Formula(3, func(s []float64) float64 { return ratio(s[0], s[0]+s[2]) })          // tp/(tp+fn)
	F1        = Formula(3, func(s []float64) float64 { return ratio(2*s[0], 2*s[0]+s[1]+s[2]) }) // 2tp/(2tp+fp+fn)
	Sum       = Formula(1, func(s []float64) float64 { return s[0] })
)

// Formula is any function of the first width sums.
func Formula(width int, of func(sums []float64) float64) *Combine { return &Combine{width, of} }

// Of is the value of sums.
func (c *Combine) Of(sums []float64) float64 { return c.of(sums) }

// Share is the quotient of two sums. 0/0 is 0.
func Share(num, den int) *Combine { return ShareOr(num, den, 0) }

// ShareOr is the quotient of two sums, empty where the denominator is 0.
func ShareOr(num, den int, empty float64) *Combine {
	return Formula(max(num, den)+1, func(s []float64) float64 {
		if s[den] == 0 {
			return empty
		}
		return s[num] / s[den]
	})
}

// FBeta is F of tp, fp and fn, in which recall counts β times as much as precision (van Rijsbergen 1979):
//
//	(1+β²)tp / ((1+β²)tp + fp + β²fn)
func FBeta(beta float64) *Combine {
	if beta == 1 {
		return F1
	}
	b := beta * beta
	return Formula(3, func(s []float64) float64 { return ratio((1+b)*s[0], (1+b)*s[0]+s[1]+b*s[2]) })
}

// Harmonic is F_β of a precision and a recall that have sums of their own:
//
//	(1+β²)PR / (β²P + R)
func Harmonic(beta float64, precision, recall *Combine) *Combine {
	return Formula(max(precision.width, recall.width), func(s []float64) float64 {
		return harmonic(beta, precision.of(s), recall.of(s))
	})
}

func harmonic(beta, p, r float64) float64 {
	b := beta * beta
	return ratio((1+b)*p*r, b*p+r)
}

// Average is the mean of the values of several combinations of the same sums.
func Average(list ...*Combine) *Combine {
	width := 0
	for _, c := range list {
		width = max(width, c.width)
	}
	return Formula(width, func(s []float64) float64 {
		total := 0.0
		for _, c := range list {
			total += c.of(s)
		}
		return ratio(total, float64(len(list)))
	})
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// fName is the name of F_β: f1, f0.5, f2.
func fName(beta float64) string { return "f" + strconv.FormatFloat(beta, 'g', -1, 64) }

var fNamed = regexp.MustCompile(`(?i)(?:^|_)f(0\.[0-9]+|[0-9]+(?:\.[0-9]+)?)(?:\.|$)`)

// CutLabel parts the name of a metric from a label behind it, as in f1.PER and f0.5.PER; "" for none.
func CutLabel(name string) (metric, label string) {
	if at := fNamed.FindStringSubmatchIndex(name); at != nil && !(BetaOf(name) == 1) {
		metric, label = name[:at[3]], name[at[3]:]
		return metric, strings.TrimPrefix(label, ".")
	}
	metric, label, _ = strings.Cut(name, ".")
	return metric, label
}

// BetaOf returns the β that the name of a metric asks for, as 0.5 of f0.5, b3_f0.5 and f0.5.PER; 0 for none.
// f1.5 is F1 of the label 5.
func BetaOf(name string) float64 {
	found := fNamed.FindStringSubmatch(name)
	if found == nil {
		return 0
	}
	beta, err := strconv.ParseFloat(found[1], 64)
	switch {
	case err != nil || math.IsInf(beta, 0):
		return 0
	case beta >= 1 && beta < 2:
		return 1
	}
	return beta
}
