package coreference

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/coref/linking"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain tells of each mention the link that was chosen, or that there is none, against the best other choice.
// Contributions are the features that the two differ in.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	s, err := m.newScorer(run.Resources)
	if err != nil {
		return out, err
	}
	for _, d := range docs {
		x, links, err := m.resolve(ctx, s, d)
		if err != nil {
			return out, err
		}
		if s.walk = nil; x.kb != nil {
			s.walk = x.newWalk(&m.opt)
		}
		for i, y := range x.mentions {
			if kind.Ended(ctx, i) {
				return out, ctx.Err()
			}
			sent := int(y.Sent) + 1
			first := int(y.Start-x.read.Bounds[y.Sent]) + 1
			if at.Sent != 0 && at.Sent != sent || at.Tok != 0 && (at.Tok < first || at.Tok > first+y.Len()-1) {
				continue
			}
			if s.walk != nil {
				s.walk.upTo(i, links.Antecedents)
			}
			e, err := s.decision(ctx, m, x, links, i)
			if err != nil {
				return out, err
			}
			e.Doc, e.Sent, e.Tok = d.ID, sent, first
			out.Decisions = append(out.Decisions, e)
		}
	}
	return out, nil
}

// words of a mention, with its number.
func (d *document) words(i int) string {
	m := d.mentions[i]
	from, to := d.read.Forms[m.Start], ""
	if m.Len() > 1 {
		to = " … " + d.read.Forms[m.End-1]
		if m.Len() == 2 {
			to = " " + d.read.Forms[m.End-1]
		}
	}
	return from + to
}

// outcome names an antecedent, with the entity that it means for a knowledge base.
func (d *document) outcome(j int32, w *walk) string {
	if j == linking.None {
		return "nothing"
	}
	if w != nil && w.entity(int(j)) != "" {
		return fmt.Sprintf("%d %s = %s", j+1, d.words(int(j)), w.entity(int(j)))
	}
	return fmt.Sprintf("%d %s", j+1, d.words(int(j)))
}

// decision explains the link of a mention, to which the walk has come where there is a knowledge base.
func (s *scorer) decision(ctx context.Context, m *model, d *document, links linking.Links, i int) (kind.Decision,
	error) {
	row, first := d.table.Row(i), d.table.First(i)
	chosen, second := links.Antecedents[i], int32(linking.None)
	score := func(j int32) float64 {
		if j == linking.None {
			return 0
		}
		return row[int(j)-first]
	}
	best := math.Inf(-1)
	if chosen != linking.None {
		best = 0
	}
	high := 0.0
	for k := len(row) - 1; k >= 0; k-- {
		high = max(high, row[k])
		if j := int32(first + k); j != chosen && row[k] > best {
			second, best = j, row[k]
		}
	}
	x := kind.Decision{Form: d.words(i), Place: "antecedent", Outcome: d.outcome(chosen, s.walk)}
	if chosen != second {
		x.RunnerUp = d.outcome(second, s.walk)
	}
	all := math.Exp(-high)
	for _, v := range row {
		all += math.Exp(v - high)
	}
	x.Prob = max(math.Exp(score(chosen)-high)/all, math.SmallestNonzeroFloat64)
	list := map[string]*kind.Contribution{}
	for _, side := range []struct {
		j    int32
		sign float64
	}{{chosen, 1}, {second, -1}} {
		if side.j == linking.None {
			continue
		}
		if err := s.contributions(ctx, m, d, i, int(side.j), side.sign, list); err != nil {
			return x, err
		}
	}
	for _, c := range list {
		if c.Value != 0 && c.Weight != 0 {
			x.Contributions = append(x.Contributions, *c)
		}
	}
	slices.SortFunc(x.Contributions, func(a, b kind.Contribution) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Value*b.Weight), math.Abs(a.Value*a.Weight)), cmp.Compare(a.Feature, b.Feature))
	})
	for _, c := range x.Contributions {
		x.Margin += c.Value * c.Weight
	}
	return x, nil
}

// contributions adds the features of a link to a list, with a sign.
func (s *scorer) contributions(ctx context.Context, m *model, d *document, i, j int, sign float64,
	list map[string]*kind.Contribution) error {
	k := d.part(i)
	w := s.t.part(k)
	add := func(name string, weight float64) {
		c := list[name]
		if c == nil {
			c = &kind.Contribution{Feature: name, Weight: weight}
			list[name] = c
		}
		c.Value += sign
	}
	if s.names[k] == nil {
		x, err := place.NewExtractor(s.t.features[k].set, s.resources)
		if err != nil {
			return err
		}
		s.names[k] = x
	}
	if x := s.names[k]; s.bound[k] != d {
		if err := x.Bind(ctx, d.text); err != nil {
			return err
		}
		s.bound[k] = d
	}
	var found place.Found
	if err := s.names[k].Extract([]place.Ref{place.Row(j), place.Row(i)}, &found); err != nil {
		return err
	}
	templates, values := s.names[k].Names(&found)
	for n, h := range found.Hashes {
		add(templates[n]+" = "+values[n], float64(w[place.Short(h)>>(32-s.t.bits)]))
	}
	if at := s.walk; m.opt.weighsKB() && at.entity(j) != "" {
		for _, x := range at.cues(at.entity(j), i) {
			for n := range conjunctions {
				add(at.named(x, n, j, i), float64(s.t.weights[m.opt.kbBase()+int(at.place(x, n, j, i))]))
			}
		}
	}
	if t := s.t.thresholds[thresholdOf(d.mentions[i].Type)] + m.thresholdOption(d, i); t != 0 {
		add("threshold", t)
	}
	return nil
}
