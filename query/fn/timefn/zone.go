package timefn

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones, where the operating system has none

	"parlance/query/fn"
	"parlance/storage/value"
)

var (
	zoneHours = regexp.MustCompile(`^[+-]?\d{1,3}(\.\d{1,6})?$`)
	zonePOSIX = regexp.MustCompile(`^(?:<[A-Za-z0-9+:-]+>|[A-Za-z]{3,})?([+-]?)(\d{1,3})(?::(\d\d))?(?::(\d\d))?$`)
)

// FixedZone returns the zone of an offset, and its name as PostgreSQL shows it: a number is hours to the east; in
// +hh:mm, NAME+hh:mm and <NAME>+hh:mm, as in POSIX, hours count to the west. It is nil if the text is none.
func FixedZone(name string) (string, *time.Location) {
	if !zoneHours.MatchString(name) {
		return name, posixZone(name)
	}
	hours, err := strconv.ParseFloat(name, 64)
	if err != nil {
		return name, nil
	}
	seconds := int(math.Round(hours * 3600))
	name = "<" + offset(seconds) + ">" + offset(-seconds)
	return name, fixed(name, seconds)
}

// posixZone returns the zone of an offset whose hours count to the west; nil if the text is none.
func posixZone(name string) *time.Location {
	m := zonePOSIX.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	seconds := 0
	for i, unit := range []int{3600, 60, 1} {
		n, _ := strconv.Atoi(m[2+i]) // nothing is 0
		if i > 0 && n > 59 {
			return nil
		}
		seconds -= n * unit
	}
	if m[1] == "-" {
		seconds = -seconds
	}
	return fixed(name, seconds)
}

// fixed is the zone n seconds east of UTC; nil beyond the bound of PostgreSQL.
func fixed(name string, seconds int) *time.Location {
	const most = 168 * 3600
	if seconds <= -most || seconds >= most {
		return nil
	}
	return time.FixedZone(name, seconds)
}

// offset writes seconds east of UTC as +hh, with minutes and seconds where there are any.
func offset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	s := fmt.Sprintf("%c%02d", sign, seconds/3600)
	if seconds%3600 != 0 {
		s += fmt.Sprintf(":%02d", seconds/60%60)
	}
	if seconds%60 != 0 {
		s += fmt.Sprintf(":%02d", seconds%60)
	}
	return s
}

// Of the functions that AT TIME ZONE stands for, AtZone gives the time that the clocks of a zone show at a time,
// FromZone the time at which they show it.
const AtZone = "timezone"

var FromZone = &fn.Func{Name: "from_timezone", Args: []value.Type{text, value.Timestamp}, Result: value.Timestamp,
	Eval: fromZone}

var zoneFuncs = []fn.Func{
	{Name: AtZone, Doc: "the time that the clocks of a zone show at a time; time AT TIME ZONE zone",
		Example: "timezone('Europe/Oslo', '2026-07-01 10:00'::timestamptz)", Args: []value.Type{text, value.Timestamp},
		Result: value.Timestamp, Eval: atZone},
}

// zoneOf finds a zone by name, or by an offset as in POSIX.
func zoneOf(name string) (*time.Location, error) {
	if strings.EqualFold(name, "utc") || strings.EqualFold(name, "z") {
		return time.UTC, nil
	}
	if len(name) > longestZone {
		return nil, noZone(name)
	}
	if l := posixZone(name); l != nil {
		return l, nil
	}
	if l, err := time.LoadLocation(name); err == nil && name != "" && !strings.EqualFold(name, "local") {
		return l, nil
	}
	return nil, noZone(name)
}

// longestZone bounds the names of zones, in bytes.
const longestZone = 1000

func noZone(name string) error {
	return fmt.Errorf("there is no zone '%s': write its name, such as Europe/Oslo or UTC, or an offset as in POSIX, "+
		"such as UTC-2 for two hours to the east", fn.Abbreviate(name))
}

func atZone(a []value.Value) (value.Value, error) {
	l, err := zoneOf(a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	t := a[1].Time()
	_, seconds := t.In(l).Zone()
	return inRange(t.Add(time.Duration(seconds) * time.Second))
}

func fromZone(a []value.Value) (value.Value, error) {
	l, err := zoneOf(a[0].S)
	if err != nil {
		return value.Value{}, err
	}
	t := a[1].Time()
	return inRange(time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), l).UTC())
}
