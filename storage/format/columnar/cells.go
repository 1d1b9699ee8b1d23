package columnar

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/parquet"

	"parlance/storage/value"
)

func text(b []byte) (value.Value, error) {
	s := string(b) // a copy: the memory of the page is used again
	return value.Str(s), value.CheckText(s)
}

func jsonText(b []byte) (value.Value, error) {
	v, err := text(b)
	if err != nil {
		return v, err
	}
	return value.Cast(v, value.JSON)
}

func uuid(b []byte) (value.Value, error) {
	return value.Str(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])), nil
}

func halfFloat(b []byte) (value.Value, error) {
	return value.Real(float64(float16.FromBits(binary.LittleEndian.Uint16(b)).Float32())), nil
}

func unsigned(n int64) (value.Value, error) {
	if n < 0 {
		return value.Value{}, fmt.Errorf("%d is beyond INTEGER", uint64(n))
	}
	return value.Int(n), nil
}

const (
	microsecondsPerDay = 24 * 60 * 60 * 1_000_000
	// julian1970 is the number of 1 January 1970 in the count of days that times of 96 bits have.
	julian1970 = 2_440_588
)

// instant is n units of a number of microseconds, or n parts of a microsecond, since 1970.
func instant(n, microseconds, parts int64) (value.Value, error) {
	switch {
	case parts > 1 && n%parts != 0:
		return value.Value{}, fmt.Errorf("%d ns since 1970 is no whole number of microseconds, which a TIMESTAMP holds", n)
	case parts > 1:
		n /= parts
	case n > math.MaxInt64/microseconds || n < math.MinInt64/microseconds:
		return value.Value{}, fmt.Errorf("%d units of %d µs since 1970 are beyond TIMESTAMP", n, microseconds)
	default:
		n *= microseconds
	}
	if n < firstTime || n > lastTime {
		return value.Value{}, fmt.Errorf("the time is outside of the years 1 to 9999")
	}
	return value.Value{T: value.Timestamp, N: uint64(n)}, nil
}

// The times that are written with years of four digits.
var (
	firstTime = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	lastTime  = time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC).UnixMicro()
)

// longInstant is a time of 96 bits: nanoseconds of a day, and the number of the day.
func longInstant(t parquet.Int96) (value.Value, error) {
	nanoseconds, day := int64(binary.LittleEndian.Uint64(t[:8])), int64(int32(binary.LittleEndian.Uint32(t[8:])))
	if nanoseconds%1000 != 0 {
		return value.Value{}, fmt.Errorf("%d ns of a day is no whole number of microseconds, which a TIMESTAMP holds",
			nanoseconds)
	}
	begin, err := instant(day-julian1970, microsecondsPerDay, 1)
	if err != nil {
		return begin, err
	}
	return instant(int64(begin.N)+nanoseconds/1000, 1, 1)
}

// clock is a time of day, in units of a number of nanoseconds, as a text.
func clock(n, unit int64) (value.Value, error) {
	if n < 0 || n >= 1000*microsecondsPerDay/unit {
		return value.Value{}, fmt.Errorf("%d units of %d ns are no time of a day", n, unit)
	}
	return value.Str(time.Unix(0, n*unit).UTC().Format("15:04:05.999999999")), nil
}

// number reads a decimal of digits without a point as the number that it is. rounded is called for one that a float
// does not keep.
func (d *decimal) number(digits string, rounded func()) (value.Value, error) {
	if d.isWhole() {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return value.Value{}, fmt.Errorf("%s is beyond INTEGER", digits)
		}
		return value.Int(n), nil
	}
	exact := digits + "e-" + strconv.Itoa(d.scale)
	x, err := strconv.ParseFloat(exact, 64)
	if err != nil {
		return value.Value{}, err
	}
	if len(strings.TrimPrefix(digits, "-")) > floatDigits && !isExact(exact, x) {
		rounded()
	}
	return value.Real(x), nil
}

// ofBytes is number for one stored as an integer of any length, the highest byte first.
func (d *decimal) ofBytes(b []byte, rounded func()) (value.Value, error) {
	if len(b) == 0 || len(b) > 2*maxDigits {
		return value.Value{}, fmt.Errorf("a decimal of %d bytes", len(b))
	}
	n := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return d.number(n.String(), rounded)
}

// isExact reports whether a float, written with as few digits as tell it from others, is a decimal.
func isExact(text string, x float64) bool {
	a, ok := new(big.Rat).SetString(text)
	b, fine := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	return ok && fine && a.Cmp(b) == 0
}
