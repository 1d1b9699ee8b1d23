package plan

import (
	"strings"

	"parlance/query/expr"
)

// Outline is a plan as EXPLAIN tells it: nodes, with the plans of subselects that their expressions
// use as values before their inputs.
type Outline struct {
	Node      Node
	Subselect string // how often one runs, empty for an input
	Below     []Outline
}

// OutlineOf returns the outline of the tree below n.
func OutlineOf(n Node) Outline {
	o := Outline{Node: n}
	for _, e := range exprs(n) {
		expr.Walk(e, func(x expr.Expr) {
			if l, ok := x.(*expr.Subquery); ok && l.Plan != nil {
				sub := OutlineOf(Subselect(l))
				sub.Subselect = frequency(l)
				o.Below = append(o.Below, sub)
			}
		})
	}
	for _, c := range n.Inputs() {
		o.Below = append(o.Below, OutlineOf(c))
	}
	return o
}

// frequency says how often a subselect runs.
func frequency(l *expr.Subquery) string {
	switch {
	case l.Lookup != nil && len(l.Keys) > 0:
		return "looked up by " + list(l.Keys) + ", once if they are many"
	case l.Lookup != nil:
		return "looked up by " + l.X.String() + ", once if they are many"
	case len(l.Keys) > 0:
		return "once, looked up by " + list(l.Keys)
	case len(l.Outer) > 0:
		return "for each " + list(l.Outer)
	}
	return "once"
}

// String prints the tree below n, one node a line; note adds to a line.
func String(n Node, note func(Node) string) string {
	var b strings.Builder
	OutlineOf(n).print(&b, 0, note)
	return b.String()
}

func (o Outline) print(b *strings.Builder, depth int, note func(Node) string) {
	if o.Subselect != "" {
		b.WriteString(strings.Repeat("  ", depth) + "subselect " + o.Subselect + "\n")
		depth++
	}
	b.WriteString(strings.Repeat("  ", depth) + o.Node.Line())
	if note != nil {
		b.WriteString(note(o.Node))
	}
	b.WriteByte('\n')
	for _, below := range o.Below {
		below.print(b, depth+1, note)
	}
}
