package documents

import "parlance/algo/text"

// LayerWant names a layer and the columns of it that are read; nil columns are all, prob and rank of predictions among
// them.
type LayerWant struct {
	Name    string
	Columns []string
}

// Want tells which parts of documents are read. Ids and sequence numbers are always read.
type Want struct {
	Text, IDs            bool
	Fields               []string
	Layers               []LayerWant
	AllFields, AllLayers bool
}

// wantsColumn reports whether a column is stored and named.
func wantsColumn(w LayerWant, def *text.LayerDef, c int) bool {
	col := def.Columns[c]
	if !col.Stored() && !(def.Spans && col.Name == "text") {
		return false
	}
	if w.Columns == nil {
		return true
	}
	for _, n := range w.Columns {
		if n == col.Name {
			return true
		}
	}
	return false
}
