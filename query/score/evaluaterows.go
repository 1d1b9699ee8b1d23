package score

import (
	"context"
	"math"
	"strings"

	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage/value"
)

// fewDocuments: with fewer documents, the bootstrap draws sentences instead of documents.
const fewDocuments = 20

// rows scores all models and returns the rows of the result.
func (e *evaluation) rows(ctx context.Context) ([][]value.Value, error) {
	if err := e.readKnown(ctx); err != nil {
		return nil, err
	}
	for i := range e.models {
		if err := e.score(ctx, &e.models[i]); err != nil {
			return nil, err
		}
	}
	var out [][]value.Value
	chance := e.significance()
	for i := range e.models {
		before := len(out)
		for k := range e.models[i].groups {
			if e.models[i].groups[k].empty() {
				continue
			}
			rows, err := e.groupRows(ctx, e.models[i].label, &e.models[i].groups[k], chance)
			if err != nil {
				return nil, err
			}
			out = append(out, rows...)
		}
		if len(out) == before {
			return nil, plan.Errorf(e.stmt.On[0].Pos, "02000", "does WHERE leave documents? SELECT count(*) FROM … "+
				"WHERE … tells", "there is nothing to score %s on", e.models[i].label)
		}
	}
	if e.fewest > 0 {
		e.r.Session.Notice(text.Countf("low and high are NULL: an interval is drawn from at least 6 documents, sentences or "+
			"rows, and there {is|are} %d", e.fewest))
	}
	for i := range e.models {
		for k := i + 1; k < len(e.models); k++ {
			rows, err := e.compare(ctx, &e.models[i], &e.models[k], chance)
			if err != nil {
				return nil, err
			}
			out = append(out, rows...)
		}
	}
	return out, ctx.Err()
}

// significance says how confidence intervals and tests of the scored models are computed.
func (e *evaluation) significance() metrics.Chance {
	var all []metrics.Metric
	for i := range e.models {
		for _, g := range e.models[i].groups {
			all = append(all, g.metrics...)
		}
	}
	return e.opt.significance(e.r.Workers(), all...)
}

// testsByName are the values of the option test.
var testsByName = map[string]metrics.Test{"randomisation": metrics.Randomised, "mcnemar": metrics.McNemar,
	"sign": metrics.Sign, "t": metrics.Student}

// significance chooses the unit that is drawn, by the number of documents that the metrics were scored on.
func (o *evaluateOptions) significance(workers int, list ...metrics.Metric) metrics.Chance {
	c := metrics.Chance{Confidence: o.level, Resamples: o.samples, Shuffles: o.shuffles, Test: testsByName[o.test],
		Seed: uint64(o.seed), Workers: workers, Sentences: o.unit == "sentence"}
	if o.unit == "auto" {
		for _, m := range list {
			if n := m.Documents(); n > 0 && n < fewDocuments {
				c.Sentences = true
			}
		}
	}
	return c
}

func (e *evaluation) groupRows(ctx context.Context, model string, g *group, c metrics.Chance) ([][]value.Value, error) {
	var out [][]value.Value
	row := func(metric, label string, v, low, high value.Value, support float64) {
		r := append([]value.Value{value.Str(model)}, g.key...)
		out = append(out, append(r, value.Str(metric), value.Str(label), v, low, high, value.Int(int64(math.Round(support)))))
	}
	intervals, err := metrics.Intervals(ctx, g.metrics, c)
	if err != nil {
		return nil, err
	}
	for i, m := range g.metrics {
		low, high := value.Value{}, value.Value{}
		if in := intervals[i]; in != nil && c.Resamples > 0 {
			low, high = value.Real(in.Low), value.Real(in.High)
		}
		if n := c.UnitsOf(m); n > 0 && n < metrics.FewestUnits && c.Resamples > 0 {
			e.fewest = max(e.fewest, n)
		}
		row(m.Name, m.Label, value.Real(m.Value()), low, high, m.Support)
	}
	for _, c := range g.confusion {
		row("confusion", c.Gold+">"+c.Predicted, value.Real(float64(c.Count)), value.Value{}, value.Value{}, float64(c.Count))
	}
	return out, nil
}

// compare returns, for every metric over all labels that two models share, the difference with its confidence interval
// and p value.
func (e *evaluation) compare(ctx context.Context, a, b *scoredItem, c metrics.Chance) ([][]value.Value, error) {
	if len(a.groups) != len(b.groups) {
		return nil, nil
	}
	var out [][]value.Value
	for i := range a.groups {
		g := &a.groups[i]
		if g.empty() && b.groups[i].empty() {
			continue
		}
		x, y := sharedMetrics(g, &b.groups[i])
		found, err := metrics.Compare(ctx, x, y, c)
		if err != nil {
			return nil, err
		}
		key := append([]value.Value{value.Str(a.label + "," + b.label)}, g.key...)
		row := func(m metrics.Metric, what string, v, low, high value.Value) {
			out = append(out, append(append([]value.Value{}, key...), value.Str(m.Name+what), value.Str(m.Label), v, low, high,
				value.Int(int64(math.Round(m.Support)))))
		}
		for k, d := range found {
			if d.Units == 0 {
				continue
			}
			low, high := value.Value{}, value.Value{}
			if c.Resamples > 0 && d.Units >= metrics.FewestUnits {
				low, high = value.Real(d.Interval.Low), value.Real(d.Interval.High)
			}
			row(x[k], ".difference", value.Real(d.Value), low, high)
			if d.Tested {
				row(x[k], ".p", value.Real(d.P), value.Value{}, value.Value{})
			}
		}
	}
	return out, nil
}

// checkTests checks that the test of differences applies to the metrics of the models.
func (e *evaluation) checkTests() error {
	if e.opt.test != "mcnemar" || len(e.models) < 2 {
		return nil
	}
	var names []string
	for i := range e.models {
		scorers, err := e.scorers(&e.models[i], metrics.Options{})
		if err != nil || len(scorers) == 0 {
			return nil // the model computes its metrics itself, and they are not known yet
		}
		for _, sc := range scorers {
			for _, m := range sc.Metrics() {
				if m.Combine == metrics.Ratio {
					return nil
				}
				names = append(names, m.Name)
			}
		}
	}
	return plan.Errorf(e.stmt.Pos, plan.CodeInvalid, "WITH (test = 'randomisation') compares any metric",
		"McNemar's test compares accuracies; the models are scored by %s", strings.Join(Unique(names), ", "))
}

// sharedMetrics pairs the metrics over all labels that two models have for the same layer.
func sharedMetrics(a, b *group) (x, y []metrics.Metric) {
	for i, m := range a.metrics {
		for k, n := range b.metrics {
			if m.Label == metrics.All && n.Label == metrics.All && m.Name == n.Name && a.layers[i] == b.layers[k] {
				x, y = append(x, m), append(y, n)
				break
			}
		}
	}
	return x, y
}

// pValue is the p value of the difference of one metric between two models, NaN if the test does not apply.
func (o *evaluateOptions) pValue(ctx context.Context, workers int, a, b metrics.Metric) (float64, error) {
	c := o.significance(workers, a, b)
	c.Resamples = 0
	found, err := metrics.Compare(ctx, []metrics.Metric{a}, []metrics.Metric{b}, c)
	if err != nil || !found[0].Tested {
		return math.NaN(), err
	}
	return found[0].P, nil
}
