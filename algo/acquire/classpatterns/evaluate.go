package classpatterns

import (
	"context"
	"fmt"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/storage/value"
)

var sentenceTable = kind.TableUse{Name: "sentences", Doc: "sentences with two marked nouns", Columns: []kind.Column{
	{Name: "path", Type: value.Text, Doc: "path between them, the first one is X; NULL where there is none"},
	{Name: "relation", Type: value.Integer,
		Doc: "1: the first is the source, −1: the second is, 0: they are in another relation or none"}}}

var pairTable = kind.TableUse{Name: "pairs", Doc: "pairs that are known to be in the relation", Columns: []kind.Column{
	{Name: "source", Type: value.Text, Doc: "source"}, {Name: "target", Type: value.Text, Doc: "target"}}}

// patternDepths and pairDepths are the lengths of the lists that are scored.
var (
	patternDepths = []int{20, 50, 100, 200, 500}
	pairDepths    = []int{100, 1000, 5000, 25000}
)

// Evaluate scores the patterns on sentences, or the instances on known pairs.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	if m.opt.task == "pairs" {
		return m.known(ctx, in)
	}
	table, ok := in.Table(sentenceTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", sentenceTable.Name)
	}
	first := map[string]int{} // the place of a pattern among different ones
	for _, p := range m.patterns {
		if _, ok := first[p.text]; !ok {
			first[p.text] = len(first)
		}
	}
	place := func(path string) int {
		if k, ok := first[path]; ok {
			return k
		}
		return len(first)
	}
	type sentence struct{ forward, backward, relation int }
	var list []sentence
	n := 0
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		n++
		if row[1].IsNull() {
			return nil, fmt.Errorf("row %d of the sentences: relation may not be NULL", n)
		}
		s := sentence{len(first), len(first), int(row[1].Int())}
		if !row[0].IsNull() {
			if !template.IsPath(row[0].S) {
				return nil, fmt.Errorf("row %d of the sentences: '%s' is no path", n, row[0].S)
			}
			s.forward, s.backward = place(row[0].S), place(template.Mirror(row[0].S))
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the table %s has no rows", sentenceTable.Name)
	}
	var out []metrics.Metric
	for i, depth := range patternDepths {
		if i > 0 && patternDepths[i-1] >= len(first) {
			break
		}
		precision := metrics.Metric{Name: fmt.Sprintf("precision_at_%d", depth), Label: metrics.All,
			Combine: metrics.Precision}
		recall := metrics.Metric{Name: fmt.Sprintf("recall_at_%d", depth), Label: metrics.All, Combine: metrics.Recall}
		f1 := metrics.Metric{Name: fmt.Sprintf("f1_at_%d", depth), Label: metrics.All, Combine: metrics.F1,
			Main: depth == 50}
		gold := 0
		for _, s := range list {
			guess := 0
			if f := min(s.forward, s.backward); f < depth && f < len(first) {
				guess = 1
				if s.backward < s.forward {
					guess = -1
				}
			}
			var tp, fp, fn float32
			switch {
			case guess != 0 && guess == s.relation:
				tp = 1
			default:
				if guess != 0 {
					fp = 1
				}
				if s.relation != 0 {
					fn = 1
				}
			}
			if s.relation != 0 {
				gold++
			}
			for _, x := range []*metrics.Metric{&precision, &recall, &f1} {
				x.Units.Add(tp, fp, fn)
				x.Support = float64(gold)
			}
		}
		out = append(out, precision, recall, f1)
	}
	return out, ctx.Err()
}

// known is the share of known pairs among the first instances, and of those that are known the other way round.
func (m *model) known(ctx context.Context, in kind.Input) ([]metrics.Metric, error) {
	table, ok := in.Table(pairTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", pairTable.Name)
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
	if len(gold) == 0 || len(m.instances) == 0 {
		return nil, fmt.Errorf("%d known pairs and %d instances: both are wanted", len(gold), len(m.instances))
	}
	var out []metrics.Metric
	for i, depth := range pairDepths {
		if i > 0 && pairDepths[i-1] >= len(m.instances) {
			break
		}
		right := metrics.Metric{Name: fmt.Sprintf("precision_at_%d", depth), Label: metrics.All, Combine: metrics.Ratio,
			Main: i == 0}
		turned := metrics.Metric{Name: fmt.Sprintf("reversed_at_%d", depth), Label: metrics.All, Combine: metrics.Ratio}
		for _, f := range m.instances[:min(depth, len(m.instances))] {
			s, t := m.nouns[f.source], m.nouns[f.target]
			hit, back := float32(0), float32(0)
			if gold[[2]string{s, t}] {
				hit = 1
			}
			if gold[[2]string{t, s}] {
				back = 1
			}
			right.Units.Add(hit, 1)
			turned.Units.Add(back, 1)
		}
		right.Support, turned.Support = float64(right.Units.Len()), float64(turned.Units.Len())
		out = append(out, right, turned)
	}
	return out, ctx.Err()
}
