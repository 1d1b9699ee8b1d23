package server

import (
	"encoding/binary"
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
	era := ""
	if t.Year() <= 0 {
		t, era = t.AddDate(1-2*t.Year(), 0, 0), " BC"
	}
	at := len(b)
	b = append(b, 0, 0, 0, 0)
	b = t.AppendFormat(b, "2006-01-02 15:04:05.999999")
	b = append(appendOffset(b, offset), era...)
	binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

// appendOffset appends an offset of seconds. Package time has no sign for one of less than a minute.
func appendOffset(b []byte, offset int) []byte {
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	two := func(n int) { b = append(b, byte('0'+n/10), byte('0'+n%10)) }
	b = append(b, sign)
	two(offset / 3600)
	if offset%3600 != 0 {
		b = append(b, ':')
		two(offset / 60 % 60)
	}
	if offset%60 != 0 {
		b = append(b, ':')
		two(offset % 60)
	}
	return b
}
