package similarity

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
	"parlance/storage/value"
)

var setsTable = kind.TableUse{Name: "sets", Doc: "sets of words that belong together", Columns: []kind.Column{
	{Name: "set", Type: value.Text, Doc: "name of the set"}, {Name: "word", Type: value.Text, Doc: "member"}}}

var pairsTable = kind.TableUse{Name: "pairs", Doc: "pairs of words that people judged", Columns: []kind.Column{
	{Name: "word1", Type: value.Text, Doc: "word"}, {Name: "word2", Type: value.Text, Doc: "word"},
	{Name: "score", Type: value.Float, Doc: "how similar they are, on any scale"}}}

// Evaluate scores the lists on sets, or the similarities on judgements of pairs.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	if m.opt.task == "correlation" {
		return m.correlation(ctx, in)
	}
	return m.expansion(ctx, in)
}

// expansion takes each word of the sets as a query whose answers are the other members of all its sets
// (sec. 5.2). Words that the model does not know are left out of the sets before.
func (m *model) expansion(ctx context.Context, in kind.Input) ([]metrics.Metric, error) {
	sets, err := m.sets(ctx, in)
	if err != nil {
		return nil, err
	}
	memberOf := map[uint32][]int{}
	var queries []uint32
	for s, words := range sets {
		for _, w := range words {
			if memberOf[w] == nil {
				queries = append(queries, w)
			}
			memberOf[w] = append(memberOf[w], s)
		}
	}
	slices.Sort(queries)
	var out ranking.Lists
	answers := map[uint32]bool{}
	for q, w := range queries {
		if q&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		clear(answers)
		for _, s := range memberOf[w] {
			for _, x := range sets[s] {
				answers[x] = true
			}
		}
		delete(answers, w)
		list, _ := m.lists.of(int(w))
		hits := make([]bool, len(list))
		for k, x := range list {
			hits[k] = answers[x]
		}
		from := int(w)/m.opt.band*m.opt.band + 1
		out.Add(fmt.Sprintf("words %d to %d", from, from+m.opt.band-1), hits, len(answers))
	}
	if out.Len() == 0 {
		return nil, fmt.Errorf("no set has two words that the model knows")
	}
	return out.Metrics(1, 5, 10, 20), ctx.Err()
}

// sets reads the sets with two words that the model knows, or more, each word once.
func (m *model) sets(ctx context.Context, in kind.Input) ([][]uint32, error) {
	table, ok := in.Table(setsTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", setsTable.Name)
	}
	number := map[string]int{}
	var sets [][]uint32
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[0].IsNull() || row[1].IsNull() {
			continue
		}
		w, known := m.counts.Find(row[1].S)
		if !known {
			continue
		}
		s, seen := number[row[0].S]
		if !seen {
			s = len(sets)
			number[row[0].S] = s
			sets = append(sets, nil)
		}
		sets[s] = append(sets[s], uint32(w))
	}
	out := sets[:0]
	for _, s := range sets {
		slices.Sort(s)
		if s = slices.Compact(s); len(s) > 1 {
			out = append(out, s)
		}
	}
	return out, ctx.Err()
}

// correlation compares similarities with judgements; pairs with unknown words are left out and counted.
func (m *model) correlation(ctx context.Context, in kind.Input) ([]metrics.Metric, error) {
	if m.vectors == nil {
		return nil, errNoCounts
	}
	table, ok := in.Table(pairsTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", pairsTable.Name)
	}
	var gold, got []float64
	coverage := metrics.Metric{Name: "coverage", Label: metrics.All, Combine: metrics.Ratio}
	n := 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if n++; n&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() {
			continue
		}
		if s := row[2].Float(); math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, fmt.Errorf("row %d of the pairs: the score is %v", n, s)
		}
		i, ok1 := m.counts.Find(row[0].S)
		j, ok2 := m.counts.Find(row[1].S)
		known := float32(0)
		if ok1 && ok2 && m.vectors.has(i) && m.vectors.has(j) {
			gold, got = append(gold, row[2].Float()), append(got, m.vectors.similarity(i, j))
			known = 1
		}
		coverage.Units.Add(known, 1)
	}
	if len(gold) < 2 {
		return nil, cmp.Or(ctx.Err(), fmt.Errorf("the model knows both words of %d pairs, 2 at least are wanted", len(gold)))
	}
	coverage.Support = float64(coverage.Units.Len())
	return []metrics.Metric{metrics.Spearman(metrics.All, gold, got), metrics.Pearson(metrics.All, gold, got),
		coverage}, ctx.Err()
}
