package pg

import (
	"fmt"
	"testing"
	"time"

	"parlance/storage/value"
)

// TestTimes are what PostgreSQL prints for the same moments; year 0 is 1 BC, a leap year.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 11, 21, 1, 2, 3, 500000000, time.UTC), "2026-11-21 01:02:03.5+00"},
		{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), "0001-01-01 00:00:00+00"},
		{time.Date(0, 2, 29, 12, 0, 0, 0, time.UTC), "0001-02-29 12:00:00+00 BC"},
		{time.Date(-43, 3, 15, 0, 0, 0, 0, time.UTC), "0044-03-15 00:00:00+00 BC"},
	} {
		if got := string(AppendText(nil, value.Time(c.at))); got != c.want {
			t.Errorf("%v: %s, want %s", c.at, got, c.want)
		}
	}
}

// TestIntervals has the bytes that PostgreSQL sends, and reads them back.
func TestIntervals(t *testing.T) {
	for in, want := range map[string]string{
		"1 year 2 mons 3 days 04:05:06.7": "000000036c966ee0000000030000000e",
		"-1 days -00:00:01":               "fffffffffff0bdc0ffffffff00000000", "00:00:00": "00000000000000000000000000000000",
	} {
		v := value.Value{T: value.Interval, S: in}
		raw := AppendBinary(nil, v)
		if got := fmt.Sprintf("%x", raw); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
		if back, err := ReadBinary(raw, IntervalOID); err != nil || back != v || string(AppendText(nil, v)) != in {
			t.Errorf("%s reads as %s (%v)", in, back, err)
		}
	}
}
