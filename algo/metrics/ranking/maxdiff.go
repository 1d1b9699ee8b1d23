package ranking

import "parlance/algo/metrics"

// MaxDiff tells of a question that asks for the best and the worst of a few, by their scores,
// whether those of the highest and of the lowest score are right. Equal scores go to the first.
func MaxDiff(scores []float64, best, worst int) (bestRight, worstRight bool) {
	high, low := 0, 0
	for i, s := range scores {
		if s > scores[high] {
			high = i
		}
		if s < scores[low] {
			low = i
		}
	}
	return len(scores) > 0 && high == best, len(scores) > 0 && low == worst
}

// Answer is an answered question for the best and the worst.
type Answer struct {
	Group                 string
	BestRight, WorstRight bool
}

// MaxDiffAccuracy returns over all, then by group, accuracy, the share of right choices of two a
// question, and those of best and worst apart. A question is one unit.
func MaxDiffAccuracy(answers []Answer) []metrics.Metric {
	var out []metrics.Metric
	for _, group := range groups(len(answers), func(i int) string { return answers[i].Group }) {
		list := of(answers, func(a Answer) bool { return group == metrics.All || a.Group == group })
		both := metrics.Metric{Name: "accuracy", Label: group, Combine: metrics.Ratio, Support: float64(len(list))}
		for _, a := range list {
			both.Units.Add(metrics.One(a.BestRight)+metrics.One(a.WorstRight), 2)
		}
		out = append(out, both,
			Mean("best", group, list, func(a Answer) (float64, float64) { return float64(metrics.One(a.BestRight)), 1 }),
			Mean("worst", group, list, func(a Answer) (float64, float64) { return float64(metrics.One(a.WorstRight)), 1 }))
	}
	return out
}
