package timefn

import (
	"fmt"
	"time"

	"parlance/query/fn"
	"parlance/storage/value"
)

// The functions that stand for arithmetic with times and intervals.
var (
	TimePlus      = &fn.Func{Name: "time_plus", Args: []value.Type{value.Timestamp, fn.Any}, Result: value.Timestamp, Eval: shift(1)}
	TimeMinus     = &fn.Func{Name: "time_minus", Args: []value.Type{value.Timestamp, fn.Any}, Result: value.Timestamp, Eval: shift(-1)}
	DateCast      = &fn.Func{Name: "date", Args: []value.Type{fn.Any}, Result: value.Timestamp, Eval: dateCast}
	TimeBetween   = &fn.Func{Name: "time_between", Args: []value.Type{value.Timestamp, value.Timestamp}, Result: value.Interval, Eval: timeBetween}
	DaysBetween   = &fn.Func{Name: "days_between", Args: []value.Type{value.Timestamp, value.Timestamp}, Result: integer, Eval: daysBetween}
	IntervalPlus  = &fn.Func{Name: "interval_plus", Args: []value.Type{value.Interval, value.Interval}, Result: value.Interval, Eval: intervalSum(1)}
	IntervalMinus = &fn.Func{Name: "interval_minus", Args: []value.Type{value.Interval, value.Interval}, Result: value.Interval, Eval: intervalSum(-1)}
	IntervalTimes = &fn.Func{Name: "interval_times", Args: []value.Type{value.Interval, float}, Result: value.Interval, Eval: intervalTimes}
	IntervalOver  = &fn.Func{Name: "interval_over", Args: []value.Type{value.Interval, float}, Result: value.Interval, Eval: intervalOver}
)

// held is an interval, or an error where there is no such.
func held(p value.Period, ok bool) (value.Value, error) {
	if !ok {
		return value.Value{}, fn.ErrInterval
	}
	return p.Value(), nil
}

func intervalSum(sign int64) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		x, err := value.ParseInterval(a[0].S)
		if err != nil {
			return value.Value{}, err
		}
		y, err := value.ParseInterval(a[1].S)
		if err != nil {
			return value.Value{}, err
		}
		return held(x.Plus(y, sign))
	}
}

func intervalTimes(a []value.Value) (value.Value, error) {
	p, err := value.ParseInterval(a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	return held(p.Times(a[1].Float()))
}

func intervalOver(a []value.Value) (value.Value, error) {
	if a[1].Float() == 0 {
		return value.Value{}, fn.ErrDivision
	}
	p, err := value.ParseInterval(a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	return held(p.Over(a[1].Float()))
}

// daysBetween is the number of days from the second to the first.
func daysBetween(a []value.Value) (value.Value, error) {
	return value.Int((a[0].Int() - a[1].Int()) / value.DayMicros), nil
}

// shift adds an interval, or a whole number of days, to a time.
func shift(sign int64) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		var v value.Period
		switch a[1].T {
		case value.Integer:
			if !v.Add(float64(a[1].Int()), value.Period{Days: 1}) {
				return value.Value{}, errTimeRange
			}
		case value.Text, value.Interval:
			var err error
			if v, err = value.ParseInterval(a[1].S); err != nil {
				return value.Value{}, err
			}
		default:
			return value.Value{}, fmt.Errorf("%s where an interval or a number of days is wanted", a[1].T)
		}
		t := addMonths(a[0].Time(), sign*v.Months).AddDate(0, 0, int(sign*v.Days))
		return inRange(t.Add(time.Duration(sign*(v.Micros%value.DayMicros))*time.Microsecond).AddDate(0, 0, int(sign*(v.Micros/value.DayMicros))))
	}
}

// timeBetween is the days and the time from the second to the first.
func timeBetween(a []value.Value) (value.Value, error) {
	d := a[0].Int() - a[1].Int()
	return value.Period{Days: d / value.DayMicros, Micros: d % value.DayMicros}.Value(), nil
}
