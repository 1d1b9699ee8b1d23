package exec

import (
	"slices"
	"sort"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/models"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// An execution is the catalog in which names are bound.
var _ bind.Catalog = (*Execution)(nil)

// Binder returns a binder that sees what the statement sees.
func (r *Execution) Binder() *bind.Binder {
	return &bind.Binder{Catalog: r, Ctx: r.Env.Ctx, Off: r.RulesOff(), Floats: r.Floats}
}

// RulesOff is the set of optimiser rules that the session leaves out.
func (r *Execution) RulesOff() map[string]bool {
	off := map[string]bool{}
	for _, name := range r.Session.Settings.RulesOff {
		off[name] = true
	}
	return off
}

// Object returns a catalog entry.
func (r *Execution) Object(name string) (*catalog.Object, bool) { return r.Snapshot.Object(name) }

// Layers returns the layers that a corpus stores.
func (r *Execution) Layers(o *catalog.Object) []bind.StoredLayer {
	var out []bind.StoredLayer
	for _, l := range r.Snapshot.LayerDefs(o) {
		s := bind.StoredLayer{Name: l.Name, Def: l.Def, Model: l.Model, Columns: map[string]bool{}}
		for i, c := range l.Def.Columns {
			s.Columns[c.Name] = i < len(l.Present) && l.Present[i]
		}
		out = append(out, s)
	}
	return out
}

// Model returns the version that a reference names, with its schema.
func (r *Execution) Model(ref ast.ModelRef) (*plan.ModelUse, error) {
	v, err := r.Resolve(ref)
	if err != nil {
		return nil, err
	}
	u, err := r.Schema(v.Name, v.Version)
	return u, fault.At(ref.Pos, err)
}

// Writers returns the models whose current version writes a layer or column.
func (r *Execution) Writers(layer, column string) []plan.ModelUse {
	var out []plan.ModelUse
	for _, o := range r.Snapshot.Objects(catalog.ModelObject) {
		m, err := r.Model(ast.ModelRef{Name: o.Name})
		if err != nil {
			continue
		}
		for _, w := range m.Schema.Writes {
			writes := column == "" || w.Columns == nil || slices.Contains(w.Columns, column)
			if w.Layer == layer && !w.CutsText() && writes {
				out = append(out, *m)
				break
			}
		}
	}
	return out
}

// Upstream returns the models whose answers a version was trained on.
func (r *Execution) Upstream(m *plan.ModelUse) ([]plan.ModelUse, error) {
	v, ok := r.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, nil
	}
	var out []plan.ModelUse
	for _, p := range v.Upstream {
		if p.Role == models.ResourceRole || p.Role == models.InputRole {
			continue // it supplies no layer
		}
		u, err := r.Schema(p.Name, p.Version)
		if err != nil {
			return nil, err
		}
		out = append(out, *u)
	}
	return out, nil
}

// Relations returns the relations that the kind of a model declares, then those that every model has.
func (r *Execution) Relations(m *plan.ModelUse) []kind.Relation {
	return append(append([]kind.Relation{}, m.Schema.Relations...), r.Sources.ModelRelations()...)
}

// System returns the columns of a catalog table.
func (r *Execution) System(schema, table string) ([]plan.Column, bool) {
	return r.Host.SystemColumns(schema, table)
}

// Functions returns the function table.
func (r *Execution) Functions() *fn.Table { return r.Funcs }

// LayerDef returns the definition of a layer, built-in or declared by a model, or nil.
func (r *Execution) LayerDef(name string) *text.LayerDef { return r.Models.LayerDef(name) }

// Tokenizer returns the tokeniser of a model version.
func (r *Execution) Tokenizer(m *plan.ModelUse) string {
	if m != nil {
		if v, ok := r.Store.ModelVersion(m.Name, m.Version); ok && v.Tokenizer != "" {
			return v.Tokenizer
		}
	}
	return document.DefaultTokenizer
}

// Setting returns the value of a setting of the session.
func (r *Execution) Setting(name string) string {
	if d := r.Session.Settings.Set.Lookup(r.Session.Settings.Canonical(name)); d != nil {
		return d.Value()
	}
	return ""
}

// Suggest returns "; did you mean x?" for an unknown table name, or "".
func (r *Execution) Suggest(name string) string {
	var names []string
	for _, o := range r.Snapshot.Objects("") {
		names = append(names, o.Name)
	}
	names = append(names, r.Host.SystemNames()...)
	sort.Strings(names)
	return option.DidYouMean(name, names)
}

// Function computes a function that depends on the session or the catalog.
func (r *Execution) Function(name string, args []value.Value) (value.Value, error) {
	return r.Host.Function(name, args)
}

// SearchPath returns the schemas of the setting search_path that exist, in its order.
func (r *Execution) SearchPath() []string { return r.Host.PathOf(r) }

// HasTable reports whether a schema has a table.
func (r *Execution) HasTable(schema, table string) bool {
	return r.Host.HasCatalogTable(r, schema, table)
}

// EvaluateColumns returns the columns of EVALUATE.
func (r *Execution) EvaluateColumns(s *ast.Evaluate) ([]plan.Column, error) {
	return r.Evaluation.Columns(r, s)
}

// CorpusFunctions returns the table functions over a corpus.
func (r *Execution) CorpusFunctions() []bind.CorpusFunction { return r.Sources.CorpusFunctions() }

// Fulltext reports whether a column of a layer has a full-text index.
func (r *Execution) Fulltext(o *catalog.Object, layer, column string) bool {
	_, ok := r.Snapshot.Indexed(o, layer, column)
	return ok
}
