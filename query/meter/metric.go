// Package meter counts what a database does: statements, annotation, connections. Counters are
// atomic and cheap enough for every statement; metrics are declared once, and the table
// system.metrics, the HTTP endpoint and the reference follow from the declarations.
package meter

import (
	"cmp"
	"slices"
)

// Type is the type of a metric.
type Type string

// Types of metric.
const (
	Counter   Type = "counter"   // only rises
	Gauge     Type = "gauge"     // rises and falls
	Histogram Type = "histogram" // counts of observations by size
)

// Family is the declaration of a metric.
type Family struct {
	Name   string // with its unit: …_seconds, …_bytes; counters end in _total
	Type   Type
	Labels []string // names
	Help   string
	order  int
}

// Label is one label of a metric.
type Label struct{ Name, Value string }

// Bucket counts the observations that are at most Bound.
type Bucket struct {
	Bound float64
	Count uint64
}

// Metric is one value of a family, for one combination of labels.
type Metric struct {
	*Family
	Values  []string // of the labels
	Value   float64  // of a counter or gauge
	Count   uint64   // of a histogram: observations
	Sum     float64  // of a histogram: their sum
	Buckets []Bucket // of a histogram, by rising bound; observations above the last bound are in Count alone
}

// Pairs returns the labels with their values.
func (m Metric) Pairs() []Label {
	out := make([]Label, len(m.Values))
	for i, v := range m.Values {
		out[i] = Label{m.Labels[i], v}
	}
	return out
}

// Of returns a metric of a counter or gauge; values are those of the labels.
func (f *Family) Of(value float64, values ...string) Metric {
	return Metric{Family: f, Value: value, Values: values}
}

// Sort orders metrics as their families are declared, those of a family by their labels.
func Sort(list []Metric) {
	slices.SortFunc(list, func(a, b Metric) int {
		return cmp.Or(cmp.Compare(a.order, b.order), slices.Compare(a.Values, b.Values))
	})
}
