package pg

import (
	"testing"

	"parlance/storage/value"
)

// TestArrays has the texts that PostgreSQL 15 gives for the arrays, and reads both formats back.
func TestArrays(t *testing.T) {
	for _, test := range []struct{ json, members, text string }{
		{`[]`, "text", `{}`},
		{`["a","b"]`, "name", `{a,b}`},
		{`[1,-2,9007199254740993]`, "integer", `{1,-2,9007199254740993}`},
		{`["a b","","null","NULLs",null,"{}","x,y","q\"q","b\\b"]`, "text",
			`{"a b","","null",NULLs,NULL,"{}","x,y","q\"q","b\\b"}`},
		{`[null,3]`, "integer", `{NULL,3}`},
	} {
		array, oid := value.Value{T: value.JSON, S: test.json}, MembersArrayOID(test.members)
		text, err := AppendArray(nil, array, test.members, false)
		if err != nil || string(text) != test.text {
			t.Errorf("%s is %s, want %s (%v)", test.json, text, test.text, err)
		}
		if back, ok := ArrayJSON(string(text), oid); !ok || back != array {
			t.Errorf("%s is read as %v", text, back)
		}
		raw, err := AppendArray(nil, array, test.members, true)
		if err != nil {
			t.Errorf("%s: %v", test.json, err)
		}
		if back, err := ReadArray(raw, true); err != nil || back != array {
			t.Errorf("%s comes back as %v (%v)", test.json, back, err)
		}
	}
	if got, err := AppendArray(nil, value.Value{T: value.JSON, S: `[["a"],["b c"]]`}, "text", false); err != nil ||
		string(got) != `{{a},{"b c"}}` {
		t.Errorf("nested: %s (%v)", got, err)
	}
	if _, err := AppendArray(nil, value.Value{T: value.JSON, S: `{"a":1}`}, "text", false); err == nil {
		t.Error("an object is no array")
	}
	for _, s := range []string{"", "a", `{"a`, "{a,{b}}", "{,}"} {
		if v, ok := ArrayJSON(s, MembersArrayOID("text")); ok {
			t.Errorf("%q is read as %v", s, v)
		}
	}
}
