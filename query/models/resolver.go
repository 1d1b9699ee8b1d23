package models

import (
	"context"

	"parlance/algo/kind"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// Resolver resolves the names of models and resources in the state that a statement sees, and loads what they name.
type Resolver struct {
	Set      *Set
	Snapshot *storage.Snapshot
	Env      *expr.Env // of the statement: its context ends waiting for loads, its parameters are values of options
}

// RelationReader reads relations of models, which may stand for gazetteers and lexicons. Package exec implements it.
type RelationReader interface {
	// Relations returns the relations of a model, with those that every model has.
	Relations(m *plan.ModelUse) []kind.Relation
	// ReadRelation gives the rows of a relation without arguments to use, without those whose first value is NULL.
	ReadRelation(m *plan.ModelUse, relation string, use func(row []value.Value)) error
}

// Context is that of the statement.
func (r *Resolver) Context() context.Context { return r.Env.Context() }

// Schema describes a model version to the planner. Its weights are read only if another version of the program or of
// the kind recorded its schema, which may differ from that of now, and it was never loaded before.
func (r *Resolver) Schema(name string, version int) (*plan.ModelUse, error) {
	key := Key{Name: name, Version: version}
	if u := r.Set.schema(key); u != nil {
		return u, nil
	}
	if u := r.Set.recorded(key); u != nil {
		return u, nil
	}
	l, err := r.Fetch(name, version)
	if err != nil {
		return nil, err
	}
	return l.Use(), nil
}

// Fetch returns a model version, loaded if it is not in memory.
func (r *Resolver) Fetch(name string, version int) (*Loaded, error) {
	return r.Set.fetch(r.Context(), Key{Name: name, Version: version}, nil)
}

// StoredLayer finds a layer of a corpus, nil if the corpus has none of the name.
func (r *Resolver) StoredLayer(o *catalog.Object, name string) *documents.LayerInfo {
	for _, l := range r.Snapshot.LayerDefs(o) {
		if l.Name == name {
			return &l
		}
	}
	return nil
}
