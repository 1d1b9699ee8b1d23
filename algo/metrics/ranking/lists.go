package ranking

import (
	"fmt"
	"slices"

	"parlance/algo/metrics"
)

// Lists gathers the ranked lists of queries. The zero value is empty.
type Lists struct{ list []query }

type query struct {
	group   string
	hits    []bool
	answers int
}

// Add adds the list of a query, best first, and its number of right answers; those of a group, ""
// for none, are also scored apart. Queries without an answer do not count.
func (l *Lists) Add(group string, hits []bool, answers int) {
	if answers > 0 {
		l.list = append(l.list, query{group, hits, answers})
	}
}

// Len returns the number of queries that count.
func (l *Lists) Len() int { return len(l.list) }

// Metrics returns over all, then by group: map, the mean of AP, map_weighted, the mean of AP
// weighted by the number of answers (over groups of one query each that of Chang et al. 2014),
// mrr, the mean reciprocal rank of the first answer, and precision@t for each length.
func (l *Lists) Metrics(lengths ...int) []metrics.Metric {
	var out []metrics.Metric
	for _, group := range groups(len(l.list), func(i int) string { return l.list[i].group }) {
		list := of(l.list, func(q query) bool { return group == metrics.All || q.group == group })
		mean := func(name string, f func(query) (value, weight float64)) {
			out = append(out, Mean(name, group, list, f))
		}
		mean("map", func(q query) (float64, float64) { return AveragePrecision(q.hits, q.answers), 1 })
		mean("map_weighted", func(q query) (float64, float64) {
			return AveragePrecision(q.hits, q.answers), float64(q.answers)
		})
		mean("mrr", func(q query) (float64, float64) { return Reciprocal(float64(First(q.hits))), 1 })
		for _, t := range lengths {
			mean(fmt.Sprintf("precision@%d", t), func(q query) (float64, float64) { return PrecisionAt(q.hits, t), 1 })
		}
	}
	return out
}

// Mean is the metric Σ weight·value / Σ weight over queries, each one unit. Weights are not
// negative; the support is the number of queries with a weight.
func Mean[Q any](name, label string, list []Q, f func(Q) (value, weight float64)) metrics.Metric {
	m := metrics.Metric{Name: name, Label: label, Combine: metrics.Ratio}
	for _, q := range list {
		v, w := f(q)
		m.Units.Add(float32(v*w), float32(w))
		if w > 0 {
			m.Support++
		}
	}
	return m
}

// groups returns ALL, and where there is a group other than "" all groups in order.
func groups(n int, of func(int) string) []string {
	var out []string
	for i := range n {
		if g := of(i); g != "" {
			out = append(out, g)
		}
	}
	slices.Sort(out)
	return append([]string{metrics.All}, slices.Compact(out)...)
}

// of returns those of a list that are wanted.
func of[Q any](list []Q, want func(Q) bool) []Q {
	var out []Q
	for _, q := range list {
		if want(q) {
			out = append(out, q)
		}
	}
	return out
}
