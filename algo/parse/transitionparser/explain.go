package transitionparser

import (
	"context"
	"math"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/parse/transition"
	"parlance/algo/text"
)

// Explain tells of every token the move that attached it and the label of its arc, each against the
// runner-up; contributions are the differences of weights, named by the features that were hashed.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	p := m.workers.Get().(*parser)
	defer m.workers.Put(p)
	for _, d := range docs {
		for s := range at.Sentences(d) {
			list, err := p.decisions(ctx, d.Layer(text.Tokens.Name), s.From, s.To)
			if err != nil {
				return out, err
			}
			for _, x := range list {
				if at.Token(x.Tok) {
					x.Doc, x.Sent = d.ID, s.Number
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
	n := to - from
	e := &explainer{p: p, form: texts(toks, from)}
	e.shifted, e.attached, e.labels = make([]kind.Decision, n+1), make([]kind.Decision, n+1), make([]kind.Decision, n+1)
	if err := p.parse(ctx, toks, from, to, false, e); err != nil {
		return nil, err
	}
	var out []kind.Decision
	for t := 1; t <= n; t++ {
		x := e.attached[t]
		if x.Outcome == "" {
			x = e.shifted[t]
		}
		if x.Outcome == "" { // there was one move only
			x = kind.Decision{Outcome: "shift", Prob: 1}
			if p.state.Head(int32(t)) > 0 {
				x.Outcome = "attach"
			}
		}
		x.Tok, x.Form, x.Place = t, e.form("form", int32(t)), "head"
		out = append(out, x)
		if p.m.label != nil {
			y := e.labels[t]
			y.Tok, y.Form, y.Place = t, x.Form, "deprel"
			out = append(out, y)
		}
	}
	return out, nil
}

// explainer explains the choices of a sentence.
type explainer struct {
	p                         *parser
	form                      func(column string, token int32) string
	shifted, attached, labels []kind.Decision // by token
}

func (e *explainer) move(mask uint8, move int) {
	x := e.p.decision(mask, move, e.form)
	switch t := e.p.subject(move); {
	case t != 0:
		e.attached[t] = x
	case transition.Move(move) == transition.Shift:
		e.shifted[e.p.state.Buffer(0)] = x
	}
}

func (e *explainer) label(among []uint32, label int) {
	e.labels[e.p.walk.dependent] = e.p.relationDecision(among, label, e.form)
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

// relationDecision explains the label of an arc before it is set.
func (p *parser) relationDecision(among []uint32, y int, form func(string, int32) string) kind.Decision {
	w := &p.walk
	x := kind.Decision{Outcome: p.m.labels[y], Prob: w.share(among, y, p.m.unit[1]*p.m.temperature)}
	other := w.bestBut(among, y)
	if other == 0 {
		return x
	}
	x.RunnerUp = p.m.labels[other]
	for i, r := range w.rows {
		contribute(&x, p.m.label.at(r, y)-p.m.label.at(r, other), func() string {
			return p.m.arcs.Name(i, &p.state, &p.scratch, form, p.relation)
		})
	}
	sortContributions(&x)
	return x
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
