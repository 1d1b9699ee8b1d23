package linking

import (
	"context"

	"parlance/algo/engine/partition"
)

// SpanningForest returns the clusters that pairs with scores above 0 make as trees, and the scores of the trees: the
// greatest there are (Yu and Joachims 2009). Rules add to the scores of their pairs.
func SpanningForest(ctx context.Context, t *Table, rules *Rules) ([]int32, float64, error) {
	f, err := forest(ctx, t, rules)
	return f.Labels, f.Weight, err
}

func forest(ctx context.Context, t *Table, rules *Rules) (partition.Forest, error) {
	edges := t.edges()
	for _, r := range rules.list() {
		if int(r.A) >= t.First(int(r.B)) {
			edges[t.Pair(int(r.A), int(r.B))].Weight += max(-hard, min(hard, r.Weight))
		}
	}
	return partition.SpanningForest(ctx, t.Len(), edges, 0)
}

// ForestGradient is what the learner of spanning forests subtracts and adds (Yu and Joachims 2009): coef is 1 for the
// pairs of the best forest by scores with losses, where a pair of one gold cluster costs 1 less and another pair 1
// more, and −1 for those of the best forest inside the gold clusters, gold being the cluster of each mention. The
// result is the loss: the difference of both values, and the number of gold pairs that a tree could have.
func ForestGradient(ctx context.Context, t *Table, gold []int32, coef []float64) (float64, error) {
	t.check(gold)
	edges := t.edges()
	augmented := make([]partition.Edge, len(edges))
	var inside []partition.Edge
	var places []int
	for p, e := range edges {
		augmented[p] = e
		if gold[e.A] == gold[e.B] {
			augmented[p].Weight--
			inside, places = append(inside, e), append(places, p)
		} else {
			augmented[p].Weight++
		}
	}
	loud, err := partition.SpanningForest(ctx, t.Len(), augmented, 0)
	if err != nil {
		return 0, err
	}
	right, err := spanning(ctx, t.Len(), inside)
	if err != nil {
		return 0, err
	}
	clear(coef)
	for _, e := range loud.Edges {
		coef[e]++
	}
	loss := loud.Weight
	for _, e := range right.Edges {
		coef[places[e]]--
		loss += 1 - inside[e].Weight
	}
	return loss, nil
}

// spanning is the best forest that joins all that its edges can join, whatever they score.
func spanning(ctx context.Context, n int, edges []partition.Edge) (partition.Forest, error) {
	low := 0.0
	for _, e := range edges {
		low = min(low, e.Weight)
	}
	return partition.SpanningForest(ctx, n, edges, low-1)
}
