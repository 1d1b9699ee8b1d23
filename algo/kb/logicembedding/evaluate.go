package logicembedding

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/algo/metrics"
)

// scored is a fact of the input with its truth by the model.
type scored struct {
	truth, gold   float64 // gold is 0 or 1
	known, answer bool
}

// Evaluate scores facts: accuracy at the threshold, precision, recall and F1 of those that hold,
// mean average precision over relations that rank what holds before what does not, and the rate
// at which instances of rules are violated; then accuracy and average precision by relation. A fact about an unknown
// pair or relation is answered with false.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	t, ok := in.Table(scoresTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", scoresTable.Name)
	}
	var names []string
	lists := map[string][]scored{}
	var all []scored
	for row, err := range t.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		object := ""
		if !row[2].IsNull() {
			object = row[2].S
		}
		s := m.score(row[0].S, row[1].S, object)
		if row[3].IsNull() || row[3].Bool() {
			s.gold = 1
		}
		all = append(all, s)
		if _, ok := lists[row[1].S]; !ok {
			names = append(names, row[1].S)
		}
		lists[row[1].S] = append(lists[row[1].S], s)
	}
	out := counts("ALL", all)
	out = append(out, meanPrecision("ALL", names, lists), unknown(all))
	rate, err := m.violationRate(ctx)
	if err != nil {
		return nil, err
	}
	if rate.Support > 0 {
		out = append(out, rate)
	}
	for _, n := range slices.Sorted(slices.Values(names)) {
		out = append(out, counts(n, lists[n])[0])
		if p := meanPrecision(n, []string{n}, lists); p.Support > 0 {
			out = append(out, p)
		}
	}
	return out, nil
}

func (m *model) score(subject, relation, object string) scored {
	r, ok1 := m.know.relations.Find(relation)
	s, ok2 := m.know.entities.Find(subject)
	o, ok3 := logic.None, true
	if object != "" {
		o, ok3 = m.know.entities.Find(object)
	}
	if !ok1 || !ok2 || !ok3 {
		return scored{}
	}
	p, ok := m.domain().Find(logic.Pair{Subject: s, Object: o})
	if !ok {
		return scored{}
	}
	t := m.truth(m.atom(r, p))
	return scored{truth: t, known: true, answer: t >= m.opt.threshold}
}

// counts are the metrics whose units are facts.
func counts(label string, list []scored) []metrics.Metric {
	var right, outcomes metrics.Units
	holding := 0.0
	for _, s := range list {
		gold := s.gold == 1
		right.Add(metrics.One(s.answer == gold), 1)
		outcomes.Add(metrics.One(s.answer && gold), metrics.One(s.answer && !gold), metrics.One(!s.answer && gold))
		holding += s.gold
	}
	return []metrics.Metric{
		{Name: "accuracy", Label: label, Combine: metrics.Ratio, Units: right, Support: float64(len(list))},
		{Name: "precision", Label: label, Combine: metrics.Precision, Units: outcomes, Support: holding},
		{Name: "recall", Label: label, Combine: metrics.Recall, Units: outcomes, Support: holding},
		{Name: "f1", Label: label, Combine: metrics.F1, Units: outcomes, Support: holding},
	}
}

// meanPrecision is the mean over relations of the average precision of their facts in order of
// truth; of equal truth, those that do not hold come first. Relations where nothing holds have none.
func meanPrecision(label string, names []string, lists map[string][]scored) metrics.Metric {
	out := metrics.Metric{Name: "map", Label: label, Combine: metrics.Ratio}
	for _, n := range names {
		list := slices.Clone(lists[n])
		slices.SortStableFunc(list, func(a, b scored) int {
			return cmp.Or(cmp.Compare(b.truth, a.truth), cmp.Compare(metrics.One(b.known), metrics.One(a.known)),
				cmp.Compare(a.gold, b.gold))
		})
		found, sum := 0.0, 0.0
		for i, s := range list {
			if s.gold == 1 {
				found++
				sum += found / float64(i+1)
			}
		}
		if found > 0 {
			out.Units.Add(float32(sum/found), 1)
			out.Support++
		}
	}
	return out
}

// unknown is the share of facts about pairs or relations that the model has not seen.
func unknown(list []scored) metrics.Metric {
	out := metrics.Metric{Name: "unknown", Label: "ALL", Combine: metrics.Ratio, Support: float64(len(list))}
	for _, s := range list {
		out.Units.Add(metrics.One(!s.known), 1)
	}
	return out
}

// violationRate is the share of instances of the rules below the threshold, of the first maxInstances
// of each; a rule is a unit.
func (m *model) violationRate(ctx context.Context) (metrics.Metric, error) {
	out := metrics.Metric{Name: "violations", Label: "ALL", Combine: metrics.Ratio}
	for _, r := range m.know.rules {
		s, err := m.summarise(ctx, r.bound, maxInstances)
		if err != nil {
			return out, err
		}
		if s.count > 0 {
			out.Units.Add(float32(s.below), float32(s.count))
			out.Support += float64(s.count)
		}
	}
	return out, nil
}
