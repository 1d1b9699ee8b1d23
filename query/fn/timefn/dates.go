package timefn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parlance/query/fn"
	"parlance/storage/value"
)

var dateFuncs = []fn.Func{
	{Name: "date_diff", Doc: "whole units from the first to the second time: year, quarter, month, week, day, hour, " +
		"minute, second; negative if the second is earlier",
		Example: "date_diff('month', '2026-01-31'::timestamp, '2026-11-21'::timestamp)",
		Args:    []value.Type{text, value.Timestamp, value.Timestamp}, Result: integer, Eval: dateDiff},
	{Name: "date_add", Doc: "the time n units later: year, quarter, month, week, day, hour, minute, second; a day " +
		"that the month lacks becomes its last", Example: "date_add('month', 1, '2026-01-31'::timestamp)",
		Args: []value.Type{text, integer, value.Timestamp}, Result: value.Timestamp, Eval: dateAdd},
	{Name: "to_timestamp", Doc: "the time of a number of seconds after 1970 began", Example: "to_timestamp(1795253400.5)",
		Args: []value.Type{float}, Result: value.Timestamp, Eval: toTimestamp},
	{Name: "strftime", Doc: "the time in a format: %Y %m %d %H %M %S %f %y %j %b %B %a %A %p %I %%",
		Example: "strftime('%d %b %Y', '2026-11-21'::timestamp)", Args: []value.Type{text, value.Timestamp},
		Result: text, Long: strftime},
	{Name: "make_date", Doc: "the day of a year, month and day, the first being 1; years are 1 to 9999",
		Example: "make_date(2026, 11, 21)", Args: []value.Type{integer, integer, integer}, Result: value.Timestamp,
		Eval: makeDate},
	{Name: "make_timestamp", Doc: "the time of a year, month, day, hour, minute and second",
		Example: "make_timestamp(2026, 11, 21, 9, 30, 1.5)", Args: []value.Type{integer, integer, integer, integer,
			integer, float}, Result: value.Timestamp, Eval: makeTimestamp},
	{Name: Age, Doc: "the interval from the second time to the first, or from the first to the beginning of today, in " +
		"years, months, days and time of day; of a number of a transaction 0, for none is so old that it must be frozen",
		Example: "age('2026-11-21'::timestamp, '2025-12-24'::timestamp)",
		Args:    []value.Type{value.Timestamp, value.Timestamp}, Result: value.Interval, Eval: age,
		Other: &fn.Func{Name: Age, Args: []value.Type{integer}, Result: integer,
			Eval: func([]value.Value) (value.Value, error) { return value.Int(0), nil }}},
	{Name: "strptime", Doc: "the time that a text gives in a format of strftime",
		Example: "strptime('21.11.2026', '%d.%m.%Y')", Args: []value.Type{text, text}, Result: value.Timestamp,
		Long: strptime},
}

// Units in months, or else in time.
var (
	monthUnits = map[string]int64{"month": 1, "quarter": 3, "year": 12}
	timeUnits  = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour,
		"day": 24 * time.Hour, "week": 7 * 24 * time.Hour}
)

func unknownUnit(unit string) error {
	return fmt.Errorf("'%s' is no unit of time; units are year, quarter, month, week, day, hour, minute, second",
		fn.Abbreviate(unit))
}

func dateDiff(a []value.Value) (value.Value, error) {
	unit := fn.LowerName(a[0].S)
	if d, ok := timeUnits[unit]; ok {
		return value.Int((a[2].Int() - a[1].Int()) / d.Microseconds()), nil
	}
	months, ok := monthUnits[unit]
	if !ok {
		return value.Value{}, unknownUnit(a[0].S)
	}
	from, to, sign := a[1].Time(), a[2].Time(), int64(1)
	if to.Before(from) {
		from, to, sign = to, from, -1
	}
	n := int64(to.Year()-from.Year())*12 + int64(to.Month()-from.Month())
	if addMonths(from, n).After(to) {
		n--
	}
	return value.Int(sign * (n / months)), nil
}

// addMonths keeps the day of the month, or takes the last one.
func addMonths(t time.Time, n int64) time.Time {
	y, m, d := t.Date()
	h, mi, s := t.Clock()
	last := time.Date(y, m+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(y, m+time.Month(n), min(d, last), h, mi, s, t.Nanosecond(), time.UTC)
}

var errTimeRange = &fn.Fault{Code: "22008", Msg: "the time is outside the years 1 to 9999"}

func inRange(t time.Time) (value.Value, error) {
	if t.Year() < 1 || t.Year() > 9999 {
		return value.Value{}, errTimeRange
	}
	return value.Time(t), nil
}

func dateAdd(a []value.Value) (value.Value, error) {
	unit, n := fn.LowerName(a[0].S), a[1].Int()
	if n > 1<<40 || n < -1<<40 {
		return value.Value{}, errTimeRange
	}
	if d, ok := timeUnits[unit]; ok {
		step := int64(d / time.Second)
		if n > (1<<40)/step || n < -(1<<40)/step {
			return value.Value{}, errTimeRange
		}
		return inRange(time.UnixMicro(a[2].Int() + n*step*1e6).UTC())
	}
	months, ok := monthUnits[unit]
	if !ok {
		return value.Value{}, unknownUnit(a[0].S)
	}
	if n > 12*10000 || n < -12*10000 {
		return value.Value{}, errTimeRange
	}
	return inRange(addMonths(a[2].Time(), n*months))
}

func toTimestamp(a []value.Value) (value.Value, error) {
	f := a[0].Float()
	if !(f > -1e11 && f < 1e12) {
		return value.Value{}, errTimeRange
	}
	return inRange(time.UnixMicro(int64(f * 1e6)).UTC())
}

// layouts are the conversions of strftime as package time writes them.
var layouts = map[byte]string{'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'j': "002",
	'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'p': "PM", 'I': "03"}

// formatParts splits a format into conversions and the text between them, until its context ends.
func formatParts(ctx context.Context, format string, text func(string), conversion func(byte) error) error {
	for t := (fn.Steps{Ctx: ctx}); ; {
		if err := t.Next(); err != nil {
			return err
		}
		before, rest, found := strings.Cut(format, "%")
		text(before)
		if !found {
			return nil
		}
		if rest == "" {
			return errors.New("the format ends in %; %% stands for the sign")
		}
		c := rest[0]
		switch {
		case c == '%':
			text("%")
		case layouts[c] == "" && c != 'f':
			return fmt.Errorf("the format has %%%s; it may have %%Y %%m %%d %%H %%M %%S %%f %%y %%j %%b %%B %%a %%A "+
				"%%p %%I %%%%", rest[:fn.RuneEnd(rest, 1)])
		default:
			if err := conversion(c); err != nil {
				return err
			}
		}
		format = rest[1:]
	}
}

func strftime(ctx context.Context, a []value.Value) (value.Value, error) {
	t := a[1].Time()
	var b fn.TextBuilder
	err := formatParts(ctx, a[0].S, b.Append, func(c byte) error {
		if c == 'f' {
			b.Append(fmt.Sprintf("%06d", t.Nanosecond()/1000))
		} else {
			b.Append(t.Format(layouts[c]))
		}
		return nil
	})
	if err != nil {
		return value.Value{}, err
	}
	return b.Result()
}

// strptime reads a text piece by piece: package time would take text between conversions for
// some of its own.
func strptime(ctx context.Context, a []value.Value) (value.Value, error) {
	rest := a[0].S
	wrong := fmt.Errorf("'%s' is not in the format '%s'", fn.Abbreviate(a[0].S), fn.Abbreviate(a[1].S))
	fits := true
	var layout, input strings.Builder
	err := formatParts(ctx, a[1].S, func(s string) {
		after, ok := strings.CutPrefix(rest, s)
		rest, fits = after, fits && ok
	}, func(c byte) error {
		field := rest[:fieldWidth(rest, c)]
		rest = rest[len(field):]
		if field == "" {
			return wrong
		}
		switch {
		case c == 'f':
			field = (field + "000000")[:6]
			layout.WriteString(" .000000")
			input.WriteString(" ." + field)
			return nil
		case c != 'Y' && c != 'j' && len(field) == 1:
			field = "0" + field
		}
		layout.WriteString(" " + layouts[c])
		input.WriteString(" " + field)
		return nil
	})
	if err != nil {
		return value.Value{}, err
	}
	t, err := time.Parse(layout.String(), input.String())
	if err != nil || rest != "" || !fits {
		return value.Value{}, wrong
	}
	return inRange(t)
}

// fieldWidth is the number of bytes of s that a conversion takes: digits up to its width, or
// letters.
func fieldWidth(s string, c byte) int {
	most := map[byte]int{'Y': 4, 'j': 3, 'f': 6}[c]
	if most == 0 {
		most = 2
	}
	letters := strings.IndexByte("bBaAp", c) >= 0
	n := 0
	for n < len(s) && (letters && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') || !letters && n < most && s[n] >= '0' &&
		s[n] <= '9') {
		n++
	}
	return n
}
