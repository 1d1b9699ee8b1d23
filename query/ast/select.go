package ast

// Select is a query.
type Select struct {
	Pos
	With      []CTE
	Recursive bool // WITH RECURSIVE: the selects of With may name themselves and later ones
	Distinct  bool
	On        []Expr // of DISTINCT ON, nil if none
	Items     []Item
	From      []TableRef // joined by commas; empty if there is no FROM
	Where     Expr       // nil if none, like the other clauses
	GroupBy   []Expr     // a *Tuple stands for several keys, or none
	Having    Expr
	Unions    []Union // applied from left to right, before OrderBy
	OrderBy   []Order
	Limit     Expr
	Offset    Expr
	Per       []Expr // of LIMIT n PER …, empty if none
	Ties      bool   // FETCH FIRST n ROWS WITH TIES
}

// CTE is one name [(columns)] AS (select) of a WITH clause.
type CTE struct {
	Pos
	Name    string
	Columns []string // empty to keep those of the select
	Select  *Select
}

// Item is one entry of a select list.
type Item struct {
	Pos
	Expr  Expr
	Alias string // empty if none
}

// Union is a set operation and its right side, which has neither With, Unions,
// OrderBy, Limit nor Offset.
type Union struct {
	Pos
	Op     string // "UNION", "INTERSECT" or "EXCEPT"
	All    bool
	Select *Select
}

// Order is one key of an ORDER BY.
type Order struct {
	Pos
	Expr  Expr
	Desc  bool
	Nulls string // "FIRST", "LAST", or empty for the default
}

// Table is one table of a FROM list with what belongs to it alone.
type Table struct {
	Pos
	Ref     Ref
	Alias   string   // empty if none
	Columns []string // names of its columns after the alias; empty to keep them
	Exact   bool     // Columns names all of them
	Using   []ModelRef
	With    []Option
}

// Ref names or contains the rows of a table. Either Select, Evaluate, Summarize or File is set,
// or Name with at most one of HasArgs, Text and Rows; Args may follow Text.
type Ref struct {
	Pos
	Name       string     // object, layer, or schema of the catalog
	Version    string     // of a model: number or alias, empty if none
	Path       string     // layer or relation after the dot, empty if none
	Database   string     // before two dots, empty if none
	Ordinality bool       // WITH ORDINALITY: a last column numbers the rows
	HasArgs    bool       // a parenthesis follows the name
	Args       []Argument // arguments of a relation or table function
	Text       Expr       // layer(TEXT expr): ad-hoc text; function(TEXT expr, arguments)
	Rows       *Select    // layer(select): rows of text and optional id
	Select     *Select    // (select)
	Evaluate   *Evaluate  // (EVALUATE …)
	Summarize  *Table     // (SUMMARIZE table)
	File       *Literal   // 'path': the rows of a file
	Lateral    bool       // LATERAL (select)
}

// Join is two tables joined.
type Join struct {
	Pos
	Kind        string // "INNER", "LEFT", "RIGHT", "FULL" or "CROSS"
	Natural     bool   // by the columns of one name
	Left, Right TableRef
	On          Expr     // nil if none
	Using       []string // columns; empty if none
}

// ModelRef names a model and perhaps a version of it.
type ModelRef struct {
	Pos
	Name    string
	Version string // number or alias; empty for production, else the newest
}

// Input is what a model is trained or evaluated on.
type Input struct {
	Pos
	Name    string
	Version string // of a model, empty if none
	Path    string // layer or relation, empty if none
	Role    string // after AS, empty if none
	Where   Expr   // nil if none
}

// Target names the table that a statement writes.
type Target struct {
	Pos
	Database string // before a schema, empty if none
	Name     string
	Layer    string // empty for the object itself
}

func (*Table) tableRef()   {}
func (*Join) tableRef()    {}
func (*Select) statement() {}
