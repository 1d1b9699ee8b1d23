package value

import (
	"encoding/json"
	"strings"
	"testing"
)

func asJSON(s string) Value { return Value{T: JSON, S: s} }

// TestOrderOfJSON compares each value with each: a line holds equal values, lines ascend.
func TestOrderOfJSON(t *testing.T) {
	lines := [][]string{
		{`null`, ` null `},
		{`""`}, {`"a"`, `"\u0061"`}, {`"a\u0000"`}, {`"ab"`}, {`"b"`},
		{`-1e400`}, {`-1e3`, `-1000.0`}, {`0`, `-0`, `0.00`}, {`1`, `1.0`, `1e0`, `10E-1`}, {`9`}, {`10`},
		{`9007199254740992`}, {`9007199254740993`}, {`9.5e18`}, {`1e400`},
		{`false`}, {`true`},
		{`[]`, `[ ]`}, {`["a"]`}, {`[1]`, `[ 1.0 ]`}, {`[1,2]`, `[1, 2]`}, {`[1,10]`}, {`[1,[]]`}, {`[2]`}, {`[{}]`},
		{`{}`, `{ }`}, {`{"a":1}`, `{"a":2,"a":1}`, ` { "a" : 1.0 } `}, {`{"a":2}`}, {`{"b":1}`},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`}, {`{"a":1,"b":2,"c":3}`},
	}
	for i, line := range lines {
		for j, other := range lines {
			for _, a := range line {
				for _, b := range other {
					want := intCmp(int64(i), int64(j))
					if got := Compare(asJSON(a), asJSON(b)); got != want {
						t.Errorf("%s against %s is %d, want %d", a, b, got, want)
					}
					if (Unique(asJSON(a)) == Unique(asJSON(b))) != (want == 0) {
						t.Errorf("Unique of %s and %s", a, b)
					}
				}
			}
		}
	}
}

// TestNormalJSON has what PostgreSQL 15 answers to SELECT '…'::jsonb.
func TestNormalJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"b":1,"a":2,"b":3}`:                                          `{"a": 2, "b": 3}`,
		`{"bb":[ ],"a":{ },"c":[1,{"x":2}]}`:                           `{"a": {}, "c": [1, {"x": 2}], "bb": []}`,
		`[1.0, 1.50, 1e3, 1E-2, -0, -0.0, 12.5e1, 12.5e-3, -1e2, 0e5]`: `[1.0, 1.50, 1000, 0.01, 0, 0.0, 125, 0.0125, -100, 0]`,
		`"\u00e9\u0001\/\\u0000\ud83d\ude00\t"`:                        `"é\u0001/\\u0000😀\t"`,
		` true`:                                                        `true`,
		`[null,false]`:                                                 `[null, false]`,
		`{"a\"b":"x\ny"}`:                                              `{"a\"b": "x\ny"}`,
	} {
		got, err := NormalJSON(t.Context(), in, 1<<20)
		if err != nil || got != want {
			t.Errorf("%s is %s, want %s (%v)", in, got, want, err)
		}
		if again, err := NormalJSON(t.Context(), got, 1<<20); err != nil || again != got || !json.Valid([]byte(got)) {
			t.Errorf("%s is %s a second time (%v)", got, again, err)
		}
		if Compare(asJSON(in), asJSON(got)) != 0 {
			t.Errorf("%s does not equal %s", in, got)
		}
	}
	for _, in := range []string{`{"a":1`, ``, `"a\u0000"`} {
		if s, err := NormalJSON(t.Context(), in, 1<<20); err == nil {
			t.Errorf("%s is %s", in, s)
		}
	}
}

// FuzzSortKey reads anything without a fault, and JSON equals its normal form.
func FuzzSortKey(f *testing.F) {
	f.Add(`{"a":[1,"x\u0041",{"b":null}],"":-1.5e-3}`)
	f.Add(`[1,`)
	f.Add("\"\xff")
	f.Fuzz(func(t *testing.T, s string) {
		key := SortKey(asJSON(s))
		n, err := NormalJSON(t.Context(), s, 1<<20)
		if err == nil && strings.Count(s, "e") == 0 && SortKey(asJSON(n)) != key {
			t.Errorf("%q and %q differ", s, n)
		}
	})
}
