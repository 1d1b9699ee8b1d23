package whyqa

import (
	"context"
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
)

// lengths are those of which precision is told.
var lengths = []int{1, 5}

// Evaluate ranks the judged passages of each question, or with the option retrieve those that are found in the corpus.
// Questions without a right passage are left out; those without a content word have nothing ranked, and count as
// wrong. precision@1 is the main metric.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	list, err := judgements(ctx, in)
	if err != nil {
		return nil, err
	}
	x, err := m.extractor(run.Resources)
	if err != nil {
		return nil, err
	}
	lists := &ranking.Lists{}
	var found []float64
	for _, j := range list {
		hits, answers, err := m.hits(ctx, x, j)
		if err != nil {
			return nil, err
		}
		if answers == 0 {
			continue
		}
		lists.Add("", hits, answers)
		found = append(found, ranking.Within(float64(ranking.First(hits)), len(hits)))
	}
	if lists.Len() == 0 {
		return nil, fmt.Errorf("%w: no question has a right passage", kind.ErrNoData)
	}
	var out []metrics.Metric
	for _, x := range lists.Metrics(lengths...) {
		if x.Name == "map_weighted" {
			continue
		}
		if x.Main = x.Name == "precision@1"; x.Main {
			out = append([]metrics.Metric{x}, out...)
			continue
		}
		out = append(out, x)
	}
	if m.opt.retrieve {
		out = append(out, ranking.Mean("upper_bound", metrics.All, found, func(f float64) (float64, float64) {
			return f, 1
		}))
	}
	return out, nil
}

// hits tells which passages of a ranked list are right, and how many right ones there are.
func (m *model) hits(ctx context.Context, x *engine, j *judgement) (hits []bool, answers int, err error) {
	for _, r := range j.right {
		if r {
			answers++
		}
	}
	q := j.read()
	if q == nil || answers == 0 {
		return nil, answers, ctx.Err()
	}
	if m.opt.retrieve {
		return m.retrieved(ctx, x, q, j)
	}
	list := x.ranked(q, j)
	if m.ranked {
		for i, p := range list {
			list[i].score = m.score(x.of(q, p.words, i+1))
		}
		byScore(list)
	}
	for _, p := range list {
		hits = append(hits, j.right[p.place])
	}
	return hits, answers, ctx.Err()
}

// retrieved ranks what is found in the corpus: a passage is right that contains a right one or is part of one. Each
// right one counts at its first place, and this many are asked for.
func (m *model) retrieved(ctx context.Context, x *engine, q *question, j *judgement) (hits []bool, answers int,
	err error) {
	var right []string
	for i, p := range j.passages {
		if j.right[i] {
			right = append(right, strings.TrimSpace(p))
		}
	}
	answers = len(right)
	list, err := m.answer(ctx, x, q)
	if err != nil {
		return nil, 0, err
	}
	taken := make([]bool, len(right))
	for _, c := range list {
		hit := false
		for k, r := range right {
			if !taken[k] && (strings.Contains(c.text, r) || strings.Contains(r, c.text)) {
				taken[k], hit = true, true
				break
			}
		}
		hits = append(hits, hit)
	}
	return hits, answers, nil
}
