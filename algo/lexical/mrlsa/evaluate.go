package mrlsa

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
	"parlance/storage/value"
)

// What EVALUATE reads.
const (
	taskClosest   = "closest_opposite"
	taskOpposites = "opposites"
	taskMaxDiff   = "maxdiff"
	taskPairs     = "pairs"
)

// scoreTable is the table of a task.
func scoreTable(task string) kind.TableUse {
	word := func(name, doc string) kind.Column { return kind.Column{Name: name, Type: value.Text, Doc: doc} }
	maybe := func(name, doc string) kind.Column {
		return kind.Column{Name: name, Type: value.Text, Optional: true, Doc: doc}
	}
	switch task {
	case taskMaxDiff:
		return kind.TableUse{Name: "ratings",
			Doc: "pairs of words with how well each stands for the relation; the best and the worst of a question are asked for",
			Columns: []kind.Column{
				word("word1", "first argument of the relation"), word("word2", "second argument"),
				{Name: "score", Type: value.Float, Doc: "higher is better"},
				maybe("category", "scores of different categories are not compared"),
				maybe("question",
					"rows of one value are one question; where NULL, questions of 4 pairs are drawn from the category")}}
	case taskPairs, taskOpposites:
		return kind.TableUse{Name: "pairs",
			Doc: "pairs of words of which some stand in the relation and the others mean the same", Columns: []kind.Column{
				word("word1", "first argument of the relation"), word("word2", "second argument"),
				{Name: "label", Type: value.Integer, Doc: "1: they stand in the relation; 0: they mean the same"}}}
	}
	return kind.TableUse{Name: "questions", Doc: "a row for each candidate", Columns: []kind.Column{
		word("target", "first argument of the relation"), word("candidate", "second argument"),
		{Name: "answer", Type: value.Boolean, Doc: "whether the candidate is right"},
		maybe("question", "rows of one value are one question; where NULL, those of one target are")}}
}

// Evaluate scores by the task.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	k, err := m.relation(m.opt.relation)
	if err != nil {
		return nil, fmt.Errorf("option relation: %w", err)
	}
	use := scoreTable(m.opt.task)
	t, ok := in.Table(use.Name)
	if !ok {
		return nil, fmt.Errorf("task = %s reads the table %s, which the input lacks", m.opt.task, use.Name)
	}
	switch m.opt.task {
	case taskMaxDiff:
		return m.maxDiff(ctx, t, k)
	case taskPairs:
		return m.pairs(ctx, t, k)
	case taskOpposites:
		questions, err := drawOpposites(ctx, t, m.opt.candidates, uint64(m.opt.seed))
		if err != nil {
			return nil, err
		}
		return m.closest(ctx, questions, k)
	}
	questions, err := readQuestions(ctx, t)
	if err != nil {
		return nil, err
	}
	return m.closest(ctx, questions, k)
}

// outcome is right, wrong, and missed or wrong, of one question: the statistics of precision,
// correct/attempted, and of recall, correct/all.
func outcome(right, attempted bool) metrics.Stat {
	switch {
	case right:
		return metrics.Stat{1, 0, 0}
	case attempted:
		return metrics.Stat{0, 1, 1}
	}
	return metrics.Stat{0, 0, 1}
}

// closest answers with the candidate of the highest degree, the first of equals, and not at all
// where no candidate has one.
func (m *model) closest(ctx context.Context, list []question, relation int) ([]metrics.Metric, error) {
	var units []metrics.Stat
	var tried metrics.Units
	for _, q := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best, highest := -1, math.Inf(-1)
		for i, c := range q.candidates {
			if x, ok := m.between(q.target, c, relation); ok && x > highest {
				best, highest = i, x
			}
		}
		units = append(units, outcome(best >= 0 && q.right[best], best >= 0))
		tried.Add(metrics.One(best >= 0), 1)
	}
	return answered(units, tried), nil
}

// answered is f1, precision and recall of answers, and the share of questions that were tried.
func answered(outcomes []metrics.Stat, tried metrics.Units) []metrics.Metric {
	units, support := metrics.UnitsOf(outcomes), float64(tried.Len())
	return []metrics.Metric{
		{Name: "f1", Label: metrics.All, Combine: metrics.F1, Units: units, Support: support},
		{Name: "precision", Label: metrics.All, Combine: metrics.Precision, Units: units, Support: support},
		{Name: "recall", Label: metrics.All, Combine: metrics.Recall, Units: units, Support: support},
		{Name: "attempted", Label: metrics.All, Combine: metrics.Ratio, Units: tried, Support: support},
	}
}

// maxDiff asks for the best and the worst pair; a pair without a degree counts 0.
func (m *model) maxDiff(ctx context.Context, t kind.Table, relation int) ([]metrics.Metric, error) {
	list, err := readRatings(ctx, t, m.opt.questions, uint64(m.opt.seed))
	if err != nil {
		return nil, err
	}
	var answers []ranking.Answer
	for _, q := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		degrees := make([]float64, len(q.pairs))
		for i, p := range q.pairs {
			degrees[i], _ = m.between(p.word1, p.word2, relation)
		}
		best, worst := ranking.MaxDiff(degrees, q.best, q.worst)
		answers = append(answers, ranking.Answer{Group: q.category, BestRight: best, WorstRight: worst})
	}
	return ranking.MaxDiffAccuracy(answers), nil
}

// pairs tells pairs of the relation from pairs of the pivot by the higher degree; a degree that is
// missing counts 0, and where both are equal the model does not answer.
func (m *model) pairs(ctx context.Context, t kind.Table, relation int) ([]metrics.Metric, error) {
	var units []metrics.Stat
	var right, tried metrics.Units
	err := eachPair(ctx, t, func(p pair) {
		x, _ := m.between(p.word1, p.word2, relation)
		y, _ := m.between(p.word1, p.word2, m.Pivot)
		gold, found := p.score == 1, x > y
		var u metrics.Stat
		switch {
		case gold && found:
			u[0] = 1
		case gold:
			u[2] = 1
		case found:
			u[1] = 1
		}
		units = append(units, u)
		right.Add(metrics.One(x != y && gold == found), metrics.One(x != y))
		tried.Add(metrics.One(x != y), 1)
	})
	if err != nil {
		return nil, err
	}
	out := answered(units, tried)
	return append(out, metrics.Metric{Name: "accuracy", Label: metrics.All, Combine: metrics.Ratio, Units: right,
		Support: float64(right.Len())}), nil
}
