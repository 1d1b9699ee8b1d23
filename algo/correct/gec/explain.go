package gec

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain tells, of each place where an edit is likely or made, what spoke for it: what each module said with its
// weight; then, with weight 0, the other candidates with their probabilities, and n-grams of native text with and
// without the edit.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	members, err := m.members(run.Resources)
	if err != nil {
		return out, err
	}
	for _, d := range docs {
		for _, s := range confusion.Read(d) {
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			if at.Sent != 0 && at.Sent != s.Number {
				continue
			}
			list := collect(members, s)
			m.rate(members, list)
			made, err := m.decide(ctx, members, s, list)
			if err != nil {
				return out, err
			}
			for _, group := range places(list, made) {
				o := &list[group[0]]
				tok := min(o.said[0].Slot, len(s.Forms)-1) + 1
				if at.Token(tok) {
					out.Decisions = append(out.Decisions, m.explain(d, members, s, list, group, made, tok))
				}
			}
		}
	}
	return out, nil
}

// places groups options that exclude each other, the one that is made or else the likeliest first.
func places(list []correction, made []bool) [][]int {
	var out [][]int
	for i := range list {
		k := slices.IndexFunc(out, func(g []int) bool { return list[g[0]].said[0].Slot == list[i].said[0].Slot })
		if k < 0 {
			out = append(out, []int{i})
		} else {
			out[k] = append(out[k], i)
		}
	}
	for _, g := range out {
		slices.SortStableFunc(g, func(a, b int) int {
			if made[a] != made[b] {
				if made[a] {
					return -1
				}
				return 1
			}
			return cmp.Compare(list[b].score, list[a].score)
		})
	}
	return out
}

// shown bounds the candidates and n-grams of an explanation.
const shown = 6

func (m *model) explain(d *text.Document, members []member, s *confusion.Sentence, list []correction, group []int,
	made []bool, tok int,
) kind.Decision {
	o := &list[group[0]]
	edited, written := s.Change(o.Edit)
	e := kind.Decision{Doc: d.ID, Sent: s.Number, Tok: tok, Form: s.Forms[tok-1], Outcome: edited, RunnerUp: written,
		Prob: o.prob, Margin: finiteScore(o.score), Place: members[o.main().by].ErrorType()}
	sign := 1.0
	if !made[group[0]] {
		sign = -1
		e.Outcome, e.RunnerUp, e.Prob, e.Margin = written, edited, 1-o.prob, -e.Margin
	}
	add := func(name string, value, weight float64) {
		e.Contributions = append(e.Contributions, kind.Contribution{Feature: name, Value: value, Weight: weight})
	}
	if m.combine == union {
		for i := range o.said {
			p := &o.said[i]
			over := evidence.Logit(p.Prob) - m.thresholds[p.by]
			weight := 0.0
			if over == o.score {
				weight = sign
			}
			add(m.names[p.by]+": log-odds less the threshold", over, weight)
		}
	} else {
		o.each(func(at uint32, v float64) {
			add(m.names[at/inputs]+": "+inputNames[at%inputs], v, sign*m.weights[at])
		})
		for i := range o.said {
			p := &o.said[i]
			if w := m.pairs[m.pairKey(p)]; w != nil {
				add(m.names[p.by]+": "+p.Source+" to "+p.Label, 1, sign*w[0])
			}
		}
		add("threshold", -m.limit(), sign)
	}
	e.Sort()
	for _, k := range group[:min(len(group), shown)] {
		text, _ := s.Change(list[k].Edit)
		add("candidate "+text, list[k].prob, 0)
	}
	p := o.main()
	grams := members[p.by].work.Grams(s, &p.Proposal)
	slices.SortStableFunc(grams, func(a, b evidence.Gram) int {
		return cmp.Compare(math.Abs(b.EditedCount-b.WrittenCount), math.Abs(a.EditedCount-a.WrittenCount))
	})
	for _, g := range grams[:min(len(grams), shown)] {
		add(fmt.Sprintf("n-gram %s: %g, %s", g.Written, g.WrittenCount, g.Edited), g.EditedCount, 0)
	}
	return e
}

func finiteScore(x float64) float64 { return evidence.Clip(x, maxLogit) }
