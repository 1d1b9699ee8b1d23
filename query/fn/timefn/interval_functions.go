package timefn

import (
	"context"
	"fmt"
	"math"
	"time"

	"parlance/query/fn"
	"parlance/storage/value"
)

var intervalFuncs = []fn.Func{
	{Name: "justify_days", Doc: "the interval with every 30 days as a month", Example: "justify_days('35 days')",
		Args: []value.Type{value.Interval}, Result: value.Interval, Eval: justifyWith(justifyDays)},
	{Name: "justify_hours", Doc: "the interval with every 24 hours as a day", Example: "justify_hours('50 hours')",
		Args: []value.Type{value.Interval}, Result: value.Interval, Eval: justifyWith(justifyHours)},
	{Name: "justify_interval", Doc: "the interval with every 24 hours as a day, every 30 days as a month, and all " +
		"parts of one sign", Example: "justify_interval('1 month -1 hour')", Args: []value.Type{value.Interval},
		Result: value.Interval, Eval: justifyWith(justify)},
	{Name: "make_interval", Names: []string{"years", "months", "weeks", "days", "hours", "mins", "secs"},
		Doc: "the interval of the given years, months, weeks, days, hours, mins and secs, by place or by name: " +
			"make_interval(days => 10)", Example: "make_interval(0, 1, 0, 2, 3)",
		Args: []value.Type{integer, integer, integer, integer, integer, integer, float}, Optional: 7,
		Result: value.Interval, Eval: makeInterval},
	{Name: "date_bin", Doc: "the begin of the stretch in which a time lies: stretches are an interval without " +
		"months long, and one begins at the third argument",
		Example: "date_bin('15 minutes', '2026-11-21 09:37'::timestamp, '2026-01-01'::timestamp)",
		Args:    []value.Type{value.Interval, value.Timestamp, value.Timestamp}, Result: value.Timestamp,
		Eval: dateBin},
	{Name: "pg_sleep", Doc: "empty text, after the given number of seconds; statement_timeout and cancelling end it",
		Example: "pg_sleep(0)", Args: []value.Type{float}, Result: text, Volatile: true, Long: sleep},
}

func justifyWith(f func(value.Period) value.Period) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		v, err := value.ParseInterval(a[0].S)
		return f(v).Value(), err
	}
}

// oneSign borrows from the greater unit where the lesser has another sign.
func oneSign(great, less, size int64) (int64, int64) {
	switch {
	case great > 0 && less < 0:
		return great - 1, less + size
	case great < 0 && less > 0:
		return great + 1, less - size
	}
	return great, less
}

func justifyHours(v value.Period) value.Period {
	v.Days += v.Micros / value.DayMicros
	v.Days, v.Micros = oneSign(v.Days, v.Micros%value.DayMicros, value.DayMicros)
	return v
}

func justifyDays(v value.Period) value.Period {
	const month = 30
	v.Months += v.Days / month
	v.Months, v.Days = oneSign(v.Months, v.Days%month, month)
	return v
}

// justify also gives days and hours the sign of the months.
func justify(v value.Period) value.Period {
	const month = 30
	days := v.Days + v.Micros/value.DayMicros
	v.Months, v.Days, v.Micros = v.Months+days/month, days%month, v.Micros%value.DayMicros
	rest := v.Days
	if rest == 0 {
		rest = v.Micros
	}
	switch {
	case v.Months > 0 && rest < 0:
		v.Months, v.Days = v.Months-1, v.Days+month
	case v.Months < 0 && rest > 0:
		v.Months, v.Days = v.Months+1, v.Days-month
	}
	v.Days, v.Micros = oneSign(v.Days, v.Micros, value.DayMicros)
	return v
}

func makeInterval(a []value.Value) (value.Value, error) {
	var v value.Period
	for i, x := range a {
		unit := []value.Period{{Months: 12}, {Months: 1}, {Days: 7}, {Days: 1}, {Micros: 3600e6}, {Micros: 60e6},
			{Micros: 1e6}}[i]
		n, err := value.Cast(x, float)
		if err != nil {
			return value.Value{}, err
		}
		if !v.Add(n.Float(), unit) {
			return value.Value{}, errTimeRange
		}
	}
	return v.Value(), nil
}

func dateBin(a []value.Value) (value.Value, error) {
	v, err := value.ParseInterval(a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	if v.Months != 0 {
		return value.Value{}, &fn.Fault{Code: "0A000",
			Msg:  fmt.Sprintf("'%s' has months or years, which differ in length", fn.Abbreviate(a[0].S)),
			Hint: "date_trunc('month', time) cuts to months"}
	}
	if !(math.Abs(float64(v.Days)*float64(value.DayMicros)+float64(v.Micros)) < 1<<63) {
		return value.Value{}, fn.ErrInterval
	}
	step := v.Days*value.DayMicros + v.Micros
	if step <= 0 {
		return value.Value{}, &fn.Fault{Code: "22008", Msg: fmt.Sprintf("a stretch of '%s' is not longer than 0",
			fn.Abbreviate(a[0].S))}
	}
	behind := (a[1].Int() - a[2].Int()) % step
	if behind < 0 {
		behind += step
	}
	return inRange(time.UnixMicro(a[1].Int() - behind).UTC())
}

// sleep waits for a time or the end of its context.
func sleep(ctx context.Context, a []value.Value) (value.Value, error) {
	seconds := math.Min(math.Max(a[0].Float(), 0), math.MaxInt32)
	timer := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return value.Value{}, ctx.Err()
	case <-timer.C:
		return value.Str(""), nil
	}
}
