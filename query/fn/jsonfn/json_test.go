package jsonfn

import (
	"strings"
	"testing"

	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

func TestJSON(t *testing.T) {
	doc := `{"a": [1, {"b c": "x\"y"}, null], "n": 1.50, "é": true}`
	for _, c := range [][3]string{
		{"json_extract", "$.a[1]", `{"b c": "x\"y"}`}, {"json_value", `$.a[1]["b c"]`, `x"y`}, {"json_value", "$.n", "1.50"}, {"json_value", "$.a[-1]", ""},
		{"json_extract", "$.a[-1]", "null"}, {"json_value", "$.é", "true"}, {"json_value", "$.a.b", ""}, {"json_extract", "$", doc}, {"json_value", "$.a[7]", ""},
	} {
		got, err := fntest.Call(t, Functions, c[0], value.Str(doc), value.Str(c[1]))
		if err != nil || got.String() != c[2] {
			t.Errorf("%s %s = %q %v, want %q", c[0], c[1], got, err, c[2])
		}
	}
	for _, path := range []string{"", "a", "$a", "$.", "$[", "$[x]", `$["a]`, `$["a"`, "$..a"} {
		if v, err := fntest.Call(t, Functions, "json_extract", value.Str(doc), value.Str(path)); err == nil || !strings.Contains(err.Error(), "a path is") {
			t.Errorf("path %s gives %v %v", path, v, err)
		}
	}
	if _, err := fntest.Call(t, Functions, "json_get", value.Str("{"), value.Str("a")); err == nil {
		t.Error("{ is JSON")
	}
}

func FuzzJSONPath(f *testing.F) {
	for _, s := range []string{"$.a[0]", `$["\"é"].b`, "$[-1].", "$[99999999999999999999]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, _ = fntest.Call(t, Functions, "json_extract", value.Str(`{"a":[1]}`), value.Str(s))
	})
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
