package pcfg

import (
	"cmp"
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/storage/value"
)

var rules = kind.Relation{Name: "rules", Doc: "rules of the grammar, the most probable of each symbol first",
	Columns: []kind.Column{
		{Name: "symbol", Type: value.Text, Doc: "what is made: NP^S is an NP below S, @NP^S[DT] its rest after DT"},
		{Name: "first", Type: value.Text, Doc: "left child; of a chain of phrases with one child each, those below the " +
			"symbol, down to the last"},
		{Name: "second", Type: value.Text, Doc: "right child, NULL for chains"},
		{Name: "prob", Type: value.Float, Doc: "share of the symbol's rules, or of its chains"}}}

// Open opens the rules.
func (m *model) Open(_ context.Context, name string, _ []value.Value, _ *kind.Run) (kind.Rows, error) {
	if name != rules.Name {
		return nil, kind.ErrNoRelation
	}
	type line struct {
		symbol        int32
		first, second value.Value
		weight        float64
	}
	var list []line
	for _, r := range m.Rules {
		list = append(list,
			line{r.Parent, value.Str(m.Symbols[r.Left].String()), value.Str(m.Symbols[r.Right].String()), r.Weight})
	}
	for _, c := range m.Chains {
		if c.Top == c.Bottom && len(c.Between) == 0 {
			continue
		}
		below := ""
		for _, s := range c.Between {
			below += m.Symbols[s].String() + " "
		}
		list = append(list, line{c.Top, value.Str(below + m.Symbols[c.Bottom].String()), value.Value{}, c.Weight})
	}
	slices.SortStableFunc(list, func(a, b line) int {
		return cmp.Or(cmp.Compare(m.Symbols[a.symbol].String(), m.Symbols[b.symbol].String()),
			cmp.Compare(b.weight, a.weight))
	})
	return kind.RowsOf(rules, func(yield func([]value.Value) bool) {
		for _, x := range list {
			if !yield([]value.Value{value.Str(m.Symbols[x.symbol].String()), x.first, x.second,
				value.Real(math.Exp(x.weight))}) {
				return
			}
		}
	}), nil
}
