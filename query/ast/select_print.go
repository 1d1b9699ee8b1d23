package ast

import "strings"

// String prints the query or the part of it.
func (s *Select) String() string  { return render(s) }
func (s CTE) String() string      { return render(s) }
func (s Item) String() string     { return render(s) }
func (s Union) String() string    { return render(s) }
func (s Order) String() string    { return render(s) }
func (s *Table) String() string   { return render(s) }
func (s Ref) String() string      { return render(s) }
func (s *Join) String() string    { return render(s) }
func (s ModelRef) String() string { return render(s) }
func (s Input) String() string    { return render(s) }
func (s Target) String() string   { return render(s) }

func (s *Select) print(p *printer) {
	with := "WITH "
	if s.Recursive {
		with = "WITH RECURSIVE "
	}
	list(p, with, s.With)
	p.when(len(s.With) > 0, " ")
	p.text("SELECT ")
	p.when(s.Distinct, "DISTINCT ")
	if len(s.On) > 0 {
		list(p, "DISTINCT ON (", s.On)
		p.text(") ")
	}
	list(p, "", s.Items)
	list(p, " FROM ", s.From)
	p.clause(" WHERE ", s.Where)
	list(p, " GROUP BY ", s.GroupBy)
	p.clause(" HAVING ", s.Having)
	for _, u := range s.Unions {
		p.text(" ")
		u.print(p)
	}
	list(p, " ORDER BY ", s.OrderBy)
	if s.Ties {
		p.clause(" OFFSET ", s.Offset)
		p.clause(" FETCH FIRST ", s.Limit)
		p.text(" ROWS WITH TIES")
		return
	}
	p.clause(" LIMIT ", s.Limit)
	list(p, " PER ", s.Per)
	p.clause(" OFFSET ", s.Offset)
}

func (s CTE) print(p *printer) {
	p.text(QuoteName(s.Name))
	p.names(s.Columns)
	p.text(" AS (")
	s.Select.print(p)
	p.text(")")
}

func (s Item) print(p *printer) {
	s.Expr.print(p)
	alias(p, s.Alias)
}

func (s Union) print(p *printer) {
	p.text(s.Op, " ")
	p.when(s.All, "ALL ")
	s.Select.print(p)
}

func (s Order) print(p *printer) {
	s.Expr.print(p)
	p.when(s.Desc, " DESC")
	if s.Nulls != "" {
		p.text(" NULLS ", s.Nulls)
	}
}

func (s *Table) print(p *printer) {
	s.Ref.print(p)
	alias(p, s.Alias)
	p.names(s.Columns)
	list(p, " USING ", s.Using)
	p.options(" WITH ", s.With)
}

func (s Ref) print(p *printer) {
	switch {
	case s.Select != nil:
		p.when(s.Lateral, "LATERAL ")
		p.text("(")
		s.Select.print(p)
		p.text(")")
		return
	case s.Evaluate != nil:
		p.text("(")
		s.Evaluate.print(p)
		p.text(")")
		return
	case s.File != nil:
		s.File.print(p)
		return
	case s.Summarize != nil:
		p.text("(SUMMARIZE ")
		s.Summarize.print(p)
		p.text(")")
		return
	}
	if s.Database != "" {
		p.text(QuoteName(s.Database), ".")
	}
	reference(p, s.Name, s.Version, s.Path)
	s.arguments(p)
	p.when(s.Ordinality, " WITH ORDINALITY")
}

func (s Ref) arguments(p *printer) {
	switch {
	case s.Text != nil:
		p.text("(")
		adHocText(p, s.Text)
		for _, a := range s.Args {
			p.text(", ")
			a.print(p)
		}
		p.text(")")
	case s.Rows != nil:
		p.text("(")
		s.Rows.print(p)
		p.text(")")
	case s.HasArgs:
		p.text("(")
		list(p, "", s.Args)
		p.text(")")
	}
}

// adHocText writes TEXT expr.
func adHocText(p *printer, e Expr) {
	// After TEXT a sign or NOT would be read as a binary operator.
	text := render(e)
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "NOT ") {
		text = "(" + text + ")"
	}
	p.text("TEXT ", text)
}

// opened quotes a first name that would open a list of values, EVALUATE or SUMMARIZE behind a parenthesis.
func opened(joins string) string {
	for _, word := range []string{"values", "evaluate", "summarize"} {
		if n := len(word); len(joins) > n && strings.EqualFold(joins[:n], word) && !NamePart(rune(joins[n])) {
			return `"` + joins[:n] + `"` + joins[n:]
		}
	}
	return joins
}

func (s *Join) print(p *printer) {
	s.Left.print(p)
	p.text(" ")
	p.when(s.Natural, "NATURAL ")
	if s.Kind != "INNER" {
		p.text(s.Kind, " ")
	}
	p.text("JOIN ")
	if right, joins := s.Right.(*Join); joins {
		p.text("(", opened(render(right)), ")")
	} else {
		s.Right.print(p)
	}
	p.clause(" ON ", s.On)
	if len(s.Using) > 0 {
		p.text(" USING")
		p.names(s.Using)
	}
}

func (s ModelRef) print(p *printer) { reference(p, s.Name, s.Version, "") }

func (s Input) print(p *printer) {
	reference(p, s.Name, s.Version, s.Path)
	alias(p, s.Role)
	p.clause(" WHERE ", s.Where)
}

func (s Target) print(p *printer) {
	schema, table := s.Name, s.Layer
	if s.Database != "" {
		p.text(QuoteName(s.Database), ".")
		if table == "" {
			schema, table = "public", s.Name
		}
	}
	reference(p, schema, "", table)
}

// reference writes name[@version][.path].
func reference(p *printer, name, number, path string) {
	if strings.EqualFold(name, "array") { // a select in parentheses may follow
		p.text(`"`, name, `"`, version(number))
	} else {
		p.text(QuoteName(name), version(number))
	}
	if path != "" {
		p.text(".", QuoteName(path))
	}
}

// alias writes AS name, or nothing for none.
func alias(p *printer, name string) {
	if name != "" {
		p.text(" AS ", QuoteName(name))
	}
}
