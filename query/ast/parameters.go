package ast

import "reflect"

// Parameters returns the number of arguments that a statement takes: its highest parameter. PREPARE
// takes none: the parameters are those of what it prepares.
func Parameters(s Statement) int {
	if _, ok := s.(*Prepare); ok {
		return 0
	}
	return highest(reflect.ValueOf(s))
}

// highest walks a tree: its nodes are pointers to structs of exported fields.
func highest(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Pointer:
		if p, ok := v.Interface().(*Param); ok && p != nil {
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
