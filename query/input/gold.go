package input

import (
	"context"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/storage/catalog"
	"parlance/storage/documents"
)

// MissingGold names the first layer, or tokens.column, of uses that a corpus does not store as gold; "" if it stores
// all.
func MissingGold(r *exec.Execution, o *catalog.Object, uses []kind.LayerUse) string {
	for _, use := range uses {
		l := r.StoredLayer(o, use.Layer)
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

// ScoredGold are the gold layers and columns that a model is scored against: those that it both writes and learns. For
// a model that learns nothing of what it writes, they are all that it writes, without layers that only this model has;
// for a model that writes nothing, those that it learns.
func ScoredGold(s *kind.Schema) []kind.LayerUse {
	learned, others := WrittenLayers(s)
	switch {
	case learned != nil:
		return learned
	case others != nil:
		return others
	}
	return s.Learns
}

// WrittenLayers are the layers that a model writes, without those that only this model has: those that it also learns,
// and the others.
func WrittenLayers(s *kind.Schema) (learned, others []kind.LayerUse) {
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

// LacksGold returns the first input that lacks gold that the model is scored against, and the name of that gold.
func LacksGold(r *exec.Execution, list []ast.Input, s *kind.Schema) (ast.Input, string) {
	for _, in := range list {
		o, ok := r.Snapshot.Object(in.Name)
		if !ok || o.Kind != catalog.CorpusObject {
			continue // planning the input says so
		}
		if what := MissingGold(r, o, ScoredGold(s)); what != "" {
			return in, what
		}
	}
	return ast.Input{}, ""
}

func StoredNames(r *exec.Execution, o *catalog.Object) string {
	var names []string
	for _, l := range r.Snapshot.LayerDefs(o) {
		if l.Model != "" {
			continue
		}
		names = append(names, l.Name)
		if l.Name == "tokens" {
			for i, c := range l.Def.Columns {
				if l.Present[i] && (c.Name == "lemma" || c.Name == "upos" || c.Name == "xpos" || c.Name == "feats") {
					names = append(names, "tokens."+c.Name)
				}
			}
		}
	}
	return strings.Join(names, ", ")
}

// EachStored calls use for each stored document of a part.
func EachStored(r *exec.Execution, ctx context.Context, p Part, want documents.Want,
	use func(*text.Document) error) error {
	src, err := r.ReadDocuments(p.Node, p.Node.DocFilter, want)
	if err != nil {
		return err
	}
	for {
		docs, err := src.Next(ctx)
		if err != nil || docs == nil {
			return err
		}
		for _, d := range docs {
			if err := use(d); err != nil {
				return err
			}
		}
	}
}
