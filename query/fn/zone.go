package exec

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"
)

var (
	zoneHours = regexp.MustCompile(`^[+-]?\d{1,3}(\.\d{1,6})?$`)
	zonePOSIX = regexp.MustCompile(`^(?:<[A-Za-z0-9+:-]+>|[A-Za-z]{3,})?([+-]?)(\d{1,3})(?::(\d\d))?(?::(\d\d))?$`)
)

// fixedZone returns the zone of an offset, and its name as PostgreSQL shows it: a number is hours to the east; in
// +hh:mm, NAME+hh:mm and <NAME>+hh:mm, as in POSIX, hours count to the west. It is nil if the text is none.
func fixedZone(name string) (string, *time.Location) {
	const most = 168 * 3600 // seconds, the bound of PostgreSQL
	seconds := 0
	if zoneHours.MatchString(name) {
		hours, err := strconv.ParseFloat(name, 64)
		if err != nil {
			return name, nil
		}
		seconds = int(math.Round(hours * 3600))
		name = "<" + offset(seconds) + ">" + offset(-seconds)
	} else {
		m := zonePOSIX.FindStringSubmatch(name)
		if m == nil {
			return name, nil
		}
		for i, unit := range []int{3600, 60, 1} {
			n, _ := strconv.Atoi(m[2+i]) // nothing is 0
			if i > 0 && n > 59 {
				return name, nil
			}
			seconds -= n * unit
		}
		if m[1] == "-" {
			seconds = -seconds
		}
	}
	if seconds <= -most || seconds >= most {
		return name, nil
	}
	return name, time.FixedZone(name, seconds)
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
