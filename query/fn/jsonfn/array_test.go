package jsonfn

import (
	"testing"

	"pgregory.net/rapid"

	"parlance/storage/value"
)

func TestItemsOfTexts(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "[]", "{a,b}": `["a","b"]`, "{ a , NULL, \"NULL\" }": `["a",null,"NULL"]`, `{"a b","c\"d\\",""}`: `["a b","c\"d\\",""]`, "{{1,2},{3}}": `[["1","2"],["3"]]`,
		"[1, 2.5, \"x\", true, null]": `[1,2.5,"x",true,null]`, "1 2 -3": "[1,2,-3]", "": "[]",
	} {
		items, err := Items(value.Str(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := Array(items); err != nil || got.S != want {
			t.Errorf("%s gives %s %v, want %s", text, got.S, err, want)
		}
	}
	for _, text := range []string{"{", "{a", "{a,}", "{,}", "}", "{a}b", `{"a}`, "[1", "x y", "{a\"b}", "{{{{{{{{1}}}}}}}}"} {
		if items, err := Items(value.Str(text)); err == nil {
			t.Errorf("%s gives %v", text, items)
		}
	}
}

// TestArraysRoundTrip checks Items(Array(x)) = x.
func TestArraysRoundTrip(t *testing.T) {
	item := rapid.OneOf(rapid.Just(value.Value{}), rapid.Map(rapid.Int64(), value.Int), rapid.Map(rapid.String(), value.Str), rapid.Map(rapid.Bool(), value.Bool))
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(item).Draw(t, "list")
		a, err := Array(list)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Items(a)
		if err != nil || len(back) != len(list) {
			t.Fatalf("%s gives %v %v", a.S, back, err)
		}
		for i := range list {
			if list[i] != back[i] {
				t.Fatalf("%s: %v is not %v", a.S, back[i], list[i])
			}
		}
	})
}
