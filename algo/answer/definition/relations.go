package definition

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/answer/sentences"
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Open lists the patterns.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if relation != patternsRelation.Name || m.opt.method == byWindows {
		return nil, kind.ErrNoRelation
	}
	order := make([]int, len(m.kept))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(m.weights[b]), math.Abs(m.weights[a]))
	})
	return kind.RowsOf(patternsRelation, func(yield func([]value.Value) bool) {
		for _, i := range order {
			p := &m.kept[i]
			if !yield([]value.Value{value.Str(p.text), value.Str(patternTypes[p.kind]), value.Str(repNames[p.rep]),
				value.Real(m.weights[i]), value.Int(int64(p.pos)), value.Int(int64(p.neg))}) {
				return
			}
		}
	}), nil
}

// Explain tells the patterns of each sentence with its best term.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (out kind.Explanation,
	err error) {
	if at.Relation != "" || m.opt.method == byWindows {
		return out, kind.ErrNoExplain
	}
	r, s := &sentences.Reader{Tags: m.opt.tags}, m.scorer()
	for _, d := range docs {
		for x := range r.Sentences(d) {
			terms := candidates(x)
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			if at.Sent != 0 && at.Sent != x.Number || len(terms) == 0 {
				continue
			}
			k, score := s.best(x, terms)
			term := terms[k]
			e := kind.Decision{Doc: d.ID, Sent: x.Number, Form: x.Term(term[0], term[1]),
				Prob:  sigmoid(m.opt.threshold - score),
				Place: fmt.Sprintf("sentence %d", x.Number), Outcome: "no definition", RunnerUp: "definition",
				Margin: m.opt.threshold - score}
			sign := -1.0
			if score > m.opt.threshold {
				e.Outcome, e.RunnerUp, e.Margin, sign = e.RunnerUp, e.Outcome, -e.Margin, 1
				e.Prob = sigmoid(score - m.opt.threshold)
			}
			for _, p := range s.find.find(mark(x, term[0], term[1], nil)) {
				if w := m.weights[p]; w != 0 {
					e.Contributions = append(e.Contributions, kind.Contribution{Feature: m.kept[p].name(), Value: 1,
						Weight: sign * w})
				}
			}
			e.Contributions = append(e.Contributions, kind.Contribution{Feature: "bias", Value: 1,
				Weight: sign * (m.bias - m.opt.threshold)})
			e.Sort()
			out.Decisions = append(out.Decisions, e)
		}
	}
	return out, nil
}
