package pg

import "parlance/storage/value"

// Numbers of PostgreSQL's types that values may have; those that are written have the numbers of OID.
const (
	BoolOID        = 16
	ByteaOID       = 17
	Int8OID        = 20
	Int2OID        = 21
	Int4OID        = 23
	TextOID        = 25
	OidOID         = 26
	JSONOID        = 114
	Float4OID      = 700
	Float8OID      = 701
	Float4ArrayOID = 1021
	Float8ArrayOID = 1022
	DateOID        = 1082
	TimestampOID   = 1114
	TimestamptzOID = 1184
	TimeOID        = 1083
	IntervalOID    = 1186
	NumericOID     = 1700
	UUIDOID        = 2950
	JSONBOID       = 3802
	charOID        = 18
	nameOID        = 19
	xmlOID         = 142
	unknownOID     = 705
	bpcharOID      = 1042
	varcharOID     = 1043
	cstringOID     = 2275
)

// asText are the types whose binary format is their text.
var asText = map[uint32]bool{0: true, TextOID: true, charOID: true, nameOID: true, xmlOID: true, unknownOID: true,
	bpcharOID: true, varcharOID: true, cstringOID: true}

// casts are the types that values have only in casts of statements, by name.
var casts = map[string]uint32{"oid": OidOID, "uuid": UUIDOID, "time": TimeOID}

// CastOID returns the number of the type, or of the type of its arrays, that a cast names; 0 for
// those that values have outside of casts.
func CastOID(name string, array bool) uint32 {
	if array {
		return arrays[casts[name]]
	}
	return casts[name]
}

// written are the numbers of the types of the language, and the sizes of their values.
var written = [...]struct {
	oid  uint32
	size int16
}{
	value.Null: {TextOID, -1}, value.Text: {TextOID, -1}, value.Integer: {Int8OID, 8}, value.Float: {Float8OID, 8},
	value.Boolean:   {BoolOID, 1},
	value.Timestamp: {TimestamptzOID, 8}, value.Bytes: {ByteaOID, -1}, value.Vector: {Float4ArrayOID, -1},
	value.JSON:     {JSONOID, -1},
	value.Interval: {IntervalOID, 16},
}

// Types are the types of the language that values of PostgreSQL's types become; others are text.
var Types = map[uint32]value.Type{
	BoolOID: value.Boolean, ByteaOID: value.Bytes, Int8OID: value.Integer, Int2OID: value.Integer, Int4OID: value.Integer,
	OidOID:    value.Integer,
	Float4OID: value.Float, Float8OID: value.Float, NumericOID: value.Float, DateOID: value.Timestamp,
	TimestampOID:   value.Timestamp,
	TimestamptzOID: value.Timestamp, Float4ArrayOID: value.Vector, Float8ArrayOID: value.Vector, JSONOID: value.JSON,
	JSONBOID: value.JSON, IntervalOID: value.Interval,
}

// OID returns the number of the type of PostgreSQL that values of a type are written as, and
// the size of such a value in bytes, -1 if it varies.
func OID(t value.Type) (oid uint32, size int16) { return written[t].oid, written[t].size }
