package plan

import "parlance/storage/value"

// Summary describes one column of a table in a row. Its input is the different values of that column, each with the
// number of its rows.
type Summary struct {
	Input  Node
	Column Column // that is described
	Cols   []Column
}

// Columns returns those of SummaryColumns.
func (n *Summary) Columns() []Column { return n.Cols }

// Inputs returns the input.
func (n *Summary) Inputs() []Node { return []Node{n.Input} }

// Line names the column.
func (n *Summary) Line() string { return "summarize " + n.Column.Name }

// SummaryColumns are the columns of SUMMARIZE.
var SummaryColumns = []Column{{Name: "column", Type: value.Text}, {Name: "type", Type: value.Text},
	{Name: "count", Type: value.Integer}, {Name: "nulls", Type: value.Integer}, {Name: "distinct", Type: value.Integer},
	{Name: "least", Type: value.Text}, {Name: "greatest", Type: value.Text}, {Name: "mean", Type: value.Float},
	{Name: "q25", Type: value.Float}, {Name: "median", Type: value.Float}, {Name: "q75", Type: value.Float},
	{Name: "top", Type: value.Text}, {Name: "top_count", Type: value.Integer}}
