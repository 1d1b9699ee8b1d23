package state

import (
	"reflect"
)

// Memory is about how many bytes a model takes: its fields with and without tags, and what they lead to, each once.
// What a field with the tag state:"-" leads to belongs to others. Texts are counted by each field that has them,
// entries of maps as half more than their keys and values.
func Memory(model any) int64 {
	v := reflect.ValueOf(model).Elem()
	m := &meter{seen: map[uintptr]bool{v.Addr().Pointer(): true}}
	return int64(v.Type().Size()) + m.behind(v)
}

type meter struct {
	seen map[uintptr]bool // pointers and lists that are counted
	flat map[reflect.Type]bool
}

// once reports whether a place was not met before.
func (m *meter) once(p uintptr) bool {
	if p == 0 || m.seen[p] {
		return false
	}
	m.seen[p] = true
	return true
}

// behind is what a value leads to, without itself.
func (m *meter) behind(v reflect.Value) (n int64) {
	t := v.Type()
	if m.alone(t) {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		if v.Cap() == 0 || !m.once(v.Pointer()) {
			return 0
		}
		return int64(v.Cap())*int64(t.Elem().Size()) + m.all(v)
	case reflect.Array:
		return m.all(v)
	case reflect.Map:
		if !m.once(v.Pointer()) {
			return 0
		}
		n = int64(v.Len()) * int64(t.Key().Size()+t.Elem().Size()) * 3 / 2
		if !m.alone(t.Key()) || !m.alone(t.Elem()) {
			for at := v.MapRange(); at.Next(); {
				n += m.behind(at.Key()) + m.behind(at.Value())
			}
		}
		return n
	case reflect.Pointer:
		if v.IsNil() || !m.once(v.Pointer()) {
			return 0
		}
		return int64(t.Elem().Size()) + m.behind(v.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).Tag.Get("state") != "-" {
				n += m.behind(v.Field(i))
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			return m.behind(v.Elem())
		}
	}
	return n
}

func (m *meter) all(v reflect.Value) (n int64) {
	if m.alone(v.Type().Elem()) {
		return 0
	}
	if list, ok := texts(v); ok {
		for _, s := range list {
			n += int64(len(s))
		}
		return n
	}
	for i := range v.Len() {
		n += m.behind(v.Index(i))
	}
	return n
}

func texts(v reflect.Value) ([]string, bool) {
	if v.Kind() != reflect.Slice || !v.CanInterface() {
		return nil, false
	}
	list, ok := v.Interface().([]string)
	return list, ok
}

// alone reports whether values of a type lead to nothing.
func (m *meter) alone(t reflect.Type) bool {
	if is, ok := m.flat[t]; ok {
		return is
	}
	if m.flat == nil {
		m.flat = map[reflect.Type]bool{}
	}
	is := true
	switch t.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		is = false
	case reflect.Array:
		is = m.alone(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			is = is && m.alone(t.Field(i).Type)
		}
	}
	m.flat[t] = is
	return is
}
