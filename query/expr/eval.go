package expr

import "parlance/storage/value"

// Eval evaluates e over the batch; a column is returned as it is.
func Eval(e Expr, env *Env, b *value.Batch) (value.Vec, error) {
	switch x := e.(type) {
	case *Col:
		return b.Cols[x.Index], nil
	}
	out := make([]value.Value, b.N)
	for i := range out {
		v, err := e.At(env, b, i)
		if err != nil {
			return value.Vec{}, err
		}
		out[i] = v
	}
	return value.FromValues(e.Type(), out), nil
}

// Filter returns the rows for which e is true, ascending. Comparisons of dictionary codes
// with a constant look at each word of the dictionary at most once.
func Filter(e Expr, env *Env, b *value.Batch) ([]int, error) {
	if l, ok := e.(*Logic); ok && !l.Or {
		rows, err := Filter(l.X, env, b)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		if len(rows) == b.N {
			return Filter(l.Y, env, b)
		}
		kept := rows[:0]
		for _, i := range rows {
			v, err := l.Y.At(env, b, i)
			if err != nil {
				return nil, err
			}
			if v.Bool() {
				kept = append(kept, i)
			}
		}
		return kept, nil
	}
	if rows, ok, err := filterCodes(e, env, b); ok || err != nil {
		return rows, err
	}
	var rows []int
	for i := range b.N {
		v, err := e.At(env, b, i)
		if err != nil {
			return nil, err
		}
		if v.Bool() {
			rows = append(rows, i)
		}
	}
	return rows, nil
}

// filterCodes filters by an expression that reads one dictionary column only.
func filterCodes(e Expr, env *Env, b *value.Batch) ([]int, bool, error) {
	cols := Columns(e)
	if len(cols) != 1 || Volatile(e) {
		return nil, false, nil
	}
	v := &b.Cols[cols[0]]
	if v.Codes == nil || v.Null != nil || len(v.Dict.Words) > 2*b.N {
		return nil, false, nil
	}
	verdict := make([]uint8, len(v.Dict.Words)) // 0 unknown, 1 false, 2 true
	var rows []int
	for i := range b.N {
		c := v.Codes[i]
		if verdict[c] == 0 {
			x, err := e.At(env, b, i)
			if err != nil {
				return nil, true, err
			}
			verdict[c] = 1
			if x.Bool() {
				verdict[c] = 2
			}
		}
		if verdict[c] == 2 {
			rows = append(rows, i)
		}
	}
	return rows, true, nil
}

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
