package expr

import (
	"testing"

	"parlance/storage/value"
)

// TestAlignedAndAgreed: a value takes the type that is asked for where it stays equal, and the common type of several.
func TestAlignedAndAgreed(t *testing.T) {
	i, f, s, b := value.Int(2), value.Real(2.5), value.Str("x"), value.Bool(true)
	big := value.Int(1<<53 + 1)
	constant := func(v value.Value) Expr { return &Const{V: v} }
	for _, test := range []struct {
		x    value.Value
		with []value.Value
		want value.Value
	}{
		{i, nil, i}, {i, []value.Value{i}, i}, {i, []value.Value{{}}, i}, {i, []value.Value{f}, value.Real(2)},
		{f, []value.Value{i}, f}, {f, []value.Value{f, i}, f}, {i, []value.Value{i, f, i}, value.Real(2)},
		{i, []value.Value{s}, value.Str("2")}, {f, []value.Value{i, s}, value.Str("2.5")}, {s, []value.Value{i}, s},
		{i, []value.Value{b}, value.Str("2")}, {b, []value.Value{i}, value.Str("true")},
		{b, []value.Value{f}, value.Str("true")},
		{f, []value.Value{b}, value.Str("2.5")}, {b, []value.Value{b}, b}, {value.Value{}, []value.Value{i}, value.Value{}},
		{i, []value.Value{s, f}, value.Str("2")},
	} {
		e := &Agreed{X: constant(test.x)}
		for _, v := range test.with {
			e.With = append(e.With, constant(v))
		}
		if got, err := e.At(nil, nil, 0); err != nil || got != test.want {
			t.Errorf("%v with %v is %v, %v; want %v", test.x, test.with, got, err, test.want)
		}
	}
	for _, test := range []struct {
		x    value.Value
		to   value.Type
		want value.Value
		ok   bool
	}{
		{i, value.Integer, i, true}, {i, value.Float, value.Real(2), true}, {big, value.Float, big, true},
		{f, value.Integer, f, true}, {value.Real(2), value.Integer, i, true},
		{value.Real(0), value.Integer, value.Int(0), true},
		{value.Str("7"), value.Integer, value.Int(7), true}, {s, value.Integer, value.Value{}, false},
		{b, value.Integer, value.Value{}, false}, {value.Value{}, value.Integer, value.Value{}, true},
		{i, value.Text, value.Value{}, false}, {f, value.Boolean, value.Value{}, false},
	} {
		got, err := (&Aligned{X: constant(test.x), T: test.to}).At(nil, nil, 0)
		if (err == nil) != test.ok || test.ok && got != test.want {
			t.Errorf("%v as %s is %v, %v; want %v", test.x, test.to, got, err, test.want)
		}
	}
}
