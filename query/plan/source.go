package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage"
	"parlance/storage/value"
)

// ModelUse is a model version that annotates.
type ModelUse struct {
	Name    string
	Version int
	Kind    string
	Schema  kind.Schema
	From    string   // where the choice comes from: using, upstream, default
	Wanted  []string // layers that are read of what it writes; nil for all
}

func (m ModelUse) String() string { return m.Name + "@" + strconv.Itoa(m.Version) }

// Layer yields the rows of a layer, or the documents themselves (Def nil), of a corpus or
// of ad-hoc text, stored or predicted.
type Layer struct {
	Corpus    *storage.Object // nil for ad-hoc text
	Name      string          // layer; "" for documents
	Def       *text.LayerDef
	Alias     string
	Need      []bool // columns that are read
	DocFilter []expr.Expr
	Models    []ModelUse // in the order in which they annotate
	Options   []ast.Option
	Call      *Call        // computes the rows from the documents; nil for a layer
	Text      expr.Expr    // ad-hoc text
	Rows      Node         // ad-hoc texts: column 0 text, column 1 id
	Tokenizer string       // of ad-hoc text
	Limit     int          // rows wanted at most, 0 for all: annotation goes in small steps
	Joined    string       // column whose values a join around the node restricts, "" for none
	RowSearch *expr.Search // a condition on rows that a filter above checks; nil for none
	Top       int          // hits of the search wanted, those with the highest scores; 0 for all
	cols      []Column
}

// Columns returns doc, the layer's columns, hidden prob and rank, and the document's columns.
func (n *Layer) Columns() []Column { return n.cols }

// Inputs returns the select of ad-hoc texts.
func (n *Layer) Inputs() []Node {
	if n.Rows != nil {
		return []Node{n.Rows}
	}
	return nil
}

// line prints a call without the arguments that are left out.
func (c *Call) line(n *Layer) string {
	first := "text"
	if n.Corpus != nil {
		first = n.Corpus.Name
	}
	parts := []string{first}
	for i, x := range c.Args {
		if v, ok := constant(x); !ok || !v.IsNull() {
			parts = append(parts, c.Function.Args[i].Name+" => "+x.String())
		}
	}
	return c.Function.Name + "(" + strings.Join(parts, ", ") + ")"
}

// Line prints corpus, layer, columns, index, pushed filters and models.
func (n *Layer) Line() string {
	by := ""
	if u := n.IndexFor(n.DocFilter); u != nil {
		by = fmt.Sprintf(" by index (%s)", u)
	}
	if n.Corpus != nil && slices.ContainsFunc(n.DocFilter, func(c expr.Expr) bool { return n.NamedIDs(c).Known() }) {
		by = " by id"
	}
	return n.line(by)
}

// Source is the line without what depends on how the rows are found: lineage hashes it.
func (n *Layer) Source() string { return n.line("") }

func (n *Layer) line(by string) string {
	var b strings.Builder
	name := n.Name
	if name == "" {
		name = "documents"
	}
	switch {
	case n.Call != nil:
		b.WriteString(n.Call.line(n))
	case n.Corpus == nil:
		fmt.Fprintf(&b, "text %s", name)
	case n.Search() != nil:
		b.WriteString("search " + n.Corpus.Name)
		if n.Name != "" {
			b.WriteString("." + n.Name)
		}
		fmt.Fprintf(&b, " by match %s", n.Search().Query)
	default:
		fmt.Fprintf(&b, "scan %s.%s", n.Corpus.Name, name)
	}
	var cols []string
	for i, c := range n.cols {
		if n.Need[i] && !c.number {
			if c.Document {
				cols = append(cols, "document."+c.Name)
			} else {
				cols = append(cols, c.Name)
			}
		}
	}
	fmt.Fprintf(&b, " (%s)", strings.Join(cols, ", "))
	b.WriteString(by)
	if rest := n.OtherConditions(); len(rest) > 0 {
		fmt.Fprintf(&b, " where %s", expr.And(rest))
	}
	if n.Joined != "" {
		fmt.Fprintf(&b, " with %s in the other side of the join", n.Joined)
	}
	for _, m := range n.Models {
		fmt.Fprintf(&b, " annotate %s (%s)", m, m.From)
		if len(m.Schema.Writes) > 1 {
			fmt.Fprintf(&b, " for %s", strings.Join(m.Wanted, ", "))
		}
	}
	if n.Top > 0 {
		fmt.Fprintf(&b, " top %d", n.Top)
	}
	if n.Limit > 0 {
		fmt.Fprintf(&b, " limit %d", n.Limit)
	}
	return b.String()
}

// Table yields the rows of a gazetteer, lexicon or a table of a KB.
type Table struct {
	Object *storage.Object
	Alias  string
	Need   []bool
	Conds  []expr.Expr // conditions that hold for the rows wanted; a filter above checks them
	Joined []string    // columns by which a join around it looks rows up
	Outer  bool        // in place of a join, the query around a subselect looks them up
	cols   []Column
}

// Columns returns the declared columns.
func (n *Table) Columns() []Column { return n.cols }

// Inputs returns nothing.
func (n *Table) Inputs() []Node { return nil }

// Line names the table.
func (n *Table) Line() string {
	if u, _ := n.JoinIndex(); u != nil {
		by := "the join"
		if n.Outer {
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
	Pos      ast.Pos // of a relation of a model, and of a function that gives rows
	Name     string  // as EXPLAIN shows it
	Model    *ModelUse
	Rel      string
	Function bool            // a function of the language, not of the catalog or a model
	Rows     bool            // a function that gives rows
	Times    bool            // it gives times in place of numbers
	Twin     bool            // its one column stands under a second, hidden name
	Parts    []*Relation     // of several such functions side by side
	Schema   string          // of a table of the catalog
	Conds    []expr.Expr     // conditions that a filter above checks
	Need     []bool          // columns of a table of the catalog that are read
	Corpus   *storage.Object // of a function over a corpus, else nil
	Args     []expr.Expr
	Options  []ast.Option
	Limit    int    // rows of a model's relation that are wanted, the first ones; 0 for all
	prefix   string // the column whose texts are found by their beginnings, "" for none
	falling  string // the column by whose falling values the rows of a model come, "" for none
	cols     []Column
}

// Columns returns the relation's columns.
func (n *Relation) Columns() []Column { return n.cols }

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
	if c := n.Begins(); c != nil {
		line += " by " + c.String()
	}
	if n.Limit > 0 {
		line += fmt.Sprintf(" limit %d", n.Limit)
	}
	return line
}

// Begins returns a condition column LIKE pattern or column = value, which says how the texts of the column begin that
// the relation is looked up by; nil if there is none.
func (n *Relation) Begins() expr.Expr {
	for _, c := range n.Conds {
		x, y := likened(c)
		col, ok := x.(*expr.Col)
		if ok && n.cols[col.Index].Name == n.prefix && keyOf(y, value.Text) && fixed(y) {
			return c
		}
	}
	return nil
}

// likened returns both sides of LIKE and =, the column first.
func likened(c expr.Expr) (x, y expr.Expr) {
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

// Beginning returns the value that Begins compares the column with, and whether it is a pattern.
func (n *Relation) Beginning() (with expr.Expr, pattern bool) {
	c := n.Begins()
	_, with = likened(c)
	_, pattern = c.(*expr.Match)
	return with, pattern
}

// Evaluate yields the rows of an EVALUATE statement.
type Evaluate struct {
	Stmt *ast.Evaluate
	cols []Column
}

// Columns returns model, the BY columns, metric, label, value, low, high, support.
func (n *Evaluate) Columns() []Column { return n.cols }

// Inputs returns nothing.
func (n *Evaluate) Inputs() []Node { return nil }

// Line prints the statement.
func (n *Evaluate) Line() string { return strings.ToLower(n.Stmt.String()[:8]) + n.Stmt.String()[8:] }
