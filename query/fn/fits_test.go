package fn

import (
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestArgumentsFit: which types a function takes where it declares another one. NULL and its own type always fit.
func TestArgumentsFit(t *testing.T) {
	also := map[value.Type]string{
		value.Float:     "INTEGER",
		value.Text:      "JSON INTERVAL",
		value.JSON:      "TEXT",
		value.Timestamp: "TEXT",
		value.Bytes:     "TEXT",
		value.Interval:  "TEXT",
		value.Vector:    "TEXT JSON",
	}
	types := []value.Type{value.Text, value.Integer, value.Float, value.Boolean, value.Timestamp, value.JSON, value.Bytes,
		value.Interval, value.Vector}
	for _, want := range types {
		f := Func{Name: "f", Args: []value.Type{want}, Result: value.Integer}
		for _, a := range append(types, value.Null) {
			fits := a == want || a == value.Null ||
				strings.Contains(" "+also[want]+" ", " "+strings.ToUpper(a.String())+" ")
			if _, err := f.Check([]value.Type{a}); (err == nil) != fits {
				t.Errorf("%s for %s: %v", a, want, err)
			}
		}
	}
}

// TestArgumentCounts: the last arguments may be left out, or repeat, where the function says so.
func TestArgumentCounts(t *testing.T) {
	two := []value.Type{value.Integer, value.Integer}
	for _, c := range []struct {
		f           Func
		least, most int
	}{
		{Func{Args: two}, 2, 2},
		{Func{Args: two, Optional: 1}, 1, 2},
		{Func{Args: two, Optional: 2}, 0, 2},
		{Func{Args: two, Variadic: true}, 2, 9},
		{Func{Args: two, Optional: 1, Variadic: true}, 1, 9},
	} {
		c.f.Result = value.Text
		for n := range 10 {
			args := make([]value.Type, n)
			for i := range args {
				args[i] = value.Integer
			}
			got, err := c.f.Check(args)
			if ok := n >= c.least && n <= c.most; (err == nil) != ok || ok && got != value.Text {
				t.Errorf("%+v of %d arguments: %v, %v", c.f, n, got, err)
			}
		}
	}
}

// TestResultOfAny: a function of any type gives the type of its first argument that has one.
func TestResultOfAny(t *testing.T) {
	f := Func{Args: []value.Type{Any, Any}, Result: Any}
	for _, c := range [][3]value.Type{
		{value.Text, value.Integer, value.Text}, {value.Null, value.Integer, value.Integer},
		{value.Null, value.Null, value.Null},
	} {
		if got, err := f.Check(c[:2]); err != nil || got != c[2] {
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
}
