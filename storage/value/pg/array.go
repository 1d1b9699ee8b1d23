package pg

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"parlance/storage/value"
)

// arrays are the numbers of the types of arrays, by those of their members.
var arrays = map[uint32]uint32{
	BoolOID: 1000, ByteaOID: 1001, Int2OID: 1005, Int4OID: 1007, TextOID: 1009, bpcharOID: 1014, varcharOID: 1015,
	Int8OID: 1016, nameOID: 1003,
	Float4OID: Float4ArrayOID, Float8OID: Float8ArrayOID, OidOID: 1028, TimestampOID: 1115, DateOID: 1182,
	TimestamptzOID: 1185,
	TimeOID:        1183, IntervalOID: 1187, NumericOID: 1231, UUIDOID: 2951, JSONOID: 199, JSONBOID: 3807,
}

var isArray = func() map[uint32]bool {
	out := map[uint32]bool{}
	for _, oid := range arrays {
		out[oid] = true
	}
	return out
}()

// ArrayOID returns the number of the type of arrays whose members have a type of the language;
// vectors, which PostgreSQL has as arrays, are members as texts.
func ArrayOID(t value.Type) uint32 {
	oid, _ := OID(t)
	if array, ok := arrays[oid]; ok {
		return array
	}
	return arrays[TextOID]
}

// IsArray tells whether a number is that of a type of arrays.
func IsArray(oid uint32) bool { return isArray[oid] }

// ReadArray reads an array: the text format as it is, {a,b}, the binary format as a JSON array.
func ReadArray(raw []byte, inBinary bool) (value.Value, error) {
	if !inBinary {
		return ReadText(raw, value.Text)
	}
	items, err := members(raw)
	if err != nil {
		return value.Value{}, err
	}
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inJSON(v))
	}
	b.WriteByte(']')
	return value.Value{T: value.JSON, S: b.String()}, nil
}

// inJSON is a value as JSON; numbers that it lacks are texts.
func inJSON(v value.Value) string {
	switch v.T {
	case value.Null:
		return "null"
	case value.Integer, value.Boolean, value.Float, value.JSON, value.Vector:
		if s := v.String(); json.Valid([]byte(s)) {
			return s
		}
	}
	b, _ := json.Marshal(v.String()) // a text is always marshalled
	return string(b)
}

var errArray = errors.New("a malformed array")

// members reads the binary format of an array of at most one dimension: the number of dimensions,
// whether there are NULLs, the type of the members, the length, the first index, members with
// their lengths, -1 for NULL.
func members(raw []byte) ([]value.Value, error) {
	if len(raw) < 12 {
		return nil, errArray
	}
	dimensions, oid := binary.BigEndian.Uint32(raw), binary.BigEndian.Uint32(raw[8:])
	switch {
	case dimensions == 0:
		return nil, nil
	case dimensions > 1:
		return nil, fmt.Errorf("an array of %d dimensions, 1 is supported", dimensions)
	case len(raw) < 20:
		return nil, errArray
	}
	n := int64(binary.BigEndian.Uint32(raw[12:]))
	if raw = raw[20:]; n*4 > int64(len(raw)) {
		return nil, errArray
	}
	out := make([]value.Value, n)
	for i := range out {
		if len(raw) < 4 {
			return nil, errArray
		}
		size := int64(int32(binary.BigEndian.Uint32(raw)))
		if raw = raw[4:]; size == -1 {
			continue
		}
		if size < 0 || size > int64(len(raw)) {
			return nil, errArray
		}
		var err error
		if out[i], err = ReadBinary(raw[:size], oid); err != nil {
			return nil, err
		}
		raw = raw[size:]
	}
	if len(raw) > 0 {
		return nil, errArray
	}
	return out, nil
}
