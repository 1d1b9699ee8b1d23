package value

import (
	"math/rand/v2"
	"testing"
)

// TestIntervals has what PostgreSQL 15 answers to SELECT '…'::interval.
func TestIntervals(t *testing.T) {
	for in, want := range map[string]string{
		"1-2": "1 year 2 mons", "-1-2 +3 -4:05:06": "-1 years -2 mons +3 days -04:05:06", "3 4:05:06.7": "3 days 04:05:06.7",
		"P1Y2M3DT4H5M6.5S":     "1 year 2 mons 3 days 04:05:06.5",
		"P0001-02-03T04:05:06": "1 year 2 mons 3 days 04:05:06", "PT36H": "36:00:00", "p1w": "7 days", "P-1D": "-1 days",
		"@ 1 day ago": "-1 days", "1.5 weeks": "10 days 12:00:00",
		"0.1 month": "3 days", "-1 mon +1 day 1:00": "-1 mons +1 day 01:00:00", "1 millennium 2 decades": "1020 years",
		"1.5 years": "1 year 6 mons", "00:00": "00:00:00", "1h30m": "01:30:00",
	} {
		p, err := ParseInterval(in)
		if err != nil || p.String() != want {
			t.Errorf("%s is %s, want %s (%v)", in, p, want, err)
		}
	}
	for _, in := range []string{"", "P", "PT", "1", "x", "1-13", "1 day day", "1:60", "P1", "1e400 days",
		"99999999999 days", "ago"} {
		if p, err := ParseInterval(in); err == nil {
			t.Errorf("%q is %s", in, p)
		}
	}
}

// TestIntervalText reads what it writes, and keys order intervals as their lengths do.
func TestIntervalText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	part := func(n int64) int64 { return random.Int64N(2*n+1) - n }
	var last Value
	var length int64
	for i := range 2000 {
		p := Period{part(30), part(40), part(3 * DayMicros)}
		if q, err := ParseInterval(p.String()); err != nil || q != p {
			t.Fatalf("%s reads as %v, not %v (%v)", p, q, p, err)
		}
		v, n := p.Value(), (30*p.Months+p.Days)*DayMicros+p.Micros
		if i > 0 && Compare(v, last) != intCmp(n, length) {
			t.Fatalf("%s against %s is %d", v, last, Compare(v, last))
		}
		last, length = v, n
	}
}
