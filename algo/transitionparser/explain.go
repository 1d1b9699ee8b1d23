package transitionparser

import (
	"context"
	"math"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/algo/transition"
)

// Explain tells of every token the move that attached it and the label of its arc, each against the
// runner-up; contributions are the differences of weights, named by the features that were hashed.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	p := m.workers.Get().(*parser)
	defer m.workers.Put(p)
	for _, d := range docs {
		bounds := d.SentenceTokens()
		for s := 1; s < len(bounds); s++ {
			from, to := int(bounds[s-1]), int(bounds[s])
			if from == to || at.Sent != 0 && at.Sent != s {
				continue
			}
			list, err := p.decisions(ctx, d.Layer(text.Tokens.Name), from, to)
			if err != nil {
				return out, err
			}
			for _, x := range list {
				if at.Tok == 0 || at.Tok == x.Tok {
					x.Doc, x.Sent = d.ID, s
					out.Decisions = append(out.Decisions, x)
				}
			}
		}
	}
	return out, nil
}

// decisions explains a sentence, token after token. What was decided of a token before its arc, by
// putting it onto the stack, is not told; of the root it is.
func (p *parser) decisions(ctx context.Context, toks *text.Layer, from, to int) ([]kind.Decision, error) {
	form := texts(toks, from)
	shifted := make([]kind.Decision, to-from+1)
	attached := make([]kind.Decision, to-from+1)
	err := p.parse(ctx, toks, from, to, false, func(mask uint8, move int) {
		x := p.decision(mask, move, form)
		switch t := p.subject(move); {
		case t != 0:
			attached[t] = x
		case transition.Move(move) == transition.Shift:
			shifted[p.state.Buffer(0)] = x
		}
	})
	if err != nil {
		return nil, err
	}
	var labels []kind.Decision
	if p.m.label != nil {
		labels = p.labelDecisions(form)
	}
	var out []kind.Decision
	for t := 1; t <= to-from; t++ {
		x := attached[t]
		if x.Outcome == "" {
			x = shifted[t]
		}
		if x.Outcome == "" { // there was one move only
			x = kind.Decision{Outcome: "shift", Prob: 1}
			if p.state.Head(int32(t)) > 0 {
				x.Outcome = "attach"
			}
		}
		x.Tok, x.Form, x.Place = t, form("form", int32(t)), "head"
		out = append(out, x)
		if labels != nil {
			labels[t].Tok, labels[t].Form, labels[t].Place = t, x.Form, "deprel"
			out = append(out, labels[t])
		}
	}
	return out, nil
}

// texts gives columns of the tokens of a sentence.
func texts(toks *text.Layer, from int) func(column string, token int32) string {
	return func(column string, token int32) string {
		name := column
		if name == "lower" {
			name = "form"
		}
		row := from + int(token) - 1
		list := toks.Strs(name)
		switch {
		case row >= len(list):
			return ""
		case column == "lower":
			return strings.ToLower(list[row])
		}
		return list[row]
	}
}

// decision explains a move before it is done.
func (p *parser) decision(mask uint8, move int, form func(string, int32) string) kind.Decision {
	x := kind.Decision{Outcome: moveName(transition.Move(move)), Prob: p.share(mask, move)}
	_, second := best(&p.scores, mask)
	x.RunnerUp = moveName(transition.Move(second))
	for i, r := range p.rows {
		contribute(&x, p.m.moves.at(r, move)-p.m.moves.at(r, second), func() string {
			return p.m.states.Name(i, &p.state, &p.scratch, form, p.relation)
		})
	}
	sortContributions(&x)
	return x
}

func (p *parser) relation(y uint16) string { return p.m.labels[y] }

// labelDecisions explains the labels of the tree, by token.
func (p *parser) labelDecisions(form func(string, int32) string) []kind.Decision {
	out := make([]kind.Decision, p.state.Len()+1)
	w := &p.walk
	for t := range out {
		p.state.Relabel(int32(t), 0)
	}
	for w.begin(&p.state); w.next(); {
		p.m.arcs.Arc(&p.state, p.words, w.dependent, w.previous, &p.scratch, w.rows)
		p.m.label.add(w.rows, w.values)
		among := p.m.ends[w.end()]
		y := w.best(among)
		x := kind.Decision{Outcome: p.m.labels[y], Prob: w.share(among, y, p.m.unit[1])}
		if other := w.bestBut(among, y); other != 0 {
			x.RunnerUp = p.m.labels[other]
			for i, r := range w.rows {
				contribute(&x, p.m.label.at(r, y)-p.m.label.at(r, other), func() string {
					return p.m.arcs.Name(i, &p.state, &p.scratch, form, p.relation)
				})
			}
			sortContributions(&x)
		}
		out[w.dependent] = x
		p.state.Relabel(w.dependent, uint16(y))
	}
	return out
}

// contribute adds a feature whose weights of two outcomes differ.
func contribute(x *kind.Decision, diff float64, name func() string) {
	if diff != 0 {
		x.Margin += diff
		x.Contributions = append(x.Contributions, kind.Contribution{Feature: name(), Value: 1, Weight: diff})
	}
}

func sortContributions(x *kind.Decision) {
	list := x.Contributions
	sort.SliceStable(list, func(i, j int) bool { return math.Abs(list[i].Weight) > math.Abs(list[j].Weight) })
}
