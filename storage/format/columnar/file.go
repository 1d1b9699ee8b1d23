package columnar

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/storage/value"
)

// Kind is the format of a file.
type Kind string

// The formats, of the Apache projects of these names.
const (
	Parquet Kind = "parquet"
	Arrow   Kind = "arrow" // files, which are Feather of version 2, and streams of its interprocess communication
)

// KindOf recognises a file by its first bytes; "" for none.
func KindOf(head []byte) Kind {
	switch text := string(head); {
	case strings.HasPrefix(text, "PAR1"), strings.HasPrefix(text, "PARE"):
		return Parquet
	case strings.HasPrefix(text, arrowMagic), strings.HasPrefix(text, featherMagic), beginsStream(head):
		return Arrow
	}
	return ""
}

// beginsStream reports whether a file begins as a stream of Arrow does, with the mark and the length of a message.
func beginsStream(head []byte) bool {
	if len(head) < 8 || binary.LittleEndian.Uint32(head) != continued {
		return false
	}
	n := binary.LittleEndian.Uint32(head[4:])
	return n > 0 && n <= maxMetadata && n%8 == 0
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
	rowsOf(group int) int64
	// scan begins to read groups, whose numbers rise.
	scan() groups
	// metadata is a text about the file by its key.
	metadata(key string) (string, bool)
	// bounds are the least and greatest value of a column in a group, NULL where they are not known.
	bounds(group, column int) (least, greatest value.Value)
}

// groups opens groups of rows.
type groups interface {
	// group opens columns of a group of rows; none for their number alone. rounded is called for each decimal of a column
	// that a float does not keep.
	group(ctx context.Context, group int, columns []int, rounded func(column int)) (rowReader, error)
	// release frees what is held between groups.
	release()
}

// rowReader reads the rows of a group from its begin to its end.
type rowReader interface {
	// next reads n rows, which follow row rows of the file.
	next(ctx context.Context, n int, row int64) ([]value.Vec, error)
	// end looks whether there is more in the group than its rows.
	end(ctx context.Context) error
	// release frees what is held for the group.
	release()
}

// Open reads the schema of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, min(8, size))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	f := &File{Kind: KindOf(head), memory: &limited{}, decimal: map[string]int{}}
	err := safely(func() (err error) {
		switch f.Kind {
		case Parquet:
			f.source, f.Columns, f.Groups, err = openParquet(r, size, f.memory)
		case Arrow:
			if strings.HasPrefix(string(head), featherMagic) {
				return &Error{Msg: "the file is Feather of version 1, which is not read",
					Hint: "write it as Feather of version 2, which is a file of Arrow, or as Parquet"}
			}
			f.source, f.Columns, f.Groups, err = openArrow(r, size, string(head), f.memory)
		default:
			err = &Error{Msg: "the file is neither Parquet, which begins with PAR1, nor Arrow, which begins with ARROW1 or " +
				"as a stream"}
		}
		return err
	})
	if err != nil {
		return nil, asError(err)
	}
	for i, c := range f.Columns {
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

// Bounds are the least and the greatest value of a column in a group of rows, as its statistics say; NULL where they
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

// Rows is the number of rows that the file states.
func (f *File) Rows() int64 {
	n := int64(0)
	for g := range f.Groups {
		n += f.source.rowsOf(g)
	}
	return n
}

// Rounded counts the decimals of each column that a FLOAT did not keep in the scans so far.
func (f *File) Rounded() map[string]int { return f.decimal }

// Scan reads columns of the groups that keep wants, nil for all.
func (f *File) Scan(columns []int, keep func(group int) bool) (*Scan, error) {
	for _, c := range columns {
		if t := f.Columns[c].Refused; t != "" {
			return nil, &Error{Msg: fmt.Sprintf("column %s is of the type %s, which has no counterpart here", f.Columns[c].Name,
				t), Hint: "name the columns that are wanted"}
		}
	}
	return &Scan{f: f, groups: f.source.scan(), columns: columns, keep: keep}, nil
}

// Scan yields the rows of a file.
type Scan struct {
	f       *File
	groups  groups
	columns []int
	keep    func(group int) bool
	group   int       // the next one
	open    rowReader // the group before, nil without
	want    int64     // rows of that group that are still to come
	row     int64     // rows of the file before the next one
}

// recordRows is how many rows a batch has at most: all of their texts are in memory.
const recordRows = 256

// Next returns the next rows, their columns in the order that Scan was given; nil after the last.
func (s *Scan) Next(ctx context.Context) (b *value.Batch, err error) {
	for b == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		more := false
		err = safely(func() error {
			if more, err = s.advance(ctx); err != nil || !more {
				return err
			}
			b, err = s.batch(ctx)
			return err
		})
		if err != nil || !more {
			return nil, asError(err)
		}
	}
	return b, nil
}

// advance opens the next group if none is open; more is false at the end.
func (s *Scan) advance(ctx context.Context) (more bool, err error) {
	for s.open == nil {
		if s.group >= s.f.Groups {
			return false, nil
		}
		g := s.group
		s.group++
		s.want = s.f.source.rowsOf(g)
		if s.keep != nil && !s.keep(g) {
			s.row += s.want
			continue
		}
		open, err := s.groups.group(ctx, g, s.columns, func(c int) { s.f.decimal[s.f.Columns[c].Name]++ })
		if err != nil {
			return false, err
		}
		s.open = open
	}
	return true, nil
}

// batch reads the next rows of the group, nil after the last.
func (s *Scan) batch(ctx context.Context) (*value.Batch, error) {
	n := int(min(s.want, recordRows))
	if n == 0 {
		err := s.open.end(ctx)
		s.open.release()
		s.open = nil
		return nil, err
	}
	cols, err := s.open.next(ctx, n, s.row)
	if err != nil {
		return nil, err
	}
	s.want -= int64(n)
	s.row += int64(n)
	return &value.Batch{N: n, Cols: cols}, nil
}

// Close frees what the scan holds.
func (s *Scan) Close() error {
	return safely(func() error {
		if s.open != nil {
			s.open.release()
			s.open = nil
		}
		s.groups.release()
		return nil
	})
}
