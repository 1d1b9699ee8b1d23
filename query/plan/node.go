// Package plan binds statements against the catalog and plans queries as trees of nodes.
package plan

import (
	"fmt"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/storage"
	"parlance/storage/value"
)

// Column is a column of a node's output.
type Column struct {
	Table    string // alias
	Name     string
	Type     value.Type
	Hidden   bool   // not part of *
	Merged   bool   // by JOIN … USING with the column of this name before it
	Document bool   // of the document that a layer row belongs to
	origin   *Layer // in which the column is stored; nil if it is computed
	number   bool   // of the document or the row
}

// Node is a step of a plan.
type Node interface {
	Columns() []Column
	Inputs() []Node
	// Line is the node's line in EXPLAIN.
	Line() string
}

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
	return n.line(n.IndexFor(n.DocFilter))
}

// Source is the line without what depends on how the rows are found: lineage hashes it.
func (n *Layer) Source() string { return n.line(nil) }

func (n *Layer) line(index *IndexUse) string {
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
	if index != nil {
		fmt.Fprintf(&b, " by index (%s)", index)
	}
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
	if u := n.Index(); u != nil && u.Members != nil {
		return fmt.Sprintf("lookup %s %s by %s of the subselect", n.Object.Kind, n.Object.Name, u)
	} else if u != nil {
		return fmt.Sprintf("lookup %s %s by %s", n.Object.Kind, n.Object.Name, u)
	}
	return fmt.Sprintf("scan %s %s", n.Object.Kind, n.Object.Name)
}

// Relation yields the rows of a model's relation, of the catalog, or of a table function.
type Relation struct {
	Pos      ast.Pos // of a relation of a model
	Name     string  // as EXPLAIN shows it
	Model    *ModelUse
	Rel      string
	Function bool            // a function of the language, not of the catalog or a model
	Rows     bool            // a function that gives rows
	Parts    []*Relation     // of several such functions side by side
	Schema   string          // of a table of the catalog
	Conds    []expr.Expr     // conditions that a filter above checks
	Need     []bool          // columns of a table of the catalog that are read
	Corpus   *storage.Object // of a function over a corpus, else nil
	Args     []expr.Expr
	Options  []ast.Option
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
	return fmt.Sprintf("relation %s(%s)", n.Name, strings.Join(parts, ", "))
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

// One yields a single row without columns.
type One struct{}

// Columns returns nothing.
func (One) Columns() []Column { return nil }

// Inputs returns nothing.
func (One) Inputs() []Node { return nil }

// Line prints "one row".
func (One) Line() string { return "one row" }

// Rename gives the columns of a subselect another table name.
type Rename struct {
	Input Node
	cols  []Column
}

// Columns returns the renamed columns.
func (n *Rename) Columns() []Column { return n.cols }

// Inputs returns the input.
func (n *Rename) Inputs() []Node { return []Node{n.Input} }

// Line names the alias.
func (n *Rename) Line() string {
	if len(n.cols) == 0 {
		return "subselect"
	}
	return "subselect " + n.cols[0].Table
}

// Filter keeps the rows for which Cond is true.
type Filter struct {
	Input Node
	Cond  expr.Expr
}

// Columns are the input's.
func (n *Filter) Columns() []Column { return n.Input.Columns() }

// Inputs returns the input.
func (n *Filter) Inputs() []Node { return []Node{n.Input} }

// Line prints the condition.
func (n *Filter) Line() string { return "filter " + n.Cond.String() }

// Project computes expressions.
type Project struct {
	Input Node
	Exprs []expr.Expr
	cols  []Column
}

// Columns returns one column an expression.
func (n *Project) Columns() []Column { return n.cols }

// Inputs returns the input.
func (n *Project) Inputs() []Node { return []Node{n.Input} }

// Line prints the expressions.
func (n *Project) Line() string { return "project " + list(n.Exprs) }

func list(es []expr.Expr) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}

// Join joins Left and Right. With keys it is a hash join, the right side being hashed.
type Join struct {
	Kind                string // INNER, LEFT, CROSS
	Left, Right         Node
	LeftKeys, RightKeys []expr.Expr // RightKeys over Right's columns
	On                  expr.Expr   // what remains, over both; nil if nothing
	Semi                *Semijoin   // nil to run both sides as they are
	Keyed               *KeyedJoin  // nil to read both sides as they are
	cols                []Column
}

// Columns are those of both sides.
func (n *Join) Columns() []Column { return n.cols }

// Inputs returns both sides.
func (n *Join) Inputs() []Node { return []Node{n.Left, n.Right} }

// Line prints kind, keys and condition.
func (n *Join) Line() string {
	s := strings.ToLower(n.Kind) + " join"
	if len(n.LeftKeys) > 0 {
		s = strings.ToLower(n.Kind) + " hash join"
		for i := range n.LeftKeys {
			sep := " on "
			if i > 0 {
				sep = ", "
			}
			s += sep + n.LeftKeys[i].String() + " = " + n.RightKeys[i].String()
		}
	}
	if n.On != nil {
		s += " where " + n.On.String()
	}
	return s
}

// AggregateCall is one aggregate of an Aggregate node.
type AggregateCall struct {
	F        *fn.Aggregate
	Args     []expr.Expr // none for count(*)
	Distinct bool
	Filter   expr.Expr // rows for which it is not true are left out; nil for none
	OrderBy  []SortExpr
	T        value.Type
}

func (c AggregateCall) exprs() []expr.Expr {
	out := append([]expr.Expr{}, c.Args...)
	if c.Filter != nil {
		out = append(out, c.Filter)
	}
	for _, o := range c.OrderBy {
		out = append(out, o.X)
	}
	return out
}

// SortExpr orders the rows that an aggregate takes.
type SortExpr struct {
	X    expr.Expr
	Desc bool
}

func (c AggregateCall) String() string {
	args := list(c.Args)
	if len(c.Args) == 0 {
		args = "*"
	}
	if c.Distinct {
		args = "DISTINCT " + args
	}
	s := c.F.Name + "(" + args + ")"
	if c.Filter != nil {
		s += " filter (where " + c.Filter.String() + ")"
	}
	return s
}

// Aggregate groups by Keys; its output is the keys, then the calls. Without keys there is
// one group, even of no rows.
type Aggregate struct {
	Input Node
	Keys  []expr.Expr
	Calls []AggregateCall
	cols  []Column
}

// Columns returns keys, then calls.
func (n *Aggregate) Columns() []Column { return n.cols }

// Inputs returns the input.
func (n *Aggregate) Inputs() []Node { return []Node{n.Input} }

// Line prints calls and keys.
func (n *Aggregate) Line() string {
	parts := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		parts[i] = c.String()
	}
	s := "aggregate " + strings.Join(parts, ", ")
	if len(n.Keys) > 0 {
		s += " by " + list(n.Keys)
	}
	return s
}

// Distinct drops rows that were seen before.
type Distinct struct{ Input Node }

// Columns are the input's.
func (n *Distinct) Columns() []Column { return n.Input.Columns() }

// Inputs returns the input.
func (n *Distinct) Inputs() []Node { return []Node{n.Input} }

// Line prints "distinct".
func (n *Distinct) Line() string { return "distinct" }

// SortKey is a column to sort by.
type SortKey struct {
	Col        int
	Desc       bool
	NullsFirst bool
}

// Sort orders the rows, equal ones staying in input order. With Keep, columns after the
// first Keep are dropped afterwards. With Top only the first Top rows are kept.
type Sort struct {
	Input Node
	Keys  []SortKey
	Keep  int
	Top   int // 0 for all
}

// Columns returns the columns that are kept.
func (n *Sort) Columns() []Column { return n.Input.Columns()[:n.Keep] }

// Inputs returns the input.
func (n *Sort) Inputs() []Node { return []Node{n.Input} }

// Line prints the keys.
func (n *Sort) Line() string {
	parts := make([]string, len(n.Keys))
	for i, k := range n.Keys {
		parts[i] = n.Input.Columns()[k.Col].Name
		if k.Desc {
			parts[i] += " desc"
		}
	}
	s := "sort by " + strings.Join(parts, ", ")
	if n.Top > 0 {
		s += fmt.Sprintf(" top %d", n.Top)
	}
	return s
}

// Limit skips and cuts; nil means no bound. With Per the limit counts the rows of each
// combination of these columns.
type Limit struct {
	Input         Node
	Limit, Offset expr.Expr
	Per           []int
}

// Columns are the input's.
func (n *Limit) Columns() []Column { return n.Input.Columns() }

// Inputs returns the input.
func (n *Limit) Inputs() []Node { return []Node{n.Input} }

// Line prints the bounds.
func (n *Limit) Line() string {
	var parts []string
	if n.Limit != nil {
		parts = append(parts, "limit "+n.Limit.String())
	}
	for i, c := range n.Per {
		sep := "per "
		if i > 0 {
			sep = "and "
		}
		parts = append(parts, sep+n.Input.Columns()[c].Name)
	}
	if n.Offset != nil {
		parts = append(parts, "offset "+n.Offset.String())
	}
	return strings.Join(parts, " ")
}

// Union appends the rows of its parts.
type Union struct {
	Parts []Node
	cols  []Column
}

// Columns are the first part's, with common types.
func (n *Union) Columns() []Column { return n.cols }

// Inputs returns the parts.
func (n *Union) Inputs() []Node { return n.Parts }

// Line prints "union all".
func (n *Union) Line() string { return "union all" }

// String prints the tree below n, one node a line; note adds to a line.
func String(n Node, note func(Node) string) string {
	var b strings.Builder
	var walk func(Node, int)
	walk = func(n Node, depth int) {
		b.WriteString(strings.Repeat("  ", depth) + n.Line())
		if note != nil {
			b.WriteString(note(n))
		}
		b.WriteByte('\n')
		for _, e := range exprs(n) {
			subselects(&b, e, depth+1, note)
		}
		for _, c := range n.Inputs() {
			walk(c, depth+1)
		}
	}
	walk(n, 0)
	return b.String()
}

// subselects prints the plans of the subselects that an expression uses as values.
func subselects(b *strings.Builder, e expr.Expr, depth int, note func(Node) string) {
	expr.Walk(e, func(x expr.Expr) {
		l, ok := x.(*expr.Lazy)
		if !ok || l.Plan == nil {
			return
		}
		how := "once"
		switch {
		case l.Seek != nil && len(l.Keys) > 0:
			how = "looked up by " + list(l.Keys) + ", once if they are many"
		case l.Seek != nil:
			how = "looked up by " + l.X.String() + ", once if they are many"
		case len(l.Keys) > 0:
			how = "once, looked up by " + list(l.Keys)
		case len(l.Outer) > 0:
			how = "for each " + list(l.Outer)
		}
		indent := strings.Repeat("  ", depth)
		fmt.Fprintf(b, "%ssubselect %s\n", indent, how)
		for _, line := range strings.SplitAfter(String(Subselect(l), note), "\n") {
			if line != "" {
				b.WriteString(indent + "  " + line)
			}
		}
	})
}
