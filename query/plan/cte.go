package plan

// CTE is a common table expression, a select of a WITH clause. Every table that names it shares the node, so its rows
// are computed once however many tables read them, unless they depend on the row of an outer query.
type CTE struct {
	Name  string
	Input Node
	Uses  int // tables that name it
	Cols  []Column
	Size  int // selects that its text expands to: itself and those that it names, each as often as it is named
}

// Columns are the input's, under the names that the WITH clause gives.
func (n *CTE) Columns() []Column { return n.Cols }

// Inputs returns the input.
func (n *CTE) Inputs() []Node { return []Node{n.Input} }

// Line names the select.
func (n *CTE) Line() string {
	if n.Uses > 1 {
		return "with " + n.Name + ", computed once"
	}
	return "with " + n.Name
}

// Once reports whether the rows are materialised for several readers. Rows that depend on the row of an outer query, or
// on the work table of a recursive select around the CTE, are computed anew for each reader.
func (n *CTE) Once() bool {
	return n.Uses > 1 && !ReadsOuter(n.Input) && OpenWorkTable(n.Input) == nil
}
