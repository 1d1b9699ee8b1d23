package expr

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"parlance/query/fn"
	"parlance/query/fn/textfn"
	"parlance/storage/value"
)

// Compare is a comparison: = <> < <= > >=.
type Compare struct {
	Op   string
	X, Y Expr
}

// Distinct is IS [NOT] DISTINCT FROM: a comparison in which NULL equals NULL.
type Distinct struct {
	X, Y Expr
	Not  bool
}

// Logic is AND or OR with three truth values.
type Logic struct {
	Or   bool
	X, Y Expr
}

// Not negates.
type Not struct{ X Expr }

// IsNull is IS [NOT] NULL.
type IsNull struct {
	X   Expr
	Not bool
}

// IsBool is IS [NOT] TRUE or FALSE.
type IsBool struct {
	X          Expr
	Value, Not bool
}

// Arith is + - * / %, and unary minus as 0 - x.
type Arith struct {
	Op   string
	X, Y Expr
	T    value.Type
}

// Concat is ||.
type Concat struct{ X, Y Expr }

// In is membership in a list.
type In struct {
	X    Expr
	List []Expr
	Not  bool
	set  map[value.Value]bool // of constants, when all are of X's type
}

// Match is LIKE, ILIKE, ~, ~* and their negations.
type Match struct {
	Op    string
	X, Y  Expr
	re    *textfn.Pattern // of a constant pattern
	parts []string        // of a constant pattern of LIKE, in place of re
}

// The comparisons and tests are boolean.
func (*Compare) Type() value.Type  { return value.Boolean }
func (*Distinct) Type() value.Type { return value.Boolean }
func (*Logic) Type() value.Type    { return value.Boolean }
func (*Not) Type() value.Type      { return value.Boolean }
func (*IsNull) Type() value.Type   { return value.Boolean }
func (*IsBool) Type() value.Type   { return value.Boolean }
func (e *Arith) Type() value.Type  { return e.T }
func (*Concat) Type() value.Type   { return value.Text }
func (*In) Type() value.Type       { return value.Boolean }
func (*Match) Type() value.Type    { return value.Boolean }

// Children returns the operands.
func (e *Compare) Children() []Expr  { return []Expr{e.X, e.Y} }
func (e *Distinct) Children() []Expr { return []Expr{e.X, e.Y} }
func (e *Logic) Children() []Expr    { return []Expr{e.X, e.Y} }
func (e *Not) Children() []Expr      { return []Expr{e.X} }
func (e *IsNull) Children() []Expr   { return []Expr{e.X} }
func (e *IsBool) Children() []Expr   { return []Expr{e.X} }
func (e *Arith) Children() []Expr    { return []Expr{e.X, e.Y} }
func (e *Concat) Children() []Expr   { return []Expr{e.X, e.Y} }
func (e *In) Children() []Expr       { return append([]Expr{e.X}, e.List...) }
func (e *Match) Children() []Expr    { return []Expr{e.X, e.Y} }

func not(b bool) string {
	if b {
		return "NOT "
	}
	return ""
}

func (e *Compare) String() string { return e.X.String() + " " + e.Op + " " + e.Y.String() }
func (e *Distinct) String() string {
	return e.X.String() + " IS " + not(e.Not) + "DISTINCT FROM " + e.Y.String()
}
func (e *Logic) String() string {
	if e.Or {
		return "(" + e.X.String() + " OR " + e.Y.String() + ")"
	}
	return e.X.String() + " AND " + e.Y.String()
}
func (e *Not) String() string    { return "NOT (" + e.X.String() + ")" }
func (e *IsNull) String() string { return e.X.String() + " IS " + not(e.Not) + "NULL" }
func (e *IsBool) String() string {
	return e.X.String() + " IS " + not(e.Not) + strings.ToUpper(fmt.Sprint(e.Value))
}
func (e *Arith) String() string  { return "(" + e.X.String() + " " + e.Op + " " + e.Y.String() + ")" }
func (e *Concat) String() string { return e.X.String() + " || " + e.Y.String() }
func (e *In) String() string {
	parts := make([]string, len(e.List))
	for i, x := range e.List {
		parts[i] = x.String()
	}
	return e.X.String() + " " + not(e.Not) + "IN (" + strings.Join(parts, ", ") + ")"
}
func (e *Match) String() string { return e.X.String() + " " + e.Op + " " + e.Y.String() }

// evalBoth evaluates both operands.
func evalBoth(env *Env, b *value.Batch, i int, x, y Expr) (u, v value.Value, err error) {
	if u, err = x.At(env, b, i); err != nil {
		return
	}
	v, err = y.At(env, b, i)
	return
}

// Holds applies a comparison operator to the outcome of value.Compare.
func Holds(op string, c int) bool {
	switch op {
	case "=":
		return c == 0
	case "<>":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// Align casts one side of a comparison whose types show only when the statement runs: a text to the type of the other
// side, what stands beside JSON to JSON. Other types do not meet.
func Align(u, v value.Value) (value.Value, value.Value, error) {
	if u.T == v.T || u.IsNull() || v.IsNull() || isNumber(u) && isNumber(v) {
		return u, v, nil
	}
	var err error
	switch {
	case u.T == value.Text && v.T == value.JSON:
		return read(u), v, nil
	case u.T == value.JSON && v.T == value.Text:
		return u, read(v), nil
	case u.T == value.Text:
		u, err = value.Cast(u, v.T)
	case v.T == value.Text:
		v, err = value.Cast(v, u.T)
	case u.T == value.JSON:
		v, err = value.Cast(v, u.T)
	case v.T == value.JSON:
		u, err = value.Cast(u, v.T)
	default:
		return u, v, mismatch(u.T, v.T)
	}
	return u, v, fn.ArgumentError(err)
}

func isNumber(v value.Value) bool { return v.T == value.Integer || v.T == value.Float }

// read is a text as JSON where it is some.
func read(v value.Value) value.Value {
	if j, err := value.Cast(v, value.JSON); err == nil {
		return j
	}
	return v
}

// At compares; NULL with anything is NULL.
func (e *Compare) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	u, v, err := evalBoth(env, b, i, e.X, e.Y)
	if err != nil || u.IsNull() || v.IsNull() {
		return value.Value{}, err
	}
	if u, v, err = Align(u, v); err != nil {
		return value.Value{}, err
	}
	return value.Bool(Holds(e.Op, value.Compare(u, v))), nil
}

// At compares, NULL being a value.
func (e *Distinct) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	u, v, err := evalBoth(env, b, i, e.X, e.Y)
	if err != nil {
		return value.Value{}, err
	}
	if u, v, err = Align(u, v); err != nil {
		return value.Value{}, err
	}
	return value.Bool((value.Compare(u, v) != 0) != e.Not), nil
}

// At evaluates the right side only if the left does not decide.
func (e *Logic) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	u, err := e.X.At(env, b, i)
	if err != nil {
		return u, err
	}
	if !u.IsNull() && u.Bool() == e.Or {
		return value.Bool(e.Or), nil
	}
	v, err := e.Y.At(env, b, i)
	if err != nil {
		return v, err
	}
	if !v.IsNull() && v.Bool() == e.Or {
		return value.Bool(e.Or), nil
	}
	if u.IsNull() || v.IsNull() {
		return value.Value{}, nil
	}
	return value.Bool(!e.Or), nil
}

// At negates; NULL stays NULL.
func (e *Not) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	v, err := e.X.At(env, b, i)
	if err != nil || v.IsNull() {
		return value.Value{}, err
	}
	return value.Bool(!v.Bool()), nil
}

// At tests for NULL.
func (e *IsNull) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	v, err := e.X.At(env, b, i)
	return value.Bool(v.IsNull() != e.Not), err
}

// At tests for a truth value; NULL is neither.
func (e *IsBool) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	v, err := e.X.At(env, b, i)
	return value.Bool((!v.IsNull() && v.Bool() == e.Value) != e.Not), err
}

var errRange = fmt.Errorf("integer %w", value.ErrRange)

// At computes; integers stay integers, also in division.
func (e *Arith) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	u, v, err := evalBoth(env, b, i, e.X, e.Y)
	if err != nil || u.IsNull() || v.IsNull() {
		return value.Value{}, err
	}
	if u.T == value.Integer && v.T == value.Integer {
		return integerArith(e.Op, u.Int(), v.Int())
	}
	for _, p := range []*value.Value{&u, &v} {
		if p.T != value.Text {
			continue
		}
		whole, err := value.Cast(*p, value.Integer)
		if err != nil {
			whole, err = value.Cast(*p, value.Float)
		}
		if err != nil {
			return value.Value{}, fn.ArgumentError(err)
		}
		*p = whole
	}
	if u.T == value.Integer && v.T == value.Integer && e.T != value.Float {
		return integerArith(e.Op, u.Int(), v.Int())
	}
	return floatArith(e.Op, u.Float(), v.Float())
}

func integerArith(op string, x, y int64) (value.Value, error) {
	var r int64
	switch op {
	case "+":
		if r = x + y; (r > x) != (y > 0) && y != 0 {
			return value.Value{}, errRange
		}
	case "-":
		if r = x - y; (r < x) != (y > 0) && y != 0 {
			return value.Value{}, errRange
		}
	case "*":
		if r = x * y; x != 0 && (r/x != y || x == -1 && y == math.MinInt64) {
			return value.Value{}, errRange
		}
	default:
		if y == 0 {
			return value.Value{}, fn.ErrDivision
		}
		if y == -1 {
			if op == "%" {
				return value.Int(0), nil
			}
			return integerArith("-", 0, x)
		}
		if r = x / y; op == "%" {
			r = x % y
		}
	}
	return value.Int(r), nil
}

func floatArith(op string, x, y float64) (value.Value, error) {
	var r float64
	switch op {
	case "+":
		r = x + y
	case "-":
		r = x - y
	case "*":
		r = x * y
	default:
		if y == 0 {
			return value.Value{}, fn.ErrDivision
		}
		if r = x / y; op == "%" {
			r = math.Mod(x, y)
		}
	}
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return value.Value{}, fmt.Errorf("float %w", value.ErrRange)
	}
	return value.Real(r), nil
}

// At joins texts; NULL makes NULL.
func (e *Concat) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	var room [8]string
	parts, null, err := e.parts(room[:0], env, b, i)
	if err != nil || null {
		return value.Value{}, err
	}
	v, err := fn.Join(parts, "")
	return v, fn.ArgumentError(err)
}

// parts appends the operands of a chain of ||, and tells whether one is NULL.
func (e *Concat) parts(dst []string, env *Env, b *value.Batch, i int) (parts []string, null bool, err error) {
	if x, ok := e.X.(*Concat); ok {
		dst, null, err = x.parts(dst, env, b, i)
	} else {
		dst, null, err = chained(dst, e.X, env, b, i)
	}
	if err != nil {
		return nil, false, err
	}
	dst, last, err := chained(dst, e.Y, env, b, i)
	return dst, null || last, err
}

// chained appends an operand as text, and tells whether it is NULL.
func chained(dst []string, x Expr, env *Env, b *value.Batch, i int) ([]string, bool, error) {
	v, err := x.At(env, b, i)
	return append(dst, v.String()), v.IsNull(), err
}

// NewIn prepares a membership test; constants are looked up in a set.
func NewIn(x Expr, list []Expr, negated bool) (*In, error) {
	e := &In{X: x, List: list, Not: negated}
	if x.Type().HasSortKey() {
		return e, nil
	}
	e.set = map[value.Value]bool{}
	for _, l := range list {
		c, ok := l.(*Const)
		if !ok || c.V.IsNull() {
			e.set = nil
			return e, nil
		}
		v := c.V
		if v.T != x.Type() {
			cast, err := value.Cast(v, x.Type())
			if err != nil || x.Type() == value.Integer && v.T == value.Float || value.Compare(v, cast) != 0 {
				e.set = nil
				return e, nil
			}
			v = cast
		}
		e.set[v] = true
	}
	return e, nil
}

// At tests membership: NULL if x is NULL, or if it is not found and the list has a NULL.
func (e *In) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	x, err := e.X.At(env, b, i)
	if err != nil || x.IsNull() {
		return value.Value{}, err
	}
	if e.set != nil && x.T == e.X.Type() {
		return value.Bool(e.set[x] != e.Not), nil
	}
	null := false
	for _, l := range e.List {
		v, err := l.At(env, b, i)
		if err != nil {
			return v, err
		}
		if v.IsNull() {
			null = true
			continue
		}
		u, w, err := Align(x, v)
		if err != nil {
			return value.Value{}, err
		}
		if value.Compare(u, w) == 0 {
			return value.Bool(!e.Not), nil
		}
	}
	if null {
		return value.Value{}, nil
	}
	return value.Bool(e.Not), nil
}

// NewMatch prepares a pattern match; a constant pattern is compiled at once.
func NewMatch(op string, x, y Expr) (*Match, error) {
	e := &Match{Op: op, X: x, Y: y}
	if c, ok := y.(*Const); ok && !c.V.IsNull() {
		if op == "LIKE" || op == "NOT LIKE" {
			if e.parts, ok = likeParts(c.V.String()); ok {
				return e, nil
			}
		}
		re, err := e.compile(c.V.String())
		if err != nil {
			return nil, err
		}
		e.re = re
	}
	return e, nil
}

func (e *Match) compile(pattern string) (*textfn.Pattern, error) {
	op := strings.TrimPrefix(e.Op, "NOT ")
	op = strings.TrimPrefix(op, "!")
	if strings.HasSuffix(op, "LIKE") {
		if n := len(pattern) - len(strings.TrimRight(pattern, `\`)); n%2 == 1 {
			return nil, textfn.ErrEscape
		}
	}
	switch op {
	case "LIKE":
		return textfn.Regexp(likePattern(pattern, ""))
	case "ILIKE":
		return textfn.Regexp(likePattern(pattern, "i"))
	case "~*":
		return textfn.Regexp("(?i:" + pattern + ")")
	}
	return textfn.Regexp(pattern)
}

// likePattern turns % and _ into a regular expression; \ takes the next character as it is.
func likePattern(p, flags string) string {
	var b strings.Builder
	b.WriteString("(?s" + flags + ")^")
	escaped := false
	for _, r := range p {
		switch {
		case escaped:
			b.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case r == '\\':
			escaped = true
		case r == '%':
			b.WriteString(".*")
		case r == '_':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return b.String() + "$"
}

// At matches.
func (e *Match) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	u, v, err := evalBoth(env, b, i, e.X, e.Y)
	if err != nil || u.IsNull() || v.IsNull() {
		return value.Value{}, err
	}
	negated := strings.HasPrefix(e.Op, "NOT ") || strings.HasPrefix(e.Op, "!")
	if e.parts != nil {
		return value.Bool(matchLike(u.String(), e.parts) != negated), nil
	}
	re := e.re
	if re == nil {
		if re, err = e.compile(v.String()); err != nil {
			return value.Value{}, err
		}
	}
	found, err := re.Matches(env.Ctx, u.String())
	return value.Bool(found != negated), err
}
