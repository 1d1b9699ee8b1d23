package pg

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"parlance/storage/value"
)

// ReadText reads a value of a type in text format; of type Null it is a text.
func ReadText(raw []byte, t value.Type) (value.Value, error) {
	s := string(raw)
	if err := value.CheckText(s); err != nil {
		return value.Value{}, err
	}
	switch t {
	case value.Boolean:
		return truth(s)
	case value.Bytes:
		return value.Cast(value.Str(s), t)
	case value.Float:
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return value.Value{}, fmt.Errorf("%q is no number", s)
		}
		return value.Real(x), nil
	case value.Vector:
		if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
			s = "[" + s[1:len(s)-1] + "]"
		}
		return value.Cast(value.Str(s), value.Vector)
	case value.Null:
		return value.Str(s), nil
	}
	return value.Cast(value.Str(s), t)
}

// truth reads the words for true and false.
func truth(s string) (value.Value, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "t", "true", "y", "yes", "on", "1":
		return value.Bool(true), nil
	case "f", "false", "n", "no", "off", "0":
		return value.Bool(false), nil
	}
	return value.Value{}, fmt.Errorf("%q is neither true nor false", s)
}

// fixedSizes are the lengths of binary values.
var fixedSizes = map[uint32]int{BoolOID: 1, Int2OID: 2, Int4OID: 4, OidOID: 4, Int8OID: 8, Float4OID: 4, Float8OID: 8,
	DateOID: 4, TimeOID: 8, IntervalOID: 16, TimestampOID: 8, TimestamptzOID: 8, UUIDOID: 16}

// ReadBinary reads a value in the binary format of a type of PostgreSQL. Types that the language
// lacks become texts; those whose format is not known are an error.
func ReadBinary(raw []byte, oid uint32) (value.Value, error) {
	if n, ok := fixedSizes[oid]; ok && len(raw) != n {
		return value.Value{}, fmt.Errorf("%d bytes, a value of type %d has %d", len(raw), oid, n)
	}
	switch oid {
	case BoolOID:
		return value.Bool(raw[0] != 0), nil
	case Int2OID:
		return value.Int(int64(int16(binary.BigEndian.Uint16(raw)))), nil
	case Int4OID:
		return value.Int(int64(int32(binary.BigEndian.Uint32(raw)))), nil
	case OidOID:
		return value.Int(int64(binary.BigEndian.Uint32(raw))), nil
	case Int8OID:
		return value.Int(int64(binary.BigEndian.Uint64(raw))), nil
	case Float4OID:
		return value.Real(float64(math.Float32frombits(binary.BigEndian.Uint32(raw)))), nil
	case Float8OID:
		return value.Real(math.Float64frombits(binary.BigEndian.Uint64(raw))), nil
	case TimestampOID, TimestamptzOID:
		return micros(int64(binary.BigEndian.Uint64(raw)))
	case DateOID:
		return value.Time(time.Date(2000, 1, 1+int(int32(binary.BigEndian.Uint32(raw))), 0, 0, 0, 0, time.UTC)), nil
	case ByteaOID:
		return value.Blob(raw), nil
	case UUIDOID:
		h := hex.EncodeToString(raw)
		return value.Str(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]), nil
	case NumericOID:
		return numeric(raw)
	case Float4ArrayOID, Float8ArrayOID:
		return vector(raw)
	case JSONBOID:
		if len(raw) == 0 || raw[0] != 1 {
			return value.Value{}, fmt.Errorf("an unknown version of jsonb")
		}
		return ReadText(raw[1:], value.JSON)
	case JSONOID:
		return ReadText(raw, value.JSON)
	case TimeOID:
		return value.Str(clock(int64(binary.BigEndian.Uint64(raw)))), nil
	case IntervalOID:
		p := value.Period{Micros: int64(binary.BigEndian.Uint64(raw)), Days: int64(int32(binary.BigEndian.Uint32(raw[8:]))),
			Months: int64(int32(binary.BigEndian.Uint32(raw[12:])))}
		return p.Value(), nil
	}
	if !asText[oid] {
		return value.Value{}, fmt.Errorf("values of type %d are not read in binary format: send them as text", oid)
	}
	return ReadText(raw, value.Null)
}

// clock writes microseconds as hours, minutes and seconds.
func clock(n int64) string {
	sign, u := "", uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	s := fmt.Sprintf("%s%02d:%02d:%02d", sign, u/3_600_000_000, u/60_000_000%60, u/1_000_000%60)
	if f := u % 1_000_000; f > 0 {
		s += strings.TrimRight(fmt.Sprintf(".%06d", f), "0")
	}
	return s
}

// micros makes a timestamp of microseconds since 2000.
func micros(n int64) (value.Value, error) {
	if n > math.MaxInt64-epoch || n == math.MinInt64 {
		return value.Value{}, fmt.Errorf("an infinite time has no place here")
	}
	return value.Time(time.UnixMicro(n + epoch)), nil
}

// numeric reads the binary decimal: digits of base 10,000, weight of the first, sign, scale.
func numeric(raw []byte) (value.Value, error) {
	if len(raw) < 8 {
		return value.Value{}, fmt.Errorf("a numeric has at least 8 bytes, not %d", len(raw))
	}
	n, weight, sign := int(binary.BigEndian.Uint16(raw)), int(int16(binary.BigEndian.Uint16(raw[2:]))),
		binary.BigEndian.Uint16(raw[4:])
	if len(raw) != 8+2*n {
		return value.Value{}, fmt.Errorf("a numeric of %d digits has %d bytes, not %d", n, 8+2*n, len(raw))
	}
	switch sign {
	case 0xC000:
		return value.Real(math.NaN()), nil
	case 0xD000:
		return value.Real(math.Inf(1)), nil
	case 0xF000:
		return value.Real(math.Inf(-1)), nil
	}
	var digits strings.Builder
	for i := range n {
		fmt.Fprintf(&digits, "%04d", binary.BigEndian.Uint16(raw[8+2*i:]))
	}
	// value = digits · 10000^(weight-n+1)
	x, _, err := big.ParseFloat("0"+digits.String()+"e"+strconv.Itoa(4*(weight-n+1)), 10, 64, big.ToNearestEven)
	if err != nil {
		return value.Value{}, fmt.Errorf("a malformed numeric")
	}
	f, _ := x.Float64()
	if sign == 0x4000 {
		f = -f
	}
	return value.Real(f), nil
}

// vector reads a binary array of float4 or float8 of one dimension.
func vector(raw []byte) (value.Value, error) {
	bad := fmt.Errorf("a malformed array of floats")
	if len(raw) < 12 {
		return value.Value{}, bad
	}
	dims, elem := binary.BigEndian.Uint32(raw), binary.BigEndian.Uint32(raw[8:])
	if dims == 0 {
		return value.Vec32(nil), nil
	}
	size := fixedSizes[elem]
	if dims != 1 || len(raw) < 20 || elem != Float4OID && elem != Float8OID {
		return value.Value{}, bad
	}
	n := int(binary.BigEndian.Uint32(raw[12:]))
	if raw = raw[20:]; len(raw) != n*(4+size) {
		return value.Value{}, bad
	}
	out := make([]float32, n)
	for i := range out {
		e := raw[i*(4+size):]
		if int(binary.BigEndian.Uint32(e)) != size {
			return value.Value{}, bad
		}
		if elem == Float4OID {
			out[i] = math.Float32frombits(binary.BigEndian.Uint32(e[4:]))
		} else {
			out[i] = float32(math.Float64frombits(binary.BigEndian.Uint64(e[4:])))
		}
	}
	return value.Vec32(out), nil
}
