package sparse

import (
	"slices"
	"strconv"

	"parlance/algo/engine/chain"
)

// Named is a linear classifier that was trained here: its features have names, and the label with the greatest sum of
// weights is chosen.
type Named struct {
	Labels   []string
	Weights  *chain.Model // of attributes and labels
	Name     func(attr uint32) string
	Bias     int  // attribute that stands for 1 in each document; −1: none
	Logistic bool // the probabilities of two labels are logistic in the difference of their sums
}

// Numbered is the classifier with numbers in the place of names: features with weights from 1 in the order of the bytes
// of their names; labels too, unless all are whole numbers. Of two labels there is one column, the difference of their
// weights.
func (n *Named) Numbered() *Model {
	m := &Model{Head: Head{Labels: numbers(n.Labels), Columns: len(n.Labels), Bias: -1,
		Logistic: n.Logistic && len(n.Labels) == 2}}
	if m.Columns == 2 {
		m.Columns = 1
	}
	type named struct {
		name string
		attr uint32
	}
	var features []named
	for a := range uint32(n.Weights.Attributes()) {
		_, weights := n.Weights.Row(a)
		if int(a) != n.Bias && slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
			features = append(features, named{n.Name(a), a})
		}
	}
	slices.SortFunc(features, func(a, b named) int {
		if a.name < b.name {
			return -1
		}
		return 1
	})
	m.Features = len(features)
	for _, f := range features {
		m.Weights = append(m.Weights, n.row(f.attr, m.Columns)...)
	}
	if n.Bias >= 0 {
		m.Bias = 1
		m.Weights = append(m.Weights, n.row(uint32(n.Bias), m.Columns)...)
	}
	return m
}

// row is the weights of an attribute in n columns.
func (n *Named) row(attr uint32, columns int) []float64 {
	out := make([]float64, len(n.Labels))
	labels, weights := n.Weights.Row(attr)
	for i, y := range labels {
		out[y] = weights[i]
	}
	if columns < len(out) {
		out[0] -= out[1]
	}
	return out[:columns]
}

// numbers are labels as whole numbers.
func numbers(labels []string) []string {
	whole := func(s string) bool { _, err := strconv.Atoi(s); return err == nil }
	if !slices.ContainsFunc(labels, func(s string) bool { return !whole(s) }) {
		return labels
	}
	order := slices.Sorted(slices.Values(labels))
	out := make([]string, len(labels))
	for i, l := range labels {
		k, _ := slices.BinarySearch(order, l)
		out[i] = strconv.Itoa(k + 1)
	}
	return out
}
