package expr

// Deterministic reports whether e has the same value in every session for equal columns and parameters.
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
