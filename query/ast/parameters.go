package ast

import "reflect"

// Parameters returns the number of arguments that a statement takes: its highest parameter.
func Parameters(s Statement) int {
	highest := 0
	walk(reflect.ValueOf(s), func(v reflect.Value) {
		if v.Type() == paramType {
			highest = max(highest, int(v.FieldByIndex(paramIndex).Int()))
		}
	})
	return highest
}

// AdHocTexts returns the parameters that a statement takes as ad-hoc texts: f(TEXT $1).
func AdHocTexts(s Statement) (texts []*Param) {
	walk(reflect.ValueOf(s), func(v reflect.Value) {
		if v.Type() != refType {
			return
		}
		if p, ok := v.FieldByIndex(refText).Interface().(*Param); ok {
			texts = append(texts, p)
		}
	})
	return texts
}

var (
	paramType  = reflect.TypeFor[Param]()
	paramIndex = field(paramType, "Index")
	refType    = reflect.TypeFor[Ref]()
	refText    = field(refType, "Text")
)

func field(t reflect.Type, name string) []int {
	f, _ := t.FieldByName(name)
	return f.Index
}

// walk visits the structs of a tree: its nodes are pointers to structs of exported fields.
func walk(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Struct:
		visit(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}
