package verbentailment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

var (
	colPremise    = kind.Column{Name: "premise", Type: value.Text, Doc: "verb that entails"}
	colHypothesis = kind.Column{Name: "hypothesis", Type: value.Text, Doc: "verb that is entailed"}
	colSlot1      = kind.Column{Name: "premise_slot", Type: value.Text, Doc: "slot of the premise"}
	colSlot2      = kind.Column{Name: "hypothesis_slot", Type: value.Text,
		Doc: "slot of the hypothesis that the same noun fills"}
	colScore   = kind.Column{Name: "score", Type: value.Float, Doc: "by the measure"}
	colRank    = kind.Column{Name: "rank", Type: value.Integer, Doc: "place in the list, from 1"}
	argsOfPair = []kind.Arg{{Name: "premise", Type: value.Text, Doc: "verb that entails"},
		{Name: "premise_slot", Type: value.Text, Doc: "its slot"},
		{Name: "hypothesis", Type: value.Text, Doc: "verb that is entailed"},
		{Name: "hypothesis_slot", Type: value.Text, Doc: "its slot"}}
	pairColumns = []kind.Column{colPremise, colHypothesis, colScore, colSlot1, colSlot2, colRank}
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "verbs", Doc: "pairs of verbs, each with its best pair of templates, the best first", Columns: pairColumns},
	{Name: "pairs", Doc: "pairs of templates, the best first", Columns: pairColumns},
	{Name: "nominative",
		Doc: "pairs of templates without subjects, as entailments of what their subjects do: who joins with " +
			"the NBA enrols in it",
		Columns: pairColumns},
	{Name: "entails", Doc: "what a verb entails, the best first",
		Columns: []kind.Column{colHypothesis, colScore, colSlot1, colSlot2, colRank}, Args: argsOfPair[:1]},
	{Name: "score", Doc: "all measures of a pair of templates, in the list or not", Columns: []kind.Column{
		{Name: "score", Type: value.Float, Doc: "base times trick"},
		{Name: "base", Type: value.Float, Doc: "probability of the walk from premise to hypothesis"},
		{Name: "trick", Type: value.Float, Doc: "base without the noun that says most"},
		{Name: "lin", Type: value.Float, Doc: "similarity of Lin"},
		{Name: "precision", Type: value.Float, Doc: "share of the premise that the nouns of the hypothesis cover"},
		{Name: "recall", Type: value.Float, Doc: "share of the hypothesis that the nouns of the premise cover"},
		{Name: "binc", Type: value.Float, Doc: "root of lin times precision"},
		{Name: "shared", Type: value.Integer, Doc: "common nouns"}}, Args: argsOfPair},
	{Name: "witnesses", Doc: "nouns that fill both templates, those that say most first", Columns: []kind.Column{
		{Name: "noun", Type: value.Text, Doc: "noun"}, {Name: "part", Type: value.Float, Doc: "its term of base"},
		{Name: "premise_count", Type: value.Float, Doc: "occurrences with the premise"},
		{Name: "hypothesis_count", Type: value.Float, Doc: "occurrences with the hypothesis"}}, Args: argsOfPair},
	{Name: "templates", Doc: "templates that are compared",
		Columns: []kind.Column{{Name: "predicate", Type: value.Text, Doc: "verb"},
			{Name: "slot", Type: value.Text, Doc: "slot"}, {Name: "count", Type: value.Float, Doc: "occurrences"},
			{Name: "nouns", Type: value.Integer, Doc: "number of different nouns"}}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	rel := relations[at]
	switch name {
	case "verbs":
		return m.listed(rel, m.verbPairs, false), nil
	case "pairs":
		return m.listed(rel, m.pairs, false), nil
	case "nominative":
		return m.listed(rel, m.pairs, true), nil
	case "templates":
		return m.templates(rel), nil
	case "entails":
		return m.entailed(rel, args[0].S)
	}
	l, r, err := m.pair(args)
	if err != nil {
		return nil, err
	}
	if name == "score" {
		return m.measured(rel, l, r), nil
	}
	return m.witnesses(rel, l, r), nil
}

// listed is a list of pairs; those of nominative have no subject in either template, and stand for subjects.
func (m *model) listed(rel kind.Relation, list []pair, nominative bool) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		rank := int64(0)
		for _, p := range list {
			l, r := m.counts.Templates[p.l], m.counts.Templates[p.r]
			if nominative && (l.Slot == "nsubj" || r.Slot == "nsubj") {
				continue
			}
			rank++
			if !yield([]value.Value{value.Str(l.Predicate), value.Str(r.Predicate), value.Real(p.score),
				value.Str(l.Slot), value.Str(r.Slot), value.Int(rank)}) {
				return
			}
		}
	})
}

func (m *model) templates(rel kind.Relation) kind.Rows {
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for i, t := range m.counts.Templates {
			if !yield([]value.Value{value.Str(t.Predicate), value.Str(t.Slot), value.Real(m.counts.OfRow[i]),
				value.Int(int64(m.counts.Rows.Width(i)))}) {
				return
			}
		}
	})
}

func (m *model) entailed(rel kind.Relation, verb string) (kind.Rows, error) {
	if from, to := m.counts.Of(verb); from == to {
		return nil, &kind.Unknown{What: "verb", Name: verb, Known: m.counts.Predicates()}
	}
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		rank := int64(0)
		for _, p := range m.verbPairs {
			l, r := m.counts.Templates[p.l], m.counts.Templates[p.r]
			if l.Predicate != verb {
				continue
			}
			rank++
			if !yield([]value.Value{value.Str(r.Predicate), value.Real(p.score), value.Str(l.Slot), value.Str(r.Slot),
				value.Int(rank)}) {
				return
			}
		}
	}), nil
}

// pair finds the templates of the arguments.
func (m *model) pair(args []value.Value) (l, r int, err error) {
	find := func(verb, slot string) (int, error) {
		if i, ok := m.counts.Find(template.Template{Predicate: verb, Slot: slot}); ok {
			return i, nil
		}
		from, to := m.counts.Of(verb)
		if from == to {
			return 0, &kind.Unknown{What: "verb", Name: verb, Known: m.counts.Predicates(),
				Note: fmt.Sprintf("verbs have templates with %d tuples at least", m.opt.minTemplate)}
		}
		var slots []string
		for _, t := range m.counts.Templates[from:to] {
			slots = append(slots, t.Slot)
		}
		return 0, &kind.Unknown{What: "slot of " + verb, Name: slot, Known: slots}
	}
	if l, err = find(args[0].S, args[1].S); err != nil {
		return 0, 0, err
	}
	r, err = find(args[2].S, args[3].S)
	return l, r, err
}

// between sums what two templates have in common.
func (m *model) between(l, r int) (*scorer, *sums) {
	s := &scorer{m: m, c: m.counts, w: m.weights}
	x := newSums(len(m.counts.Templates))
	for _, w := range m.common(l, r) {
		x.base[r] += w.part
		x.most[r] = max(x.most[r], w.part)
		x.shared[r]++
	}
	x.left[r], x.right[r] = m.weights.Shared(l, r)
	return s, x
}

func (m *model) measured(rel kind.Relation, l, r int) kind.Rows {
	s, x := m.between(l, r)
	row := []value.Value{}
	for _, name := range []string{"score", "score_base", "score_trick", "lin", "precision", "recall", "binc"} {
		row = append(row, value.Real(s.of(name, l, r, x)))
	}
	row = append(row, value.Int(int64(x.shared[r])))
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) { yield(row) })
}

// witness is a noun of two templates.
type witness struct {
	noun        uint32
	part        float64 // P(r|f)·P(f|l)
	left, right float64 // counts
}

// common is the nouns that fill both templates, by their numbers.
func (m *model) common(l, r int) (out []witness) {
	rows := m.counts.Rows
	a, b := rows.Start[l], rows.Start[r]
	for a < rows.Start[l+1] && b < rows.Start[r+1] {
		switch f, g := rows.IDs[a], rows.IDs[b]; {
		case f < g:
			a++
		case g < f:
			b++
		default:
			part := rows.Counts[a] / m.counts.OfRow[l] * (rows.Counts[b] / m.counts.OfColumn[f])
			out = append(out, witness{f, part, rows.Counts[a], rows.Counts[b]})
			a++
			b++
		}
	}
	return out
}

func (m *model) witnesses(rel kind.Relation, l, r int) kind.Rows {
	list := m.common(l, r)
	slices.SortStableFunc(list, func(a, b witness) int { return cmp.Compare(b.part, a.part) })
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
		for _, w := range list {
			if !yield([]value.Value{value.Str(m.counts.Nouns[w.noun]), value.Real(w.part), value.Real(w.left),
				value.Real(w.right)}) {
				return
			}
		}
	})
}

// Explain tells which nouns lead from one template to the other: score(premise, premise_slot, hypothesis,
// hypothesis_slot). The contributions are P(f|l)·P(r|f) and add up to base.
func (m *model) Explain(_ context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != "score" && at.Relation != "witnesses" || len(docs) > 0 || len(at.Args) != len(argsOfPair) {
		return kind.Explanation{},
			fmt.Errorf("%w: score(premise, premise_slot, hypothesis, hypothesis_slot) is explained",
				kind.ErrNoExplain)
	}
	l, r, err := m.pair(at.Args)
	if err != nil {
		return kind.Explanation{}, err
	}
	c := m.counts
	d := kind.Decision{Place: c.Templates[l].String(), Form: c.Templates[l].Predicate,
		Outcome: c.Templates[r].String(), Prob: math.NaN()}
	for _, w := range m.common(l, r) {
		d.Contributions = append(d.Contributions,
			kind.Contribution{Feature: c.Nouns[w.noun], Value: w.left / c.OfRow[l],
				Weight: w.right / c.OfColumn[w.noun]})
		d.Margin += w.part
	}
	d.Sort()
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}
