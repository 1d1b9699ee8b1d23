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
	{Name: "date_part", Doc: "year, month, day, hour, minute, second, dow or epoch of a timestamp", Example: "date_part('year', '2026-11-21 09:30:00'::timestamp)", Args: []value.Type{text, value.Timestamp}, Result: float, Eval: datePart},
	{Name: "date_trunc", Doc: "timestamp cut to year, month, day, hour or minute", Example: "date_trunc('month', '2026-11-21 09:30:00'::timestamp)", Args: []value.Type{text, value.Timestamp}, Result: value.Timestamp, Eval: dateTrunc},
}

func datePart(a []value.Value) (value.Value, error) {
	t := a[1].Time()
	switch strings.ToLower(a[0].S) {
	case "year":
		return value.Real(float64(t.Year())), nil
	case "month":
		return value.Real(float64(t.Month())), nil
	case "day":
		return value.Real(float64(t.Day())), nil
	case "hour":
		return value.Real(float64(t.Hour())), nil
	case "minute":
		return value.Real(float64(t.Minute())), nil
	case "second":
		return value.Real(float64(t.Second()) + float64(t.Nanosecond())/1e9), nil
	case "dow":
		return value.Real(float64(t.Weekday())), nil
	case "epoch":
		return value.Real(float64(t.UnixMicro()) / 1e6), nil
	}
	return value.Value{}, fmt.Errorf("'%s' is no part of a timestamp", a[0].S)
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
	case "month":
		d = 1
	case "day":
	case "hour":
		return value.Time(t.Truncate(time.Hour)), nil
	case "minute":
		return value.Time(t.Truncate(time.Minute)), nil
	default:
		return value.Value{}, fmt.Errorf("a timestamp is cut to year, month, day, hour or minute, not '%s'", a[0].S)
	}
	return value.Time(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)), nil
}
