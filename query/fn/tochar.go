package fn

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"parlance/storage/value"
)

// charPattern is a pattern of to_char: a word, or a number with leading zeros up to a width.
type charPattern struct {
	name  string
	width int // of numbers, 0 for words
	num   func(time.Time) int
	word  func(time.Time) string
	blank int // width up to which words are followed by blanks
}

// charPatterns are the patterns, a longer one before those that it begins with.
var charPatterns = []charPattern{
	{name: "Y,YYY", word: func(t time.Time) string { return fmt.Sprintf("%d,%03d", t.Year()/1000, t.Year()%1000) }},
	{name: "CC", width: 2, num: func(t time.Time) int { return (t.Year() + 99) / 100 }},
	{name: "J", width: 1, num: func(t time.Time) int { return julianDay(t) }},
	{name: "IYYY", width: 4, num: isoYear}, {name: "YYYY", width: 4, num: time.Time.Year},
	{name: "YYY", width: 3, num: func(t time.Time) int { return t.Year() % 1000 }},
	{name: "YY", width: 2, num: func(t time.Time) int { return t.Year() % 100 }},
	{name: "Y", width: 1, num: func(t time.Time) int { return t.Year() % 10 }},
	{name: "MONTH", word: func(t time.Time) string { return t.Month().String() }, blank: 9},
	{name: "MON", word: func(t time.Time) string { return t.Month().String()[:3] }},
	{name: "DAY", word: func(t time.Time) string { return t.Weekday().String() }, blank: 9},
	{name: "DY", word: func(t time.Time) string { return t.Weekday().String()[:3] }},
	{name: "DDD", width: 3, num: time.Time.YearDay}, {name: "DD", width: 2, num: time.Time.Day},
	{name: "ID", width: 1, num: func(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }},
	{name: "IW", width: 2, num: func(t time.Time) int { _, w := t.ISOWeek(); return w }},
	{name: "D", width: 1, num: func(t time.Time) int { return int(t.Weekday()) + 1 }},
	{name: "WW", width: 2, num: func(t time.Time) int { return (t.YearDay()-1)/7 + 1 }},
	{name: "W", width: 1, num: func(t time.Time) int { return (t.Day()-1)/7 + 1 }},
	{name: "HH24", width: 2, num: time.Time.Hour}, {name: "HH12", width: 2, num: hour12}, {name: "HH", width: 2, num: hour12},
	{name: "MM", width: 2, num: func(t time.Time) int { return int(t.Month()) }},
	{name: "MI", width: 2, num: time.Time.Minute},
	{name: "MS", width: 3, num: func(t time.Time) int { return t.Nanosecond() / 1e6 }},
	{name: "US", width: 6, num: func(t time.Time) int { return t.Nanosecond() / 1e3 }},
	{name: "SSSS", width: 1, num: func(t time.Time) int { return t.Hour()*3600 + t.Minute()*60 + t.Second() }},
	{name: "SS", width: 2, num: time.Time.Second},
	{name: "Q", width: 1, num: func(t time.Time) int { return (int(t.Month())-1)/3 + 1 }},
	{name: "A.M.", word: dottedHalf}, {name: "P.M.", word: dottedHalf},
	{name: "AM", word: half}, {name: "PM", word: half},
	{name: "TZ", word: func(time.Time) string { return "UTC" }}, {name: "OF", word: func(time.Time) string { return "+00" }},
}

// julianDay counts days from noon of 1 January 4713 BC, by their noon.
func julianDay(t time.Time) int {
	t = t.Truncate(24 * time.Hour)
	return int(t.Unix()/86400) + 2440588
}

func isoYear(t time.Time) int { y, _ := t.ISOWeek(); return y }

func hour12(t time.Time) int { return (t.Hour()+11)%12 + 1 }

func half(t time.Time) string { return t.Format("PM") }

func dottedHalf(t time.Time) string { return t.Format("PM")[:1] + ".M." }

// toChar writes a number, a time, or a text that is a time or an interval.
func toChar(ctx context.Context, a []value.Value) (value.Value, error) {
	if a[0].T == integer || a[0].T == float {
		return charNumber(a[0], a[1].S)
	}
	t, err := value.Cast(a[0], value.Timestamp)
	if err == nil {
		return charTime(ctx, t.Time(), a[1].S)
	}
	if a[0].T == text || a[0].T == value.Interval {
		if v, wrong := value.ParseInterval(a[0].S); wrong == nil {
			return charInterval(ctx, v, a[1].S)
		}
	}
	return value.Value{}, err
}

func charTime(ctx context.Context, t time.Time, format string) (value.Value, error) {
	return charPatternsOf(ctx, format, func(p *charPattern) (int, string) {
		if p.word != nil {
			return 0, p.word(t)
		}
		return p.num(t), ""
	})
}

// charInterval writes an interval; hours may be more than 23, and what only a day has is 0.
func charInterval(ctx context.Context, v value.Period, format string) (value.Value, error) {
	hour, clock := int(v.Micros/3600e6), time.UnixMicro((v.Micros%value.DayMicros+value.DayMicros)%value.DayMicros).UTC()
	return charPatternsOf(ctx, format, func(p *charPattern) (int, string) {
		switch p.name {
		case "YYYY":
			return int(v.Months / 12), ""
		case "MM":
			return int(v.Months % 12), ""
		case "DD":
			return int(v.Days), ""
		case "HH24":
			return hour, ""
		case "HH", "HH12", "MI", "SS", "MS", "US":
			return p.num(clock), ""
		case "AM", "PM", "A.M.", "P.M.":
			return 0, p.word(clock)
		}
		return 0, ""
	})
}

// charPatternsOf writes the patterns of a format. Text between double quotes, and what is no pattern, stands for itself.
func charPatternsOf(ctx context.Context, format string, of func(*charPattern) (n int, word string)) (value.Value, error) {
	whole, t := format, turns{ctx: ctx}
	var b builder
	for format != "" {
		if err := t.next(); err != nil {
			return value.Value{}, err
		}
		if format[0] == '"' {
			text, rest, closed := strings.Cut(format[1:], `"`)
			if !closed {
				return value.Value{}, fmt.Errorf(`the format '%s' has a " without another`, start(whole))
			}
			b.add(text)
			format = rest
			continue
		}
		rest, fill := cutFold(format, "FM")
		if !fill {
			rest, fill = cutFold(format, "TM") // names in the language of the session, which is English
		}
		p := charPatternOf(rest)
		if p == nil {
			_, n := utf8.DecodeRuneInString(rest)
			b.add(rest[:n])
			format = rest[n:]
			continue
		}
		name := rest[:len(p.name)]
		format = rest[len(p.name):]
		n, word := of(p)
		if p.word != nil {
			word = cased(word, name)
			if !fill {
				word = fmt.Sprintf("%-*s", p.blank, word)
			}
			b.add(word)
			continue
		}
		width := p.width
		if fill {
			width = 1
		}
		b.add(fmt.Sprintf("%0*d", width, n))
		if after, ok := cutFold(format, "TH"); ok {
			b.add(ordinalEnd(n, format[0] == 'T'))
			format = after
		}
	}
	return b.text()
}

func charPatternOf(s string) *charPattern {
	for i := range charPatterns {
		if _, ok := cutFold(s, charPatterns[i].name); ok {
			return &charPatterns[i]
		}
	}
	return nil
}

// cutFold cuts a prefix off, in whatever case.
func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// cased writes a word as the name of its pattern is written: MONTH, Month or month.
func cased(word, name string) string {
	switch {
	case name == strings.ToUpper(name):
		return strings.ToUpper(word)
	case name == strings.ToLower(name):
		return strings.ToLower(word)
	}
	return word
}

// ordinalEnd is the ending of an ordinal number.
func ordinalEnd(n int, upper bool) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	if upper {
		return strings.ToUpper(end)
	}
	return end
}
