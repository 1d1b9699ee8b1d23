package plan

import (
	"parlance/query/ast"
)

// Excluded is the name of the rows that an INSERT would add, for expressions of ON CONFLICT DO UPDATE.
const Excluded = "excluded"

// Proposed has the columns of the rows of a target, then those of rows that an INSERT would add.
type Proposed struct {
	Target, Row Node
	cols        []Column
}

// NewProposed joins the columns of a target and of the table Excluded.
func NewProposed(at ast.Pos, target, row Node) (*Proposed, error) {
	p := &Proposed{Target: target, Row: row}
	p.cols = append(append(p.cols, target.Columns()...), row.Columns()...)
	if len(target.Columns()) > 0 && target.Columns()[0].Table == Excluded {
		return nil, Errorf(at, "42712", "INSERT INTO "+Excluded+" AS another",
			"the rows that would be added have the name %s", Excluded)
	}
	return p, nil
}

// Columns are those of the target, then those of the rows to add.
func (n *Proposed) Columns() []Column { return n.cols }

// Inputs returns both.
func (n *Proposed) Inputs() []Node { return []Node{n.Target, n.Row} }

// Line prints "proposed".
func (n *Proposed) Line() string { return "proposed" }
