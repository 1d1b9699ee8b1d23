package expr

// Determined reports whether equal parameters and columns always give equal values of e, in any session.
func Determined(e Expr) bool {
	ok := true
	Walk(e, func(x Expr) {
		switch x := x.(type) {
		case *Lazy, *Arg, *Search:
			ok = false
		case *Call:
			ok = ok && !x.F.Volatile && !x.F.Host
		}
	})
	return ok
}
