package pg

import (
	"encoding/binary"
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestTypesOfCasts reads what PostgreSQL sends for the texts, by binary COPY.
func TestTypesOfCasts(t *testing.T) {
	interval := func(micros int64, days, months int32) []byte {
		b := binary.BigEndian.AppendUint64(nil, uint64(micros))
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, uint32(days)), uint32(months))
	}
	for _, c := range []struct {
		oid  uint32
		raw  []byte
		want string
	}{
		{TimeOID, binary.BigEndian.AppendUint64(nil, 11_045_000_120), "03:04:05.00012"},
		{TimeOID, make([]byte, 8), "00:00:00"},
		{IntervalOID, interval(14_706_700_000, 3, 14), "1 year 2 mons 3 days 04:05:06.7"},
		{IntervalOID, interval(-1_000_000, -1, 0), "-1 days -00:00:01"},
		{IntervalOID, interval(0, 0, 0), "00:00:00"},
		{IntervalOID, interval(0, 1, 1), "1 mon 1 day"},
		{varcharOID, []byte("ä"), "ä"},
	} {
		if v, err := ReadBinary(c.raw, c.oid); err != nil || v.String() != c.want {
			t.Errorf("%s is %s, %v", c.want, v, err)
		}
	}
	const inet = 869
	for _, raw := range [][]byte{{2, 32, 0, 4, 127, 0, 0, 1}, []byte("127.0.0.1")} {
		if v, err := ReadBinary(raw, inet); err == nil || !strings.Contains(err.Error(), "send them as text") {
			t.Errorf("%v is %s, %v", raw, v, err)
		}
	}
}

// TestBlanksAroundNumbers reads texts of numbers as PostgreSQL does, which leaves out blanks around them, not within.
func TestBlanksAroundNumbers(t *testing.T) {
	for raw, want := range map[string]float64{"1.5": 1.5, " 1.5": 1.5, "-2e3 ": -2000, "\t 7\n": 7} {
		if v, err := ReadText([]byte(raw), value.Float); err != nil || v != value.Real(want) {
			t.Errorf("%q is %v, %v", raw, v, err)
		}
	}
	for _, raw := range []string{"", " ", "1 5", "- 2"} {
		if v, err := ReadText([]byte(raw), value.Float); err == nil {
			t.Errorf("%q is %v", raw, v)
		}
	}
}
