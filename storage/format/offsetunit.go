package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"parlance/algo/option"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Units in which tools count the characters of a text.
const (
	codePoints = "code_points"
	utf16Units = "utf16"
	clusters   = "graphemes"
	textBytes  = "bytes"
)

var offsetUnits = []string{codePoints, utf16Units, clusters, textBytes}

var unitNames = map[string]string{codePoints: "code points", utf16Units: "units of UTF-16",
	clusters: "grapheme clusters", textBytes: "bytes"}

func offsetsOption(s *option.Set, p *string, unit, more string) {
	s.Choice(p, "offsets", unit, offsetUnits, "what offsets count: code points, units of UTF-16, grapheme clusters (what "+
		"a reader takes for a character) or bytes of UTF-8"+more)
}

// offsetTable turns offsets of a text in a unit into bytes and back.
type offsetTable struct {
	bytes []int32 // of each offset, the last being the end; -1 within a character
	units []int32 // of each byte, and of the end; -1 where no unit begins
	same  bool    // offsets are bytes
	n     int     // bytes of the text
}

// newOffsetTable reads a text once. Offsets of a text are counted from 0.
func newOffsetTable(s, unit string) *offsetTable {
	t := &offsetTable{n: len(s)}
	if unit == textBytes || unit != clusters && utf8.RuneCountInString(s) == len(s) {
		t.same = true
		return t
	}
	t.units = make([]int32, len(s)+1)
	for i := range t.units {
		t.units[i] = -1
	}
	begin := func(at int) {
		t.units[at] = int32(len(t.bytes))
		t.bytes = append(t.bytes, int32(at))
	}
	if unit == clusters {
		at := 0
		for c := graphemes.FromString(s); c.Next(); at += len(c.Value()) {
			begin(at)
		}
	} else {
		for i, r := range s {
			if begin(i); unit == utf16Units && r > 0xFFFF {
				t.bytes = append(t.bytes, -1)
			}
		}
	}
	begin(len(s))
	return t
}

// byte returns the byte of an offset, -1 outside the text or within a character.
func (t *offsetTable) byte(offset int) int {
	switch {
	case offset < 0 || t.same && offset > t.n || !t.same && offset >= len(t.bytes):
		return -1
	case t.same:
		return offset
	}
	return int(t.bytes[offset])
}

// count is how many units the text has.
func (t *offsetTable) count() int { return t.offset(int32(t.n)) }

// offset returns the offset of a byte, -1 where no unit begins.
func (t *offsetTable) offset(at int32) int {
	if t.same {
		return int(at)
	}
	return int(t.units[at])
}

// span returns the bytes of a range of offsets. covered is what the file says that it covers, if it says so; where that
// is something else, the error names the units that would fit.
func (t *offsetTable) span(s string, from, to int, unit, covered string) (start, end int, err error) {
	start, end = t.byte(from), t.byte(to)
	if start >= 0 && end >= start && (covered == "" || s[start:end] == covered) {
		return start, end, nil
	}
	var fits []string
	for _, other := range offsetUnits {
		table := newOffsetTable(s, other)
		a, z := table.byte(from), table.byte(to)
		if other != unit && a >= 0 && z >= a && (covered == "" || s[a:z] == covered) {
			fits = append(fits, other)
		}
	}
	hint := ""
	if len(fits) > 0 {
		hint = "; WITH (offsets = '" + fits[0] + "') would fit"
	}
	if len(fits) > 1 {
		hint += ", and so would '" + strings.Join(fits[1:], "' and '") + "'"
	}
	if start < 0 || end < start {
		return 0, 0, fmt.Errorf("the span %d to %d is no part of the text, which has %d %s%s", from, to, t.offset(int32(t.n)),
			unitNames[unit], hint)
	}
	return 0, 0, fmt.Errorf("the span %d to %d covers %q by its offsets, not %q%s", from, to, s[start:end], covered, hint)
}
