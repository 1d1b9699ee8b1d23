package expr

import (
	"context"

	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// members is an array as a set of values of one type.
type members struct {
	array value.Value
	t     value.Type
	set   map[value.Value]bool // nil where its members are to be compared one by one
	null  bool
}

// among answers membership of x by a set, which is made once for each array; ok is false where
// comparing may fail, or does more than compare equal values.
func (e *Quantified) among(ctx context.Context, x, array value.Value) (v value.Value, ok bool) {
	m := e.members.Load()
	if m == nil || m.t != x.T || m.array != array {
		m = newMembers(ctx, x.T, array)
		if ctx.Err() == nil { // else it may lack members
			e.members.Store(m)
		}
	}
	switch {
	case m.set == nil:
		return v, false
	case m.set[x]:
		return value.Bool(!e.All), true
	case m.null:
		return v, true
	}
	return value.Bool(e.All), true
}

func newMembers(ctx context.Context, t value.Type, array value.Value) *members {
	m := &members{array: array, t: t}
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
			m.null = true
		case t:
			set[v] = true
		default:
			return m
		}
	}
	m.set = set
	return m
}
