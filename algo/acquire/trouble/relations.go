package trouble

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/metrics/ranking"
	"parlance/algo/text"
	"parlance/storage/value"
)

var (
	colNoun    = column("noun", value.Text, "noun")
	colScore   = column("score", value.Float, "by the method; of svm the decision of the machine, above 0 for troubles")
	evidenceOf = []kind.Column{column("lsph", value.Float, "patterns of hyponymy with a word for troubles"),
		column("dnv", value.Float, "denied verbs in the slot of causes"),
		column("dav", value.Float, "affirmed verbs in the slot of causes")}
	colShare    = column("share", value.Float, "(lsph+dnv)/(lsph+dnv+dav)")
	colLabel    = column("label", value.Boolean, "label that was given, NULL without")
	argNoun     = []kind.Arg{{Name: "noun", Type: value.Text, Doc: "candidate"}}
	argOptional = []kind.Arg{{Name: "noun", Type: value.Text, Optional: true,
		Doc: "object or trouble; any if left out"}}
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "troubles", Doc: "candidates, the likeliest troubles first",
		Columns: slices.Concat([]kind.Column{colNoun, colScore}, evidenceOf,
			[]kind.Column{colShare, colLabel, column("rank", value.Integer, "place in the list, from 1")})},
	{Name: "pairs", Doc: "things with their troubles, the best first", Args: argOptional,
		Columns: []kind.Column{column("object", value.Text, "what is used"),
			column("trouble", value.Text, "what troubles its users"),
			column("score", value.Float, "f(trouble of object)/(f(object)·f(trouble))"),
			column("count", value.Float, "occurrences as trouble of object"),
			column("verb", value.Text, "verb of the object that the trouble stops, NULL for none")}},
	{Name: "to_label",
		Doc: "candidates without a label that people should label: the first by share, likely troubles, and the last",
		Columns: slices.Concat([]kind.Column{colNoun, colShare}, evidenceOf,
			[]kind.Column{column("part", value.Text, "top or bottom")})},
	{Name: "evidence", Doc: "what speaks for and against a candidate, by falling weight", Args: argNoun,
		Columns: []kind.Column{column("feature", value.Text, "group, then slot and verb, or pattern and hypernym"),
			column("count", value.Float, "occurrences"),
			column("weight", value.Float, "of the machine; NULL without one")}},
	{Name: "weights", Doc: "features by falling weight; none without a machine",
		Columns: []kind.Column{column("feature", value.Text, "group, then slot and verb, or pattern and hypernym"),
			column("weight", value.Float, "weight")}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	rel := relations[at]
	if name == "evidence" {
		i, err := m.find(args[0].S)
		if err != nil {
			return nil, err
		}
		return m.evidenceRows(rel, i), nil
	}
	noun := ""
	if len(args) > 0 && !args[0].IsNull() {
		noun = args[0].S
		if !slices.ContainsFunc(m.pairs, func(p pair) bool { return p.object == noun || p.trouble == noun }) {
			var known []string
			for _, p := range m.pairs {
				known = append(known, p.object, p.trouble)
			}
			return nil, &kind.Unknown{What: "object or trouble", Name: noun, Known: known}
		}
	}
	rows := map[string]func(func([]value.Value) bool){"troubles": m.troubleRows, "to_label": m.labelRows,
		"weights": m.weightRows,
		"pairs":   func(yield func([]value.Value) bool) { m.pairRows(noun, yield) }}[name]
	return kind.RowsOf(rel, rows), nil
}

func (m *model) find(noun string) (int, error) {
	i, ok := slices.BinarySearchFunc(m.items, noun, func(it item, n string) int { return compare(it.noun, n) })
	if !ok {
		known := make([]string, len(m.items))
		for k := range m.items {
			known[k] = m.items[k].noun
		}
		return 0, &kind.Unknown{What: "candidate", Name: noun, Known: known}
	}
	return i, nil
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (it *item) parts() []value.Value {
	return []value.Value{value.Real(it.lsph), value.Real(it.dnv), value.Real(it.dav)}
}

func (m *model) troubleRows(yield func([]value.Value) bool) {
	for k, i := range m.ranked() {
		it := &m.items[i]
		label := value.Value{}
		if m.labelled[i] != 0 {
			label = value.Bool(m.labelled[i] > 0)
		}
		if !yield(slices.Concat([]value.Value{value.Str(it.noun), value.Real(m.scores[i])}, it.parts(),
			[]value.Value{value.Real(it.score()), label, value.Int(int64(k + 1))})) {
			return
		}
	}
}

func (m *model) labelRows(yield func([]value.Value) bool) {
	first, last := selection(m.items, m.opt.top, m.opt.bottom)
	for k, list := range [][]int{first, last} {
		for _, i := range list {
			it := &m.items[i]
			if m.labelled[i] != 0 {
				continue
			}
			if !yield(slices.Concat([]value.Value{value.Str(it.noun), value.Real(it.score())}, it.parts(),
				[]value.Value{value.Str([]string{"top", "bottom"}[k])})) {
				return
			}
		}
	}
}

func (m *model) pairRows(noun string, yield func([]value.Value) bool) {
	for _, p := range m.pairs {
		if noun != "" && p.object != noun && p.trouble != noun {
			continue
		}
		row := []value.Value{value.Str(p.object), value.Str(p.trouble), value.Real(p.score), value.Real(p.count), {}}
		if p.verb != "" {
			row[4] = value.Str(p.verb)
		}
		if !yield(row) {
			return
		}
	}
}

func (m *model) weightRows(yield func([]value.Value) bool) {
	if m.weights == nil {
		return
	}
	order := make([]int, len(m.features))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareFloats(m.weights[b], m.weights[a]) })
	for _, i := range order {
		if !yield([]value.Value{value.Str(m.features[i].group + "|" + m.features[i].name), value.Real(m.weights[i])}) {
			return
		}
	}
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (m *model) evidenceRows(rel kind.Relation, i int) kind.Rows {
	it := &m.items[i]
	order := make([]int, len(it.features))
	for k := range order {
		order[k] = k
	}
	weight := func(k int) float64 {
		if m.weights == nil {
			return 0
		}
		return m.weights[it.features[k]]
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareFloats(weight(b), weight(a)) })
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for _, k := range order {
			f := m.features[it.features[k]]
			row := []value.Value{value.Str(f.group + "|" + f.name), value.Real(it.counts[k]), {}}
			if m.weights != nil {
				row[2] = value.Real(weight(k))
			}
			if !yield(row) {
				return
			}
		}
	})
}

// Explain tells which evidence makes a candidate a trouble: evidence(noun). The contributions and the bias add up to
// the decision.
func (m *model) Explain(_ context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != "evidence" || len(docs) > 0 || len(at.Args) != 1 || m.weights == nil {
		return kind.Explanation{}, fmt.Errorf("%w: evidence(noun) is explained, of a model with method = svm",
			kind.ErrNoExplain)
	}
	i, err := m.find(at.Args[0].S)
	if err != nil {
		return kind.Explanation{}, err
	}
	it := &m.items[i]
	d := kind.Decision{Place: it.noun, Form: it.noun, Prob: math.NaN(), Outcome: "trouble", RunnerUp: "none",
		Margin: m.scores[i]}
	if d.Margin < 0 {
		d.Outcome, d.RunnerUp = d.RunnerUp, d.Outcome
	}
	for k, f := range it.features {
		v := 1.0
		switch m.opt.value {
		case "freq":
			v = it.counts[k]
		case "log":
			v = 1 + math.Log(it.counts[k])
		}
		d.Contributions = append(d.Contributions,
			kind.Contribution{Feature: m.features[f].group + "|" + m.features[f].name, Value: v,
				Weight: m.weights[f]})
	}
	d.Contributions = append(d.Contributions,
		kind.Contribution{Feature: "bias", Value: 1, Weight: m.weights[len(m.features)]})
	d.Sort()
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}

// Evaluate ranks the candidates with a label in a table, those that were trained on by machines without their label.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	table, ok := in.Table(labelTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", labelTable.Name)
	}
	gold := map[string]bool{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if !row[0].IsNull() && !row[1].IsNull() {
			gold[row[0].S] = row[1].Bool()
		}
	}
	var right []bool
	var scores []float64
	n := 0
	for _, i := range byScore(m.items) {
		if is, ok := gold[m.items[i].noun]; ok {
			right, scores = append(right, is), append(scores, m.held[i])
			if is {
				n++
			}
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("no candidate is a trouble by the table %s, of %d that it has", labelTable.Name,
			len(right))
	}
	hits := ranking.Hits(scores, right)
	one := func(name string, v float64, main bool) metrics.Metric {
		x := metrics.Metric{Name: name, Label: metrics.All, Combine: metrics.Ratio, Main: main, Support: float64(n)}
		x.Units.Add(float32(v), 1)
		return x
	}
	out := []metrics.Metric{one("average_precision", ranking.AveragePrecision(hits, n), true),
		one("base", float64(n)/float64(len(right)), false)}
	for _, k := range []int{50, 100, 500} {
		if k <= len(hits) {
			x := metrics.Metric{Name: fmt.Sprintf("precision_at_%d", k), Label: metrics.All, Combine: metrics.Ratio,
				Support: float64(k)}
			for _, h := range hits[:k] {
				v := float32(0)
				if h {
					v = 1
				}
				x.Units.Add(v, 1)
			}
			out = append(out, x)
		}
	}
	return out, ctx.Err()
}
