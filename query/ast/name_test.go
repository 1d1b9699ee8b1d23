package ast

import "testing"

// TestDotted: empty parts are left out, wherever they stand; others are quoted where they need it.
func TestDotted(t *testing.T) {
	for _, test := range []struct {
		parts []string
		want  string
	}{
		{nil, ""}, {[]string{""}, ""}, {[]string{"a"}, "a"}, {[]string{"a", "b"}, "a.b"}, {[]string{"", "a", "b"}, "a.b"},
		{[]string{"", "", "b"}, "b"}, {[]string{"a", "", "b"}, "a.b"}, {[]string{"a", "", ""}, "a"},
		{[]string{"A b", `c"d`, "select"}, `"A b"."c""d"."select"`},
	} {
		if got := dotted(test.parts...); got != test.want {
			t.Errorf("%q as a name is %s, want %s", test.parts, got, test.want)
		}
	}
	for text, want := range map[string]string{"": "", "4": "@4", "production": "@production", "an alias": `@"an alias"`,
		`a"b`: `@"a""b"`, "b-": `@"b-"`, "-b": `@"-b"`} {
		if got := version(text); got != want {
			t.Errorf("the version %q is written %s, want %s", text, got, want)
		}
	}
}
