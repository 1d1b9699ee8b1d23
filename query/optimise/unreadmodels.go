package optimise

import (
	"slices"

	"parlance/algo/kind"
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
			if m.From != "setting using" || layerReads(l, m.Schema.Writes) || modelsRead(kept, m.Schema.Writes) {
				kept = append(kept, m)
			}
		}
		slices.Reverse(kept)
		l.Models = kept
	})
}

// layerReads reports whether what models write decides which rows a layer has, or the value of a column that is read.
func layerReads(n *plan.Layer, writes []kind.LayerUse) bool {
	if n.Prob() {
		return true
	}
	return slices.ContainsFunc(writes, func(w kind.LayerUse) bool {
		if w.CutsText() || w.Layer == n.Name && w.Columns == nil {
			return true
		}
		for i, c := range n.Cols {
			if w.Layer == n.Name && n.Need[i] && !c.Document && slices.Contains(w.Columns, c.Name) {
				return true
			}
		}
		return false
	})
}

// modelsRead reports whether a model reads what is written.
func modelsRead(models []plan.ModelUse, writes []kind.LayerUse) bool {
	for _, m := range models {
		for _, r := range m.Schema.Reads {
			for _, w := range writes {
				if r.Layer == w.Layer && (r.Columns == nil || w.Columns == nil ||
					slices.ContainsFunc(r.Columns, func(c string) bool { return slices.Contains(w.Columns, c) })) {
					return true
				}
			}
		}
	}
	return false
}
