// Package metrics scores predictions against gold: spans as conlleval counts them,
// accuracies, confusion, with bootstrap intervals over the units that were scored.
package metrics

// Combine says how the summed statistics of the units make the value.
type Combine uint8

// The combinations; the statistics of a unit are named in order.
const (
	Ratio     Combine = iota // num, den: num/den
	Precision                // tp, fp, fn: tp/(tp+fp)
	Recall                   // tp, fp, fn: tp/(tp+fn)
	F1                       // tp, fp, fn: 2tp/(2tp+fp+fn)
	Sum                      // count
	MeanOf                   // a mean over labels: Parts are combined one by one and averaged
	Resample                 // no function of sums: Sample computes it
)

// Metric is one measured quantity with the statistics of every unit, from which the value
// over all units, bootstrap intervals and paired tests follow.
type Metric struct {
	Name    string // lower case: precision, recall, f1, accuracy, …
	Label   string // a label, or ALL
	Combine Combine
	Units   []Stat  // one a scored unit, in input order
	Ends    []int32 // number of units up to the end of each document; nil: a unit is a document
	Items   []bool  // of an accuracy whose units have many items: which are right, in input order
	Parts   []Metric
	Sample  Sample  // of Resample: what is scored, unit by unit
	Support float64 // gold items
}

// Sample is scored units of which no sums make the value, such as pairs of numbers whose ranks are
// correlated. A unit stands for itself: it is neither a sentence nor a document.
type Sample interface {
	// Len returns the number of units.
	Len() int
	// Weighted returns, for one goroutine, the value where each unit stands as often as times says.
	Weighted() func(times []float64) float64
	// Swapped returns, for one goroutine, the values of this sample and of another of the same
	// units after those that are set were swapped; nil where such a swap has no meaning.
	Swapped(other Sample) func(swap []bool) (a, b float64)
}

// Stat is the statistics of one unit. A float32 counts exactly up to 2^24 and keeps seven digits of
// a fraction; sums of units are taken in float64.
type Stat [3]float32
