// Package value holds the typed values of the language, their order-preserving
// keys, the row codec and the column vectors that operators exchange.
package value

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
)

// Type is the type of a value or a column.
type Type uint8

// The types of the language.
const (
	Null Type = iota
	Text
	Integer
	Float
	Boolean
	Timestamp // microseconds since 1970 UTC
	Bytes
	Vector // float32 components, little endian
	JSON
	Interval // a text as Period.String writes it
)

var typeNames = [...]string{"null", "text", "integer", "float", "boolean", "timestamp", "bytes", "vector",
	"json", "interval"}

// String returns the name that the language uses.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "type(" + strconv.Itoa(int(t)) + ")"
}

// InNumber reports whether values of a type are in N, not in S.
func (t Type) InNumber() bool { return t == Integer || t == Float || t == Boolean || t == Timestamp }

var typeAliases = map[string]Type{
	"text": Text, "varchar": Text, "string": Text, "char": Text, "character": Text, "character varying": Text,
	"name":    Text,
	"integer": Integer, "int": Integer, "bigint": Integer, "smallint": Integer, "int4": Integer, "int8": Integer,
	"int2":  Integer,
	"float": Float, "double": Float, "double precision": Float, "real": Float, "numeric": Float, "decimal": Float,
	"float4": Float, "float8": Float,
	"boolean": Boolean, "bool": Boolean,
	"timestamp": Timestamp, "timestamptz": Timestamp, "date": Timestamp,
	"bytes": Bytes, "bytea": Bytes, "blob": Bytes,
	"vector": Vector, "json": JSON, "jsonb": JSON, "interval": Interval,
}

// ParseType returns the type of a name or common SQL alias, ignoring case.
func ParseType(name string) (Type, bool) {
	t, ok := typeAliases[strings.ToLower(name)]
	return t, ok
}

// Value is one typed value. Values of equal type are equal exactly when == holds
// (but for NaN, which equals itself here), so a Value can be a map key; of types with
// sort keys, what Unique makes of it.
type Value struct {
	T Type
	N uint64 // integer, float bits, boolean, timestamp
	S string // text, bytes, vector, json, interval
}

// Of constructors.

// Str returns a text value.
func Str(s string) Value { return Value{T: Text, S: s} }

// Int returns an integer value.
func Int(i int64) Value { return Value{T: Integer, N: uint64(i)} }

// Real returns a float value; -0 becomes 0.
func Real(f float64) Value {
	if f == 0 {
		f = 0
	}
	return Value{T: Float, N: math.Float64bits(f)}
}

// Bool returns a boolean value.
func Bool(b bool) Value {
	if b {
		return Value{T: Boolean, N: 1}
	}
	return Value{T: Boolean}
}

// Time returns a timestamp value with microsecond precision.
func Time(t time.Time) Value { return Value{T: Timestamp, N: uint64(t.UnixMicro())} }

// Blob returns a bytes value.
func Blob(b []byte) Value { return Value{T: Bytes, S: string(b)} }

// Vec32 returns a vector value.
func Vec32(v []float32) Value {
	b := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
	return Value{T: Vector, S: string(b)}
}

// IsNull reports whether v is NULL.
func (v Value) IsNull() bool { return v.T == Null }

// Int returns the integer (also of a boolean or timestamp).
func (v Value) Int() int64 { return int64(v.N) }

// Bool returns the truth value; NULL is false.
func (v Value) Bool() bool { return v.T == Boolean && v.N != 0 }

// Float returns the number as a float64; 0 if v is no number.
func (v Value) Float() float64 {
	switch v.T {
	case Float:
		return math.Float64frombits(v.N)
	case Integer, Boolean:
		return float64(int64(v.N))
	}
	return 0
}

// Time returns the timestamp in UTC.
func (v Value) Time() time.Time { return time.UnixMicro(int64(v.N)).UTC() }

// Vector returns the components of a vector.
func (v Value) Vector() []float32 {
	out := make([]float32, len(v.S)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(v.S[4*i : 4*i+4])))
	}
	return out
}

// Interface returns the value as the Go type that is nearest to it: nil for NULL, int64, float64, bool, time.Time in
// UTC, []byte, []float32, and string for text, JSON and intervals.
func (v Value) Interface() any {
	switch v.T {
	case Null:
		return nil
	case Integer:
		return v.Int()
	case Float:
		return v.Float()
	case Boolean:
		return v.Bool()
	case Timestamp:
		return v.Time()
	case Bytes:
		return []byte(v.S)
	case Vector:
		return v.Vector()
	}
	return v.S
}

const timeLayout = "2006-01-02 15:04:05.999999"

// String prints the value as a query result shows it; NULL prints as "".
func (v Value) String() string {
	switch v.T {
	case Text, JSON, Interval:
		return v.S
	case Integer:
		return strconv.FormatInt(int64(v.N), 10)
	case Float:
		return FormatFloat(math.Float64frombits(v.N))
	case Boolean:
		if v.N != 0 {
			return "true"
		}
		return "false"
	case Timestamp:
		return v.Time().Format(timeLayout)
	case Bytes:
		return `\x` + hex.EncodeToString([]byte(v.S))
	case Vector:
		var b strings.Builder
		b.WriteByte('[')
		for i, x := range v.Vector() {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(float64(x), 'g', -1, 32))
		}
		b.WriteByte(']')
		return b.String()
	}
	return ""
}

// FormatFloat prints a float so that it reads back equal and never looks like an integer.
func FormatFloat(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if a := math.Abs(f); a >= 1e-5 && a < 1e15 {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	switch {
	case math.IsInf(f, 0):
		s = strings.Replace(strings.TrimPrefix(s, "+"), "Inf", "Infinity", 1)
	case !strings.ContainsAny(s, ".eN"):
		s += ".0"
	}
	return s
}

// numeric reports whether values of t compare as numbers with each other.
func (t Type) numeric() bool { return t == Integer || t == Float || t == Boolean }

// Compare orders a and b: -1, 0, 1. NULL sorts last, NaN after all numbers;
// integers and floats compare exactly, JSON as jsonb does, intervals with days of 24 hours and months of 30 days,
// other mixed types by type.
func Compare(a, b Value) int {
	if a.T == Null || b.T == Null {
		return boolCmp(a.T == Null, b.T == Null)
	}
	if a.T.numeric() && b.T.numeric() {
		return compareNumbers(a, b)
	}
	if a.T != b.T && !(a.T.textual() && b.T.textual()) {
		return intCmp(int64(a.T), int64(b.T))
	}
	if a.T == Timestamp {
		return intCmp(int64(a.N), int64(b.N))
	}
	if a.T.HasSortKey() && a.T == b.T {
		return compareSortKeys(a, b)
	}
	return strings.Compare(a.S, b.S)
}

func (t Type) textual() bool { return t == Text || t == JSON || t == Bytes || t == Vector }

func boolCmp(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func intCmp(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compareNumbers compares the numbers themselves: an integer beyond 2^53 is not rounded to a float.
func compareNumbers(a, b Value) int {
	switch {
	case a.T != Float && b.T != Float:
		return intCmp(int64(a.N), int64(b.N))
	case a.T != Float:
		return intFloatCmp(int64(a.N), b.Float())
	case b.T != Float:
		return -intFloatCmp(int64(b.N), a.Float())
	}
	return floatCmp(a.Float(), b.Float())
}

// intFloatCmp compares an integer with a float by its whole part, which an int64 holds, then by what that leaves out.
func intFloatCmp(i int64, f float64) int {
	switch {
	case math.IsNaN(f), f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Trunc(f)
	if c := intCmp(i, int64(whole)); c != 0 {
		return c
	}
	return floatCmp(whole, f)
}

// EqualInteger returns the integer that equals a float; ok is false if there is none.
func EqualInteger(f float64) (i int64, ok bool) {
	if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

func floatCmp(a, b float64) int {
	an, bn := math.IsNaN(a), math.IsNaN(b)
	switch {
	case an || bn:
		return boolCmp(an, bn)
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
