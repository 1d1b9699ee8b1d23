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

// patternDepths are the numbers of patterns that are scored.
var patternDepths = []int{20, 50, 100, 200, 500}

// Evaluate scores the patterns on sentences, or the instances on known pairs.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	if m.opt.task == "pairs" {
		return template.ScorePairs(ctx, in, len(m.instances), func(i int) (string, string) {
			return m.nouns[m.instances[i].source], m.nouns[m.instances[i].target]
		})
	}
	first := map[string]int{} // the place of a pattern among different ones
	for _, p := range m.patterns {
		if _, ok := first[p.text]; !ok {
			first[p.text] = len(first)
		}
	}
	list, err := readSentences(ctx, in, first)
	if err != nil {
		return nil, err
	}
	var out []metrics.Metric
	for i, depth := range patternDepths {
		if i > 0 && patternDepths[i-1] >= len(first) {
			break
		}
		out = append(out, scoreSentences(list, depth, len(first))...)
	}
	return out, ctx.Err()
}

// sentence is the places among the patterns of its path in either direction, and its relation.
type sentence struct{ forward, backward, relation int }

// readSentences looks the paths of sentences up; the place of one that is no pattern is the number of patterns.
func readSentences(ctx context.Context, in kind.Input, first map[string]int) (list []sentence, err error) {
	table, ok := in.Table(sentenceTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", sentenceTable.Name)
	}
	place := func(path string) int {
		if k, ok := first[path]; ok {
			return k
		}
		return len(first)
	}
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
	return list, nil
}

// guess is the relation of a sentence by the first patterns, none of those that are not there.
func (s *sentence) guess(depth, patterns int) int {
	switch f := min(s.forward, s.backward); {
	case f >= depth || f >= patterns:
		return 0
	case s.backward < s.forward:
		return -1
	}
	return 1
}

// scoreSentences is precision, recall and F1 of the first patterns.
func scoreSentences(list []sentence, depth, patterns int) []metrics.Metric {
	precision := metrics.Metric{Name: fmt.Sprintf("precision_at_%d", depth), Label: metrics.All,
		Combine: metrics.Precision}
	recall := metrics.Metric{Name: fmt.Sprintf("recall_at_%d", depth), Label: metrics.All, Combine: metrics.Recall}
	f1 := metrics.Metric{Name: fmt.Sprintf("f1_at_%d", depth), Label: metrics.All, Combine: metrics.F1,
		Main: depth == 50}
	gold := 0
	for _, s := range list {
		var tp, fp, fn float32
		guess := s.guess(depth, patterns)
		if guess != 0 && guess == s.relation {
			tp = 1
		} else {
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
		}
	}
	for _, x := range []*metrics.Metric{&precision, &recall, &f1} {
		x.Support = float64(gold)
	}
	return []metrics.Metric{precision, recall, f1}
}
