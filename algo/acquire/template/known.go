package template

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/storage/value"
)

// Pairs is pairs of nouns that are known to be in a relation.
var Pairs = kind.TableUse{Name: "pairs", Doc: "pairs that are known to be in the relation", Columns: []kind.Column{
	{Name: "source", Type: value.Text, Doc: "source"}, {Name: "target", Type: value.Text, Doc: "target"}}}

// pairDepths are the lengths of the lists that are scored.
var pairDepths = []int{100, 1000, 5000, 25000}

// ScorePairs is the share of known pairs among the first of n ranked ones, and of those that are known the other way
// round.
func ScorePairs(ctx context.Context, in kind.Input, n int,
	pair func(i int) (source, target string)) ([]metrics.Metric, error) {
	table, ok := in.Table(Pairs.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", Pairs.Name)
	}
	gold := map[[2]string]bool{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if !row[0].IsNull() && !row[1].IsNull() {
			gold[[2]string{row[0].S, row[1].S}] = true
		}
	}
	if len(gold) == 0 || n == 0 {
		return nil, fmt.Errorf("%d known pairs and %d instances: both are wanted", len(gold), n)
	}
	hit := func(source, target string) float32 {
		if gold[[2]string{source, target}] {
			return 1
		}
		return 0
	}
	var out []metrics.Metric
	for i, depth := range pairDepths {
		if i > 0 && pairDepths[i-1] >= n {
			break
		}
		right := metrics.Metric{Name: fmt.Sprintf("precision_at_%d", depth), Label: metrics.All,
			Combine: metrics.Ratio, Main: i == 0}
		turned := metrics.Metric{Name: fmt.Sprintf("reversed_at_%d", depth), Label: metrics.All, Combine: metrics.Ratio}
		for k := range min(depth, n) {
			s, t := pair(k)
			right.Units.Add(hit(s, t), 1)
			turned.Units.Add(hit(t, s), 1)
		}
		right.Support, turned.Support = float64(right.Units.Len()), float64(turned.Units.Len())
		out = append(out, right, turned)
	}
	return out, ctx.Err()
}
