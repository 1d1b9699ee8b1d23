package plan

import (
	"fmt"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// Table yields the rows of a gazetteer, lexicon or a table of a KB.
type Table struct {
	Object        *catalog.Object
	Alias         string
	Need          []bool
	Conds         []expr.Expr // hints for an index: conditions that a filter above checks
	LookupColumns []string    // columns whose values a join, or the outer query of a subselect, looks up
	OuterLookup   bool        // the outer query of a subselect does it, not a join
	Cols          []Column
}

// Columns returns the declared columns.
func (n *Table) Columns() []Column { return n.Cols }

// Inputs returns nothing.
func (n *Table) Inputs() []Node { return nil }

// Line names the table.
func (n *Table) Line() string {
	if u, _ := n.LookupIndex(); u != nil {
		by := "the join"
		if n.OuterLookup {
			by = "the outer query"
		}
		return fmt.Sprintf("lookup %s %s by %s of %s", n.Object.Kind, n.Object.Name, u, by)
	}
	if u := n.Index(); u != nil && u.OfSubselect() {
		return fmt.Sprintf("lookup %s %s by %s of the subselect", n.Object.Kind, n.Object.Name, u)
	} else if u != nil {
		return fmt.Sprintf("lookup %s %s by %s", n.Object.Kind, n.Object.Name, u)
	}
	return fmt.Sprintf("scan %s %s", n.Object.Kind, n.Object.Name)
}

// Relation yields the rows of a model's relation, of the catalog, or of a table function.
type Relation struct {
	Pos          ast.Pos // of a relation of a model, and of a function that gives rows
	Name         string  // as EXPLAIN shows it
	Model        *ModelUse
	Rel          string
	Function     bool            // a function of the language, not of the catalog or a model
	Rows         bool            // a function that gives rows
	Times        bool            // it gives times in place of numbers
	SecondName   bool            // its one column can be named by the function's name, too
	Parts        []*Relation     // functions in one ROWS FROM or select list, whose rows stand side by side
	Schema       string          // of a table of the catalog
	Conds        []expr.Expr     // hints for a lookup: conditions that a filter above checks
	Need         []bool          // columns of a table of the catalog that are read
	Corpus       *catalog.Object // of a function over a corpus, else nil
	Args         []expr.Expr
	Options      []ast.Option
	Limit        int    // most rows of a model's relation that are read, the first ones; 0 for all
	PrefixColumn string // the column that an ordered list finds rows by, by the beginning of its text; "" for none
	Falling      string // the column by whose descending values the rows of a model come, "" for none
	Cols         []Column
}

// Columns returns the relation's columns.
func (n *Relation) Columns() []Column { return n.Cols }

// Inputs returns nothing.
func (n *Relation) Inputs() []Node { return nil }

// Line prints the relation with its arguments.
func (n *Relation) Line() string {
	var parts []string
	if n.Corpus != nil {
		parts = append(parts, n.Corpus.Name)
	}
	for _, a := range n.Args {
		parts = append(parts, a.String())
	}
	line := fmt.Sprintf("relation %s(%s)", n.Name, strings.Join(parts, ", "))
	if c := n.PrefixCondition(); c != nil {
		line += " by " + c.String()
	}
	if n.Limit > 0 {
		line += fmt.Sprintf(" limit %d", n.Limit)
	}
	return line
}

// PrefixCondition returns a condition PrefixColumn LIKE pattern or PrefixColumn = value, which tells how the text of
// the column begins; nil if there is none.
func (n *Relation) PrefixCondition() expr.Expr {
	for _, c := range n.Conds {
		x, y := comparedSides(c)
		col, ok := x.(*expr.Col)
		if ok && n.Cols[col.Index].Name == n.PrefixColumn && isKey(y, value.Text) && fixed(y) {
			return c
		}
	}
	return nil
}

// comparedSides returns both sides of LIKE and =, the column first.
func comparedSides(c expr.Expr) (x, y expr.Expr) {
	switch c := c.(type) {
	case *expr.Match:
		if c.Op == "LIKE" {
			return c.X, c.Y
		}
	case *expr.Compare:
		if _, ok := c.X.(*expr.Col); c.Op == "=" && ok {
			return c.X, c.Y
		} else if c.Op == "=" {
			return c.Y, c.X
		}
	}
	return nil, nil
}

// PrefixValue returns what PrefixCondition compares the column with, and whether that is a pattern of LIKE.
func (n *Relation) PrefixValue() (with expr.Expr, pattern bool) {
	c := n.PrefixCondition()
	_, with = comparedSides(c)
	_, pattern = c.(*expr.Match)
	return with, pattern
}

// Evaluate yields the rows of an EVALUATE statement.
type Evaluate struct {
	Stmt *ast.Evaluate
	Cols []Column
}

// Columns returns model, the BY columns, metric, label, value, low, high, support.
func (n *Evaluate) Columns() []Column { return n.Cols }

// Inputs returns nothing.
func (n *Evaluate) Inputs() []Node { return nil }

// Line prints the statement.
func (n *Evaluate) Line() string { return strings.ToLower(n.Stmt.String()[:8]) + n.Stmt.String()[8:] }
