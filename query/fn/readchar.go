package fn

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parlance/storage/value"
)

// readTime are the fields that a text gives in a format of to_char.
type readTime struct {
	year, month, day, yearDay  int
	hour, minute, second, nano int
	late, half                 bool // afternoon; a half of the day was told
}

// readChar reads a time in a format of to_char. What the format has between patterns need not be in the text.
func readChar(ctx context.Context, s, format string) (time.Time, error) {
	r := readTime{year: 1, month: 1, day: 1}
	whole, t := s, turns{ctx: ctx}
	for format != "" {
		if err := t.next(); err != nil {
			return time.Time{}, err
		}
		format, _ = cutFold(format, "FM")
		format, _ = cutFold(format, "TM")
		p := charPatternOf(format)
		if p == nil {
			c, n := utf8.DecodeRuneInString(format)
			format = format[n:]
			s = skipSeparator(s, c)
			continue
		}
		format = format[len(p.name):]
		if after, ok := cutFold(format, "TH"); ok {
			format = after
		}
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if s == "" {
			break
		}
		rest, ok, err := r.read(p, s, charPatternOf(format) != nil)
		if err != nil {
			return time.Time{}, err
		}
		if !ok {
			return time.Time{}, &Fault{Code: "22007", Msg: fmt.Sprintf("'%s' has no %s where '%s' begins", start(whole), p.name, start(s))}
		}
		s = rest
	}
	return r.time(whole)
}

// skipSeparator leaves what stands for a character of the format: separators stand for each other, quotes for nothing.
func skipSeparator(s string, c rune) string {
	if c == '"' || s == "" {
		return s
	}
	if unicode.IsLetter(c) || unicode.IsDigit(c) {
		_, n := utf8.DecodeRuneInString(s)
		return s[n:]
	}
	next, n := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(next) || unicode.IsDigit(next) {
		return s
	}
	return s[n:]
}

// read takes what a pattern stands for from the front of s. Numbers are as long as their pattern where another follows at once.
func (r *readTime) read(p *charPattern, s string, tight bool) (rest string, ok bool, err error) {
	switch p.name {
	case "MONTH", "MON":
		for m := time.January; m <= time.December; m++ {
			name := m.String()
			if p.name == "MON" {
				name = name[:3]
			}
			if rest, ok = cutFold(s, name); ok {
				r.month = int(m)
				return rest, true, nil
			}
		}
		return s, false, nil
	case "DAY", "DY":
		return strings.TrimLeftFunc(s, unicode.IsLetter), true, nil
	case "AM", "PM", "A.M.", "P.M.":
		if len(s) < len(p.name) {
			return s, false, nil
		}
		r.half, r.late = true, s[0] == 'p' || s[0] == 'P'
		return s[len(p.name):], true, nil
	}
	field, scale := r.field(p.name)
	if field == nil {
		return s, false, &Fault{Code: "0A000", Msg: fmt.Sprintf("a time is written in the pattern %s, not read", p.name), Hint: "YYYY YY MM MON MONTH DD DDD HH24 HH12 AM MI SS MS US are read"}
	}
	width := p.width
	if !tight && p.name != "MS" && p.name != "US" && p.name != "YY" {
		width = 9
	}
	n := 0
	for n < len(s) && n < width && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 {
		return s, false, nil
	}
	*field, _ = strconv.Atoi(s[:n])
	switch {
	case scale > 0: // a fraction: 5 is 500 milliseconds
		*field = *field * scale * int(math.Pow10(p.width-n))
	case p.name == "YY" && *field < 70:
		*field += 2000
	case p.name == "YY":
		*field += 1900
	}
	return s[n:], true, nil
}

// field is where the number of a pattern goes; scale is the nanoseconds of a fraction.
func (r *readTime) field(name string) (field *int, scale int) {
	switch name {
	case "YYYY", "YY":
		return &r.year, 0
	case "MM":
		return &r.month, 0
	case "DD":
		return &r.day, 0
	case "DDD":
		return &r.yearDay, 0
	case "HH24", "HH12", "HH":
		return &r.hour, 0
	case "MI":
		return &r.minute, 0
	case "SS":
		return &r.second, 0
	case "MS":
		return &r.nano, 1e6
	case "US":
		return &r.nano, 1e3
	}
	return nil, 0
}

func (r *readTime) time(whole string) (time.Time, error) {
	wrong := &Fault{Code: "22008", Msg: fmt.Sprintf("'%s' is no time: a field is out of its range", start(whole))}
	if r.half {
		if r.hour < 1 || r.hour > 12 {
			return time.Time{}, &Fault{Code: "22007", Msg: fmt.Sprintf("hour %d is not on a clock of 12 hours", r.hour), Hint: "HH24 goes without AM and PM"}
		}
		r.hour %= 12
		if r.late {
			r.hour += 12
		}
	}
	if r.year < 1 || r.year > 9999 || r.month < 1 || r.month > 12 || r.day < 1 || r.day > daysIn(r.year, time.Month(r.month)) ||
		r.hour > 23 || r.minute > 59 || r.second > 59 || r.yearDay > 366 {
		return time.Time{}, wrong
	}
	if r.yearDay > 0 {
		r.month, r.day = 1, r.yearDay
	}
	return time.Date(r.year, time.Month(r.month), r.day, r.hour, r.minute, r.second, r.nano, time.UTC), nil
}

// toDate is the day that a text gives in a format.
func toDate(ctx context.Context, a []value.Value) (value.Value, error) {
	t, err := readChar(ctx, a[0].S, a[1].S)
	return value.Time(t.Truncate(24 * time.Hour)), err
}
