package parse

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

// codeWindow is the SQLSTATE of windows that contradict themselves.
const codeWindow = "42P20"

// window converts OVER (…). A frame without AND ends at the current row.
func (c *converter) window(w *window) *ast.Window {
	out := &ast.Window{Pos: c.position(w.Pos), PartitionBy: c.exprs(w.Partition), OrderBy: all(w.OrderBy, c.order)}
	if w.Base.Type != 0 {
		c.extend(out, w.Base)
	}
	if w.From == nil {
		return out
	}
	out.Frame = &ast.Frame{Pos: c.position(w.Unit.Pos), Unit: w.Unit.Value, From: c.bound(w.From),
		To: ast.Bound{Kind: "CURRENT ROW"}}
	if w.To != nil {
		out.Frame.To = c.bound(w.To)
	}
	return out
}

// extend gives a window partition and order of the one that it names, which has no frame.
func (c *converter) extend(w *ast.Window, t lexer.Token) {
	base := c.windowNamed(t)
	switch name := c.name(t); {
	case base == nil:
	case w.PartitionBy != nil:
		c.fail(t.Pos, codeWindow, "the window "+name+" is divided already", "leave PARTITION BY out, or the name")
	case w.OrderBy != nil && base.OrderBy != nil:
		c.fail(t.Pos, codeWindow, "the window "+name+" is ordered already", "leave ORDER BY out, or the name")
	case base.Frame != nil:
		c.fail(t.Pos, codeWindow, "the window "+name+" has a frame and cannot be extended", "write OVER "+name+
			" without parentheses, or the frame here alone")
	default:
		w.PartitionBy = base.PartitionBy
		if w.OrderBy == nil {
			w.OrderBy = base.OrderBy
		}
	}
}

// windowNamed converts the window of the WINDOW clause that OVER names. It may extend those before it, so that none
// can hold itself.
func (c *converter) windowNamed(t lexer.Token) *ast.Window {
	name, known := c.name(t), c.windows
	if i := slices.IndexFunc(known, func(w *windowDef) bool { return c.name(w.Name) == name }); i >= 0 {
		c.windows = known[:i]
		out := c.window(known[i].Window)
		c.windows = known
		return out
	}
	c.fail(t.Pos, ast.CodeUndefined, "there is no window "+name, "define it after HAVING: WINDOW "+name+
		" AS (PARTITION BY … ORDER BY …)")
	return nil
}
