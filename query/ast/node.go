// Package ast holds the syntax tree of Parlance's statements: plain structs
// with positions. Every statement and expression prints canonical text that
// parses back to an equal tree (positions aside).
package ast

// Pos is a place in the text of a statement.
type Pos struct {
	Line   int // 1-based line
	Col    int // 1-based column, in Unicode code points
	Offset int // 0-based offset, in bytes
}

// Position returns p; nodes embed Pos and so answer where they start.
func (p Pos) Position() Pos { return p }

// Node is any part of the tree that knows its place and its text.
type Node interface {
	Position() Pos
	// String prints canonical text that parses back to an equal node.
	String() string
	print(*printer)
}

// Statement is one complete statement.
type Statement interface {
	Node
	statement()
}

// Expr is an expression that yields one value per row.
type Expr interface {
	Node
	// precedence is the binding strength of the outermost operator.
	precedence() int
}

// TableRef is one entry of a FROM list: a *Table or a *Join.
type TableRef interface {
	Node
	tableRef()
}

// OptionValue is the right-hand side of an option: a *Literal, a *Param, a
// *NameValue or a *TupleValue.
type OptionValue interface {
	Node
	optionValue()
}
