package fn

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestLongArgumentsEnd computes functions of long arguments under a context that ends meanwhile.
func TestLongArgumentsEnd(t *testing.T) {
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	long := func(s string) value.Value { return value.Str(strings.Repeat(s, 4*textPart/len(s))) }
	list := func(m string, n int) value.Value {
		return value.Value{T: value.JSON, S: "[" + strings.Repeat(m+",", n) + m + "]"}
	}
	for _, c := range []struct {
		name string
		args []value.Value
	}{
		{"quote_literal", []value.Value{long("'")}}, {"quote_literal", []value.Value{long(`\`)}}, {"quote_nullable", []value.Value{long("'")}},
		{"quote_ident", []value.Value{long(`"`)}}, {"format", []value.Value{value.Str("%L"), long("'")}}, {"format", []value.Value{value.Str("%I"), long(`"`)}},
		{"to_json", []value.Value{long(`"`)}}, {"to_jsonb", []value.Value{long("ü")}},
		{Contains, []value.Value{list("1", 20000), list("2", 3)}}, {Contains, []value.Value{list("1", 16000), list("2", 0)}}, {Contained, []value.Value{list("2", 3), list(`"a"`, 20000)}},
		{Overlaps, []value.Value{list("1", 300), list("2", 300)}}, {"jsonb_exists", []value.Value{{T: value.JSON, S: "{" + strings.Repeat(`"a":1,`, 20000) + `"b":2}`}, value.Str("b")}}, {"jsonb_exists", []value.Value{list(`"a"`, 20000), value.Str("b")}},
		{"json_array_length", []value.Value{list(`"a"`, 20000)}},
	} {
		if v, err := table.Scalar(c.name).Call(&looks{Context: t.Context()}, c.args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of %.20s: %.20v, %v", c.name, c.args[0].S, v, err)
		}
	}
}

// TestLongTextsInParts compares what is made in parts with what is made at once.
func TestLongTextsInParts(t *testing.T) {
	s := strings.Repeat(`ü"'\ `+"\u2028\n", textPart/8)
	want, err := quoted(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"to_json":       want,
		"quote_literal": "E'" + strings.ReplaceAll(strings.ReplaceAll(s, "'", "''"), `\`, `\\`) + "'",
		"quote_ident":   `"` + strings.ReplaceAll(s, `"`, `""`) + `"`,
	} {
		if got, err := call(t, name, value.Str(s)); err != nil || got.S != want {
			t.Errorf("%s: %d bytes, %v; want %d bytes", name, len(got.S), err, len(want))
		}
	}
}
