package bind

import (
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/format/table"
	"parlance/storage/value"
)

// Catalog is what binding asks of the database. Its state does not change while a
// statement is bound.
type Catalog interface {
	Object(name string) (*catalog.Object, bool)
	// Layers returns the layers stored in a corpus, gold ones and predictions.
	Layers(o *catalog.Object) []StoredLayer
	// Fulltext reports whether a column of a layer, "" being the documents, has a full-text index.
	Fulltext(o *catalog.Object, layer, column string) bool
	// Model resolves a model version with its schema; errors carry position and hint.
	Model(ast.ModelRef) (*plan.ModelUse, error)
	// Writers returns the newest (or production) versions of the models that write a layer column.
	Writers(layer, column string) []plan.ModelUse
	// Upstream returns the models whose answers the version was trained on, pinned.
	Upstream(*plan.ModelUse) ([]plan.ModelUse, error)
	// Relations returns the relations of a model, the engine's own included.
	Relations(*plan.ModelUse) []kind.Relation
	// System returns the columns of a catalog table.
	System(schema, table string) ([]plan.Column, bool)
	// CorpusFunctions returns the table functions over a corpus.
	CorpusFunctions() []CorpusFunction
	// File finds the columns of a file in FROM, which the session must be allowed to read.
	File(path *ast.Literal, with []ast.Option) (*table.File, error)
	EvaluateColumns(*ast.Evaluate) ([]plan.Column, error)
	Functions() *fn.Table
	// Function computes a function that depends on the session or the catalog.
	Function(name string, args []value.Value) (value.Value, error)
	// LayerDef returns the definition of a layer that corpora or models know.
	LayerDef(name string) *text.LayerDef
	// Tokenizer returns the tokeniser recorded in a model version, or the default one.
	Tokenizer(*plan.ModelUse) string
	// SearchPath returns the schemas in which tables are looked up that stand without one.
	SearchPath() []string
	// HasTable reports whether a schema has a table: a layer, a relation or one of the catalog.
	HasTable(schema, table string) bool
	// Setting returns a setting of the session.
	Setting(name string) string
	// Suggest returns "; did you mean x?" for an unknown table name, or "".
	Suggest(name string) string
	// Run executes a plan and returns at most limit rows (0 for all).
	Run(env *expr.Env, n plan.Node, limit int) ([][]value.Value, error)
	// LookupRows executes a plan with only those rows of its table t that have one of the keys, in the order of
	// t.LookupColumns. total counts the keys asked for so far; ok is false where a scan of the table is cheaper.
	LookupRows(env *expr.Env, n plan.Node, t *plan.Table, keys [][]value.Value,
		total int) (rows [][]value.Value, ok bool, err error)
}

// StoredLayer is a layer of a corpus.
type StoredLayer struct {
	Name    string
	Def     *text.LayerDef
	Model   string          // model that predicted it, "" for gold
	Columns map[string]bool // columns with values
}
