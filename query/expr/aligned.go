package expr

import (
	"fmt"

	"parlance/query/ast"
	"parlance/query/fn"
	"parlance/storage/value"
)

// Aligned gives the values of X, whose type shows only when the statement runs, a type that they meet. A text is read
// as one of the type; a number stays the number that it is.
type Aligned struct {
	X   Expr
	T   value.Type
	Pos ast.Pos // of its errors, zero for none
}

// Agreed gives the values of X the type on which it agrees with the parameters of With: the common type of their
// values, text if they have none.
type Agreed struct {
	X    Expr
	With []Expr
}

// Type returns the type of the values; Null if it shows only when the statement runs.
func (e *Aligned) Type() value.Type { return e.T }
func (*Agreed) Type() value.Type    { return value.Null }

// Children returns the operands.
func (e *Aligned) Children() []Expr { return []Expr{e.X} }
func (e *Agreed) Children() []Expr  { return append([]Expr{e.X}, e.With...) }

func (e *Aligned) String() string { return e.X.String() }
func (e *Agreed) String() string  { return e.X.String() }

// At aligns.
func (e *Aligned) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	v, err := e.X.At(env, b, i)
	if err != nil || v.IsNull() || v.T == e.T {
		return v, err
	}
	if e.T == value.Float && v.T == value.Integer {
		if f := value.Real(v.Float()); value.Compare(f, v) == 0 {
			return f, nil
		}
		return v, nil
	}
	if e.T == value.Integer && v.T == value.Float {
		if n, ok := value.EqualInteger(v.Float()); ok {
			return value.Int(n), nil
		}
		return v, nil
	}
	if v.T != value.Text {
		return value.Value{}, ErrorAt(e.Pos, mismatch(v.T, e.T))
	}
	v, err = value.Cast(v, e.T)
	return v, ErrorAt(e.Pos, fn.ArgumentError(err))
}

// At casts to the type of the parameters.
func (e *Agreed) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	v, err := e.X.At(env, b, i)
	if err != nil || v.IsNull() {
		return v, err
	}
	t := v.T
	for _, p := range e.With {
		w, err := p.At(env, b, i)
		switch {
		case err != nil:
			return value.Value{}, err
		case w.IsNull() || w.T == t:
		case (w.T == value.Integer || w.T == value.Float) && (t == value.Integer || t == value.Float):
			t = value.Float
		default:
			t = value.Text
		}
	}
	v, err = value.Cast(v, t)
	return v, fn.ArgumentError(err)
}

// mismatch is the error of values that have types which do not meet.
func mismatch(t, u value.Type) error {
	return &fn.Fault{Code: "42804", Msg: fmt.Sprintf("cannot compare %s with %s", t, u),
		Hint: "cast one side: CAST(x AS type)"}
}
