package jsonvalue

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"parlance/storage/format/codec"
)

// TestDecodeLarge: a value that is decoded token by token is what the library makes of the whole, and so are errors.
func TestDecodeLarge(t *testing.T) {
	never := func() error { return nil }
	for _, in := range []string{
		`{"a": [1, -2.5e300, "é\u00e9\ud800", null, true, {}], "a": 2, "b": {"c": []}}`, `[]`, `{}`,
		`"x"`, `1`, ``, ` `, `{`, `[`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `[1,]`, `[1`, `[1 2]`,
		`{"a" 1}`, `{1: 2}`,
		`{"a": tru}`, `nul`, `"x`, `[1]]`, strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		strings.Repeat("[", 10002) + strings.Repeat("]", 10002), `{"a": 01}`, "{\"a\": \"\x01\"}"} {
		var want any
		dec := json.NewDecoder(strings.NewReader(in))
		dec.UseNumber()
		wrong := dec.Decode(&want)
		got, _, err := decodeLarge(in, never)
		if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%.40s: %v, %v, want %v, %v", in, got, err, want, wrong)
		}
		if err != nil && Fault(err).Error() != Fault(wrong).Error() && Fault(wrong) != wrong {
			t.Errorf("%.40s: %v, want %v", in, err, wrong)
		}
	}
}

// TestEncodeJSON: values are written as the library writes them.
func TestEncodeJSON(t *testing.T) {
	for _, in := range []string{`{"b": [1, "<&>é\u2028", null, {}], "a": {"y": 2, "x": true}}`, `[]`, `[[[]]]`, `-1.5e3`} {
		v, _, err := decodeLarge(in, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := appendJSON(nil, v, &codec.Lookout{}); err != nil || string(got) != string(want) {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
