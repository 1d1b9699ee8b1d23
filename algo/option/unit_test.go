package option

import (
	"strings"
	"testing"

	"parlance/storage/value"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit, given string
		want        int
		err         string
	}{
		{"ms", "5s", 5000, ""},
		{"ms", "1 min", 60000, ""},
		{"ms", "250", 250, ""},
		{"s", "2h", 7200, ""},
		{"s", "1500ms", 0, `"1500ms" is no whole number of s`},
		{"MB", "4GB", 4096, ""},
		{"bytes", "64kB", 65536, ""},
		{"bytes", "1s", 0, `"1s" has none of the units B, kB, MB, GB, TB`},
		{"ms", "9223372036854775807d", 0, "no whole number"},
		{"ms", "-1s", 0, "-1000 is outside [0, 1000000]"},
		{"ms", "s", 0, "not an integer"},
		{"words", "5s", 0, "not an integer"},
		{"", "5s", 0, "not an integer"},
	} {
		var got int
		var set Set
		set.Int(&got, "x", 0, 0, 1000000, "").Per(c.unit)
		err := set.Apply([]Arg{{Name: "x", Value: value.Str(c.given)}})
		if c.err == "" && (err != nil || got != c.want) ||
			c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s for %s: %d, %v; want %d %s", c.given, c.unit, got, err, c.want, c.err)
		}
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct {
		unit  string
		value int
		want  string
	}{{"ms", 7000, "7s"}, {"ms", 250, "250ms"}, {"ms", 0, "0"}, {"ms", 90000, "90s"}, {"s", 3600, "1h"},
		{"MB", 1536, "1536MB"}, {"bytes", 4096, "4kB"}, {"words", 60, "60"}, {"", 5, "5"}} {
		var s Set
		n := 0
		s.Int(&n, "n", c.value, 0, 1<<30, "a number").Per(c.unit)
		if got := s.Lookup("n").Shown(); got != c.want {
			t.Errorf("%d %s is shown as %s, want %s", c.value, c.unit, got, c.want)
		}
	}
}
