package expr

import (
	"sync/atomic"

	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// Quantified is x op ANY (array) or x op ALL (array).
type Quantified struct {
	Op       string
	All      bool
	X, Array Expr
	set      atomic.Pointer[arraySet] // of the array that was asked last
}

// IsMembership reports whether e is membership in the array, or its negation.
func (e *Quantified) IsMembership() bool { return e.Op == "=" && !e.All || e.Op == "<>" && e.All }

// Type is boolean.
func (*Quantified) Type() value.Type { return value.Boolean }

// Children returns the operands.
func (e *Quantified) Children() []Expr { return []Expr{e.X, e.Array} }

func (e *Quantified) String() string {
	word := " ANY ("
	if e.All {
		word = " ALL ("
	}
	return e.X.String() + " " + e.Op + word + e.Array.String() + ")"
}

// At compares with one member after the other until one decides; a NULL among them, or on the
// left, makes NULL of what none decides.
func (e *Quantified) At(env *Env, b *value.Batch, i int) (value.Value, error) {
	x, array, err := evalBoth(env, b, i, e.X, e.Array)
	if err != nil || array.IsNull() {
		return value.Value{}, err
	}
	if e.IsMembership() {
		if v, ok := e.inSet(env.Context(), x, array); ok {
			return v, nil
		}
	}
	items, err := jsonfn.ItemsWithin(env.Context(), array)
	if err != nil {
		return value.Value{}, fn.ArgumentError(err)
	}
	null := false
	for _, y := range items {
		v, err := e.compare(env, x, y)
		if err != nil {
			return v, err
		}
		switch {
		case v.IsNull():
			null = true
		case v.Bool() != e.All:
			return v, nil
		}
	}
	if null {
		return value.Value{}, nil
	}
	return value.Bool(e.All), nil
}

func (e *Quantified) compare(env *Env, x, y value.Value) (value.Value, error) {
	if mirrored[e.Op] != "" {
		v, err := (&Compare{Op: e.Op, X: &Const{V: x}, Y: &Const{V: y}}).At(env, nil, 0)
		return v, fn.ArgumentError(err)
	}
	m, err := NewMatch(e.Op, &Const{V: x}, &Const{V: y})
	if err != nil {
		return value.Value{}, fn.ArgumentError(err)
	}
	return m.At(env, nil, 0)
}
