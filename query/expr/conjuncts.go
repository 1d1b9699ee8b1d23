package expr

// Volatile reports whether e may differ for equal arguments.
func Volatile(e Expr) bool {
	found := false
	Walk(e, func(x Expr) {
		if c, ok := x.(*Call); ok && c.F.Volatile {
			found = true
		}
	})
	return found
}

// Conjuncts splits e at AND.
func Conjuncts(e Expr) []Expr {
	if l, ok := e.(*Logic); ok && !l.Or {
		return append(Conjuncts(l.X), Conjuncts(l.Y)...)
	}
	if e == nil {
		return nil
	}
	return []Expr{e}
}

// And joins conditions; nil for none.
func And(list []Expr) Expr {
	var out Expr
	for _, e := range list {
		if out == nil {
			out = e
		} else {
			out = &Logic{X: out, Y: e}
		}
	}
	return out
}
