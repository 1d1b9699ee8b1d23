package timefn

import (
	"testing"
	"time"

	"parlance/storage/value"
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
		name, l := FixedZone(c.in)
		if l == nil || name != c.name {
			t.Errorf("%s is %s, %v", c.in, name, l)
			continue
		}
		if _, s := time.Unix(0, 0).In(l).Zone(); s != c.seconds {
			t.Errorf("%s is %d seconds to the east, not %d", c.in, s, c.seconds)
		}
	}
	for _, in := range []string{"", "168", "+0230", "+02:60", "<+02>", "x", "2 hours", "1e3"} {
		if _, l := FixedZone(in); l != nil {
			t.Errorf("%q is a zone", in)
		}
	}
}

func TestOffset(t *testing.T) {
	for seconds, want := range map[int]string{0: "+00", 7200: "+02", -19800: "-05:30", 19830: "+05:30:30", -30: "-00:00:30"} {
		if got := offset(seconds); got != want {
			t.Errorf("%d seconds are %s, want %s", seconds, got, want)
		}
	}
}

// TestAtZone goes both ways between the clocks of a zone and the time, over the ends of summer time.
func TestAtZone(t *testing.T) {
	for _, c := range []struct{ zone, time, clock string }{
		{"Europe/Oslo", "2026-07-01 10:00", "2026-07-01 12:00"},
		{"Europe/Oslo", "2026-01-01 10:00", "2026-01-01 11:00"},
		{"America/New_York", "2026-11-01 05:30", "2026-11-01 01:30"},
		{"utc", "2026-07-01 10:00", "2026-07-01 10:00"},
		{"UTC-2", "2026-07-01 10:00", "2026-07-01 12:00"},
		{"+02", "2026-07-01 10:00", "2026-07-01 08:00"},
	} {
		read := func(s string) value.Value {
			at, err := time.Parse("2006-01-02 15:04", s)
			if err != nil {
				t.Fatal(err)
			}
			return value.Time(at)
		}
		clock, err := atZone([]value.Value{value.Str(c.zone), read(c.time)})
		if err != nil || clock != read(c.clock) {
			t.Errorf("%s in %s: %v, %v", c.time, c.zone, clock, err)
		}
		if back, err := fromZone([]value.Value{value.Str(c.zone), clock}); err != nil || back != read(c.time) {
			t.Errorf("%s in %s back: %v, %v", c.clock, c.zone, back, err)
		}
	}
	for _, zone := range []string{"", "Nowhere", "local", "2 hours"} {
		if _, err := zoneOf(zone); err == nil {
			t.Errorf("%q is a zone", zone)
		}
	}
}
