package optimise

import (
	"slices"

	"parlance/query/plan"
)

// unreadModelsRule leaves out models of the setting using that write columns which nobody reads: neither the statement
// nor a model after them. A statement that reads the forms of tokens need not tag them. Models after USING stay, for
// the statement asks for them.
func unreadModelsRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		l, ok := n.(*plan.Layer)
		if !ok || l.Call != nil {
			return
		}
		var kept []plan.ModelUse // last one first
		for _, m := range slices.Backward(l.Models) {
			feeds := func(later plan.ModelUse) bool { return later.ReadsFrom(&m) }
			if m.From != "setting using" || l.ReadsFrom(&m) || slices.ContainsFunc(kept, feeds) {
				kept = append(kept, m)
			}
		}
		slices.Reverse(kept)
		l.Models = kept
	})
}
