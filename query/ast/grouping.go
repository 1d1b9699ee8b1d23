package ast

// GroupingSets is several groupings. It stands only in GROUP BY.
type GroupingSets struct {
	Pos
	Kind  string // "GROUPING SETS", "ROLLUP" or "CUBE"
	Items []Expr // a *Tuple is several keys, or none; those of GROUPING SETS may be *GroupingSets
}

func (x *GroupingSets) String() string  { return render(x) }
func (x *GroupingSets) precedence() int { return precedencePrimary }

func (x *GroupingSets) print(p *printer) {
	p.text(x.Kind)
	list(p, " (", x.Items)
	p.text(")")
}
