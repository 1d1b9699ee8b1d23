package exec

import (
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/storage"
)

// missingGold names the first of the uses that a corpus does not store as gold, a layer or tokens.column; "" for none.
func (r *Execution) missingGold(o *storage.Object, uses []kind.LayerUse) string {
	for _, use := range uses {
		l := r.storedLayer(o, use.Layer)
		if l == nil || l.Model != "" {
			return use.Layer
		}
		if l.Def != text.Tokens {
			continue
		}
		for _, c := range use.Columns {
			if c != "form" && !l.Has(c) {
				return use.Layer + "." + c
			}
		}
	}
	return ""
}

// scoredGold are the layers and columns of documents that a model is scored against: what it writes and learns; of a
// model that learns nothing of what it writes all that it writes, but for layers of its own, of which there is no gold;
// of one that writes none, what it learns.
func scoredGold(s *kind.Schema) []kind.LayerUse {
	learned, others := writtenLayers(s)
	switch {
	case learned != nil:
		return learned
	case others != nil:
		return others
	}
	return s.Learns
}

// writtenLayers are the layers that a model writes, without those of its own: those that it learns, and others.
func writtenLayers(s *kind.Schema) (learned, others []kind.LayerUse) {
	for _, w := range s.Writes {
		switch {
		case s.Def(w.Layer) != nil:
		case slices.ContainsFunc(s.Learns, func(l kind.LayerUse) bool { return l.Layer == w.Layer }):
			learned = append(learned, w)
		default:
			others = append(others, w)
		}
	}
	return learned, others
}

// lacksGold names the first input without gold that the model is scored against, and what it lacks.
func (r *Execution) lacksGold(list []ast.Input, s *kind.Schema) (ast.Input, string) {
	for _, in := range list {
		o, ok := r.Snapshot.Object(in.Name)
		if !ok || o.Kind != storage.CorpusObject {
			continue // planning the input says so
		}
		if what := r.missingGold(o, scoredGold(s)); what != "" {
			return in, what
		}
	}
	return ast.Input{}, ""
}
