package semicrf

import (
	"context"
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/tagger"
	"parlance/storage/value"
)

// attribute names an attribute.
func (m *model) attribute(a uint32, no *numbering) string {
	switch {
	case a < no.triggers:
		return m.alphabets[ofToken].Name(a)
	case a < no.begin:
		return "constraint " + m.names()[a-no.triggers]
	case a < no.end:
		return "begin " + m.alphabets[ofBegin].Name(a-no.begin)
	case a < no.wholes:
		return "end " + m.alphabets[ofEnd].Name(a-no.end)
	case a < no.lengths:
		return m.wholes[a-no.wholes]
	}
	return fmt.Sprintf("tokens=%d", a-no.lengths+1)
}

// names are those of triggers.
func (m *model) names() []string {
	t, err := m.triggers()
	if err != nil || t == nil {
		return nil
	}
	return t.Names
}

// Open opens weights, transitions or constraints.
func (m *model) Open(_ context.Context, relation string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	switch relation {
	case tagger.Weights.Name:
		return kind.RowsOf(tagger.Weights, m.weightRows), nil
	case tagger.Transitions.Name:
		return kind.RowsOf(tagger.Transitions, m.pairRows), nil
	case expectation.Relation.Name:
		if m.opt.Constrained() {
			return expectation.Rows(m.reached), nil
		}
	}
	return nil, kind.ErrNoRelation
}

// weightRows yields the weights of attributes by label, then those of edges by pair.
func (m *model) weightRows(yield func([]value.Value) bool) {
	triggers, _ := m.triggers() // ready has read them
	no, first := m.numbering(triggers, m.layout.Longest), len(m.layout.States.Cols)+len(m.layout.Pairs)
	n := uint32(len(m.labels.Names))
	row := func(name string, label string, w float64) bool {
		return yield([]value.Value{value.Str(name), value.Str(label), value.Real(w)})
	}
	for a := range uint32(m.layout.States.Attributes()) {
		cols, at := m.layout.States.Row(a)
		name := ""
		for i, y := range cols {
			if m.w[at+i] == 0 {
				continue
			}
			if name == "" {
				name = m.attribute(a, &no)
			}
			if !row(name, m.labels.Names[y], m.w[at+i]) {
				return
			}
		}
	}
	for a := range uint32(m.layout.Edges.Attributes()) {
		cols, at := m.layout.Edges.Row(a)
		for i, p := range cols {
			name := "edge " + m.alphabets[ofEdge].Name(a) + " after " + m.labels.Names[p/n]
			if w := m.w[first+at+i]; w != 0 && !row(name, m.labels.Names[p%n], w) {
				return
			}
		}
	}
}

func (m *model) pairRows(yield func([]value.Value) bool) {
	n := uint32(len(m.labels.Names))
	for k, p := range m.layout.Pairs {
		w := m.w[len(m.layout.States.Cols)+k]
		if !yield([]value.Value{value.Str(m.labels.Names[p/n]), value.Str(m.labels.Names[p%n]), value.Real(w)}) {
			return
		}
	}
}
