package gec

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parlance/algo/correct/confusion"
	"parlance/algo/engine/zeroone"
)

// The modules whose decisions depend on each other.
const (
	moduleArticle   = "article"
	moduleNoun      = "noun_number"
	moduleAgreement = "agreement"
)

// slot is a place that is decided about together with others: an article, a noun or a verb. A value of it is an option,
// or to leave it as it is.
type slot struct {
	module  string
	at, end int
	source  int   // value of what was written: number of a noun or verb, 1 of an article a
	options []int // of the sentence
	values  []int
}

// penalty is what disagreement costs where joint is mild, in log-odds.
const penalty = 1.0

// bond ties two slots: noun and verb have the same number, an article a has no plural.
type bond struct {
	kind string
	a, b int // slots; b < 0 for a fixed value
	want int
}

// valueOf is the value of a slot, by label.
func valueOf(module, label string) int {
	switch {
	case module == moduleArticle && label == "a":
		return 1
	case module == moduleArticle:
		return 0
	case label == "plural" || label == "base":
		return confusion.Plural
	}
	return confusion.Singular
}

// slots gathers the options of articles, nouns and verbs by their slots.
func slots(members []member, list []correction) []slot {
	var out []slot
	for i := range list {
		for _, module := range []string{moduleArticle, moduleNoun, moduleAgreement} {
			p, ok := list[i].labelOf(members, module)
			if !ok {
				continue
			}
			k := slices.IndexFunc(out, func(s slot) bool { return s.module == module && s.at == p.Slot && s.end == p.SlotEnd })
			if k < 0 {
				k = len(out)
				out = append(out, slot{module: module, at: p.Slot, end: p.SlotEnd, source: valueOf(module, p.Source)})
			}
			out[k].options, out[k].values = append(out[k].options, i), append(out[k].values, valueOf(module, p.Label))
			break
		}
	}
	return out
}

// bonds ties the slots of a sentence. Coordinated subjects tie nothing.
func bonds(s *confusion.Sentence, list []slot) []bond {
	noun := func(at int) int {
		return slices.IndexFunc(list, func(x slot) bool { return x.module == moduleNoun && x.at == at })
	}
	var out []bond
	for i := range list {
		switch x := &list[i]; x.module {
		case moduleArticle:
			if head := confusion.ArticleHead(s, x.end); head >= 0 {
				if k := noun(head); k >= 0 {
					out = append(out, bond{"an article a has no plural", i, k, 0})
				}
			}
		case moduleAgreement:
			head, path := confusion.Subject(s, x.at)
			if head < 0 || path != "" && path != "p" && path != "there" || confusion.Coordinated(s, head) {
				continue
			}
			if s.Lower[head] == "i" && irregular[s.Lower[x.at]] {
				continue // I am, I was
			}
			if n, ok := confusion.Pronoun(s.Lower[head]); ok && path == "" {
				out = append(out, bond{"subject and verb have one number", i, -1, n})
			} else if k := noun(head); k >= 0 {
				out = append(out, bond{"subject and verb have one number", i, k, 0})
			}
		}
	}
	return out
}

// irregular are forms of be, which I has others of than plurals.
var irregular = map[string]bool{"am": true, "is": true, "are": true, "was": true, "were": true, "'s": true, "'re": true}

// agree solves the 0/1 program of each component of slots in which something is changed (Rozovskaya et al. 2014):
//
//	maximise Σ_i Σ_c s_ic·z_ic   where  Σ_c z_ic = 1,  z_N,singular = z_V,third,  z_A,a + z_N,plural ≤ 1
//
// s is the log-odds above the threshold, 0 for what was written. Mild programs may break a constraint at a price. It
// returns the options that are chosen, and makes those of the component no longer free.
func (m *model) agree(ctx context.Context, members []member, s *confusion.Sentence, list []correction,
	free []bool) ([]int, error) {
	if !slices.ContainsFunc(list, func(o correction) bool { return o.score >= 0 }) {
		return nil, nil
	}
	all := slots(members, list)
	ties := bonds(s, all)
	component := make([]int, len(all))
	for i := range component {
		component[i] = i
	}
	for changed := true; changed; {
		changed = false
		for _, b := range ties {
			if b.b >= 0 && component[b.a] != component[b.b] {
				c := min(component[b.a], component[b.b])
				component[b.a], component[b.b], changed = c, c, true
			}
		}
	}
	var out []int
	for c := range all {
		if component[c] != c {
			continue
		}
		chosen, err := m.solve(ctx, list, all, ties, component, c, free)
		if err != nil {
			return nil, err
		}
		out = append(out, chosen...)
	}
	return out, nil
}

// solve decides about a component, if something in it is changed and something ties it.
func (m *model) solve(ctx context.Context, list []correction, all []slot, ties []bond, component []int, c int,
	free []bool) ([]int, error) {
	changed, tied := false, false
	for i := range all {
		if component[i] == c {
			changed = changed || slices.ContainsFunc(all[i].options, func(k int) bool { return list[k].score >= 0 })
		}
	}
	for _, b := range ties {
		tied = tied || component[b.a] == c
	}
	if !changed || !tied {
		return nil, nil
	}
	p, err := m.program(list, all, ties, component, c)
	if err != nil {
		return nil, err
	}
	solution, err := p.Solve(ctx, zeroone.Defaults())
	if contradiction := (*zeroone.Infeasible)(nil); errors.As(err, &contradiction) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("joint choice: %w", err)
	}
	var out []int
	for i, v := range p.vars {
		for k, x := range v {
			if k > 0 && solution.X[x] {
				out = append(out, all[i].options[k-1])
			}
		}
		if v != nil {
			for _, o := range all[i].options {
				free[o] = false
			}
		}
	}
	return out, nil
}

// program is the 0/1 program of a component: of each slot a variable for what was written, then one for each option.
type program struct {
	zeroone.Problem
	vars [][]int
}

// impossible is the score of options that no module makes.
const impossible = -50

func (m *model) program(list []correction, all []slot, ties []bond, component []int, c int) (*program, error) {
	p := &program{vars: make([][]int, len(all))}
	for i := range all {
		if component[i] != c {
			continue
		}
		v := []int{p.Variable(0)}
		for _, o := range all[i].options {
			v = append(v, p.Variable(max(list[o].score, impossible)))
		}
		p.ExactlyOne("a value for each slot", v...)
		p.vars[i] = v
	}
	for _, b := range ties {
		if component[b.a] != c {
			continue
		}
		var terms []zeroone.Term
		sense, right := zeroone.Equal, 0
		add := func(slot, want, coef int) {
			if all[slot].source == want {
				terms = append(terms, zeroone.Term{Var: p.vars[slot][0], Coef: coef})
			}
			for k, v := range all[slot].values {
				if v == want {
					terms = append(terms, zeroone.Term{Var: p.vars[slot][k+1], Coef: coef})
				}
			}
		}
		switch {
		case all[b.a].module == moduleArticle:
			add(b.a, 1, 1)
			add(b.b, confusion.Plural, 1)
			sense, right = zeroone.AtMost, 1
		case b.b < 0:
			add(b.a, b.want, 1)
			right = 1
		default:
			add(b.a, confusion.Singular, 1)
			add(b.b, confusion.Singular, -1)
		}
		if m.joint == mild {
			over, under := p.Variable(-penalty), p.Variable(-penalty)
			terms = append(terms, zeroone.Term{Var: over, Coef: -1}, zeroone.Term{Var: under, Coef: 1})
		}
		p.Constrain(b.kind, terms, sense, right)
	}
	return p, nil
}
