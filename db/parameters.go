package db

import (
	"reflect"

	"parlance/query/ast"
)

// parameters returns the number of arguments that a statement takes: its highest parameter.
func parameters(stmt ast.Statement) int { return highest(reflect.ValueOf(stmt)) }

// highest walks a tree: its nodes are pointers to structs of exported fields.
func highest(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Pointer:
		if p, ok := v.Interface().(*ast.Param); ok && p != nil {
			return p.Index
		}
		if !v.IsNil() {
			n = highest(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			n = highest(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				n = max(n, highest(v.Field(i)))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			n = max(n, highest(v.Index(i)))
		}
	}
	return n
}
