package jsonfn

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/query/fn"
	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

// TestJSONPretty compares with how package json indents.
func TestJSONPretty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var make func(depth int) string
		blank := rapid.SampledFrom([]string{"", " ", "\n\t "})
		make = func(depth int) string {
			kind := rapid.IntRange(0, 4).Draw(rt, "kind")
			if depth > 3 {
				kind = max(kind, 2)
			}
			gap, n := blank.Draw(rt, "blank"), rapid.IntRange(0, 3).Draw(rt, "members")
			var list []string
			for range n {
				if kind == 0 {
					list = append(list, gap+`"k,]}\""`+gap+":"+gap+make(depth+1)+gap)
				} else if kind == 1 {
					list = append(list, gap+make(depth+1)+gap)
				}
			}
			return []string{"{" + gap + strings.Join(list, ",") + "}", "[" + gap + strings.Join(list, ",") + "]",
				"-1.5e3", `"é{[:\\"`, "null"}[kind]
		}
		s := make(0)
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(s), "", "    "); err != nil {
			rt.Fatal(err)
		}
		if got, err := fntest.Call(t, Functions, "jsonb_pretty", value.Str(s)); err != nil || got.S != want.String() {
			rt.Fatalf("%s\nis written as\n%s\n%v, not as\n%s", s, got.S, err, want.String())
		}
	})
	// 5,000 levels of 20 kB each: gigabytes of blanks
	deep := strings.Repeat("[", 5000) + "1" + strings.Repeat(",1", 20000) + strings.Repeat("]", 5000)
	if v, err := fntest.Call(t, Functions, "jsonb_pretty", value.Str(deep)); !errors.Is(err, fn.ErrTooLong) {
		t.Errorf("%d bytes, %v", len(v.S), err)
	}
}
