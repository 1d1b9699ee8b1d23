package pg

import (
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
