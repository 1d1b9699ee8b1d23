// Package pg reads and writes values as PostgreSQL does, in its text and binary formats.
package pg

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"parlance/storage/value"
)

// epoch is the zero of timestamps on the wire, in microseconds since 1970.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// AppendText appends a value as clients read it in text format.
func AppendText(b []byte, v value.Value) []byte {
	switch v.T {
	case value.Text, value.JSON, value.Interval:
		return append(b, v.S...)
	case value.Integer:
		return strconv.AppendInt(b, v.Int(), 10)
	case value.Float:
		return appendFloat(b, v.Float())
	case value.Boolean:
		if v.Bool() {
			return append(b, 't')
		}
		return append(b, 'f')
	case value.Timestamp:
		return appendTime(b, v.Time().UTC())
	case value.Bytes:
		return hex.AppendEncode(append(b, '\\', 'x'), []byte(v.S))
	case value.Vector:
		b = append(b, '{')
		for i, x := range v.Vector() {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
		}
		return append(b, '}')
	}
	return append(b, v.String()...)
}

// appendFloat writes the shortest digits that read back equal, as PostgreSQL does.
func appendFloat(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, "NaN"...)
	case math.IsInf(x, 1):
		return append(b, "Infinity"...)
	case math.IsInf(x, -1):
		return append(b, "-Infinity"...)
	case x == 0 || math.Abs(x) >= 1e-4 && math.Abs(x) < 1e15:
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'e', -1, 64)
}

// appendTime writes a time of UTC; years before 1 are marked BC.
func appendTime(b []byte, t time.Time) []byte {
	if t.Year() > 0 {
		return t.AppendFormat(b, "2006-01-02 15:04:05.999999+00")
	}
	b = fmt.Appendf(b, "%04d", 1-t.Year()) // year 0 is 1 BC
	return t.AppendFormat(b, "-01-02 15:04:05.999999+00 BC")
}

// AppendBinary appends a value in the binary format of its type.
func AppendBinary(b []byte, v value.Value) []byte {
	switch v.T {
	case value.Integer:
		return binary.BigEndian.AppendUint64(b, uint64(v.Int()))
	case value.Float:
		return binary.BigEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case value.Boolean:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case value.Timestamp:
		return binary.BigEndian.AppendUint64(b, uint64(v.Int()-epoch))
	case value.Bytes:
		return append(b, v.S...)
	case value.Vector:
		return appendVector(b, v.Vector())
	case value.Interval:
		return appendInterval(b, v)
	}
	return AppendText(b, v)
}

// appendInterval writes microseconds, days and months.
func appendInterval(b []byte, v value.Value) []byte {
	p, _ := value.ParseInterval(v.S) // the text of an interval is one
	b = binary.BigEndian.AppendUint64(b, uint64(p.Micros))
	b = binary.BigEndian.AppendUint32(b, uint32(int32(p.Days)))
	return binary.BigEndian.AppendUint32(b, uint32(int32(p.Months)))
}

// appendVector writes an array of float4: dimensions, no NULLs, element type, length, lower
// bound, then size and bits of each element.
func appendVector(b []byte, x []float32) []byte {
	if len(x) == 0 {
		b = binary.BigEndian.AppendUint32(b, 0)
		b = binary.BigEndian.AppendUint32(b, 0)
		return binary.BigEndian.AppendUint32(b, Float4OID)
	}
	for _, n := range [...]uint32{1, 0, Float4OID, uint32(len(x)), 1} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	for _, f := range x {
		b = binary.BigEndian.AppendUint32(b, 4)
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}
