package ast

import "strings"

// printer collects the canonical text of a node.
type printer struct{ strings.Builder }

// render returns the canonical text of n.
func render(n Node) string {
	var p printer
	n.print(&p)
	return p.String()
}

// text writes its arguments one after another.
func (p *printer) text(parts ...string) {
	for _, part := range parts {
		p.WriteString(part)
	}
}

// when writes text if the condition holds.
func (p *printer) when(condition bool, text string) {
	if condition {
		p.WriteString(text)
	}
}

// clause writes a keyword and an expression, or nothing for a nil expression.
func (p *printer) clause(keyword string, e Expr) {
	if e != nil {
		p.text(keyword)
		e.print(p)
	}
}

// operand writes e, in parentheses if it binds less than least.
func (p *printer) operand(e Expr, least int) {
	if e.precedence() >= least {
		e.print(p)
		return
	}
	p.text("(")
	e.print(p)
	p.text(")")
}

// names writes a list of names in parentheses, or nothing for none.
func (p *printer) names(names []string) {
	if len(names) == 0 {
		return
	}
	p.text(" (")
	for i, name := range names {
		p.when(i > 0, ", ")
		p.text(QuoteName(name))
	}
	p.text(")")
}

// list writes keyword and the nodes with commas between, or nothing for none.
func list[T Node](p *printer, keyword string, nodes []T) {
	for i, n := range nodes {
		if i == 0 {
			p.text(keyword)
		} else {
			p.text(", ")
		}
		n.print(p)
	}
}

// options writes keyword and the options in parentheses, or nothing for none.
func (p *printer) options(keyword string, options []Option) {
	if len(options) == 0 {
		return
	}
	p.text(keyword, "(")
	list(p, "", options)
	p.text(")")
}
