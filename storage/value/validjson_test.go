package value

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// checked is what ValidJSON says of long texts.
func checked(s string) bool {
	c := jsonChecker{ctx: context.Background(), s: s}
	return c.value() && c.err == nil
}

// TestValidJSON compares with package json.
func TestValidJSON(t *testing.T) {
	word := rapid.SampledFrom(strings.Split("[ ] { } , : \" \\ u00e9 true false null nul 0 12 -1 -0 01 1. .5 1.5e3 1e+ "+
		"2E-1 - é \t \x00 \x1f \"a\" \"\\u00g0\" \"\\n\" \"k\":1 [1,2] {} []", " "))
	rapid.Check(t, func(rt *rapid.T) {
		s := strings.Join(rapid.SliceOfN(word, 0, 9).Draw(rt, "words"), rapid.SampledFrom([]string{"", " "}).Draw(rt,
			"between"))
		if got := checked(s); got != json.Valid([]byte(s)) {
			rt.Fatalf("%q: %v", s, got)
		}
	})
	for _, depth := range []int{deepestJSON, deepestJSON + 1} {
		s := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if got := checked(s); got != json.Valid([]byte(s)) {
			t.Errorf("depth %d: %v", depth, got)
		}
	}
}

func FuzzValidJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,"\u00e9\\"],"b":{}}`, "[1,]", `{"a"}`, ` "x" `, "1 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := checked(s); got != json.Valid([]byte(s)) {
			t.Errorf("%q: %v", s, got)
		}
	})
}

// TestLongCastsEnd casts long texts under a context that has ended.
func TestLongCastsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	list := "[1" + strings.Repeat(",2", longText) + "]"
	for _, typ := range []Type{JSON, Vector} {
		if v, err := CastWithin(ctx, Str(list), typ); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %.20v, %v", typ, v, err)
		}
		if v, err := CastWithin(t.Context(), Str(list), typ); err != nil || v.T != typ {
			t.Errorf("%s: %.20v, %v", typ, v, err)
		}
	}
	if _, err := NormalJSON(ctx, list, 1<<30); !errors.Is(err, context.Canceled) {
		t.Errorf("jsonb: %v", err)
	}
	if _, err := NormalJSON(t.Context(), "[1e999"+strings.Repeat(",1e999", 5000)+"]", 1<<20); !errors.Is(err, ErrLong) {
		t.Errorf("numbers of a thousand digits: %v", err)
	}
	deep := strings.Repeat(`{"a":`, 5000) + list + strings.Repeat("}", 5000)
	if s, err := NormalJSON(t.Context(), deep, 1<<30); err != nil || len(s) < len(deep) {
		t.Errorf("%d bytes, %v", len(s), err)
	}
}
