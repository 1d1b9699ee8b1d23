package timefn

import (
	"fmt"
	"time"

	"parlance/query/fn"
	"parlance/storage/value"
)

var timeFuncs = []fn.Func{
	{Name: "clock_timestamp", Doc: "the present time, at each call", Example: "clock_timestamp() >= now()", Result: value.Timestamp, Volatile: true,
		Eval: func([]value.Value) (value.Value, error) { return value.Time(time.Now()), nil }},
	{Name: "date_part", Doc: "millennium, century, decade, year, quarter, month, week, day, hour, minute, second, milliseconds, microseconds, dow, isodow, doy, isoyear, julian, timezone or epoch of a timestamp; dow counts from Sunday, 0, isodow from Monday, 1, week and isoyear are those of ISO 8601, julian counts days, timezone is 0. Of an interval without what depends on a calendar; epoch takes years of 365.25 days and months of 30", Example: "date_part('year', '2026-11-21 09:30:00'::timestamp)", Args: []value.Type{text, fn.Any}, Result: float, Eval: datePart},
	{Name: "date_trunc", Other: &fn.Func{Name: "date_trunc", Args: []value.Type{text, value.Interval}, Result: value.Interval, Eval: truncated}, Doc: "timestamp or interval cut to millennium, century, decade, year, quarter, month, week, day, hour, minute, second, milliseconds or microseconds; weeks begin on Monday, centuries with the year 1", Example: "date_trunc('month', '2026-11-21 09:30:00'::timestamp)", Args: []value.Type{text, value.Timestamp}, Result: value.Timestamp, Eval: dateTrunc},
}

// dateParts are the parts of a timestamp.
var dateParts = map[string]func(time.Time) float64{
	"millennium": func(t time.Time) float64 { return float64((t.Year() + 999) / 1000) },
	"century":    func(t time.Time) float64 { return float64((t.Year() + 99) / 100) },
	"decade":     func(t time.Time) float64 { return float64(t.Year() / 10) },
	"julian": func(t time.Time) float64 {
		return float64(julianDay(t)) + float64(sinceMidnight(t))/float64(value.DayMicros)
	},
	"timezone":     func(time.Time) float64 { return 0 },
	"year":         func(t time.Time) float64 { return float64(t.Year()) },
	"quarter":      func(t time.Time) float64 { return float64((t.Month() + 2) / 3) },
	"month":        func(t time.Time) float64 { return float64(t.Month()) },
	"week":         func(t time.Time) float64 { _, w := t.ISOWeek(); return float64(w) },
	"isoyear":      func(t time.Time) float64 { y, _ := t.ISOWeek(); return float64(y) },
	"day":          func(t time.Time) float64 { return float64(t.Day()) },
	"doy":          func(t time.Time) float64 { return float64(t.YearDay()) },
	"dow":          func(t time.Time) float64 { return float64(t.Weekday()) },
	"isodow":       func(t time.Time) float64 { return float64((t.Weekday()+6)%7 + 1) },
	"hour":         func(t time.Time) float64 { return float64(t.Hour()) },
	"minute":       func(t time.Time) float64 { return float64(t.Minute()) },
	"second":       func(t time.Time) float64 { return float64(t.Second()) + float64(t.Nanosecond())/1e9 },
	"milliseconds": func(t time.Time) float64 { return float64(t.Second())*1e3 + float64(t.Nanosecond())/1e6 },
	"microseconds": func(t time.Time) float64 { return float64(t.Second())*1e6 + float64(t.Nanosecond())/1e3 },
	"epoch":        func(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 },
}

func datePart(a []value.Value) (value.Value, error) {
	name := fn.LowerName(a[0].S)
	part := dateParts[name]
	if part == nil {
		return value.Value{}, fmt.Errorf("'%s' is no part of a timestamp", fn.Abbreviate(a[0].S))
	}
	t, err := value.Cast(a[1], value.Timestamp)
	if err == nil {
		return value.Real(part(t.Time())), nil
	}
	if a[1].T != text && a[1].T != value.Interval {
		return value.Value{}, err
	}
	v, wrong := value.ParseInterval(a[1].S)
	if wrong != nil {
		return value.Value{}, err
	}
	of := intervalParts[name]
	if of == nil {
		return value.Value{}, fmt.Errorf("'%s' is no part of an interval", name)
	}
	return value.Real(of(v)), nil
}

// intervalParts are the parts of an interval.
var intervalParts = map[string]func(value.Period) float64{
	"millennium":   func(v value.Period) float64 { return float64(v.Months / 12000) },
	"century":      func(v value.Period) float64 { return float64(v.Months / 1200) },
	"decade":       func(v value.Period) float64 { return float64(v.Months / 120) },
	"year":         func(v value.Period) float64 { return float64(v.Months / 12) },
	"quarter":      func(v value.Period) float64 { return float64(v.Months%12/3 + 1) },
	"month":        func(v value.Period) float64 { return float64(v.Months % 12) },
	"day":          func(v value.Period) float64 { return float64(v.Days) },
	"hour":         func(v value.Period) float64 { return float64(v.Micros / 3600e6) },
	"minute":       func(v value.Period) float64 { return float64(v.Micros / 60e6 % 60) },
	"second":       func(v value.Period) float64 { return float64(v.Micros%60e6) / 1e6 },
	"milliseconds": func(v value.Period) float64 { return float64(v.Micros%60e6) / 1e3 },
	"microseconds": func(v value.Period) float64 { return float64(v.Micros % 60e6) },
	"epoch": func(v value.Period) float64 {
		days := float64(v.Months/12)*365.25 + float64(v.Months%12*30+v.Days)
		return days*86400 + float64(v.Micros)/1e6
	},
}

// dateCast is the day of a time, of a text the day that is written, in whatever zone.
func dateCast(a []value.Value) (value.Value, error) {
	t, err := a[0].Time(), error(nil)
	if a[0].T != value.Timestamp {
		t, err = value.ReadTime(a[0])
	}
	y, m, d := t.Date()
	return value.Time(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)), err
}

func dateTrunc(a []value.Value) (value.Value, error) {
	t := a[1].Time()
	y, m, d := t.Date()
	switch unit := fn.LowerName(a[0].S); unit {
	case "millennium", "century":
		n := map[string]int{"millennium": 1000, "century": 100}[unit]
		y, m, d = (y-1)/n*n+1, 1, 1
	case "decade":
		if y < 10 {
			return value.Value{}, errTimeRange
		}
		y, m, d = y/10*10, 1, 1
	case "year":
		m, d = 1, 1
	case "quarter":
		m, d = (m-1)/3*3+1, 1
	case "month":
		d = 1
	case "week":
		d -= int(t.Weekday()+6) % 7
	case "day":
	case "hour", "minute", "second", "milliseconds", "microseconds":
		step := map[string]time.Duration{"hour": time.Hour, "minute": time.Minute, "second": time.Second, "milliseconds": time.Millisecond, "microseconds": time.Microsecond}
		return value.Time(t.Truncate(step[unit])), nil
	default:
		return value.Value{}, fmt.Errorf("a timestamp is cut to millennium, century, decade, year, quarter, month, week, day, hour, minute, second, milliseconds or microseconds, not '%s'", fn.Abbreviate(a[0].S))
	}
	return value.Time(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)), nil
}

// julianDay counts days from noon of 1 January 4713 BC, by their noon.
func julianDay(t time.Time) int {
	t = t.Truncate(24 * time.Hour)
	return int(t.Unix()/86400) + 2440588
}
