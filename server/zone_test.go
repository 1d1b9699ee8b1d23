package server

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"parlance/storage/value"
)

// TestZonedTimes: times in zones of whole hours, minutes and seconds, also where they fall into years before the first.
func TestZonedTimes(t *testing.T) {
	zone := func(seconds int) *time.Location { return time.FixedZone("", seconds) }
	for _, c := range []struct {
		year, month, day int
		zone             int
		want             string
	}{
		{2026, 11, 21, 3600, "2026-11-21 01:00:00+01"}, {2026, 11, 21, -3600, "2026-11-20 23:00:00-01"},
		{2026, 11, 21, 19800, "2026-11-21 05:30:00+05:30"}, {2026, 11, 21, -30, "2026-11-20 23:59:30-00:00:30"},
		{2026, 11, 21, 59, "2026-11-21 00:00:59+00:00:59"}, {2026, 11, 21, 60, "2026-11-21 00:01:00+00:01"},
		{1, 1, 1, 3600, "0001-01-01 01:00:00+01"}, {1, 1, 1, -3600, "0001-12-31 23:00:00-01 BC"},
	} {
		at := value.Time(time.Date(c.year, time.Month(c.month), c.day, 0, 0, 0, 0, time.UTC))
		l := &layout{types: []value.Type{value.Timestamp}, formats: []int16{textFormat}}
		b := l.in(zone(c.zone)).appendZoned(nil, at)
		if n := binary.BigEndian.Uint32(b); int(n) != len(b)-4 || string(b[4:]) != c.want {
			t.Errorf("%v in a zone of %d seconds: %d bytes, %s, not %s", at, c.zone, n, b[4:], c.want)
		}
		if !l.zoned(0, at) || l.zoned(0, value.Str("x")) || l.in(time.UTC).zoned(0, at) {
			t.Error("what is written in its zone")
		}
	}
}

// TestValuesOfColumns: a value of another type than its column is converted where nothing gets lost.
func TestValuesOfColumns(t *testing.T) {
	for _, c := range []struct {
		v      value.Value
		t      value.Type
		format int16
		want   string // behind the length; "error" for one
	}{
		{value.Int(7), value.Integer, textFormat, "7"},
		{value.Int(7), value.Integer, binaryFormat, "\x00\x00\x00\x00\x00\x00\x00\x07"},
		{value.Real(7), value.Integer, textFormat, "7"}, {value.Real(7.5), value.Integer, textFormat, "error"},
		{value.Str("x"), value.Integer, textFormat, "error"}, {value.Str("7"), value.Integer, textFormat, "7"},
		{value.Int(7), value.Text, textFormat, "7"}, {value.Int(7), value.Null, textFormat, "7"},
		{value.Int(7), value.Null, binaryFormat, "7"}, {value.Str("x"), value.Text, binaryFormat, "x"},
	} {
		b, err := appendValue([]byte("before"), c.v, c.t, c.format)
		rest, ok := strings.CutPrefix(string(b), "before")
		switch {
		case !ok, (err != nil) != (c.want == "error"):
			t.Errorf("%v as %v: %q, %v", c.v, c.t, b, err)
		case err != nil:
		case int(binary.BigEndian.Uint32([]byte(rest))) != len(rest)-4 || rest[4:] != c.want:
			t.Errorf("%v as %v in format %d: %q, not %q", c.v, c.t, c.format, rest, c.want)
		}
	}
	b, err := appendValue(nil, value.Value{}, value.Integer, textFormat)
	if err != nil || string(b) != "\xff\xff\xff\xff" {
		t.Errorf("NULL: %q, %v", b, err)
	}
}
