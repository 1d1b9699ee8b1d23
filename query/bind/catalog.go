package bind

import (
	"slices"
	"sort"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/models"
	"parlance/query/plan"
	"parlance/storage/accounts"
	"parlance/storage/catalog"
	"parlance/storage/files"
)

// Catalog is the state in which a statement is bound: what the program declares, the objects and models of the database
// as the statement sees them, and what its session says about names. It is taken when the statement starts and does not
// change. Binding reads it and calls nothing else of what executes statements.
type Catalog struct {
	models.Resolver // objects, layers and versions of models
	Declared        *Declared
	Session         Session
}

// Declared is what the program itself has, the same for all statements.
type Declared struct {
	Functions       *fn.Table
	CorpusFunctions []CorpusFunction         // table functions over a corpus
	ModelRelations  []kind.Relation          // relations that every model has
	System          map[string][]plan.Column // columns of the tables of the catalog, by schema.table
}

// Session is what binding knows of the session of a statement.
type Session struct {
	User         string
	Database     string        // what the session calls the database
	Role         accounts.Role // of the user; empty for one that may not read files
	Path         []string      // setting search_path
	DefaultModel string        // setting default_model
	Using        []string      // setting using: models, name or name@version
	Files        files.Files   // where paths lead, nil for anywhere
}

// StoredLayer is a layer of a corpus.
type StoredLayer struct {
	Name    string
	Def     *text.LayerDef
	Model   string          // model that predicted it, "" for gold
	Columns map[string]bool // columns with values
}

// Object returns an object of the database.
func (c *Catalog) Object(name string) (*catalog.Object, bool) { return c.Snapshot.Object(name) }

// layers returns the layers stored in a corpus, gold ones and predictions.
func (c *Catalog) layers(o *catalog.Object) []StoredLayer {
	var out []StoredLayer
	for _, l := range c.Snapshot.LayerDefs(o) {
		s := StoredLayer{Name: l.Name, Def: l.Def, Model: l.Model, Columns: map[string]bool{}}
		for i, col := range l.Def.Columns {
			s.Columns[col.Name] = i < len(l.Present) && l.Present[i]
		}
		out = append(out, s)
	}
	return out
}

// Model returns the version of a model that a reference names, with its schema.
func (c *Catalog) Model(ref ast.ModelRef) (*plan.ModelUse, error) {
	v, err := c.Resolve(ref)
	if err != nil {
		return nil, err
	}
	u, err := c.Schema(v.Name, v.Version)
	return u, fault.At(ref.Pos, err)
}

// writers returns the models whose current version writes a layer, or a column of it: the version production, else the
// newest.
func (c *Catalog) writers(layer, column string) []plan.ModelUse {
	var out []plan.ModelUse
	for _, o := range c.Snapshot.Objects(catalog.ModelObject) {
		m, err := c.Model(ast.ModelRef{Name: o.Name})
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

// upstream returns the models on whose answers a version was trained, in the recorded versions.
func (c *Catalog) upstream(m *plan.ModelUse) ([]plan.ModelUse, error) {
	v, ok := c.Set.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, nil
	}
	var out []plan.ModelUse
	for _, p := range v.Upstream {
		if p.Role == models.ResourceRole || p.Role == models.InputRole {
			continue // it supplies no layer
		}
		u, err := c.Schema(p.Name, p.Version)
		if err != nil {
			return nil, err
		}
		out = append(out, *u)
	}
	return out, nil
}

// Relations returns the relations that the kind of a model declares, then those that every model has.
func (c *Catalog) Relations(m *plan.ModelUse) []kind.Relation {
	return slices.Concat(m.Schema.Relations, c.Declared.ModelRelations)
}

// Tokenizer returns the tokenizer of a model version, or the default one for nil.
func (c *Catalog) Tokenizer(m *plan.ModelUse) string {
	if m != nil {
		if v, ok := c.Set.Store.ModelVersion(m.Name, m.Version); ok && v.Tokenizer != "" {
			return v.Tokenizer
		}
	}
	return document.DefaultTokenizer
}

// LayerDef returns the definition of a layer, built-in or declared by a model, or nil.
func (c *Catalog) LayerDef(name string) *text.LayerDef { return c.Set.LayerDef(name) }

// Suggest returns "; did you mean x?" for an unknown table name, or "".
func (c *Catalog) Suggest(name string) string {
	var names []string
	for _, o := range c.Snapshot.Objects("") {
		names = append(names, o.Name)
	}
	for system := range c.Declared.System {
		names = append(names, system)
	}
	sort.Strings(names)
	return option.DidYouMean(name, names)
}

// SearchPath returns the schemas in which a table without one is looked up. Some may not exist.
func (c *Catalog) SearchPath() []string {
	i := slices.Index(c.Session.Path, "$user")
	if i < 0 {
		return c.Session.Path
	}
	path := slices.Clone(c.Session.Path)
	path[i] = c.Session.User
	return path
}

// Files opens files for statements of the session, never that of the database itself.
func (c *Catalog) Files() files.Files {
	f := c.Session.Files
	if f == nil {
		f = files.Anywhere
	}
	return files.Except(f, c.Set.Store.Path())
}

// hint is Suggest as a hint of its own.
func (c *Catalog) hint(name string) string { return strings.TrimPrefix(c.Suggest(name), "; ") }

// fulltext reports whether a column of a layer, "" being the documents, has a full-text index.
func (c *Catalog) fulltext(o *catalog.Object, layer, column string) bool {
	_, ok := c.Snapshot.Indexed(o, layer, column)
	return ok
}

// hasTable reports whether a schema has a table: one of the catalog, a layer of a corpus, a table of a knowledge base,
// a relation of a model. Those of the schema public are objects.
func (c *Catalog) hasTable(schema, table string) bool {
	if c.Declared.System[schema+"."+table] != nil {
		return true
	}
	o, ok := c.Object(schema)
	if !ok {
		return false
	}
	switch o.Kind {
	case catalog.CorpusObject:
		return slices.ContainsFunc(c.layers(o), func(l StoredLayer) bool { return l.Name == table })
	case catalog.KBObject:
		return o.Table(table) != nil
	case catalog.ModelObject:
		m, err := c.Model(ast.ModelRef{Name: schema})
		return err == nil && slices.ContainsFunc(c.Relations(m), func(rel kind.Relation) bool {
			return rel.Name == table && !slices.ContainsFunc(rel.Args, func(a kind.Arg) bool { return !a.Optional })
		})
	}
	return false
}
