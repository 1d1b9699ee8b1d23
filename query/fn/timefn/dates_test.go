package timefn

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

func TestTimes(t *testing.T) {
	at := func(s string) value.Value {
		v, err := value.Cast(value.Str(s), value.Timestamp)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		unit, from, to string
		want           int64
	}{
		{"day", "2024-02-28", "2024-03-01", 2}, {"month", "2024-01-31", "2024-02-29", 1}, {"month", "2024-01-31", "2024-02-28", 0}, {"year", "2020-02-29", "2021-02-28", 1},
		{"year", "2020-03-01", "2021-02-28", 0}, {"quarter", "2020-01-01", "2020-12-31", 3}, {"week", "2024-01-01", "2024-01-14", 1}, {"second", "2024-01-02", "2024-01-01", -86400},
		{"month", "2024-03-01", "2024-01-31", -1}, {"hour", "2024-01-01 00:30", "2024-01-01 02:29", 1},
	} {
		got, err := fntest.Call(t, Functions, "date_diff", value.Str(c.unit), at(c.from), at(c.to))
		if err != nil || got.Int() != c.want {
			t.Errorf("date_diff(%s, %s, %s) = %v %v, want %d", c.unit, c.from, c.to, got, err, c.want)
		}
	}
	// What is n units later is n units away, but for days that a month lacks.
	rapid.Check(t, func(rt *rapid.T) {
		unit := rapid.SampledFrom([]string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}).Draw(rt, "unit")
		n := rapid.Int64Range(-200, 200).Draw(rt, "n")
		from := value.Value{T: value.Timestamp, N: uint64(rapid.Int64Range(0, 2e15).Draw(rt, "time"))}
		to, err := fntest.Call(t, Functions, "date_add", value.Str(unit), value.Int(n), from)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := fntest.Call(t, Functions, "date_diff", value.Str(unit), from, to)
		if err != nil || got.Int() != n && (n > 0 || from.Time().Day() <= 28) {
			rt.Fatalf("%s %d from %s is %s, %v away (%v)", unit, n, from, to, got, err)
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		v := value.Value{T: value.Timestamp, N: uint64(rapid.Int64Range(-62135596800000000, 253402300799999999).Draw(rt, "time"))}
		for _, format := range []string{"%Y-%m-%dT%H:%M:%S.%f", "%d. %B %Y, %I:%M:%S %p 100%% .%f", "%Y%m%d%H%M%S%f", "%a %b %d %Y %H.%M.%S %f", "%Y/%j %H %M %S %f"} {
			s, err := fntest.Call(t, Functions, "strftime", value.Str(format), v)
			if err != nil {
				rt.Fatal(err)
			}
			back, err := fntest.Call(t, Functions, "strptime", s, value.Str(format))
			if err != nil || back != v {
				rt.Fatalf("%s as %s reads back as %s (%v)", v, s, back, err)
			}
		}
	})
	for _, c := range [][2]string{{"x", "%Y"}, {"2024-13", "%Y-%m"}, {"2024", "%Y-%m"}, {"2024x", "%Y"}, {"2024", "%Q"}, {"2024", "%Y%"}} {
		if v, err := fntest.Call(t, Functions, "strptime", value.Str(c[0]), value.Str(c[1])); err == nil {
			t.Errorf("strptime(%s, %s) = %v", c[0], c[1], v)
		}
	}
}

// TestParts compares parts of times, and times cut to parts, with those of PostgreSQL 15.
func TestParts(t *testing.T) {
	at := value.Time(time.Date(2027, 1, 3, 10, 20, 30, 456_000_000, time.UTC)) // a Sunday
	for part, want := range map[string]float64{"quarter": 1, "week": 53, "isoyear": 2026, "doy": 3, "dow": 0, "isodow": 7, "milliseconds": 30456, "microseconds": 30456000, "second": 30.456} {
		if v, err := datePart([]value.Value{value.Str(part), at}); err != nil || v.Float() != want {
			t.Errorf("%s is %v, %v, not %v", part, v, err, want)
		}
	}
	for part, want := range map[string]string{"week": "2026-12-28 00:00:00", "quarter": "2027-01-01 00:00:00", "second": "2027-01-03 10:20:30"} {
		if v, err := dateTrunc([]value.Value{value.Str(part), at}); err != nil || v.String() != want {
			t.Errorf("cut to %s it is %v, %v, not %s", part, v, err, want)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"%Y-%m-%d", "%", "%d. %B", "99999999999999999999"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, s, format string) {
		_, _ = fntest.Call(t, Functions, "strptime", value.Str(s), value.Str(format))
	})
}
