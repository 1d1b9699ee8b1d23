package fn

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"parlance/storage/value"
)

// There is no type of intervals: an interval is a text, "1 year 2 mons 3 days 04:05:06".

// The functions that stand for arithmetic with times.
var (
	IntervalCast = &Func{Name: "interval", Args: []value.Type{text}, Result: text, Eval: intervalCast}
	TimePlus     = &Func{Name: "time_plus", Args: []value.Type{value.Timestamp, Any}, Result: value.Timestamp, Eval: shift(1)}
	TimeMinus    = &Func{Name: "time_minus", Args: []value.Type{value.Timestamp, Any}, Result: value.Timestamp, Eval: shift(-1)}
	DateCast     = &Func{Name: "date", Args: []value.Type{Any}, Result: value.Timestamp, Eval: dateCast}
	TimeBetween  = &Func{Name: "time_between", Args: []value.Type{value.Timestamp, value.Timestamp}, Result: text, Eval: timeBetween}
)

// interval is a stretch of time. Months and days differ in length, so they are kept apart.
type interval struct{ months, days, micros int64 }

// intervalUnits are the words of intervals without a plural s.
var intervalUnits = map[string]interval{
	"microsecond": {micros: 1}, "us": {micros: 1}, "millisecond": {micros: 1e3}, "ms": {micros: 1e3},
	"second": {micros: 1e6}, "sec": {micros: 1e6}, "s": {micros: 1e6}, "minute": {micros: 60e6}, "min": {micros: 60e6}, "m": {micros: 60e6},
	"hour": {micros: 3600e6}, "hr": {micros: 3600e6}, "h": {micros: 3600e6},
	"day": {days: 1}, "d": {days: 1}, "week": {days: 7}, "w": {days: 7},
	"month": {months: 1}, "mon": {months: 1}, "quarter": {months: 3}, "year": {months: 12}, "yr": {months: 12}, "y": {months: 12}, "decade": {months: 120}, "century": {months: 1200},
}

const dayMicros = int64(24 * time.Hour / time.Microsecond)

// parseInterval reads numbers with units and a time of day, "1 day 02:30", with "ago" behind for what is past.
func parseInterval(s string) (out interval, err error) {
	wrong := func() (interval, error) {
		return interval{}, value.Malformed(value.ErrNoTime, "'%s' is no interval (such as 1 day 02:30:00, or 3 months)", s)
	}
	words := strings.Fields(strings.ToLower(s))
	ago := len(words) > 1 && words[len(words)-1] == "ago"
	if ago {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return wrong()
	}
	for i := 0; i < len(words); i++ {
		number, unit := words[i], ""
		if strings.Contains(number, ":") {
			if !out.clock(number) {
				return wrong()
			}
			continue
		}
		if k := strings.IndexFunc(number, func(r rune) bool { return r >= 'a' }); k > 0 {
			number, unit = number[:k], number[k:]
		} else if i++; i < len(words) {
			unit = words[i]
		}
		n, err := strconv.ParseFloat(number, 64)
		u, ok := intervalUnits[unit]
		if !ok {
			u, ok = intervalUnits[strings.TrimSuffix(unit, "s")]
		}
		if err != nil || !ok || !out.add(n, u) {
			return wrong()
		}
	}
	if ago {
		out = interval{-out.months, -out.days, -out.micros}
	}
	return out, nil
}

// add adds n units; parts of a month are months of 30 days, parts of a day hours. It refuses what no time is apart.
func (v *interval) add(n float64, u interval) bool {
	const most = 12 * 10000
	months := math.Trunc(n * float64(u.months))
	days := n*float64(u.days) + (n*float64(u.months)-months)*30
	micros := n*float64(u.micros) + (days-math.Trunc(days))*float64(dayMicros)
	if !(math.Abs(months) <= most && math.Abs(days) <= most*31 && math.Abs(micros) <= most*31*float64(dayMicros)) {
		return false
	}
	v.months += int64(months)
	v.days += int64(math.Trunc(days))
	v.micros += int64(math.Round(micros))
	return true
}

// clock adds hours:minutes[:seconds].
func (v *interval) clock(s string) bool {
	parts := strings.Split(strings.TrimLeft(s, "+-"), ":")
	if len(parts) > 3 {
		return false
	}
	sign := 1.0
	if s[0] == '-' {
		sign = -1
	}
	for i, u := range []int64{3600e6, 60e6, 1e6}[:len(parts)] {
		n, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || n < 0 || i > 0 && n >= 60 || i < 2 && n != math.Trunc(n) || !v.add(sign*n, interval{micros: u}) {
			return false
		}
	}
	return true
}

// String writes an interval as PostgreSQL does.
func (v interval) String() string {
	var parts []string
	for _, p := range []struct {
		n    int64
		unit string
	}{{v.months / 12, "year"}, {v.months % 12, "mon"}, {v.days, "day"}} {
		if p.n != 0 {
			s := fmt.Sprint(p.n, " ", p.unit)
			if p.n != 1 {
				s += "s"
			}
			parts = append(parts, s)
		}
	}
	if v.micros != 0 || len(parts) == 0 {
		sign, n := "", v.micros
		if n < 0 {
			sign, n = "-", -n
		}
		s := fmt.Sprintf("%s%02d:%02d:%02d", sign, n/3600e6, n/60e6%60, n/1e6%60)
		if f := n % 1e6; f != 0 {
			s += strings.TrimRight(fmt.Sprintf(".%06d", f), "0")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

func intervalCast(a []value.Value) (value.Value, error) {
	v, err := parseInterval(a[0].S)
	return value.Str(v.String()), err
}

// shift adds an interval, or a whole number of days, to a time.
func shift(sign int64) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		var v interval
		switch a[1].T {
		case value.Integer:
			if !v.add(float64(a[1].Int()), interval{days: 1}) {
				return value.Value{}, errTimeRange
			}
		case value.Text:
			var err error
			if v, err = parseInterval(a[1].S); err != nil {
				return value.Value{}, err
			}
		default:
			return value.Value{}, fmt.Errorf("%s where an interval or a number of days is wanted", a[1].T)
		}
		t := addMonths(a[0].Time(), sign*v.months).AddDate(0, 0, int(sign*v.days))
		return inRange(t.Add(time.Duration(sign*(v.micros%dayMicros))*time.Microsecond).AddDate(0, 0, int(sign*(v.micros/dayMicros))))
	}
}

// timeBetween is the days and the time from the second to the first.
func timeBetween(a []value.Value) (value.Value, error) {
	d := a[0].Int() - a[1].Int()
	return value.Str(interval{days: d / dayMicros, micros: d % dayMicros}.String()), nil
}
