package exec

import (
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/storage"
)

// missingGold names the first of the uses that a corpus does not store as gold, a layer or tokens.column; "" for none.
func (r *run) missingGold(o *storage.Object, uses []kind.LayerUse) string {
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

// scoredGold are the layers and columns of documents that a model is scored against: what it writes, but for layers
// of its own, of which there is no gold; of a model that writes none, what it learns.
func scoredGold(s *kind.Schema) []kind.LayerUse {
	var uses []kind.LayerUse
	for _, w := range s.Writes {
		if s.Def(w.Layer) == nil {
			uses = append(uses, w)
		}
	}
	if uses == nil {
		return s.Learns
	}
	return uses
}

// lacksGold names the first input without gold that the model is scored against, and what it lacks.
func (r *run) lacksGold(list []ast.Input, s *kind.Schema) (ast.Input, string) {
	for _, in := range list {
		o, ok := r.snap.Object(in.Name)
		if !ok || o.Kind != storage.CorpusObject {
			continue // planning the input says so
		}
		if what := r.missingGold(o, scoredGold(s)); what != "" {
			return in, what
		}
	}
	return ast.Input{}, ""
}
