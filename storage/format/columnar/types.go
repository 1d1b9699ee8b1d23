package columnar

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"parlance/storage/value"
)

// Column is a column of a file.
type Column struct {
	Name    string
	Type    value.Type // Null where Refused says why it cannot be read
	Refused string     // the type of a column that cannot be read
}

// leafType is how stored values become values of a type. One of the functions is set, by how they are stored; numbers
// of 32 bits, of 96 bits and floats have one way only.
type leafType struct {
	typ     value.Type
	ints    func(int64) (value.Value, error)
	bytes   func([]byte) (value.Value, error)
	ordered bool     // ints, as stored, have the order of the values, and so statistics bound those
	text    bool     // bytes are a text, whose statistics bound it
	decimal *decimal // for decimals, instead of a function
}

// decimal is a type of numbers with decimal digits.
type decimal struct{ precision, scale int }

// leafTypeOf is the type of a column of values; an error names one that cannot be read.
func leafTypeOf(n *schema.PrimitiveNode) (leafType, error) {
	t, ok := leafType{}, false
	switch logical := n.LogicalType(); n.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Int64:
		t, ok = integerLeaf(logical, n.PhysicalType() == parquet.Types.Int32)
	case parquet.Types.Int96:
		t, ok = leafType{typ: value.Timestamp}, true
	case parquet.Types.Float, parquet.Types.Double:
		t, ok = leafType{typ: value.Float}, true
	case parquet.Types.Boolean:
		t, ok = leafType{typ: value.Boolean}, true
	case parquet.Types.ByteArray:
		t, ok = bytesLeaf(logical, -1)
	case parquet.Types.FixedLenByteArray:
		t, ok = bytesLeaf(logical, n.TypeLength())
	}
	if !ok {
		return t, fmt.Errorf("%s of %s", strings.ToUpper(n.LogicalType().String()), n.PhysicalType())
	}
	return t, nil
}

// integerLeaf is the type of integers of 32 or 64 bits by their logical type.
func integerLeaf(logical schema.LogicalType, short bool) (leafType, bool) {
	signed := func(n int64) (value.Value, error) { return value.Int(n), nil }
	switch l := logical.(type) {
	case schema.NoLogicalType:
		return leafType{typ: value.Integer, ints: signed, ordered: true}, true
	case schema.NullLogicalType:
		return leafType{typ: value.Text, ints: func(int64) (value.Value, error) { return value.Value{}, nil }}, true
	case schema.IntLogicalType:
		switch {
		case l.IsSigned():
			return leafType{typ: value.Integer, ints: signed, ordered: true}, true
		case short:
			return leafType{typ: value.Integer, ints: func(n int64) (value.Value, error) {
				return value.Int(int64(uint32(n))), nil
			}}, true
		}
		return leafType{typ: value.Integer, ints: unsigned}, true
	case schema.DecimalLogicalType:
		return decimalLeaf(l)
	case schema.DateLogicalType:
		return leafType{typ: value.Timestamp, ordered: true, ints: func(n int64) (value.Value, error) {
			return instant(n, microsecondsPerDay, 1)
		}}, short
	case schema.TimestampLogicalType:
		unit, ok := nanosecondsOf[l.TimeUnit()]
		return leafType{typ: value.Timestamp, ordered: unit >= 1000, ints: func(n int64) (value.Value, error) {
			return instant(n, unit/1000, max(1, 1000/unit))
		}}, ok && !short
	case schema.TimeLogicalType:
		unit, ok := nanosecondsOf[l.TimeUnit()]
		return leafType{typ: value.Text, ints: func(n int64) (value.Value, error) { return clock(n, unit) }}, ok
	}
	return leafType{}, false
}

var nanosecondsOf = map[schema.TimeUnitType]int64{schema.TimeUnitMillis: 1_000_000, schema.TimeUnitMicros: 1000,
	schema.TimeUnitNanos: 1}

// bytesLeaf is the type of strings of bytes by their logical type, all of a length unless that is -1.
func bytesLeaf(logical schema.LogicalType, length int) (leafType, bool) {
	blob := leafType{typ: value.Bytes, bytes: func(b []byte) (value.Value, error) { return value.Blob(b), nil }}
	switch l := logical.(type) {
	case schema.StringLogicalType:
		return leafType{typ: value.Text, bytes: text, text: true}, length < 0
	case schema.EnumLogicalType:
		return leafType{typ: value.Text, bytes: text}, length < 0
	case schema.JSONLogicalType:
		return leafType{typ: value.JSON, bytes: jsonText}, length < 0
	case schema.DecimalLogicalType:
		return decimalLeaf(l)
	case schema.UUIDLogicalType:
		return leafType{typ: value.Text, bytes: uuid}, length == 16
	case schema.Float16LogicalType:
		return leafType{typ: value.Float, bytes: halfFloat}, length == 2
	case schema.NoLogicalType, schema.BSONLogicalType, schema.GeometryLogicalType, schema.GeographyLogicalType,
		schema.IntervalLogicalType:
		return blob, true
	}
	return leafType{}, false
}

const (
	// integerDigits is how many decimal digits an INTEGER always holds, floatDigits how many a FLOAT always keeps.
	integerDigits, floatDigits = 18, 15
	// maxDigits is how many digits a decimal may have: as many as 32 bytes hold.
	maxDigits = 76
)

// decimalLeaf is INTEGER for whole numbers that fit, else FLOAT.
func decimalLeaf(l schema.DecimalLogicalType) (leafType, bool) {
	d := &decimal{int(l.Precision()), int(l.Scale())}
	if d.isWhole() {
		return leafType{typ: value.Integer, decimal: d}, true
	}
	return leafType{typ: value.Float, decimal: d}, d.precision <= maxDigits && d.scale >= 0 && d.scale <= d.precision
}

func (d *decimal) isWhole() bool { return d.scale == 0 && d.precision <= integerDigits }

// Error is what is wrong with a file, and what would be right.
type Error struct {
	Msg, Hint string
	Row       int64 // 1-based, 0 where no row is at fault
	err       error // the cause, or nil
}

func (e *Error) Error() string {
	if e.Row > 0 {
		return fmt.Sprintf("row %d: %s", e.Row, e.Msg)
	}
	return e.Msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }
