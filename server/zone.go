package server

import (
	"time"

	"parlance/storage/value"
)

// in sets the zone in which timestamps are written in text format.
func (l *layout) in(zone *time.Location) *layout {
	if l.zone = nil; zone != time.UTC {
		l.zone = zone
	}
	return l
}

// zoned reports whether a value is written in another zone than UTC.
func (l *layout) zoned(c int, v value.Value) bool {
	return l.zone != nil && v.T == value.Timestamp && l.types[c] == value.Timestamp && l.formats[c] == textFormat
}

// appendZoned appends length and value of a timestamp in the zone, with its offset in hours, and
// minutes and seconds where there are any.
func (l *layout) appendZoned(b []byte, v value.Value) []byte {
	t := v.Time().In(l.zone)
	_, offset := t.Zone()
	zone := "-07"
	switch {
	case offset%60 != 0:
		zone = "-07:00:00"
	case offset%3600 != 0:
		zone = "-07:00"
	}
	era := ""
	if t.Year() <= 0 {
		t, era = t.AddDate(1-2*t.Year(), 0, 0), " BC"
	}
	text := t.Format("2006-01-02 15:04:05.999999"+zone) + era
	b = append(b, byte(len(text)>>24), byte(len(text)>>16), byte(len(text)>>8), byte(len(text)))
	return append(b, text...)
}
