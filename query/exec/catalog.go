package exec

import (
	"sort"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

var _ plan.Catalog = (*run)(nil)

// DefaultTokenizer cuts texts where neither corpus nor model says otherwise.
const DefaultTokenizer = "unicode"

func (r *run) binder() *plan.Binder {
	return &plan.Binder{Catalog: r, Ctx: r.env.Ctx, Off: r.rulesOff(), Floats: r.floats}
}

// rulesOff is the set of optimiser rules that the session leaves out.
func (r *run) rulesOff() map[string]bool {
	off := map[string]bool{}
	for _, name := range r.ses.Settings.RulesOff {
		off[name] = true
	}
	return off
}

// Object returns a catalog entry.
func (r *run) Object(name string) (*storage.Object, bool) { return r.snap.Object(name) }

// Layers returns the layers stored in a corpus.
func (r *run) Layers(o *storage.Object) []plan.StoredLayer {
	var out []plan.StoredLayer
	for _, l := range r.snap.LayerDefs(o) {
		s := plan.StoredLayer{Name: l.Name, Def: l.Def, Model: l.Model, Columns: map[string]bool{}}
		for i, c := range l.Def.Columns {
			s.Columns[c.Name] = i < len(l.Present) && l.Present[i]
		}
		out = append(out, s)
	}
	return out
}

// Model resolves a model version.
func (r *run) Model(ref ast.ModelRef) (*plan.ModelUse, error) {
	v, err := r.resolve(ref)
	if err != nil {
		return nil, err
	}
	u, err := r.schema(v.Name, v.Version)
	return u, fault.At(ref.Pos, err)
}

// Writers returns the models whose current version writes a layer or column.
func (r *run) Writers(layer, column string) []plan.ModelUse {
	var out []plan.ModelUse
	for _, o := range r.snap.Objects(storage.ModelObject) {
		m, err := r.Model(ast.ModelRef{Name: o.Name})
		if err != nil {
			continue
		}
		for _, w := range m.Schema.Writes {
			if w.Layer == layer && !w.CutsText() && (column == "" || w.Columns == nil || readsColumn(w, column)) {
				out = append(out, *m)
				break
			}
		}
	}
	return out
}

// Upstream returns the models whose answers a version was trained on.
func (r *run) Upstream(m *plan.ModelUse) ([]plan.ModelUse, error) {
	v, ok := r.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, nil
	}
	var out []plan.ModelUse
	for _, p := range v.Upstream {
		if p.Role == resourceRole || p.Role == inputRole {
			continue // it supplies no layer
		}
		u, err := r.schema(p.Name, p.Version)
		if err != nil {
			return nil, err
		}
		out = append(out, *u)
	}
	return out, nil
}

// Relations returns the relations of a model, with those that every model has.
func (r *run) Relations(m *plan.ModelUse) []kind.Relation {
	return append(append([]kind.Relation{}, m.Schema.Relations...), modelRelations...)
}

// System returns the columns of a catalog table.
func (r *run) System(schema, table string) ([]plan.Column, bool) {
	return r.host.systemColumns(schema, table)
}

// Functions returns the function table.
func (r *run) Functions() *fn.Table { return r.Funcs }

// LayerDef returns a layer's definition, or nil.
func (r *run) LayerDef(name string) *text.LayerDef { return r.layerDef(name) }

// Tokenizer returns the tokeniser of a model version.
func (r *run) Tokenizer(m *plan.ModelUse) string {
	if m != nil {
		if v, ok := r.Store.ModelVersion(m.Name, m.Version); ok && v.Tokenizer != "" {
			return v.Tokenizer
		}
	}
	return DefaultTokenizer
}

// Setting returns the value of a setting of the session.
func (r *run) Setting(name string) string {
	if d := r.ses.Settings.Set.Lookup(r.ses.Settings.Canonical(name)); d != nil {
		return d.Value()
	}
	return ""
}

// Suggest returns "; did you mean x?" for a table name.
func (r *run) Suggest(name string) string {
	var names []string
	for _, o := range r.snap.Objects("") {
		names = append(names, o.Name)
	}
	names = append(names, r.host.systemNames()...)
	sort.Strings(names)
	return option.DidYouMean(name, names)
}

// Run executes a plan.
func (r *run) Run(env *expr.Env, n plan.Node, limit int) ([][]value.Value, error) {
	inner := *r
	inner.env = env
	op, err := inner.build(n)
	if err != nil {
		return nil, err
	}
	return operator.DrainWithin(env.Ctx, op, limit, env.Memory)
}

// tokenizerOf returns the tokeniser of a corpus.
func tokenizerOf(o *storage.Object) string {
	if t := o.Options["tokenizer"]; t != "" {
		return t
	}
	return DefaultTokenizer
}

// Function computes a function that depends on the session or the catalog.
func (r *run) Function(name string, args []value.Value) (value.Value, error) {
	return r.host.Function(name, args)
}

// SearchPath returns the schemas of the setting search_path that exist, in its order.
func (r *run) SearchPath() []string { return r.host.searchPath(r) }

// HasTable reports whether a schema has a table.
func (r *run) HasTable(schema, table string) bool { return r.host.hasTable(r, schema, table) }
