package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"parlance/storage/value"
)

// typedReader is the library's reader of values that are stored as one Go type: n levels at most, from one page.
type typedReader[T any] interface {
	ReadBatchInPage(n int64, values []T, def, rep []int16) (levels int64, read int, err error)
}

// stored holds values as they are stored. Bytes are those of the page: they are gone with the next read.
type stored interface {
	read(n int64, def, rep []int16) (levels int64, read int, err error)
	at(i int) (value.Value, error)
}

// buffer is stored for a Go type.
type buffer[T any] struct {
	reader  typedReader[T]
	values  []T
	convert func(T) (value.Value, error)
}

func (b *buffer[T]) read(n int64, def, rep []int16) (int64, int, error) {
	return b.reader.ReadBatchInPage(n, b.values, def, rep)
}

func (b *buffer[T]) at(i int) (value.Value, error) { return b.convert(b.values[i]) }

func bufferOf[T any](r typedReader[T], n int, convert func(T) (value.Value, error)) stored {
	return &buffer[T]{r, make([]T, n), convert}
}

// leaf reads the values of a column of a group, and the levels beside them.
type leaf struct {
	chunk     file.ColumnChunkReader
	stored    stored
	room      int     // how many levels are read at once
	def, rep  []int16 // the levels that were read; nil where all of them are 0
	highest   int16   // the definition level of a value that is stored
	at, end   int     // the next level, and how many there are
	nextValue int
}

// openLeaf begins to read a column; rounded is called for decimals that a float does not keep.
func openLeaf(chunk file.ColumnChunkReader, t leafType, n int, rounded func()) (*leaf, error) {
	l := &leaf{chunk: chunk, room: n, highest: chunk.Descriptor().MaxDefinitionLevel()}
	if l.highest > 0 {
		l.def = make([]int16, n)
	}
	if chunk.Descriptor().MaxRepetitionLevel() > 0 {
		l.rep = make([]int16, n)
	}
	ints, bytes := t.ints, t.bytes
	if d := t.decimal; d != nil {
		ints = func(n int64) (value.Value, error) { return d.number(strconv.FormatInt(n, 10), rounded) }
		bytes = func(b []byte) (value.Value, error) { return d.ofBytes(b, rounded) }
	}
	switch r := chunk.(type) {
	case *file.Int32ColumnChunkReader:
		l.stored = bufferOf(r, n, func(x int32) (value.Value, error) { return ints(int64(x)) })
	case *file.Int64ColumnChunkReader:
		l.stored = bufferOf(r, n, ints)
	case *file.Int96ColumnChunkReader:
		l.stored = bufferOf(r, n, longInstant)
	case *file.Float32ColumnChunkReader:
		l.stored = bufferOf(r, n, func(x float32) (value.Value, error) { return value.Real(float64(x)), nil })
	case *file.Float64ColumnChunkReader:
		l.stored = bufferOf(r, n, func(x float64) (value.Value, error) { return value.Real(x), nil })
	case *file.BooleanColumnChunkReader:
		l.stored = bufferOf(r, n, func(x bool) (value.Value, error) { return value.Bool(x), nil })
	case *file.ByteArrayColumnChunkReader:
		l.stored = bufferOf(r, n, func(x parquet.ByteArray) (value.Value, error) { return bytes(x) })
	case *file.FixedLenByteArrayColumnChunkReader:
		l.stored = bufferOf(r, n, func(x parquet.FixedLenByteArray) (value.Value, error) { return bytes(x) })
	default:
		return nil, fmt.Errorf("a column of the type %s", chunk.Type())
	}
	return l, nil
}

// peek returns the levels of the next entry; ok is false at the end.
func (l *leaf) peek(ctx context.Context) (def, rep int16, ok bool, err error) {
	if l.at == l.end {
		if more, err := l.fill(ctx); err != nil || !more {
			return 0, 0, false, err
		}
	}
	def = l.highest
	if l.def != nil {
		def = l.def[l.at]
	}
	if l.rep != nil {
		rep = l.rep[l.at]
	}
	return def, rep, true, nil
}

// fill reads further levels and values.
func (l *leaf) fill(ctx context.Context) (more bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if !l.chunk.HasNext() {
		if err := l.chunk.Err(); !errors.Is(err, io.EOF) {
			return false, err
		}
		return false, nil
	}
	levels, values, err := l.stored.read(int64(l.room), l.def, l.rep)
	if err != nil {
		return false, err
	}
	want := int(levels)
	if l.def != nil {
		want = 0
		for _, d := range l.def[:levels] {
			if d < 0 || d > l.highest {
				return false, fmt.Errorf("a definition level of %d, where %d is the highest", d, l.highest)
			}
			if d == l.highest {
				want++
			}
		}
	}
	if levels == 0 || values != want {
		return false, fmt.Errorf("a page has %d values in place of %d", values, want)
	}
	l.at, l.end, l.nextValue = 0, int(levels), 0
	return true, nil
}

// skip passes over an entry that peek told to be there.
func (l *leaf) skip() {
	if l.def == nil || l.def[l.at] == l.highest {
		l.nextValue++
	}
	l.at++
}

// take reads the value of an entry that peek told to be there, NULL without one.
func (l *leaf) take() (v value.Value, err error) {
	if l.def == nil || l.def[l.at] == l.highest {
		if v, err = l.stored.at(l.nextValue); err != nil {
			err = &valueError{err}
		}
	}
	l.skip()
	return v, err
}

// valueError is what is wrong with a value of a file that is not damaged.
type valueError struct{ err error }

func (e *valueError) Error() string { return e.err.Error() }

func (e *valueError) Unwrap() error { return e.err }
