package exec

import (
	"math"
	"reflect"

	"parlance/query/ast"
	"parlance/storage/value"
)

// WithValues returns a copy of a statement in which literals stand for the parameters, so that its text says all of it.
// Parameters without a value stay, and those of types that have no literals.
func WithValues[S ast.Statement](stmt S, params []value.Value) S {
	if len(params) == 0 {
		return stmt
	}
	return substitute(reflect.ValueOf(stmt), params).Interface().(S)
}

// substitute copies a part of a syntax tree, whose nodes are pointers to structs of exported fields.
func substitute(v reflect.Value, params []value.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		if p, ok := v.Interface().(*ast.Param); ok {
			if p.Index >= 1 && p.Index <= len(params) {
				if l, ok := literalOf(params[p.Index-1]); ok {
					return reflect.ValueOf(&ast.Literal{Pos: p.Pos, Value: l})
				}
			}
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(substitute(v.Elem(), params))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return substitute(v.Elem(), params)
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(substitute(v.Field(i), params))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(substitute(v.Index(i), params))
		}
		return out
	}
	return v
}

// literalOf is what an ast.Literal holds for a value.
func literalOf(v value.Value) (any, bool) {
	switch v.T {
	case value.Null:
		return nil, true
	case value.Boolean:
		return v.Bool(), true
	case value.Integer:
		return v.Int(), true
	case value.Float:
		x := v.Float()
		return x, !math.IsNaN(x) && !math.IsInf(x, 0)
	case value.Text:
		return v.S, true
	}
	return nil, false
}
