package server

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"parlance/db"
	"parlance/storage/value"
)

// Numbers of PostgreSQL's types that parameters may have; columns have those of typeOIDs.
const (
	oidBool        = 16
	oidBytea       = 17
	oidInt8        = 20
	oidInt2        = 21
	oidInt4        = 23
	oidText        = 25
	oidOid         = 26
	oidJSON        = 114
	oidFloat4      = 700
	oidFloat8      = 701
	oidFloat4Array = 1021
	oidFloat8Array = 1022
	oidDate        = 1082
	oidTimestamp   = 1114
	oidTimestamptz = 1184
	oidNumeric     = 1700
	oidUUID        = 2950
	oidJSONB       = 3802
)

// wireType is how a type of the language appears to clients: its number, and its size in bytes
// or -1.
type wireType struct {
	oid  uint32
	size int16
}

var typeOIDs = [...]wireType{
	value.Null: {oidText, -1}, value.Text: {oidText, -1}, value.Integer: {oidInt8, 8}, value.Float: {oidFloat8, 8}, value.Boolean: {oidBool, 1},
	value.Timestamp: {oidTimestamptz, 8}, value.Bytes: {oidBytea, -1}, value.Vector: {oidFloat4Array, -1}, value.JSON: {oidJSON, -1},
}

// Formats of values on the wire.
const (
	textFormat   = 0
	binaryFormat = 1
)

// epoch is the zero of timestamps on the wire, in microseconds since 1970.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// appendText appends a value as clients read it in text format.
func appendText(b []byte, v value.Value) []byte {
	switch v.T {
	case value.Text, value.JSON:
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
	t = t.AddDate(1-2*t.Year(), 0, 0) // year 0 is 1 BC
	return t.AppendFormat(b, "2006-01-02 15:04:05.999999+00 BC")
}

// appendBinary appends a value in the binary format of its type.
func appendBinary(b []byte, v value.Value) []byte {
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
	}
	return appendText(b, v)
}

// appendVector writes an array of float4: dimensions, no NULLs, element type, length, lower
// bound, then size and bits of each element.
func appendVector(b []byte, x []float32) []byte {
	if len(x) == 0 {
		b = binary.BigEndian.AppendUint32(b, 0)
		b = binary.BigEndian.AppendUint32(b, 0)
		return binary.BigEndian.AppendUint32(b, oidFloat4)
	}
	for _, n := range [...]uint32{1, 0, oidFloat4, uint32(len(x)), 1} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	for _, f := range x {
		b = binary.BigEndian.AppendUint32(b, 4)
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// appendValue appends length and value, -1 for NULL. A value that is not of the type of its
// column is converted; where that is not possible without loss it is an error.
func appendValue(b []byte, v value.Value, t value.Type, format int16) ([]byte, error) {
	if v.IsNull() {
		return append(b, 0xff, 0xff, 0xff, 0xff), nil
	}
	if v.T != t && t != value.Null {
		w, err := value.Cast(v, t)
		if err != nil || v.T == value.Float && w.Float() != v.Float() {
			return b, &db.Error{Code: "42804", Message: fmt.Sprintf("a value of type %s stands in a column of type %s", v.T, t), Hint: "CAST it to " + v.T.String()}
		}
		v = w
	}
	at := len(b)
	b = append(b, 0, 0, 0, 0)
	if format == binaryFormat && t != value.Null {
		b = appendBinary(b, v)
	} else {
		b = appendText(b, v)
	}
	binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b, nil
}
