package triples

import (
	"context"

	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
)

// The tasks that models are scored by.
const (
	completionTask     = "completion"
	entityRetrieval    = "entity_retrieval"
	relationRetrieval  = "relation_retrieval"
	relationPrediction = "relation_prediction"
)

var tasks = []string{completionTask, entityRetrieval, relationRetrieval, relationPrediction}

// evaluation is a model with what it is scored on.
type evaluation struct {
	*Answers
	gold    []Triple // what the model has no number for is -1
	known   *Index
	check   check
	workers int
}

func (e *evaluation) run(ctx context.Context) ([]metrics.Metric, error) {
	switch e.opt.task {
	case entityRetrieval:
		return e.entityRetrieval(ctx)
	case relationRetrieval:
		return e.relationRetrieval(ctx)
	case relationPrediction:
		return e.relationPrediction(ctx)
	}
	return e.completion(ctx)
}

// place is the rank of an answer, from 1: among all, and without the other known ones.
type place struct{ raw, filtered float64 }

// atLeast counts the scores that are not below x; what is no number counts.
func atLeast(scores []float64, x float64) int {
	n := 0
	for _, s := range scores {
		if !(s < x) {
			n++
		}
	}
	return n
}

// placed ranks an answer behind what ties with it. Known are all right answers, itself among them.
func placed(scores []float64, answer int32, known []int32) place {
	x := scores[answer]
	level := atLeast(scores, x)
	better := level
	for _, k := range known {
		if k != answer && !(scores[k] < x) {
			better--
		}
	}
	return place{float64(level), float64(better)}
}

// rankMetrics gives mrr, hits@1, @3, @10 and mean_rank, without and then with the other known answers
// (raw_), over all and without them by group.
func rankMetrics(places []place, group func(i int) string) []metrics.Metric {
	var filtered, raw ranking.Ranks
	for i, p := range places {
		filtered.Add(group(i), p.filtered)
		raw.Add("", p.raw)
	}
	out := filtered.Metrics(1, 3, 10)
	all := raw.Metrics(1, 3, 10)
	for i := range all {
		all[i].Name = "raw_" + all[i].Name
	}
	n := len(all)
	return append(append(out[:n:n], all...), out[n:]...)
}

// group is the name of the relation of a triple where relations are scored apart, else "".
func (e *evaluation) group(t Triple) string {
	if !e.opt.byRelation || t.Relation < 0 {
		return ""
	}
	return e.Graph.Relations.Name(t.Relation)
}

// covered gives coverage, the share of gold triples whose names the model knows, and where types are checked
// allowed, the share that their relations allow; the others count as ranked last.
func (e *evaluation) covered() []metrics.Metric {
	share := func(name string, is func(Triple) bool) metrics.Metric {
		return ranking.Mean(name, metrics.All, e.gold, func(t Triple) (float64, float64) {
			if is(t) {
				return 1, 1
			}
			return 0, 1
		})
	}
	out := []metrics.Metric{share("coverage", Triple.Named)}
	if e.check.sets != nil {
		out = append(out, share("allowed", func(t Triple) bool { return t.Named() && e.check.triple(t) }))
	}
	return out
}
