package server

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"parlance/db"
	"parlance/storage/value"
	"parlance/storage/value/pg"

	"github.com/jackc/pgx/v5/pgproto3"
)

// maxColumns is the number of columns of a result: messages count them in 16 bits with a sign.
const maxColumns = math.MaxInt16

// layout is how the rows of a result are written.
type layout struct {
	types          []value.Type
	members        []string // of arrays that are sent as arrays, by column; empty for others
	formats        []int16
	zone           *time.Location // of timestamps in text format, nil for UTC
	rowDescription []byte         // RowDescription as it is sent
}

// newLayout takes the format codes of Bind: none is text, one is for all columns.
func newLayout(columns []db.Column, codes []int16) (*layout, error) {
	l := &layout{types: make([]value.Type, len(columns)), members: make([]string, len(columns)),
		formats: make([]int16, len(columns))}
	if len(columns) > maxColumns {
		return nil, &db.Error{Code: "54011", Message: fmt.Sprintf("the result has %d columns, of %d that a message can hold",
			len(columns), maxColumns), Hint: "select fewer columns at once"}
	}
	if len(columns) > 0 && len(codes) > 1 && len(codes) != len(columns) {
		return nil, &db.Error{Code: "08P01",
			Message: "the number of result formats is neither 0 nor 1 nor that of the columns"}
	}
	for i, c := range columns {
		l.types[i], _ = value.ParseType(c.Type)
		l.members[i] = c.Members
		switch len(codes) {
		case 0:
		case 1:
			l.formats[i] = codes[0]
		default:
			l.formats[i] = codes[i]
		}
		if f := l.formats[i]; f != textFormat && f != binaryFormat {
			return nil, &db.Error{Code: "22023", Message: "a result format is neither 0 (text) nor 1 (binary)"}
		}
	}
	return l, nil
}

// description is the message that tells the client the columns, the same each time.
func (l *layout) description(columns []db.Column) ([]byte, error) {
	if l.rowDescription != nil {
		return l.rowDescription, nil
	}
	d := &pgproto3.RowDescription{Fields: make([]pgproto3.FieldDescription, len(columns))}
	for i, c := range columns {
		oid, size := pg.OID(l.types[i])
		if l.members[i] != "" {
			oid = pg.MembersArrayOID(l.members[i])
		}
		d.Fields[i] = pgproto3.FieldDescription{Name: []byte(c.Name), DataTypeOID: oid, DataTypeSize: size, TypeModifier: -1,
			Format: l.formats[i]}
	}
	var err error
	l.rowDescription, err = d.Encode(nil)
	return l.rowDescription, err
}

// append writes row i of a batch as a DataRow message; on an error nothing of it stays.
func (l *layout) append(out []byte, b *value.Batch, i int) ([]byte, error) {
	at := len(out)
	out = append(out, 'D', 0, 0, 0, 0)
	out = binary.BigEndian.AppendUint16(out, uint16(len(l.types)))
	var err error
	for c := range l.types {
		v := b.Cols[c].At(i)
		if l.zoned(c, v) {
			out = l.appendZoned(out, v)
			continue
		}
		if l.members[c] != "" && !v.IsNull() {
			if out, err = appendArray(out, v, l.members[c], l.formats[c]); err != nil {
				return out[:at], err
			}
			continue
		}
		if out, err = appendValue(out, v, l.types[c], l.formats[c]); err != nil {
			return out[:at], err
		}
	}
	binary.BigEndian.PutUint32(out[at+1:], uint32(len(out)-at-1))
	return out, nil
}
