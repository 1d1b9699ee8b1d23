package timefn

import (
	"fmt"
	"math"
	"time"

	"parlance/query/fn"
	"parlance/storage/value"
)

func makeDate(a []value.Value) (value.Value, error) {
	y, m, d := a[0].Int(), a[1].Int(), a[2].Int()
	if y < 1 || y > 9999 || m < 1 || m > 12 || d < 1 || d > int64(daysIn(int(y), time.Month(m))) {
		return value.Value{}, &fn.Fault{Code: "22008", Msg: fmt.Sprintf("there is no day %d-%02d-%02d", y, m, d)}
	}
	return value.Time(time.Date(int(y), time.Month(m), int(d), 0, 0, 0, 0, time.UTC)), nil
}

func makeTimestamp(a []value.Value) (value.Value, error) {
	day, err := makeDate(a)
	if err != nil {
		return day, err
	}
	h, mi, s := a[3].Int(), a[4].Int(), a[5].Float()
	if h < 0 || h > 23 || mi < 0 || mi > 59 || !(s >= 0 && s <= 60) {
		return value.Value{}, &fn.Fault{Code: "22008", Msg: fmt.Sprintf("there is no time of day %d:%02d:%v", h, mi, s)}
	}
	return inRange(time.UnixMicro(day.Int() + h*3600e6 + mi*60e6 + int64(math.Round(s*1e6))).UTC())
}

// daysIn is the number of days of a month.
func daysIn(y int, m time.Month) int { return time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day() }

// Age is the name of a function over two times, of which the first may be left out for the day of today.
const Age = "age"

// age is the difference of two times, field by field: a day that is missing is borrowed from the month of the
// earlier time.
func age(a []value.Value) (value.Value, error) {
	from, to, sign := a[1].Time(), a[0].Time(), int64(1)
	if to.Before(from) {
		from, to, sign = to, from, -1
	}
	months := int64(to.Year()-from.Year())*12 + int64(to.Month()-from.Month())
	days := int64(to.Day() - from.Day())
	micros := sinceMidnight(to) - sinceMidnight(from)
	if micros < 0 {
		micros += value.DayMicros
		days--
	}
	if days < 0 {
		days += int64(daysIn(from.Year(), from.Month()))
		months--
	}
	return value.Period{Months: sign * months, Days: sign * days, Micros: sign * micros}.Value(), nil
}

// sinceMidnight is the time of day in microseconds.
func sinceMidnight(t time.Time) int64 {
	h, m, s := t.Clock()
	return int64(h*3600+m*60+s)*1e6 + int64(t.Nanosecond()/1e3)
}
