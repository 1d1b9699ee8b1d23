package state

import "reflect"

// places are where the values of a column lie in memory: in lists, or one by one, and behind fields from there.
type places struct {
	in    []reflect.Value // slices and arrays with the values, or the values
	lists bool
	path  []int // fields that lead from there to the value
}

func one(v reflect.Value) places { return places{in: []reflect.Value{v}} }

// at is the places of a field.
func (p places) at(field int) places {
	p.path = append(p.path[:len(p.path):len(p.path)], field)
	return p
}

// count is the number of values.
func (p places) count() int {
	if !p.lists {
		return len(p.in)
	}
	n := 0
	for _, x := range p.in {
		n += x.Len()
	}
	return n
}

// visit calls f with each value, in order.
func (p places) visit(f func(reflect.Value)) {
	for _, x := range p.in {
		if !p.lists {
			for _, k := range p.path {
				x = x.Field(k)
			}
			f(x)
			continue
		}
		switch n := x.Len(); len(p.path) {
		case 0:
			for i := range n {
				f(x.Index(i))
			}
		case 1:
			for i := range n {
				f(x.Index(i).Field(p.path[0]))
			}
		default:
			for i := range n {
				v := x.Index(i)
				for _, k := range p.path {
					v = v.Field(k)
				}
				f(v)
			}
		}
	}
}

// inside is the places of the values of lists at the places.
func (p places) inside() places {
	in := make([]reflect.Value, 0, p.count())
	p.visit(func(x reflect.Value) {
		if x.Len() > 0 {
			in = append(in, x)
		}
	})
	return places{in: in, lists: true}
}
