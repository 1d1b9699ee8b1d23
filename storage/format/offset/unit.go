package offset

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"parlance/algo/option"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Units in which tools count the characters of a text.
const (
	CodePoints = "code_points"
	UTF16      = "utf16"
	Graphemes  = "graphemes"
	Bytes      = "bytes"
)

// Units lists the units, the most common first.
var Units = []string{CodePoints, UTF16, Graphemes, Bytes}

// UnitNames are the units as sentences name them.
var UnitNames = map[string]string{CodePoints: "code points", UTF16: "units of UTF-16",
	Graphemes: "grapheme clusters", Bytes: "bytes"}

// Option declares the option offsets with a default; more follows its doc.
func Option(s *option.Set, p *string, unit, more string) {
	s.Choice(p, "offsets", unit, Units, "what offsets count: code points, units of UTF-16, grapheme clusters (what "+
		"a reader takes for a character) or bytes of UTF-8"+more)
}

// Table turns offsets of a text in a unit into bytes and back.
type Table struct {
	bytes []int32 // of each offset, the last being the end; -1 within a character
	units []int32 // of each byte, and of the end; -1 where no unit begins
	same  bool    // offsets are bytes
	n     int     // bytes of the text
}

// NewTable reads a text once. Offsets of a text are counted from 0.
func NewTable(s, unit string) *Table {
	t := &Table{n: len(s)}
	if unit == Bytes || unit != Graphemes && utf8.RuneCountInString(s) == len(s) {
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
	if unit == Graphemes {
		at := 0
		for c := graphemes.FromString(s); c.Next(); at += len(c.Value()) {
			begin(at)
		}
	} else {
		for i, r := range s {
			if begin(i); unit == UTF16 && r > 0xFFFF {
				t.bytes = append(t.bytes, -1)
			}
		}
	}
	begin(len(s))
	return t
}

// Byte returns the byte of an offset, -1 outside the text or within a character.
func (t *Table) Byte(offset int) int {
	switch {
	case offset < 0 || t.same && offset > t.n || !t.same && offset >= len(t.bytes):
		return -1
	case t.same:
		return offset
	}
	return int(t.bytes[offset])
}

// Count is how many units the text has.
func (t *Table) Count() int { return t.Offset(int32(t.n)) }

// Offset returns the offset of a byte, -1 where no unit begins.
func (t *Table) Offset(at int32) int {
	if t.same {
		return int(at)
	}
	return int(t.units[at])
}

// Span returns the bytes of a range of offsets. covered is what the file says that it covers, if it says so; where that
// is something else, the error names the units that would fit.
func (t *Table) Span(s string, from, to int, unit, covered string) (start, end int, err error) {
	start, end = t.Byte(from), t.Byte(to)
	if start >= 0 && end >= start && (covered == "" || s[start:end] == covered) {
		return start, end, nil
	}
	var fits []string
	for _, other := range Units {
		table := NewTable(s, other)
		a, z := table.Byte(from), table.Byte(to)
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
		return 0, 0, fmt.Errorf("the span %d to %d is no part of the text, which has %d %s%s", from, to, t.Offset(int32(t.n)),
			UnitNames[unit], hint)
	}
	return 0, 0, fmt.Errorf("the span %d to %d covers %q by its offsets, not %q%s", from, to, s[start:end], covered, hint)
}
