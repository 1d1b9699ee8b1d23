package ranking

import (
	"fmt"

	"parlance/algo/metrics"
)

// Ranks gathers the ranks of answers, one a query. The zero value is empty.
type Ranks struct{ list []ranked }

type ranked struct {
	group string
	rank  float64
}

// Add adds the rank of an answer, from 1; those of a group, "" for none, are also scored apart.
func (r *Ranks) Add(group string, rank float64) { r.list = append(r.list, ranked{group, rank}) }

// Metrics returns over all, then by group: mrr, the mean reciprocal rank, hits@k, the share of
// ranks of at most k, for each k, and mean_rank.
func (r *Ranks) Metrics(k ...int) []metrics.Metric {
	var out []metrics.Metric
	for _, group := range groups(len(r.list), func(i int) string { return r.list[i].group }) {
		list := of(r.list, func(x ranked) bool { return group == metrics.All || x.group == group })
		mean := func(name string, f func(rank float64) float64) {
			out = append(out, Mean(name, group, list, func(x ranked) (float64, float64) { return f(x.rank), 1 }))
		}
		mean("mrr", Reciprocal)
		for _, n := range k {
			mean(fmt.Sprintf("hits@%d", n), func(rank float64) float64 { return Within(rank, n) })
		}
		mean("mean_rank", func(rank float64) float64 { return rank })
	}
	return out
}
