package plan

import "slices"

// ReadsFrom reports whether a model decides which rows the layer has, or the value of a column that is read. The prob
// of a layer is that of the last model.
func (n *Layer) ReadsFrom(m *ModelUse) bool {
	if n.Prob() {
		return true
	}
	for _, w := range m.Schema.Writes {
		if w.CutsText() || w.Layer == n.Name && w.Columns == nil {
			return true
		}
		for i, c := range n.Cols {
			if w.Layer == n.Name && n.Need[i] && !c.Document && slices.Contains(w.Columns, c.Name) {
				return true
			}
		}
	}
	return false
}

// ReadsFrom reports whether a model may read what another one writes.
func (m *ModelUse) ReadsFrom(other *ModelUse) bool {
	for _, r := range m.Schema.Reads {
		for _, w := range other.Schema.Writes {
			shared := func(column string) bool { return slices.Contains(w.Columns, column) }
			if r.Layer == w.Layer && (r.Columns == nil || w.Columns == nil || slices.ContainsFunc(r.Columns, shared)) {
				return true
			}
		}
	}
	return false
}
