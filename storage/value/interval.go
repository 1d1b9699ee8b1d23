package value

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Period is an interval by its parts. Months and days differ in length, so they are kept apart.
type Period struct{ Months, Days, Micros int64 }

// DayMicros is the length of a day in microseconds.
const DayMicros = int64(24 * time.Hour / time.Microsecond)

// Value returns the interval as a value, whose text is that of PostgreSQL: "1 year 2 mons 3 days 04:05:06".
func (p Period) Value() Value { return Value{T: Interval, S: p.String()} }

// intervalUnits are the words of intervals without a plural s.
var intervalUnits = map[string]Period{
	"microsecond": {Micros: 1}, "usec": {Micros: 1}, "us": {Micros: 1}, "millisecond": {Micros: 1e3},
	"msec": {Micros: 1e3}, "ms": {Micros: 1e3},
	"second": {Micros: 1e6}, "sec": {Micros: 1e6}, "s": {Micros: 1e6}, "minute": {Micros: 60e6}, "min": {Micros: 60e6},
	"m":    {Micros: 60e6},
	"hour": {Micros: 3600e6}, "hr": {Micros: 3600e6}, "h": {Micros: 3600e6},
	"day": {Days: 1}, "d": {Days: 1}, "week": {Days: 7}, "w": {Days: 7},
	"month": {Months: 1}, "mon": {Months: 1}, "quarter": {Months: 3}, "year": {Months: 12}, "yr": {Months: 12},
	"y":      {Months: 12},
	"decade": {Months: 120}, "century": {Months: 1200}, "centuries": {Months: 1200}, "millennium": {Months: 12000},
	"millennia": {Months: 12000},
}

// Signs of numbers and the first letter of a unit, for cutting a text.
const signs, letters = "+-", "abcdefghijklmnopqrstuvwxyz"

// longestInterval bounds the texts of intervals, in bytes.
const longestInterval = 1000

// ParseInterval reads numbers with units, a time of day, years-months, "1-2 3 04:05:06", with "ago" behind for what is
// past; and the forms of ISO 8601, P1Y2M3DT4H5M6S and P0001-02-03T04:05:06.
func ParseInterval(s string) (Period, error) {
	if len(s) > longestInterval {
		return Period{}, Malformed(ErrNoTime, "'%s' is no interval: it is longer than %d bytes", clip(s), longestInterval)
	}
	var p Period
	words := strings.Fields(strings.ToLower(strings.TrimPrefix(strings.TrimSpace(s), "@")))
	ago := len(words) > 1 && words[len(words)-1] == "ago"
	if ago {
		words = words[:len(words)-1]
	}
	ok := len(words) > 0
	if len(words) == 1 && words[0][0] == 'p' {
		ok = p.iso(words[0][1:])
	} else {
		ok = ok && p.words(words)
	}
	if !ok {
		return Period{}, Malformed(ErrNoTime, "'%s' is no interval (such as 1 day 02:30:00, or 3 months)", clip(s))
	}
	if ago {
		p = Period{-p.Months, -p.Days, -p.Micros}
	}
	return p, nil
}

// words adds what words say; a number without a unit is one of days before a time of day.
func (p *Period) words(words []string) bool {
	for i := 0; i < len(words); i++ {
		number, unit := words[i], ""
		switch {
		case strings.Contains(number, ":"):
			if !p.clock(number) {
				return false
			}
			continue
		case strings.Contains(strings.TrimLeft(number, signs), "-"):
			if !p.yearMonth(number) {
				return false
			}
			continue
		}
		if k := strings.IndexAny(number, letters); k > 0 && !exponent(number[k:]) {
			number, unit = number[:k], number[k:]
			if d := strings.IndexAny(unit, "+-.0123456789"); d > 0 { // 1h30m
				words[i], unit = unit[d:], unit[:d]
				i--
			}
		} else if i++; i < len(words) {
			unit = words[i]
		}
		if strings.Contains(unit, ":") {
			unit, i = "day", i-1
		}
		if !p.addText(number, unit) {
			return false
		}
	}
	return true
}

// exponent tells the e of 1e3 from a unit.
func exponent(s string) bool {
	return len(s) > 1 && s[0] == 'e' && strings.Trim(s[1:], "+-0123456789") == ""
}

func (p *Period) addText(number, unit string) bool {
	n, err := strconv.ParseFloat(number, 64)
	u, ok := intervalUnits[unit]
	if !ok {
		u, ok = intervalUnits[strings.TrimSuffix(unit, "s")]
	}
	return err == nil && ok && p.Add(n, u)
}

// yearMonth adds years-months, the sign being that of both.
func (p *Period) yearMonth(s string) bool {
	years, months, _ := strings.Cut(strings.TrimLeft(s, signs), "-")
	y, err := strconv.ParseUint(years, 10, 31)
	m, fault := strconv.ParseUint(months, 10, 31)
	if err != nil || fault != nil || m > 11 {
		return false
	}
	n := float64(12*y + m)
	if s[0] == '-' {
		n = -n
	}
	return p.Add(n, Period{Months: 1})
}

// iso adds what follows the P of ISO 8601.
func (p *Period) iso(s string) bool {
	day, clock, timed := strings.Cut(s, "t")
	if s == "" || timed && clock == "" {
		return false
	}
	if strings.Contains(strings.TrimLeft(day, signs), "-") { // the alternative format
		parts := strings.Split(day, "-")
		units := []string{"year", "month", "day"}
		for i, part := range parts {
			if len(parts) > len(units) || !p.addText(part, units[i]) {
				return false
			}
		}
		day = ""
	}
	if strings.Contains(clock, ":") {
		return day == "" && p.clock(clock)
	}
	return p.designated(day, map[byte]string{'y': "year", 'm': "month", 'w': "week", 'd': "day"}) &&
		p.designated(clock, map[byte]string{'h': "hour", 'm': "minute", 's': "second"})
}

// designated adds numbers with a letter behind each.
func (p *Period) designated(s string, units map[byte]string) bool {
	for s != "" {
		k := strings.IndexAny(s, letters)
		if k < 1 || !p.addText(s[:k], units[s[k]]) {
			return false
		}
		s = s[k+1:]
	}
	return true
}

// Add adds n units; parts of a month are months of 30 days, parts of a day hours. It refuses what PostgreSQL's
// intervals do not hold.
func (p *Period) Add(n float64, u Period) bool {
	months := math.Trunc(n * float64(u.Months))
	days := n*float64(u.Days) + (n*float64(u.Months)-months)*30
	micros := n*float64(u.Micros) + math.Round((days-math.Trunc(days))*float64(DayMicros))
	if !(math.Abs(months) < 1<<31 && math.Abs(days) < 1<<31 && math.Abs(micros) < 1<<62) {
		return false
	}
	sum, ok := p.Plus(Period{int64(months), int64(math.Trunc(days)), int64(math.Round(micros))}, 1)
	*p = sum
	return ok
}

// Plus adds q, or takes it off where sign is -1; ok is false where intervals do not hold the result.
func (p Period) Plus(q Period, sign int64) (sum Period, ok bool) {
	sum = Period{p.Months + sign*q.Months, p.Days + sign*q.Days, p.Micros + sign*q.Micros}
	return sum, sum.held()
}

// held reports whether months and days have 32 bits, as PostgreSQL stores them, and microseconds 63.
func (p Period) held() bool {
	return p.Months == int64(int32(p.Months)) && p.Days == int64(int32(p.Days)) && p.Micros < 1<<62 && p.Micros > -1<<62
}

// Times multiplies by a number: parts of a month become days, 30 of a month, parts of a day hours.
func (p Period) Times(f float64) (Period, bool) {
	return p.scaled(func(n int64) float64 { return float64(n) * f })
}

// Over divides by a number that is not 0, as Times multiplies.
func (p Period) Over(f float64) (Period, bool) {
	return p.scaled(func(n int64) float64 { return float64(n) / f })
}

func (p Period) scaled(by func(int64) float64) (Period, bool) {
	round := func(x float64) float64 { return math.RoundToEven(x*1e6) / 1e6 }
	months, days := by(p.Months), by(p.Days)
	ofMonth := round((months - math.Trunc(months)) * 30)
	const seconds = 24 * 60 * 60
	left := round((days - math.Trunc(days) + ofMonth - math.Trunc(ofMonth)) * seconds)
	if math.Abs(left) >= seconds {
		whole := math.Trunc(left / seconds)
		ofMonth += whole
		left -= whole * seconds
	}
	m, d, us := math.Trunc(months), math.Trunc(days)+math.Trunc(ofMonth), math.RoundToEven(by(p.Micros)+left*1e6)
	if !(math.Abs(m) < 1<<31 && math.Abs(d) < 1<<31 && math.Abs(us) < 1<<62) {
		return Period{}, false
	}
	return Period{int64(m), int64(d), int64(us)}, true
}

// clock adds hours:minutes[:seconds].
func (p *Period) clock(s string) bool {
	parts := strings.Split(strings.TrimLeft(s, signs), ":")
	if len(parts) > 3 || s == "" {
		return false
	}
	sign := 1.0
	if s[0] == '-' {
		sign = -1
	}
	for i, u := range []int64{3600e6, 60e6, 1e6}[:len(parts)] {
		n, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || n < 0 || i > 0 && n >= 60 || i < 2 && n != math.Trunc(n) || !p.Add(sign*n, Period{Micros: u}) {
			return false
		}
	}
	return true
}

// String writes an interval as PostgreSQL does: a part behind a negative one has its sign.
func (p Period) String() string {
	var parts []string
	negative := false
	for _, u := range []struct {
		n    int64
		unit string
	}{{p.Months / 12, "year"}, {p.Months % 12, "mon"}, {p.Days, "day"}} {
		if u.n == 0 {
			continue
		}
		s := strconv.FormatInt(u.n, 10) + " " + u.unit
		if negative && u.n > 0 {
			s = "+" + s
		}
		if u.n != 1 {
			s += "s"
		}
		parts, negative = append(parts, s), u.n < 0
	}
	if p.Micros != 0 || len(parts) == 0 {
		sign, n := "", p.Micros
		switch {
		case n < 0:
			sign, n = "-", -n
		case negative:
			sign = "+"
		}
		s := fmt.Sprintf("%s%02d:%02d:%02d", sign, n/3600e6, n/60e6%60, n/1e6%60)
		if f := n % 1e6; f != 0 {
			s += strings.TrimRight(fmt.Sprintf(".%06d", f), "0")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// appendIntervalKey appends days, 30 of a month, and the time within a day.
func appendIntervalKey(dst []byte, s string) []byte {
	p, err := ParseInterval(s)
	if err != nil {
		return append(dst, s...)
	}
	days, micros := 30*p.Months+p.Days+p.Micros/DayMicros, p.Micros%DayMicros
	if micros < 0 {
		days, micros = days-1, micros+DayMicros
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(days)^1<<63)
	return binary.BigEndian.AppendUint64(dst, uint64(micros))
}

func toInterval(v Value) (Value, error) {
	if v.T != Text {
		return Value{}, Malformed(ErrNoCast, "cannot cast %s to interval", v.T)
	}
	p, err := ParseInterval(v.S)
	if err != nil {
		return Value{}, err
	}
	return p.Value(), nil
}
