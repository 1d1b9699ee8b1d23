package fn

import (
	"errors"
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestTextLimit refuses texts and arrays that would be too long; those at the limit are made.
func TestTextLimit(t *testing.T) {
	text, items := maxText, mostItems
	defer func() { maxText, mostItems = text, items }()
	maxText, mostItems = 1000, 100
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	x := func(n int) value.Value { return value.Str(strings.Repeat("x", n)) }
	for _, tc := range []struct {
		name     string
		args     []value.Value
		fits     bool
		tooLarge error
	}{
		{"replace", []value.Value{x(10), x(1), x(100)}, true, nil},
		{"replace", []value.Value{x(10), x(1), x(101)}, false, ErrTooLong},
		{"concat", []value.Value{x(500), x(500)}, true, nil},
		{"concat", []value.Value{x(500), x(501)}, false, ErrTooLong},
		{"concat_ws", []value.Value{x(10), x(495), x(495)}, true, nil},
		{"concat_ws", []value.Value{x(11), x(495), x(495)}, false, ErrTooLong},
		{"format", []value.Value{value.Str("%1$s%1$s"), x(500)}, true, nil},
		{"format", []value.Value{value.Str("%1$s %1$s"), x(500)}, false, ErrTooLong},
		{"lpad", []value.Value{x(1), value.Int(1000)}, true, nil},
		{"lpad", []value.Value{x(1), value.Int(1001)}, false, ErrTooLong},
		{"regexp_replace", []value.Value{x(400), value.Str("x+"), value.Str("$0$0")}, true, nil},
		{"regexp_replace", []value.Value{x(400), value.Str("x+"), value.Str("$0$0$0")}, false, ErrTooLong},
		{"regexp_replace", []value.Value{x(10), value.Str("x"), x(101)}, false, ErrTooLong},
		{"json_build_array", []value.Value{x(996)}, true, nil},
		{"json_build_array", []value.Value{x(997)}, false, ErrTooLong},
		{"string_to_array", []value.Value{value.Str(strings.Repeat(",", 99)), value.Str(",")}, true, nil},
		{"string_to_array", []value.Value{value.Str(strings.Repeat(",", 100)), value.Str(",")}, false, ErrItems},
		{"cardinality", []value.Value{{T: value.JSON, S: "[1" + strings.Repeat(",1", 99) + "]"}}, true, nil},
		{"cardinality", []value.Value{{T: value.JSON, S: "[1" + strings.Repeat(",1", 100) + "]"}}, false, ErrItems},
	} {
		v, err := table.Scalar(tc.name).Call(t.Context(), tc.args)
		if tc.fits && (err != nil || v.IsNull()) || !tc.fits && !errors.Is(err, tc.tooLarge) {
			t.Errorf("%s with texts of %d bytes: %.20v, %v", tc.name, len(tc.args[0].S), v, err)
		}
	}
	for _, name := range []string{"string_agg", "array_agg"} {
		acc, err := table.Aggregate(name).New(), error(nil)
		for n := 0; err == nil && n < 20; n++ {
			err = acc.Add([]value.Value{x(100), value.Str(",")})
		}
		if !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMembers reads members of arrays as they are written.
func TestMembers(t *testing.T) {
	for in, want := range map[string]string{
		"[]": "", " [ ] ": "", "[1]": "1", "[1, 2 ,3]": "1|2|3", `["a,]", "\\\"", {"k": [1, "}"]}, [[2], 3], null]`: `"a,]"|"\\\""|{"k": [1, "}"]}|[[2], 3]|null`,
	} {
		var got []string
		for m := range members(strings.TrimSpace(in)) {
			got = append(got, m)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q", in, got)
		}
	}
}
