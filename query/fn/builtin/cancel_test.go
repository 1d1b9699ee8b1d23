package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"parlance/query/fn"
	"parlance/query/fn/fntest"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// TestLongArgumentsEnd computes functions of long arguments under a context that ends meanwhile.
func TestLongArgumentsEnd(t *testing.T) {
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	long := func(s string) value.Value { return value.Str(strings.Repeat(s, 4*fn.ChunkBytes/len(s))) }
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
		{jsonfn.Contains, []value.Value{list("1", 20000), list("2", 3)}}, {jsonfn.Contains, []value.Value{list("1", 16000), list("2", 0)}}, {jsonfn.Contained, []value.Value{list("2", 3), list(`"a"`, 20000)}},
		{jsonfn.Overlaps, []value.Value{list("1", 300), list("2", 300)}}, {"jsonb_exists", []value.Value{{T: value.JSON, S: "{" + strings.Repeat(`"a":1,`, 20000) + `"b":2}`}, value.Str("b")}}, {"jsonb_exists", []value.Value{list(`"a"`, 20000), value.Str("b")}},
		{"json_array_length", []value.Value{list(`"a"`, 20000)}},
	} {
		if v, err := table.Scalar(c.name).Call(&fntest.Ending{Context: t.Context()}, c.args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of %.20s: %.20v, %v", c.name, c.args[0].S, v, err)
		}
	}
}

// TestLongTextsInParts compares what is made in parts with what is made at once.
func TestLongTextsInParts(t *testing.T) {
	s := strings.Repeat(`ü"'\ `+"\u2028\n", fn.ChunkBytes/8)
	var want strings.Builder
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		t.Fatal(err)
	}
	table, err := NewTable()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"to_json":       strings.TrimSuffix(want.String(), "\n"),
		"quote_literal": "E'" + strings.ReplaceAll(strings.ReplaceAll(s, "'", "''"), `\`, `\\`) + "'",
		"quote_ident":   `"` + strings.ReplaceAll(s, `"`, `""`) + `"`,
	} {
		if got, err := table.Scalar(name).Call(t.Context(), []value.Value{value.Str(s)}); err != nil || got.S != want {
			t.Errorf("%s: %d bytes, %v; want %d bytes", name, len(got.S), err, len(want))
		}
	}
}
