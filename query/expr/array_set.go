package expr

import (
	"context"

	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// arraySet is an array as a set of values of one type.
type arraySet struct {
	array   value.Value
	t       value.Type
	set     map[value.Value]bool // nil where its members are to be compared one by one
	hasNull bool
}

// inSet tests x for membership in an array by a set, which is built once for each array. ok is false if comparing with
// a member may fail, or two values may be equal without being identical.
func (e *Quantified) inSet(ctx context.Context, x, array value.Value) (v value.Value, ok bool) {
	m := e.set.Load()
	if m == nil || m.t != x.T || m.array != array {
		m = newArraySet(ctx, x.T, array)
		if ctx.Err() == nil { // else it may lack members
			e.set.Store(m)
		}
	}
	switch {
	case m.set == nil:
		return v, false
	case m.set[x]:
		return value.Bool(!e.All), true
	case m.hasNull:
		return v, true
	}
	return value.Bool(e.All), true
}

func newArraySet(ctx context.Context, t value.Type, array value.Value) *arraySet {
	m := &arraySet{array: array, t: t}
	switch t {
	case value.Text, value.Integer, value.Boolean, value.Timestamp:
	default:
		return m
	}
	items, err := jsonfn.ItemsWithin(ctx, array)
	if err != nil {
		return m
	}
	set := make(map[value.Value]bool, len(items))
	for _, v := range items {
		if v.T == value.Text {
			if v, err = value.Cast(v, t); err != nil {
				return m
			}
		}
		switch v.T {
		case value.Null:
			m.hasNull = true
		case t:
			set[v] = true
		default:
			return m
		}
	}
	m.set = set
	return m
}
