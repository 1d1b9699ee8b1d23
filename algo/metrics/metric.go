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
	Support float64 // gold items
}

// Stat is the statistics of one unit.
type Stat [3]float32
