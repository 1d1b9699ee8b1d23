// Package metrics scores predictions against gold, layer by layer, as the public scorers of each task
// count, with bootstrap intervals over the units that were scored.
package metrics

// Metric is one measured quantity with the statistics of every unit, from which the value
// over all units, bootstrap intervals and paired tests follow.
type Metric struct {
	Name    string // lower case: precision, recall, f1, accuracy, …
	Label   string // a label, or ALL
	Main    bool   // models are compared by it, higher is better; at most one of a scorer
	Combine *Combine
	Units   Units   // one a scored unit
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

// Main returns the metric by which models are compared, the first that a scorer declared; nil for none.
func Main(list []Metric) *Metric {
	for i := range list {
		if list[i].Main {
			return &list[i]
		}
	}
	return nil
}
