package pairrelation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Explain tells what a label of the relation pair goes by. Of rules the contributions are those that
// apply, heavier for labels of higher priority; of maxent the features, with the weight that speaks for
// the label less that which speaks for the runner-up.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	if at.Relation != "pair" {
		if at.Relation == "" || len(docs) > 0 {
			return kind.Explanation{}, fmt.Errorf("%w of documents: it explains pair(term1, term2)", kind.ErrNoExplain)
		}
		return kind.Explanation{}, fmt.Errorf("%w of %s: it explains pair(term1, term2)", kind.ErrNoExplain, at.Relation)
	}
	args := make([]value.Value, len(relation("pair").Args))
	copy(args, at.Args)
	k, term1, term2, f, err := m.asked(ctx, args, run)
	if err != nil {
		return kind.Explanation{}, err
	}
	p := k.rules.pair(term1, term2, f)
	hits := k.rules.hits(p)
	d := kind.Decision{Place: "pair", Form: term1 + ", " + term2}
	if m.classifier == nil {
		explainRules(&d, k.rules.decide(p, hits), hits)
	} else {
		m.explainClasses(&d, k, p, hits)
	}
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}

// explainRules lists the rules that apply.
func explainRules(d *kind.Decision, won hit, hits []hit) {
	d.Outcome, d.Prob = leaves[won.label].code, 1
	if len(hits) == 0 {
		hits = []hit{won}
	}
	hits = slices.Clone(hits)
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.label, b.label) })
	for _, h := range hits {
		weight := float64(len(leaves) - int(h.label))
		if h.label != won.label && d.RunnerUp == "" {
			d.RunnerUp = leaves[h.label].code
			d.Margin = float64(h.label - won.label)
		}
		feature := fmt.Sprintf("%s: %s", h.rule, leaves[h.label].code)
		if h.dir != neither {
			feature += " " + h.dir.String()
		}
		d.Contributions = append(d.Contributions, kind.Contribution{Feature: feature, Value: 1, Weight: weight})
	}
}

// explainClasses compares the best class with the best one of another label, by the mean of the scores
// over both orders of the terms. Of a pair that is undecidable it is these two that are compared, too.
func (m *model) explainClasses(d *kind.Decision, k *knowledge, p *pairOf, hits []hit) {
	c := m.classifier
	a := m.classified(k, p, hits)
	orders := [2][]string{k.rules.features(p, hits), k.rules.features(p.swapped(), swapHits(hits))}
	scores := [2][]float64{c.scores(orders[0]), c.scores(orders[1])}
	turned := make([]int, len(c.classes))
	mean := make([]float64, len(c.classes))
	best, next := -1, -1
	for i, x := range c.classes {
		turned[i] = max(0, slices.Index(c.classes, class{x.label, -x.dir}))
		mean[i] = (scores[0][i] + scores[1][turned[i]]) / 2
		switch {
		case x.label == a.label:
			if best < 0 || mean[i] > mean[best] {
				best = i
			}
		case next < 0 || mean[i] > mean[next]:
			next = i
		}
	}
	d.Outcome, d.Prob = leaves[a.label].code, a.prob
	d.RunnerUp, d.Margin = leaves[c.classes[next].label].code, mean[best]-mean[next]
	if a.prob < m.opt.least {
		d.Outcome = leaves[labelY].code
	}
	sums := map[uint32]float64{}
	for side, features := range orders {
		for _, f := range c.known(features) {
			one, other := uint32(best), uint32(next)
			if side == 1 {
				one, other = uint32(turned[best]), uint32(turned[next])
			}
			for i := c.start[f]; i < c.start[f+1]; i++ {
				switch c.label[i] {
				case one:
					sums[f] += c.weight[i] / 2
				case other:
					sums[f] -= c.weight[i] / 2
				}
			}
		}
	}
	for f, w := range sums {
		if w != 0 {
			d.Contributions = append(d.Contributions, kind.Contribution{Feature: c.names[f], Value: 1, Weight: w})
		}
	}
	slices.SortFunc(d.Contributions, func(a, b kind.Contribution) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)), cmp.Compare(a.Feature, b.Feature))
	})
}
