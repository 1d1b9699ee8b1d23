package exec

import (
	"testing"
	"time"
)

// TestFixedZone compares with what PostgreSQL 15 shows.
func TestFixedZone(t *testing.T) {
	for _, c := range []struct {
		in, name string
		seconds  int
	}{
		{"-5", "<-05>+05", -5 * 3600},
		{"+5.5", "<+05:30>-05:30", 19800},
		{"+02:00", "+02:00", -7200},
		{"-05:30", "-05:30", 19800},
		{"<+02>-02", "<+02>-02", 7200},
		{"UTC+3", "UTC+3", -3 * 3600},
		{"20", "<+20>-20", 72000},
	} {
		name, l := fixedZone(c.in)
		if l == nil || name != c.name {
			t.Errorf("%s is %s, %v", c.in, name, l)
			continue
		}
		if _, s := time.Unix(0, 0).In(l).Zone(); s != c.seconds {
			t.Errorf("%s is %d seconds to the east, not %d", c.in, s, c.seconds)
		}
	}
	for _, in := range []string{"", "168", "+0230", "+02:60", "<+02>", "x", "2 hours", "1e3"} {
		if _, l := fixedZone(in); l != nil {
			t.Errorf("%q is a zone", in)
		}
	}
}
