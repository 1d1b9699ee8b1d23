package optimise

import (
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/plan"
)

// sharedModelsRule makes tables that the same model annotates ask for the same layers, so that what the model computes
// for one of them is found in the cache for the others.
func sharedModelsRule(n plan.Node) {
	uses := map[string][]*plan.ModelUse{}
	plan.Walk(n, func(n plan.Node) {
		l, ok := n.(*plan.Layer)
		if !ok {
			return
		}
		for i := range l.Models {
			m := &l.Models[i]
			key := m.String()
			if i == len(l.Models)-1 {
				key += optionTexts(l.Options)
			}
			uses[key] = append(uses[key], m)
		}
	})
	for _, list := range uses {
		var all []string
		for _, m := range list {
			all = append(all, m.Wanted...)
		}
		slices.Sort(all)
		for _, m := range list {
			m.Wanted = slices.Compact(slices.Clone(all))
		}
	}
}

// optionTexts prints the options after USING.
func optionTexts(list []ast.Option) string {
	var b strings.Builder
	for _, o := range list {
		b.WriteString(" " + o.String())
	}
	return b.String()
}
