package expr

// Deterministic reports whether equal parameters and columns always give equal values of e, in any session.
func Deterministic(e Expr) bool {
	ok := true
	Walk(e, func(x Expr) {
		switch x := x.(type) {
		case *Subquery, *Arg, *Search:
			ok = false
		case *Call:
			ok = ok && !x.F.Volatile && !x.F.Host
		}
	})
	return ok
}
