package plan

import (
	"strings"

	"parlance/query/expr"
)

// Apply runs Right for each row of Left, whose values Args it reads.
type Apply struct {
	Kind        string // INNER, LEFT, CROSS
	Left, Right Node
	Args        []expr.Expr // over Left
	On          expr.Expr   // over both; nil if nothing
	Cols        []Column
}

// Columns are those of both sides.
func (n *Apply) Columns() []Column { return n.Cols }

// Inputs returns both sides.
func (n *Apply) Inputs() []Node { return []Node{n.Left, n.Right} }

// Line prints what the right side reads.
func (n *Apply) Line() string {
	s := strings.ToLower(n.Kind) + " join for each row"
	if len(n.Args) > 0 {
		s = strings.ToLower(n.Kind) + " join for each " + list(n.Args)
	}
	if n.On != nil {
		s += " where " + n.On.String()
	}
	return s
}
