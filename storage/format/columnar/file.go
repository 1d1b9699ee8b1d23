package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"parlance/storage/value"
)

// Kind is the format of a file.
type Kind string

// Parquet is the format of the Apache project of that name.
const Parquet Kind = "parquet"

// KindOf tells a file by its first bytes; "" for none.
func KindOf(head []byte) Kind {
	switch text := string(head); {
	case strings.HasPrefix(text, "PAR1"), strings.HasPrefix(text, "PARE"):
		return Parquet
	}
	return ""
}

// File is an open file, whose schema is known.
type File struct {
	Kind    Kind
	Columns []Column
	Groups  int // of rows, which a scan may leave out
	source  source
	memory  *limited
	decimal map[string]int // how many decimals of a column a float does not keep
}

// source is a file by its format.
type source interface {
	// rowsOf is the number of rows of a group, -1 where only reading tells it.
	rowsOf(group int) int64
	// group opens the columns of a group of rows, in their order in the file; none for their number alone.
	group(ctx context.Context, group int, columns []int) (batches, error)
	// metadata is a text about the file by its key.
	metadata(key string) (string, bool)
	// typeOf is the type of a column that has no type of Arrow; ok is false for others.
	typeOf(column int) (t value.Type, ok bool)
	// bounds are the least and greatest value of a column in a group, NULL where they are not known.
	bounds(group, column int) (least, greatest value.Value)
}

// batches are the rows of a group: io.EOF after the last, and columns in an order of their own.
type batches interface {
	next() (arrow.RecordBatch, error)
	release()
}

// Open reads the schema of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, min(8, size))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	f := &File{Kind: KindOf(head), memory: &limited{}, decimal: map[string]int{}}
	var schema *arrow.Schema
	err := safely(func() (err error) {
		switch f.Kind {
		case Parquet:
			f.source, schema, f.Groups, err = openParquet(r, size, f.memory)
		default:
			err = &Error{Msg: "the file is not Parquet, which begins with PAR1"}
		}
		return err
	})
	if err != nil {
		return nil, asError(err)
	}
	f.Columns = columnsOf(schema)
	for i, c := range f.Columns {
		if t, ok := f.source.typeOf(i); ok {
			f.Columns[i].Type = t
		}
		if slices.ContainsFunc(f.Columns[:i], func(d Column) bool { return d.Name == c.Name }) {
			return nil, &Error{Msg: fmt.Sprintf("the file has two columns %q", c.Name)}
		}
		if err := value.CheckText(c.Name); err != nil {
			return nil, &Error{Msg: fmt.Sprintf("the name of column %d: %v", i+1, err), err: err}
		}
	}
	return f, nil
}

// asError makes errors of the library errors of the file.
func asError(err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return damaged(err)
}

// Metadata returns a text about the file, such as what a program says of its columns; "" where there is none.
func (f *File) Metadata(key string) string {
	text, _ := f.source.metadata(key)
	return text
}

// Bounds are the least and the greatest value of a column in a group of rows, as its statistics tell; NULL where they
// do not. Floats may have a NaN beside them.
func (f *File) Bounds(group, column int) (least, greatest value.Value) {
	err := safely(func() error {
		least, greatest = f.source.bounds(group, column)
		return nil
	})
	if err != nil {
		return value.Value{}, value.Value{}
	}
	return least, greatest
}

// Rows is the number of rows that the file tells, -1 where only reading tells it.
func (f *File) Rows() int64 {
	n := int64(0)
	for g := range f.Groups {
		k := f.source.rowsOf(g)
		if k < 0 || n+k < n {
			return -1
		}
		n += k
	}
	return n
}

// Rounded tells how many decimals of each column a FLOAT did not keep in the scans so far.
func (f *File) Rounded() map[string]int { return f.decimal }

// Scan reads columns of the groups that keep wants, nil for all.
func (f *File) Scan(columns []int, keep func(group int) bool) (*Scan, error) {
	for _, c := range columns {
		if t := f.Columns[c].Refused; t != "" {
			return nil, &Error{Msg: fmt.Sprintf("column %s is of the type %s, which has no counterpart here", f.Columns[c].Name,
				t), Hint: "name the columns that are wanted"}
		}
	}
	return &Scan{f: f, columns: columns, keep: keep}, nil
}

// Scan yields the rows of a file.
type Scan struct {
	f       *File
	columns []int
	keep    func(group int) bool
	group   int     // the next one
	open    batches // of the group before, nil without
	want    int64   // rows of that group that are still to come, -1 where that is not known
	row     int64   // rows of the file before the next one
	rec     arrow.RecordBatch
	at      int // rows of rec that were handed out
}

// batchRows is how many rows a batch has at most.
const batchRows = 1024

// Next returns the next rows, their columns in the order that Scan was given; nil after the last.
func (s *Scan) Next(ctx context.Context) (*value.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.rec != nil && s.at < int(s.rec.NumRows()) {
			b, err := s.batch()
			return b, asError(err)
		}
		more, err := s.advance(ctx)
		if err != nil || !more {
			return nil, asError(err)
		}
	}
}

// advance reads the next record, of the next group if there is none in this one.
func (s *Scan) advance(ctx context.Context) (more bool, err error) {
	err = safely(func() error {
		s.drop()
		for s.open == nil {
			if s.group >= s.f.Groups {
				return nil
			}
			g := s.group
			s.group++
			s.want = s.f.source.rowsOf(g)
			if s.keep != nil && !s.keep(g) {
				s.row += max(0, s.want)
				continue
			}
			var err error
			if s.open, err = s.f.source.group(ctx, g, s.columns); err != nil {
				return err
			}
		}
		rec, err := s.open.next()
		if err == io.EOF {
			s.open.release()
			if s.open = nil; s.want > 0 {
				return fmt.Errorf("a group of rows has %d fewer than it tells", s.want)
			}
			more = true
			return nil
		}
		if err != nil {
			return err
		}
		if s.rec, s.at, more = rec, 0, true; s.want >= 0 {
			if s.want -= rec.NumRows(); s.want < 0 {
				return fmt.Errorf("a group of rows has more than it tells")
			}
		}
		return nil
	})
	return more, err
}

// batch makes a batch of the next rows of the record.
func (s *Scan) batch() (b *value.Batch, err error) {
	to := min(s.at+batchRows, int(s.rec.NumRows()))
	b = &value.Batch{N: to - s.at}
	err = safely(func() error {
		for _, c := range s.columns {
			col := s.f.Columns[c]
			at := s.rec.Schema().FieldIndices(col.Name)
			if len(at) != 1 {
				return fmt.Errorf("column %s is missing in a group of rows", col.Name)
			}
			v, err := s.vector(s.rec.Column(at[0]), col, to)
			if err != nil {
				return err
			}
			b.Cols = append(b.Cols, v)
		}
		return nil
	})
	s.at = to
	s.row += int64(b.N)
	return b, err
}

// vector makes a column of the rows up to to.
func (s *Scan) vector(arr arrow.Array, col Column, to int) (value.Vec, error) {
	read, err := cells(arr, func() { s.f.decimal[col.Name]++ })
	if err != nil {
		return value.Vec{}, fmt.Errorf("column %s: %w", col.Name, err)
	}
	if v, ok := numbers(arr, s.at, to); ok {
		return v, nil
	}
	values := make([]value.Value, to-s.at)
	for i := range values {
		if arr.IsNull(s.at + i) {
			continue
		}
		values[i], err = read(s.at + i)
		if err == nil && values[i].T == value.Bytes && col.Type != value.Bytes {
			if err = value.CheckText(values[i].S); err == nil {
				values[i], err = value.Cast(value.Str(values[i].S), col.Type)
			}
		}
		if err != nil {
			return value.Vec{}, &Error{Msg: fmt.Sprintf("column %s: %v", col.Name, err), Row: s.row + int64(i) + 1, err: err}
		}
	}
	return value.FromValues(col.Type, values), nil
}

// numbers is vector for arrays of 64 bits, whose values are copied as they are.
func numbers(arr arrow.Array, from, to int) (v value.Vec, ok bool) {
	switch a := arr.(type) {
	case *array.Int64:
		v = value.Vec{Type: value.Integer, Ints: slices.Clone(a.Int64Values()[from:to])}
	case *array.Float64:
		v = value.Vec{Type: value.Float, Floats: slices.Clone(a.Float64Values()[from:to])}
		for i := range v.Floats {
			v.Floats[i] += 0 // -0 becomes 0
		}
	default:
		return v, false
	}
	if arr.NullN() > 0 {
		v.Null = make([]bool, to-from)
		for i := range v.Null {
			v.Null[i] = arr.IsNull(from + i)
		}
	}
	return v, true
}

func (s *Scan) drop() {
	if s.rec != nil {
		s.rec.Release()
		s.rec = nil
	}
}

// Close frees what the scan holds.
func (s *Scan) Close() error {
	return safely(func() error {
		s.drop()
		if s.open != nil {
			s.open.release()
			s.open = nil
		}
		return nil
	})
}
