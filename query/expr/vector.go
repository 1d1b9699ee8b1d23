package expr

import (
	"fmt"
	"math"

	"parlance/storage/value"
)

// Eval evaluates e over the batch; a column is returned as it is. It computes whole columns where the expression has a
// vector form, once for each word of a dictionary if e reads nothing else, and row by row otherwise.
func Eval(e Expr, env *Env, b *value.Batch) (value.Vec, error) {
	return EvalWithin(e, env, b, math.MaxInt)
}

// EvalWithin is Eval with a limit on the bytes of the texts that it makes of several rows. Beyond it returns ErrWide.
func EvalWithin(e Expr, env *Env, b *value.Batch, most int) (value.Vec, error) {
	switch e := e.(type) {
	case *Col:
		return b.Cols[e.Index], nil
	case *Const:
		return value.Repeat(e.Type(), e.V, b.N), nil
	case *Compare:
		if v, ok, err := e.vector(env, b); ok || err != nil {
			return v, err
		}
	case *Logic:
		return e.vector(env, b)
	case *Not:
		return negated(e.X, env, b)
	case *IsNull:
		return e.vector(env, b)
	case *Arith:
		if v, ok, err := e.vector(env, b); ok || err != nil {
			return v, err
		}
	case *Case:
		return e.vector(env, b)
	case *Subquery:
		if v, ok, err := e.vector(env, b); ok || err != nil {
			return v, err
		}
	case *Search:
		return e.vector(env, b)
	}
	if v, ok, err := evalDictionary(e, env, b); ok || err != nil {
		return v, err
	}
	return evalRows(e, env, b, most)
}

// ErrWide is returned if rows are too wide to be computed together. Fewer rows may do.
var ErrWide = fmt.Errorf("a column of several rows: %w", ErrMemory)

// evalRows evaluates a row at a time.
func evalRows(e Expr, env *Env, b *value.Batch, most int) (value.Vec, error) {
	out := make([]value.Value, b.N)
	bytes := 0
	for i := range out {
		if i%16 == 15 && env.Ctx != nil && env.Ctx.Err() != nil { // a row may hold megabytes
			return value.Vec{}, env.Ctx.Err()
		}
		v, err := e.At(env, b, i)
		if err != nil {
			return value.Vec{}, err
		}
		out[i] = v
		bytes += len(v.S)
		switch over := bytes > longTexts && !env.Memory.fits(bytes); {
		case i > 0 && (over || bytes > most):
			return value.Vec{}, ErrWide
		case over:
			return value.Vec{}, env.Memory.exceeded(bytes)
		}
	}
	return value.FromValues(e.Type(), out), nil
}

// longTexts is the size of the texts of a column from which on they count against statement_memory.
const longTexts = 1 << 20

// evalDictionary evaluates an expression that reads one dictionary column only, once for each word.
func evalDictionary(e Expr, env *Env, b *value.Batch) (value.Vec, bool, error) {
	cols := Columns(e)
	if len(cols) == 0 || Volatile(e) {
		return value.Vec{}, false, nil
	}
	for _, c := range cols[1:] {
		if c != cols[0] {
			return value.Vec{}, false, nil
		}
	}
	v := &b.Cols[cols[0]]
	if v.Codes == nil || v.Null != nil || len(v.Dict.Words) > b.N {
		return value.Vec{}, false, nil
	}
	place := make([]int32, len(v.Dict.Words)) // of each word among the results, plus one
	var results []value.Value
	codes, bytes := make([]int, b.N), 0
	for i, c := range v.Codes {
		if place[c] == 0 {
			x, err := e.At(env, b, i)
			if err != nil {
				return value.Vec{}, true, err
			}
			if bytes += len(x.S); bytes > longTexts && !env.Memory.fits(bytes) {
				return value.Vec{}, true, env.Memory.exceeded(bytes)
			}
			results = append(results, x)
			place[c] = int32(len(results))
		}
		codes[i] = int(place[c] - 1)
	}
	few := value.FromValues(e.Type(), results)
	if few.Type == value.Text && few.Strs != nil && few.Null == nil {
		out := value.Vec{Type: value.Text, Codes: make([]uint32, b.N), Dict: &value.Dict{Words: few.Strs}}
		for i, c := range codes {
			out.Codes[i] = uint32(c)
		}
		return out, true, nil
	}
	return few.Select(codes), true, nil
}

// Filter returns the numbers of the rows for which e is true, ascending.
func Filter(e Expr, env *Env, b *value.Batch) ([]int, error) {
	if l, ok := e.(*Logic); ok && !l.Or {
		rows, err := Filter(l.X, env, b)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		if len(rows) == b.N {
			return Filter(l.Y, env, b)
		}
		kept, err := Filter(l.Y, env, selectRows(l.Y, b, rows))
		if err != nil {
			return nil, err
		}
		for i, k := range kept {
			kept[i] = rows[k]
		}
		return kept, nil
	}
	v, err := Eval(e, env, b)
	if err != nil {
		return nil, err
	}
	return trueRows(&v, b.N), nil
}

// selectRows returns a batch of some rows, with the columns that e reads.
func selectRows(e Expr, b *value.Batch, rows []int) *value.Batch {
	out := &value.Batch{N: len(rows), Cols: make([]value.Vec, len(b.Cols))}
	for _, c := range Columns(e) {
		out.Cols[c] = b.Cols[c].Select(rows)
	}
	return out
}

// trueRows returns the rows that are true.
func trueRows(v *value.Vec, n int) []int {
	if v.Ints == nil || v.Type != value.Boolean {
		var rows []int
		for i := range n {
			if v.At(i).Bool() {
				rows = append(rows, i)
			}
		}
		return rows
	}
	count := 0
	for i, x := range v.Ints[:n] {
		if x != 0 && (v.Null == nil || !v.Null[i]) {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	rows := make([]int, 0, count)
	for i, x := range v.Ints[:n] {
		if x != 0 && (v.Null == nil || !v.Null[i]) {
			rows = append(rows, i)
		}
	}
	return rows
}

// mergeNulls returns the rows that are NULL in one of two vectors; nil if there are none.
func mergeNulls(x, y []bool) []bool {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	out := make([]bool, len(x))
	for i := range out {
		out[i] = x[i] || y[i]
	}
	return out
}

func newBooleans(n int) value.Vec { return value.Vec{Type: value.Boolean, Ints: make([]int64, n)} }

// constantOperand returns the value of an operand that is the same for all rows.
func constantOperand(e Expr, env *Env) (value.Value, bool) {
	switch e := e.(type) {
	case *Const:
		return e.V, true
	case *Param:
		if e.Index >= 1 && e.Index <= len(env.Params) {
			return env.Params[e.Index-1], true
		}
	case *Arg:
		return env.Args[e.Index], true
	}
	return value.Value{}, false
}

// vector evaluates the right side for the rows that the left does not decide.
func (e *Logic) vector(env *Env, b *value.Batch) (value.Vec, error) {
	x, err := Eval(e.X, env, b)
	if err != nil {
		return x, err
	}
	out := newBooleans(b.N)
	var open []int // rows that the left side leaves open
	for i := range b.N {
		v := x.At(i)
		if !v.IsNull() && v.Bool() == e.Or {
			out.Ints[i] = bit(e.Or)
		} else {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return out, nil
	}
	y, err := Eval(e.Y, env, selectRows(e.Y, b, open))
	if err != nil {
		return y, err
	}
	for k, i := range open {
		u, v := x.At(i), y.At(k)
		switch {
		case !v.IsNull() && v.Bool() == e.Or:
			out.Ints[i] = bit(e.Or)
		case u.IsNull() || v.IsNull():
			if out.Null == nil {
				out.Null = make([]bool, b.N)
			}
			out.Null[i] = true
		default:
			out.Ints[i] = bit(!e.Or)
		}
	}
	return out, nil
}

func negated(e Expr, env *Env, b *value.Batch) (value.Vec, error) {
	x, err := Eval(e, env, b)
	if err != nil {
		return x, err
	}
	out := newBooleans(b.N)
	for i := range b.N {
		v := x.At(i)
		if v.IsNull() {
			if out.Null == nil {
				out.Null = make([]bool, b.N)
			}
			out.Null[i] = true
		} else {
			out.Ints[i] = bit(!v.Bool())
		}
	}
	return out, nil
}

func (e *IsNull) vector(env *Env, b *value.Batch) (value.Vec, error) {
	x, err := Eval(e.X, env, b)
	if err != nil {
		return x, err
	}
	out := newBooleans(b.N)
	for i := range out.Ints {
		out.Ints[i] = bit(x.IsNull(i) != e.Not)
	}
	return out, nil
}

// vector computes with integers and floats; ok is false for other operands. Integers that
// might leave their range, and zeros as divisors, are left to the way by rows.
func (e *Arith) vector(env *Env, b *value.Batch) (value.Vec, bool, error) {
	x, _, err := evalRepeated(e.X, env, b)
	if err != nil {
		return x, false, err
	}
	y, own, err := evalRepeated(e.Y, env, b)
	if err != nil {
		return y, false, err
	}
	out := value.Vec{Null: mergeNulls(x.Null, y.Null)}
	if x.Ints != nil && y.Ints != nil && x.Type == value.Integer && y.Type == value.Integer {
		if !fitsIn32Bits(x.Ints) || !fitsIn32Bits(y.Ints) || divides(e.Op) && zero(y.Ints) {
			return out, false, nil
		}
		out.Type, out.Ints = value.Integer, y.Ints
		if !own {
			out.Ints = make([]int64, b.N)
		}
		if e.Op == "%" {
			for i := range out.Ints {
				out.Ints[i] = x.Ints[i] % y.Ints[i]
			}
		} else {
			compute(out.Ints, e.Op, x.Ints, y.Ints)
		}
		return out, true, nil
	}
	u, ok := floats(&x)
	w, ok2 := floats(&y)
	if !ok || !ok2 || e.Op == "%" || e.Op == "/" && zero(w) {
		return out, false, nil
	}
	out.Type, out.Floats = value.Float, make([]float64, b.N)
	compute(out.Floats, e.Op, u, w)
	for i, f := range out.Floats {
		if math.IsInf(f, 0) && !math.IsInf(u[i], 0) && !math.IsInf(w[i], 0) {
			return out, false, nil
		}
		out.Floats[i] = f + 0 // -0 is 0
	}
	return out, true, nil
}

// evalRepeated evaluates e; a constant is repeated for all rows, in a column of the caller's own.
func evalRepeated(e Expr, env *Env, b *value.Batch) (v value.Vec, own bool, err error) {
	k, ok := constantOperand(e, env)
	if !ok {
		v, err = Eval(e, env, b)
		return v, false, err
	}
	out := value.Vec{Type: k.T}
	switch k.T {
	case value.Integer:
		out.Ints = make([]int64, b.N)
		for i := range out.Ints {
			out.Ints[i] = k.Int()
		}
	case value.Float:
		out.Floats = make([]float64, b.N)
		for i := range out.Floats {
			out.Floats[i] = k.Float()
		}
	}
	return out, true, nil
}

// fitsIn32Bits reports whether sums and products of two such numbers cannot overflow.
func fitsIn32Bits(v []int64) bool {
	const bound = 1 << 31
	for _, x := range v {
		if x <= -bound || x >= bound {
			return false
		}
	}
	return true
}

func floats(v *value.Vec) ([]float64, bool) {
	switch {
	case v.Floats != nil:
		return v.Floats, true
	case v.Ints != nil && v.Type == value.Integer:
		out := make([]float64, len(v.Ints))
		for i, x := range v.Ints {
			out[i] = float64(x)
		}
		return out, true
	}
	return nil, false
}

func compute[T int64 | float64](out []T, op string, x, y []T) {
	switch op {
	case "+":
		for i := range out {
			out[i] = x[i] + y[i]
		}
	case "-":
		for i := range out {
			out[i] = x[i] - y[i]
		}
	case "/":
		for i := range out {
			out[i] = x[i] / y[i]
		}
	default:
		for i := range out {
			out[i] = x[i] * y[i]
		}
	}
}

func divides(op string) bool { return op == "/" || op == "%" }

func zero[T int64 | float64](v []T) bool {
	for _, x := range v {
		if x == 0 {
			return true
		}
	}
	return false
}

// vector evaluates each branch for the rows that reach it.
func (e *Case) vector(env *Env, b *value.Batch) (value.Vec, error) {
	if v, ok, err := evalDictionary(e, env, b); ok || err != nil {
		return v, err
	}
	out := make([]value.Value, b.N)
	rows := make([]int, b.N)
	for i := range rows {
		rows[i] = i
	}
	set := func(x Expr, rows []int) error {
		v, err := Eval(x, env, selectRows(x, b, rows))
		if err != nil {
			return err
		}
		for k, i := range rows {
			out[i] = v.At(k)
		}
		return nil
	}
	for k, w := range e.Whens {
		if len(rows) == 0 {
			break
		}
		hits, err := Filter(w, env, selectRows(w, b, rows))
		if err != nil {
			return value.Vec{}, err
		}
		taken, left := divide(rows, hits)
		if len(taken) > 0 {
			if err := set(e.Thens[k], taken); err != nil {
				return value.Vec{}, err
			}
		}
		rows = left
	}
	if e.Else != nil && len(rows) > 0 {
		if err := set(e.Else, rows); err != nil {
			return value.Vec{}, err
		}
	}
	return value.FromValues(e.T, out), nil
}

// divide splits rows into those whose places are in hits, which ascend, and the others.
func divide(rows, hits []int) (taken, left []int) {
	h := 0
	for k, i := range rows {
		if h < len(hits) && hits[h] == k {
			taken = append(taken, i)
			h++
		} else {
			left = append(left, i)
		}
	}
	return taken, left
}
