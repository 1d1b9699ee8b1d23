package ast

func (x *Quantified) print(p *printer) {
	p.operand(x.X, PrecedenceComparison)
	p.text(" ", x.Op)
	if x.All {
		p.text(" ALL (")
	} else {
		p.text(" ANY (")
	}
	if x.Select != nil {
		x.Select.print(p)
	} else {
		x.Array.print(p)
	}
	p.text(")")
}

func (x *Array) print(p *printer) {
	if x.Select != nil {
		p.text("ARRAY(")
		x.Select.print(p)
		p.text(")")
		return
	}
	p.text("ARRAY[")
	list(p, "", x.Items)
	p.text("]")
}

func (x *Subscript) print(p *printer) {
	p.operand(x.X, precedencePrimary)
	p.text("[")
	if x.Index != nil {
		x.Index.print(p)
	}
	p.when(x.Slice, ":")
	if x.To != nil {
		x.To.print(p)
	}
	p.text("]")
}

func (x *Field) print(p *printer) {
	p.text("(")
	x.X.print(p)
	p.text(").", QuoteName(x.Name))
}

func (x *Collate) print(p *printer) {
	p.operand(x.X, precedencePrimary)
	p.text(" COLLATE ", dotted(x.Schema, x.Name))
}
