package mentiondetector

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/coref/mention"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// The outcomes of candidates.
const (
	isMention = "mention"
	isNone    = "none"
)

// Explain tells of each candidate whether it is a mention: by the key of the filter that drops it (weight 1), the
// features of the regression with their weights, or the rules that found it (weight 1).
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run,
) (kind.Explanation, error) {
	var out explanation
	var x *place.Extractor
	if m.weights != nil {
		var err error
		if x, err = place.NewExtractor(m.set, run.Resources); err != nil {
			return out.Explanation, err
		}
	}
	for _, doc := range docs {
		if err := ctx.Err(); err != nil {
			return out.Explanation, err
		}
		d, list, err := m.find(ctx, doc)
		if err != nil {
			return out.Explanation, err
		}
		left, dropped := m.split(d, list)
		view := *doc
		view.SetLayer(candidatesLayer(doc, left))
		if x != nil {
			if err := x.Bind(ctx, &view); err != nil {
				return out.Explanation, err
			}
		}
		for i, c := range left {
			e, err := m.decision(x, i, c)
			if err != nil {
				return out.Explanation, err
			}
			out.add(d, doc.ID, at, c.Span, e)
		}
		for _, c := range dropped {
			e := kind.Decision{Outcome: isNone, RunnerUp: isMention, Prob: 1, Margin: 1,
				Contributions: []kind.Contribution{{Feature: "filter: " + m.filters.drops(d, c.Span), Value: 1, Weight: 1}}}
			out.add(d, doc.ID, at, c.Span, e)
		}
	}
	return out.Explanation, nil
}

// explanation gathers decisions.
type explanation struct{ kind.Explanation }

// add adds the decision of a span if it is asked for.
func (x *explanation) add(d *mention.Document, doc string, at kind.At, s mention.Span, e kind.Decision) {
	sent := int(d.Sents[s.Start])
	first, last := int(s.Start-d.Bounds[sent])+1, int(s.End-d.Bounds[sent])
	if at.Sent != 0 && at.Sent != sent+1 || at.Tok != 0 && (at.Tok < first || at.Tok > last) {
		return
	}
	e.Doc, e.Sent, e.Tok, e.Form = doc, sent+1, first, d.Text(s)
	x.Decisions = append(x.Decisions, e)
}

// split parts candidates into those that the filter leaves and those that it drops.
func (m *model) split(d *mention.Document, list []candidate) (left, dropped []candidate) {
	for _, c := range list {
		if m.filters != nil && m.filters.drops(d, c.Span) != "" {
			dropped = append(dropped, c)
		} else {
			left = append(left, c)
		}
	}
	return left, dropped
}

// decision explains a candidate that the filter leaves, row i of the bound document.
func (m *model) decision(x *place.Extractor, i int, c candidate) (kind.Decision, error) {
	e := kind.Decision{Outcome: isMention, RunnerUp: isNone, Prob: 1}
	if x == nil {
		e.Margin = 1
		e.Contributions = []kind.Contribution{{Feature: "rules: " + c.found.String(), Value: 1, Weight: 1}}
		return e, nil
	}
	var f place.Found
	if err := x.Extract([]place.Ref{place.Row(i)}, &f); err != nil {
		return e, err
	}
	templates, values := x.Names(&f)
	score := 0.0
	for k, h := range f.Hashes {
		if w := m.weights.of(h); w != 0 {
			score += w
			e.Contributions = append(e.Contributions,
				kind.Contribution{Feature: templates[k] + "=" + values[k], Value: 1, Weight: w})
		}
	}
	e.Prob, e.Margin = sigmoid(score), score-logit(m.threshold)
	e.Contributions = append(e.Contributions,
		kind.Contribution{Feature: "threshold", Value: 1, Weight: -logit(m.threshold)})
	if e.Margin < 0 {
		e.Outcome, e.RunnerUp, e.Prob, e.Margin = isNone, isMention, 1-e.Prob, -e.Margin
		for k := range e.Contributions {
			e.Contributions[k].Weight = -e.Contributions[k].Weight
		}
	}
	slices.SortStableFunc(e.Contributions, func(a, b kind.Contribution) int {
		return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight))
	})
	return e, nil
}

// logit is the inverse of sigmoid, finite for 0 and 1 too.
func logit(p float64) float64 {
	p = min(max(p, 1e-12), 1-1e-12)
	return math.Log(p / (1 - p))
}
