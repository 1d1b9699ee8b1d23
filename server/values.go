package server

import (
	"encoding/binary"
	"errors"
	"fmt"

	"parlance/db"
	"parlance/storage/value"
	"parlance/storage/value/pg"
)

// Formats of values on the wire.
const (
	textFormat   = 0
	binaryFormat = 1
)

// appendValue appends length and value, -1 for NULL. A value that is not of the type of its
// column is converted; where that is not possible without loss it is an error.
func appendValue(b []byte, v value.Value, t value.Type, format int16) ([]byte, error) {
	if v.IsNull() {
		return append(b, 0xff, 0xff, 0xff, 0xff), nil
	}
	if v.T != t && t != value.Null {
		w, err := value.Cast(v, t)
		if err != nil || v.T == value.Float && w.Float() != v.Float() {
			return b, &db.Error{Code: "42804", Message: fmt.Sprintf("a value of type %s stands in a column of type %s", v.T, t),
				Hint: "CAST it to " + v.T.String()}
		}
		v = w
	}
	at := len(b)
	b = append(b, 0, 0, 0, 0)
	if format == binaryFormat && t != value.Null {
		b = pg.AppendBinary(b, v)
	} else {
		b = pg.AppendText(b, v)
	}
	binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b, nil
}

// appendArray appends length and array.
func appendArray(b []byte, v value.Value, members string, format int16) ([]byte, error) {
	at := len(b)
	b, err := pg.AppendArray(append(b, 0, 0, 0, 0), v, members, format == binaryFormat)
	if err != nil {
		return b, &db.Error{Code: "42804", Message: err.Error(), Hint: "cast it to text"}
	}
	binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b, nil
}

// decode reads the parameter n (from 1) of a type and format; nil is NULL. Arrays of floats are
// vectors where no array is wanted.
func decode(n int, raw []byte, oid uint32, array bool, format int16) (value.Value, error) {
	if raw == nil {
		return value.Value{}, nil
	}
	if format != textFormat && format != binaryFormat {
		return value.Value{},
			&db.Error{Code: "22023",
				Message: fmt.Sprintf("parameter $%d: its format %d is neither 0 (text) nor 1 (binary)", n, format)}
	}
	var v value.Value
	var err error
	switch {
	case pg.IsArray(oid) && (array || pg.Types[oid] != value.Vector):
		v, err = pg.ReadArray(raw, format == binaryFormat)
	case format == binaryFormat:
		v, err = pg.ReadBinary(raw, oid)
	case array:
		v, err = pg.ReadText(raw, value.Text)
	default:
		v, err = pg.ReadText(raw, pg.Types[oid])
	}
	switch {
	case errors.Is(err, value.ErrNotText):
		return v, &db.Error{Code: "22021", Message: fmt.Sprintf("parameter $%d: %v", n, err)}
	case err != nil:
		return v, &db.Error{Code: "22P02", Message: fmt.Sprintf("parameter $%d: %v", n, err)}
	}
	return v, nil
}
