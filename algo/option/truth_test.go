package option

import (
	"testing"

	"parlance/storage/value"
)

// TestTruth reads what PostgreSQL takes for booleans in settings, and what it refuses.
func TestTruth(t *testing.T) {
	for want, list := range map[string][]string{
		"true":  {"t", "tr", "tru", "true", "TRUE", "y", "ye", "yes", "on", "On", "1"},
		"false": {"f", "fa", "fals", "false", "n", "no", "of", "off", "OFF", "0"},
		"":      {"", "o", "truee", "onn", "7", "-1", "01", "1.0", "null", "maybe"},
	} {
		for _, word := range list {
			on := want == "false" // what must change
			var s Set
			s.Bool(&on, "on", on, "")
			err := s.Apply([]Arg{{Name: "on", Value: value.Str(word)}})
			if got := s.Lookup("on").Value(); (err != nil) != (want == "") || err == nil && got != want {
				t.Errorf("%q: %s, %v, want %q", word, got, err, want)
			}
		}
	}
	for _, v := range []value.Value{value.Int(7), value.Int(-1), value.Real(1), {}} {
		if on, err := Truth(Arg{Value: v}); err == nil {
			t.Errorf("%v is taken as %v", v, on)
		}
	}
	if on, err := Truth(Arg{Value: value.Int(1)}); !on || err != nil {
		t.Errorf("1: %v, %v", on, err)
	}
	var n int
	var s Set
	s.Int(&n, "n", 0, 0, 9, "")
	if err := s.Apply([]Arg{{Name: "n", Value: value.Bool(true)}}); err == nil {
		t.Error("true is taken as a number")
	}
}
