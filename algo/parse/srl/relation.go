package srl

import (
	"context"
	"strconv"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

var senseRelation = kind.Relation{Name: "senses", Doc: "senses that were seen with a lemma, the most frequent first",
	Columns: []kind.Column{
		{Name: "lemma", Type: value.Text, Doc: "lemma"},
		{Name: "sense", Type: value.Text, Doc: "sense"}}}

var frameRelation = kind.Relation{Name: "frames", Doc: "roles that senses had in training", Columns: []kind.Column{
	{Name: "sense", Type: value.Text, Doc: "sense of the predicate"},
	{Name: "label", Type: value.Text, Doc: "role"},
	{Name: "count", Type: value.Integer, Doc: "how often"}}}

var templateRelation = kind.Relation{Name: "templates",
	Doc: "templates of features of arguments; with select, the steps that " +
		"chose them", Columns: []kind.Column{
		{Name: "step", Type: value.Integer, Doc: "step of the search, 0 for what is in use"},
		{Name: "action", Type: value.Text, Doc: "use: in use; add, drop: a step; stay: tried and left as it was"},
		{Name: "template", Type: value.Text, Doc: "template"},
		{Name: "before", Type: value.Float, Doc: "F1 of arguments on the held-out sentences before the step"},
		{Name: "after", Type: value.Float, Doc: "and with it"}}}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch name {
	case senseRelation.Name:
		return kind.RowsOf(senseRelation, func(yield func([]value.Value) bool) {
			m.finder.Senses(func(lemma, sense string) bool {
				return yield([]value.Value{value.Str(lemma), value.Str(sense)})
			})
		}), nil
	case frameRelation.Name:
		return kind.RowsOf(frameRelation, func(yield func([]value.Value) bool) {
			for _, c := range m.counts {
				n, _ := strconv.ParseInt(c[2], 10, 64)
				if !yield([]value.Value{value.Str(c[0]), value.Str(c[1]), value.Int(n)}) {
					return
				}
			}
		}), nil
	case templateRelation.Name:
		return kind.RowsOf(templateRelation, func(yield func([]value.Value) bool) {
			for _, t := range m.set.Templates() {
				if !yield([]value.Value{value.Int(0), value.Str("use"), value.Str(t), {}, {}}) {
					return
				}
			}
			for i, c := range m.trace {
				if !yield([]value.Value{value.Int(int64(i + 1)), value.Str(c.Action), value.Str(c.Template), value.Real(c.Before),
					value.Real(c.After)}) {
					return
				}
			}
		}), nil
	}
	return nil, kind.ErrNoRelation
}

// Explain tells what speaks for the label of each argument, and against the next one.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := &worker{m: m}
	for _, d := range docs {
		form, bounds := []string(nil), d.SentenceTokens()
		if toks := d.Layer(text.Tokens.Name); toks == nil || toks.Strs("form") == nil {
			continue
		} else {
			form = toks.Strs("form")
		}
		w.explain = func(s *sentence, k, a, y int, probs []float64) {
			if y == none || at.Sent != 0 && at.Sent != s.number || !at.Token(a) {
				return
			}
			p := s.frames[k].Predicate
			out.Decisions = append(out.Decisions, w.decision(d, s, k, a, y, probs,
				form[int(bounds[s.number-1])+a-1], form[int(bounds[s.number-1])+p-1]))
		}
		if _, _, err := w.frames(ctx, d, run.Resources); err != nil {
			return out, err
		}
	}
	return out, ctx.Err()
}

// decision compares the label of an argument with the likeliest other one.
func (w *worker) decision(d *text.Document, s *sentence, k, a, y int, probs []float64, form,
	predicate string) kind.Decision {
	m := w.m
	other := -1
	for z, p := range probs {
		if z != y && (other < 0 || p > probs[other]) {
			other = z
		}
	}
	name := func(z int) string {
		if z == none {
			return "none"
		}
		return m.labels[z]
	}
	out := kind.Decision{Doc: d.ID, Sent: s.number, Tok: a, Form: form, Place: "of " + predicate,
		Outcome: name(y), RunnerUp: name(other), Prob: probs[y]}
	hashes, err := w.pairs.features(s.number, s.first+k, s.frames[k].Predicate, a)
	if err != nil {
		return out
	}
	templates, values := w.pairs.extractors[0].Names(&w.pairs.found)
	sums := map[string]float64{}
	for i := range templates {
		sums[templates[i]+" = "+values[i]] += m.pairs.Weight(hashes[i], y) - m.pairs.Weight(hashes[i], other)
	}
	out.Gather(sums, 0)
	return out
}
