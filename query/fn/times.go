package fn

import (
	"fmt"
	"strings"
	"time"

	"parlance/storage/value"
)

var timeFuncs = []Func{
	{Name: "clock_timestamp", Doc: "the present time, at each call", Example: "clock_timestamp() >= now()", Result: value.Timestamp, Volatile: true,
		Eval: func([]value.Value) (value.Value, error) { return value.Time(time.Now()), nil }},
	{Name: "date_part", Doc: "year, quarter, month, week, day, hour, minute, second, milliseconds, microseconds, dow, isodow, doy, isoyear or epoch of a timestamp; dow counts from Sunday, 0, isodow from Monday, 1, week and isoyear are those of ISO 8601", Example: "date_part('year', '2026-11-21 09:30:00'::timestamp)", Args: []value.Type{text, value.Timestamp}, Result: float, Eval: datePart},
	{Name: "date_trunc", Doc: "timestamp cut to year, quarter, month, week, day, hour, minute or second; weeks begin on Monday", Example: "date_trunc('month', '2026-11-21 09:30:00'::timestamp)", Args: []value.Type{text, value.Timestamp}, Result: value.Timestamp, Eval: dateTrunc},
}

// dateParts are the parts of a timestamp.
var dateParts = map[string]func(time.Time) float64{
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
	part := dateParts[strings.ToLower(a[0].S)]
	if part == nil {
		return value.Value{}, fmt.Errorf("'%s' is no part of a timestamp", a[0].S)
	}
	return value.Real(part(a[1].Time())), nil
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
	switch strings.ToLower(a[0].S) {
	case "year":
		m, d = 1, 1
	case "quarter":
		m, d = (m-1)/3*3+1, 1
	case "month":
		d = 1
	case "week":
		d -= int(t.Weekday()+6) % 7
	case "day":
	case "second":
		return value.Time(t.Truncate(time.Second)), nil
	case "hour":
		return value.Time(t.Truncate(time.Hour)), nil
	case "minute":
		return value.Time(t.Truncate(time.Minute)), nil
	default:
		return value.Value{}, fmt.Errorf("a timestamp is cut to year, quarter, month, week, day, hour, minute or second, not '%s'", a[0].S)
	}
	return value.Time(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)), nil
}
