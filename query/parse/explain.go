package parse

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

// explainStatement takes options as PostgreSQL writes them, which COPY does too.
type explainStatement struct {
	Pos       lexer.Position
	Options   []*copyOption  `parser:"'EXPLAIN' ( '(' @@ (',' @@)* ')'"`
	Analyze   bool           `parser:"| @'ANALYZE' 'VERBOSE'? | 'VERBOSE' )?"`
	Statement plainStatement `parser:"@@"`
}

func (s *explainStatement) statement(c *converter) ast.Statement {
	out := &ast.Explain{Pos: c.position(s.Pos), Analyze: s.Analyze}
	for _, o := range s.Options {
		c.explainOption(out, o)
	}
	if out.NoTiming && !out.Analyze {
		out.NoTiming = false // there are no times to leave out
	}
	out.Statement = s.Statement.statement(c)
	return out
}

// explainOption notes an option. VERBOSE is how a plan is told anyway; what is not counted can only be
// off.
func (c *converter) explainOption(out *ast.Explain, o *copyOption) {
	name := c.copyName(o)
	v := c.copyValue(o)
	switch name {
	case "format":
		switch format := strings.ToLower(c.formatName(o.Pos, v)); format {
		case "text", "json":
			out.JSON = format == "json"
		default:
			c.fail(o.Pos, ast.CodeFeature, "EXPLAIN has no format "+format, "FORMAT text, or json")
		}
		return
	case "analyze", "verbose", "costs", "timing", "buffers", "settings", "summary", "wal":
	default:
		c.fail(o.Pos, ast.CodeSyntax, "EXPLAIN has no option "+ast.QuoteName(name),
			"options are ANALYZE, VERBOSE, COSTS, TIMING and FORMAT")
		return
	}
	on, ok := onOrOff(v)
	switch {
	case !ok:
		c.fail(o.Pos, ast.CodeSyntax, "option "+name+" takes on or off", "")
	case name == "analyze":
		out.Analyze = on
	case name == "costs":
		out.NoCosts = !on
	case name == "timing":
		out.NoTiming = !on
	case name != "verbose" && on:
		c.fail(o.Pos, ast.CodeFeature, "EXPLAIN does not count "+name, "leave the option out, or off")
	}
}

// onOrOff is the value of an option that is on or off.
func onOrOff(v ast.OptionValue) (on, ok bool) {
	l, _ := v.(*ast.Literal)
	if l == nil {
		return false, false
	}
	switch x := l.Value.(type) {
	case bool:
		return x, true
	case int64:
		return x == 1, x == 0 || x == 1
	}
	return false, false
}
