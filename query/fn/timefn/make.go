package timefn

import (
	"crypto/rand"
	"fmt"
	"math"
	"time"

	"parlance/query/fn"
	"parlance/storage/value"
)

// momentFuncs make times.
var momentFuncs = []fn.Func{
	{Name: "make_time", Doc: "the time of day of an hour, minute and second, as a text", Example: "make_time(8, 15, 23.5)", Args: []value.Type{integer, integer, float}, Result: text, Eval: makeTime},
	{Name: "make_timestamptz", Doc: "the time of a year, month, day, hour, minute and second, in a zone or else in UTC", Example: "make_timestamptz(2026, 11, 21, 9, 30, 1.5, 'Europe/Oslo')", Args: []value.Type{integer, integer, integer, integer, integer, float, text}, Optional: 1, Result: value.Timestamp, Eval: makeTimestampTZ},
	{Name: "isfinite", Doc: "true: no time or interval here is infinite", Example: "isfinite('2026-11-21'::timestamp)", Args: []value.Type{fn.Any}, Result: boolean, Eval: isFinite},
	{Name: "gen_random_uuid", Doc: "a random UUID of version 4, from the random numbers of the operating system: unlike random() it does not follow SET seed, so that it is unique among databases; what computes it is not kept and repeated", Example: "length(gen_random_uuid())", Result: text, Volatile: true, Eval: randomUUID},
}

func makeTime(a []value.Value) (value.Value, error) {
	h, m, s := a[0].Int(), a[1].Int(), a[2].Float()
	if h < 0 || m < 0 || m > 59 || !(s >= 0 && s <= 60) || float64(h)*3600+float64(m)*60+s > 24*60*60 {
		return value.Value{}, &fn.Fault{Code: "22008", Msg: fmt.Sprintf("%02d:%02d:%v is no time of day", h, m, s)}
	}
	return value.Str(value.Period{Micros: (h*3600+m*60)*1e6 + int64(math.Round(s*1e6))}.String()), nil
}

func makeTimestampTZ(a []value.Value) (value.Value, error) {
	v, err := makeTimestamp(a[:6])
	if err != nil || len(a) == 6 {
		return v, err
	}
	return fromZone([]value.Value{a[6], v})
}

func isFinite(a []value.Value) (value.Value, error) {
	if t := a[0].T; t != value.Timestamp && t != value.Interval {
		if _, err := value.Cast(a[0], value.Timestamp); err != nil {
			return value.Value{}, err
		}
	}
	return value.Bool(true), nil
}

func randomUUID([]value.Value) (value.Value, error) {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return value.Str(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])), nil
}

// truncated is date_trunc of an interval.
func truncated(a []value.Value) (value.Value, error) {
	p, err := value.ParseInterval(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	months := map[string]int64{"millennium": 12000, "century": 1200, "decade": 120, "year": 12, "quarter": 3, "month": 1}
	steps := map[string]time.Duration{"hour": time.Hour, "minute": time.Minute, "second": time.Second, "milliseconds": time.Millisecond, "microseconds": time.Microsecond}
	unit := fn.LowerName(a[0].S)
	switch n := months[unit]; {
	case n > 0:
		return value.Period{Months: p.Months / n * n}.Value(), nil
	case unit == "day":
		return value.Period{Months: p.Months, Days: p.Days}.Value(), nil
	case steps[unit] > 0:
		p.Micros -= p.Micros % steps[unit].Microseconds()
		return p.Value(), nil
	}
	return value.Value{}, &fn.Fault{Code: "0A000", Msg: fmt.Sprintf("an interval is not cut to '%s'", fn.Abbreviate(a[0].S)), Hint: "units: millennium, century, decade, year, quarter, month, day, hour, minute, second, milliseconds, microseconds"}
}
