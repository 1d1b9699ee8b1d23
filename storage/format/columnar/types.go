package columnar

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"parlance/storage/value"
)

// Column is a column of a file.
type Column struct {
	Name    string
	Type    value.Type // Null where Refused says why it cannot be read
	Refused string     // the type of a column that cannot be read
}

// columnsOf are the columns of a schema.
func columnsOf(s *arrow.Schema) []Column {
	out := make([]Column, s.NumFields())
	for i, f := range s.Fields() {
		t, ok := typeOf(f.Type)
		if out[i] = (Column{Name: f.Name, Type: t}); !ok {
			out[i].Refused = f.Type.String()
		}
	}
	return out
}

// typeOf is the type that holds the values of an Arrow type; ok is false where there is none.
func typeOf(t arrow.DataType) (_ value.Type, ok bool) {
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64:
		return value.Integer, true
	case arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64:
		return value.Float, true
	case arrow.BOOL:
		return value.Boolean, true
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW, arrow.TIME32, arrow.TIME64, arrow.NULL:
		return value.Text, true
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return value.Bytes, true
	case arrow.DATE32, arrow.DATE64, arrow.TIMESTAMP:
		return value.Timestamp, true
	case arrow.DECIMAL32, arrow.DECIMAL64, arrow.DECIMAL128, arrow.DECIMAL256:
		return decimalType(t.(arrow.DecimalType)), true
	case arrow.DICTIONARY:
		return typeOf(t.(*arrow.DictionaryType).ValueType)
	case arrow.EXTENSION:
		return extensionType(t.(arrow.ExtensionType))
	case arrow.LIST, arrow.LARGE_LIST, arrow.FIXED_SIZE_LIST, arrow.STRUCT, arrow.MAP:
		return value.JSON, nestedType(t)
	}
	return value.Null, false
}

// integerDigits is how many decimal digits an INTEGER always holds.
const integerDigits = 18

// decimalType is INTEGER for whole numbers that fit, else FLOAT.
func decimalType(t arrow.DecimalType) value.Type {
	if t.GetScale() == 0 && t.GetPrecision() <= integerDigits {
		return value.Integer
	}
	return value.Float
}

// Names of extension types that have a type of their own here.
const (
	jsonExtension = "arrow.json"
	uuidExtension = "arrow.uuid"
)

func extensionType(t arrow.ExtensionType) (value.Type, bool) {
	switch t.ExtensionName() {
	case jsonExtension:
		return value.JSON, true
	case uuidExtension:
		return value.Text, true
	}
	return typeOf(t.StorageType())
}

// nestedType reports whether all parts of a nested type can be read.
func nestedType(t arrow.DataType) bool {
	nested, ok := t.(arrow.NestedType)
	if !ok {
		return false
	}
	for _, f := range nested.Fields() {
		if _, ok := typeOf(f.Type); !ok {
			return false
		}
	}
	return true
}

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
