package excitation

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

func column(name string, t value.Type, doc string) kind.Column {
	return kind.Column{Name: name, Type: t, Doc: doc}
}

var (
	argNoun = []kind.Arg{{Name: "noun", Type: value.Text, Optional: true,
		Doc: "noun of one of the events; any if left out"}}
	// a phrase is a verb, its slot and a noun
	colVerb1, colSlot1 = column("predicate1", value.Text, "first verb"), column("slot1", value.Text, "its slot")
	colVerb2, colSlot2 = column("predicate2", value.Text, "second verb"), column("slot2", value.Text, "its slot")
	colNoun1, colNoun2 = column("noun1", value.Text, "noun of the first event"),
		column("noun2", value.Text, "noun of the second event")
	colScore         = column("score", value.Float, "product of its parts")
	colNot1, colNot2 = column("negated1", value.Boolean, "the first event is denied"),
		column("negated2", value.Boolean, "the second event is denied")
)

// relations are what the model answers.
var relations = []kind.Relation{
	{Name: "templates", Doc: "verbs with a slot by their excitation, the most excitatory first",
		Columns: []kind.Column{column("predicate", value.Text, "verb"), column("slot", value.Text, "slot"),
			column("value", value.Float,
				"excitation from −1 to 1: above 0 it activates what fills the slot, below it suppresses it; 0 "+
					"without links"),
			column("links", value.Integer, "number of templates it is linked with"),
			column("count", value.Float, "occurrences in pairs of clauses"),
			column("seed", value.Integer, "sign of a seed, else 0")}},
	{Name: "causalities", Doc: "events that follow each other in the text, those of the highest excitation first",
		Args: argNoun, Columns: []kind.Column{colVerb1, colSlot1, colNoun1, colNot1, colVerb2, colSlot2, colNoun2,
			colNot2, colScore, column("value1", value.Float, "excitation of the first verb"),
			column("value2", value.Float, "excitation of the second verb"),
			column("count", value.Float, "occurrences with connectives that do not say that one is the cause"),
			column("npfreq", value.Float,
				"occurrences of the two nouns, in any events, with the polarity that they have most")}},
	{Name: "contradictions", Doc: "phrases that contradict each other, the best first", Args: argNoun,
		Columns: []kind.Column{column("noun", value.Text, "noun of both"), colVerb1, colSlot1, colVerb2, colSlot2,
			colScore, column("value1", value.Float, "excitation of the first verb, above 0"),
			column("value2", value.Float, "excitation of the second verb, below 0"),
			column("similarity", value.Float, "of Lin, of the nouns in both slots"),
			column("count", value.Float, "occurrences of the rarer phrase")}},
	{Name: "hypotheses",
		Doc:  "events that may follow each other though no sentence joins them: both contradict those of a causality",
		Args: argNoun, Columns: []kind.Column{colVerb1, colSlot1, colNoun1, colVerb2, colSlot2, colNoun2, colScore,
			column("source", value.Text, "the causality that it was made of")}},
	{Name: "links", Doc: "links between templates",
		Columns: []kind.Column{colVerb1, colSlot1, colVerb2, colSlot2,
			column("sign", value.Float, "1: they have the same sign, −1: opposite ones; of similarity its strength"),
			column("votes", value.Float, "pairs of clauses for it less those against it")}},
	{Name: "iterations", Doc: "the network after each round", Columns: []kind.Column{column("iteration", value.Integer,
		"number of the round"), column("templates", value.Integer, "templates with links"),
		column("same", value.Integer, "links of the same sign"),
		column("opposite", value.Integer, "links of opposite signs"),
		column("facilitating", value.Integer, "pairs of nouns of which the first facilitates the second"),
		column("suppressing", value.Integer, "pairs of which it suppresses it"),
		column("seeds", value.Integer, "templates with a sign at its start"),
		column("sweeps", value.Integer, "sweeps of the spin model")}},
	{Name: "value", Doc: "the excitation of a template",
		Args: []kind.Arg{{Name: "predicate", Type: value.Text, Doc: "verb"},
			{Name: "slot", Type: value.Text, Optional: true, Doc: "slot; obj if left out"}},
		Columns: []kind.Column{column("value", value.Float, "excitation from −1 to 1"),
			column("seed", value.Integer, "sign of a seed, else 0")}},
	{Name: "candidates",
		Doc: "templates by their number of different partners in pairs of clauses, to choose seeds from",
		Columns: []kind.Column{column("predicate", value.Text, "verb"), column("slot", value.Text, "slot"),
			column("partners", value.Integer, "different templates that it stands with"),
			column("count", value.Float, "occurrences in pairs of clauses"),
			column("seed", value.Integer, "sign of a seed, else 0")}},
}

// Open opens a relation.
func (m *model) Open(_ context.Context, name string, args []value.Value, _ *kind.Run) (kind.Rows, error) {
	at := slices.IndexFunc(relations, func(r kind.Relation) bool { return r.Name == name })
	if at < 0 {
		return nil, kind.ErrNoRelation
	}
	rel, noun := relations[at], -1
	if name == "value" {
		i, err := m.template(args)
		if err != nil {
			return nil, err
		}
		return kind.RowsOf(rel, func(yield func([]value.Value) bool) {
			yield([]value.Value{value.Real(m.net.value[i]), value.Int(int64(m.net.seed[i]))})
		}), nil
	}
	if len(rel.Args) > 0 && len(args) > 0 && !args[0].IsNull() {
		k, ok := slices.BinarySearch(m.facts.nouns, args[0].S)
		if !ok {
			return nil, &kind.Unknown{What: "noun", Name: args[0].S, Known: m.facts.nouns}
		}
		noun = k
	}
	rows := map[string]func(noun int, yield func([]value.Value) bool){
		"templates": m.templateRows, "links": m.linkRows, "iterations": m.iterationRows, "candidates": m.candidateRows,
		"contradictions": m.contradictionRows, "causalities": m.causalityRows, "hypotheses": m.hypothesisRows}[name]
	return kind.RowsOf(rel, func(yield func([]value.Value) bool) { rows(noun, yield) }), nil
}

func (m *model) names(i uint32) (verb, slot value.Value) {
	t := m.net.templates[i]
	return value.Str(t.Predicate), value.Str(t.Slot)
}

func (m *model) noun(i uint32) value.Value { return value.Str(m.facts.nouns[i]) }

func (m *model) templateRows(_ int, yield func([]value.Value) bool) {
	degree := make([]int64, len(m.net.templates))
	for _, l := range m.net.links {
		degree[l.i]++
		degree[l.j]++
	}
	for _, i := range m.net.ranked() {
		v, s := m.names(uint32(i))
		if !yield([]value.Value{v, s, value.Real(m.net.value[i]), value.Int(degree[i]), value.Real(m.net.freq[i]),
			value.Int(int64(m.net.seed[i]))}) {
			return
		}
	}
}

func (m *model) linkRows(_ int, yield func([]value.Value) bool) {
	for k, l := range m.net.links {
		a, b := m.names(l.i)
		c, d := m.names(l.j)
		if !yield([]value.Value{a, b, c, d, value.Real(l.w), value.Real(m.net.votes[k])}) {
			return
		}
	}
}

func (m *model) iterationRows(_ int, yield func([]value.Value) bool) {
	for k, it := range m.net.iterations {
		var row []value.Value
		for _, n := range []int{k + 1, it.linked, it.same, it.opposite, it.pnp, it.nnp, it.seeds, it.sweeps} {
			row = append(row, value.Int(int64(n)))
		}
		if !yield(row) {
			return
		}
	}
}

func (m *model) candidateRows(_ int, yield func([]value.Value) bool) {
	order := make([]int, len(m.net.templates))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.net.partners[b], m.net.partners[a]), cmp.Compare(m.net.freq[b], m.net.freq[a]),
			cmp.Compare(a, b))
	})
	for _, i := range order {
		v, s := m.names(uint32(i))
		if !yield([]value.Value{v, s, value.Int(int64(m.net.partners[i])), value.Real(m.net.freq[i]),
			value.Int(int64(m.net.seed[i]))}) {
			return
		}
	}
}

// contradictionRows lists for each pair of templates the nouns that both are attested with, the ones with the most
// occurrences of the rarer phrase first.
func (m *model) contradictionRows(noun int, yield func([]value.Value) bool) {
	for _, x := range m.facts.contradictions {
		var shared []phrase
		a, b := m.facts.of(x.exc), m.facts.of(x.inh)
		for i, j := 0, 0; i < len(a) && j < len(b); {
			switch {
			case a[i].noun < b[j].noun:
				i++
			case b[j].noun < a[i].noun:
				j++
			default:
				if noun < 0 || int(a[i].noun) == noun {
					shared = append(shared, phrase{noun: a[i].noun, count: min(a[i].count, b[j].count)})
				}
				i++
				j++
			}
		}
		slices.SortStableFunc(shared, func(p, q phrase) int { return cmp.Compare(q.count, p.count) })
		v1, s1 := m.names(x.exc)
		v2, s2 := m.names(x.inh)
		for _, p := range shared {
			if !yield([]value.Value{m.noun(p.noun), v1, s1, v2, s2, value.Real(x.score), value.Real(m.net.value[x.exc]),
				value.Real(m.net.value[x.inh]), value.Real(x.sim), value.Real(p.count)}) {
				return
			}
		}
	}
}

func (m *model) causalityRows(noun int, yield func([]value.Value) bool) {
	for _, c := range m.facts.causalities {
		if noun >= 0 && int(c.noun1) != noun && int(c.noun2) != noun {
			continue
		}
		v1, s1 := m.names(c.first)
		v2, s2 := m.names(c.second)
		if !yield([]value.Value{v1, s1, m.noun(c.noun1), value.Bool(c.not1), v2, s2, m.noun(c.noun2),
			value.Bool(c.not2), value.Real(c.score),
			value.Real(m.net.value[c.first]), value.Real(m.net.value[c.second]), value.Real(c.count),
			value.Real(c.npfreq)}) {
			return
		}
	}
}

func (m *model) hypothesisRows(noun int, yield func([]value.Value) bool) {
	for _, h := range m.facts.hypotheses {
		if noun >= 0 && int(h.noun1) != noun && int(h.noun2) != noun {
			continue
		}
		v1, s1 := m.names(h.first)
		v2, s2 := m.names(h.second)
		if !yield([]value.Value{v1, s1, m.noun(h.noun1), v2, s2, m.noun(h.noun2), value.Real(h.score),
			value.Str(m.said(m.facts.causalities[h.from]))}) {
			return
		}
	}
}

// said is a causality in words.
func (m *model) said(c causality) string {
	part := func(t, n uint32, not bool) string {
		s := templateName(m.net.templates[t]) + " " + m.facts.nouns[n]
		if not {
			s = "not " + s
		}
		return s
	}
	return part(c.first, c.noun1, c.not1) + " → " + part(c.second, c.noun2, c.not2)
}

// template finds the template of a verb and a slot.
func (m *model) template(args []value.Value) (int, error) {
	want := template.Template{Predicate: args[0].S, Slot: "obj"}
	if len(args) > 1 && !args[1].IsNull() {
		want.Slot = args[1].S
	}
	i, ok := slices.BinarySearchFunc(m.net.templates, want, template.Compare)
	if !ok {
		names := make([]string, len(m.net.templates))
		for k, t := range m.net.templates {
			names[k] = templateName(t)
		}
		return 0, &kind.Unknown{What: "template", Name: templateName(want), Known: names}
	}
	return i, nil
}

// Explain tells which templates give one its value: value(predicate, slot). A contribution is the value of a linked
// template times the weight of the link and β; they add up to the field, whose hyperbolic tangent the value is, but for
// seeds, which are fixed.
func (m *model) Explain(_ context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	if at.Relation != "value" || len(docs) > 0 || len(at.Args) < 1 {
		return kind.Explanation{}, fmt.Errorf("%w: value(predicate, slot) is explained", kind.ErrNoExplain)
	}
	i, err := m.template(at.Args)
	if err != nil {
		return kind.Explanation{}, err
	}
	want := m.net.templates[i]
	d := kind.Decision{Place: templateName(want), Form: want.Predicate, Prob: math.NaN(), Outcome: "excitatory",
		RunnerUp: "inhibitory"}
	if m.net.value[i] < 0 {
		d.Outcome, d.RunnerUp = d.RunnerUp, d.Outcome
	}
	g := newGraph(len(m.net.templates), m.net.links)
	for k := g.start[i]; k < g.start[i+1]; k++ {
		j := g.to[k]
		d.Contributions = append(d.Contributions,
			kind.Contribution{Feature: templateName(m.net.templates[j]), Value: m.net.value[j],
				Weight: m.opt.beta * g.w[k]})
		d.Margin += m.opt.beta * g.w[k] * m.net.value[j]
	}
	d.Sort()
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}
