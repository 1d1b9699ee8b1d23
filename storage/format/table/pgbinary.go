package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/value"
	"parlance/storage/value/pg"
)

// pgbinary is the binary format of PostgreSQL's COPY: a header, then for each row the number of
// its values and each with its length; -1 is the length of NULL, and ends the rows.
type pgbinary struct{ buf []byte }

const binarySignature = "PGCOPY\n\xff\r\n\x00"

func (*pgbinary) Options(*option.Set) {}

func (*pgbinary) ByPlace() bool { return true }

// binaryReader reads the parts of a source that has no lines; faults name the row.
type binaryReader struct {
	src *codec.Source
	row int // 1-based
	buf bytes.Buffer
}

func (r *binaryReader) fault(format string, args ...any) error {
	return r.src.Fault(r.row, 0, "row %d: "+format, append([]any{r.row}, args...)...)
}

// bytes returns the next n bytes, valid until the next call.
func (r *binaryReader) bytes(n int) ([]byte, error) {
	r.buf.Reset()
	_, err := io.CopyN(&r.buf, r.src.Raw(), int64(n))
	switch {
	case err == io.EOF:
		return nil, r.fault("the data ends within it")
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.src.Name, err)
	}
	return r.buf.Bytes(), nil
}

// header reads signature, flags and extension.
func (r *binaryReader) header() error {
	head, err := r.bytes(len(binarySignature) + 8)
	var f *codec.Error
	switch {
	case errors.As(err, &f), err == nil && string(head[:len(binarySignature)]) != binarySignature:
		return &codec.Error{File: r.src.Name, Line: 1,
			Msg:  "this is not PostgreSQL's binary format: the signature is missing",
			Hint: "data in text is read without BINARY"}
	case err != nil:
		return err
	}
	flags, more := binary.BigEndian.Uint32(head[len(head)-8:]), binary.BigEndian.Uint32(head[len(head)-4:])
	if flags>>16 != 0 || more > codec.MaxLine {
		return r.src.Fault(1, 0, "the header has unknown flags or an extension that is too long")
	}
	_, err = r.bytes(int(more))
	return err
}

func (p *pgbinary) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	if !src.UTF8() {
		return errors.New("binary data is not in an encoding: texts in it are UTF-8")
	}
	r := &binaryReader{src: src, row: 1}
	if err := r.header(); err != nil {
		return err
	}
	for ; ; r.row++ {
		if next, err := src.Begin(1); err != nil {
			return err
		} else if len(next) == 0 {
			return nil // as clients end that leave the last length out
		}
		count, err := r.bytes(2)
		if err != nil {
			return err
		}
		n := int(int16(binary.BigEndian.Uint16(count)))
		if n == -1 {
			return nil
		}
		if n != len(columns) {
			return r.fault("%d {value|values} for %d {column|columns}", n, len(columns))
		}
		row := make([]value.Value, n)
		for i, c := range columns {
			if row[i], err = r.value(c); err != nil {
				return err
			}
		}
		if err := emit(row, r.row); err != nil {
			return err
		}
	}
}

func (r *binaryReader) value(c codec.Column) (value.Value, error) {
	length, err := r.bytes(4)
	if err != nil {
		return value.Value{}, err
	}
	n := int(int32(binary.BigEndian.Uint32(length)))
	if n == -1 {
		return value.Value{}, nil
	}
	if n < 0 || n > codec.MaxLine {
		return value.Value{}, r.fault("column %s: a value has %d {byte|bytes}", c.Name, n)
	}
	raw, err := r.bytes(n)
	if err != nil {
		return value.Value{}, err
	}
	v, err := pg.ReadBinary(raw, binaryType(c.Type, raw))
	if err == nil && v.T != c.Type {
		v, err = value.Cast(v, c.Type)
	}
	if err != nil {
		return v, r.fault("column %s: %v", c.Name, err)
	}
	return v, nil
}

// binaryType is the type of PostgreSQL that a value of a column has: shorter numbers, dates and
// jsonb are taken too.
func binaryType(t value.Type, raw []byte) uint32 {
	oid, _ := pg.OID(t)
	switch {
	case t == value.Integer && len(raw) == 4:
		return pg.Int4OID
	case t == value.Integer && len(raw) == 2:
		return pg.Int2OID
	case t == value.Float && len(raw) == 4:
		return pg.Float4OID
	case t == value.Timestamp && len(raw) == 4:
		return pg.DateOID
	case t == value.JSON && len(raw) > 0 && raw[0] == 1:
		return pg.JSONBOID
	}
	return oid
}

// Begin keeps the header for the first write: clients take each message of a server for a row, the
// first for one with the header before it.
func (p *pgbinary) Begin(io.Writer, []codec.Column) error {
	p.buf = append(p.buf[:0], binarySignature+"\x00\x00\x00\x00\x00\x00\x00\x00"...)
	return nil
}

func (p *pgbinary) Row(w io.Writer, columns []codec.Column, row []value.Value) error {
	p.buf = binary.BigEndian.AppendUint16(p.buf, uint16(len(row)))
	for i, v := range row {
		if v.IsNull() {
			p.buf = append(p.buf, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		if t := columns[i].Type; v.T != t && t != value.Null {
			cast, err := value.Cast(v, t)
			if err != nil {
				return fmt.Errorf("column %s: %w", columns[i].Name, err)
			}
			v = cast
		}
		at := len(p.buf)
		p.buf = append(p.buf, 0, 0, 0, 0)
		if columns[i].Type == value.Null {
			p.buf = pg.AppendText(p.buf, v)
		} else {
			p.buf = pg.AppendBinary(p.buf, v)
		}
		binary.BigEndian.PutUint32(p.buf[at:], uint32(len(p.buf)-at-4))
	}
	return p.flush(w)
}

func (p *pgbinary) End(w io.Writer) error {
	p.buf = append(p.buf, 0xff, 0xff)
	return p.flush(w)
}

func (p *pgbinary) flush(w io.Writer) error {
	_, err := w.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}

func (p *pgbinary) Binary() bool { return true }
