package columnar

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/parquet/file"

	"parlance/storage/value"
)

// groupReader are columns of a group of rows, read from its begin to its end.
type groupReader struct {
	memory *limited
	fields []*field // those that are read
	order  []int    // the fields that are wanted, by their places in fields
	leaves map[int]*leaf
	held   int // bytes of texts of the last rows
}

// find is the type of a column of values of the field.
func (f *field) find(leaf int) leafType {
	for f.shape != plainField {
		for _, c := range f.children {
			if c.leaves[0] <= leaf && leaf <= c.leaves[len(c.leaves)-1] {
				f = c
				break
			}
		}
	}
	return f.leaf
}

func (g *groupReader) open(rows *file.RowGroupReader, i int, t leafType, rounded func()) error {
	chunk, err := rows.Column(i)
	if err != nil {
		return err
	}
	meta, err := rows.MetaData().ColumnChunk(i)
	if err != nil {
		return errors.Join(err, chunk.Close())
	}
	n := min(recordRows, max(1, meta.NumValues()))
	l, err := openLeaf(chunk, t, int(n), rounded)
	if err != nil {
		return errors.Join(err, chunk.Close())
	}
	g.leaves[i] = l
	return nil
}

// next reads n rows, which follow row rows of the file.
func (g *groupReader) next(ctx context.Context, n int, row int64) (cols []value.Vec, err error) {
	g.memory.held -= g.held
	g.held = 0
	read := make([]value.Vec, len(g.fields))
	for i, f := range g.fields {
		if f.shape == plainField {
			read[i], err = g.plain(ctx, f, n, row)
		} else {
			read[i], err = g.nested(ctx, f, n, row)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, i := range g.order {
		cols = append(cols, read[i])
	}
	return cols, nil
}

// take counts the bytes of a text that a batch holds.
func (g *groupReader) take(v value.Value) value.Value {
	g.memory.take(len(v.S))
	g.held += len(v.S)
	return v
}

// wrongValue is the error of a value of a column, or of the file.
func wrongValue(f *field, row int64, err error) error { return rowError(f.name, row, err) }

func rowError(column string, row int64, err error) error {
	var of *valueError
	if !errors.As(err, &of) {
		return err
	}
	return &Error{Msg: fmt.Sprintf("column %s: %v", column, err), Row: row + 1, err: err}
}

// missing is the error of a group whose columns are shorter than it states.
func missing(f *field, n int) error {
	return fmt.Errorf("column %s has %d rows fewer than its group", f.name, n)
}

// plain reads n values of a column that is not nested.
func (g *groupReader) plain(ctx context.Context, f *field, n int, row int64) (value.Vec, error) {
	l := g.leaves[f.leaves[0]]
	if v, ok, err := numbers(ctx, f, l, n); ok || err != nil {
		return v, err
	}
	values := make([]value.Value, n)
	for i := range values {
		_, _, ok, err := l.peek(ctx)
		if err != nil {
			return value.Vec{}, err
		}
		if !ok {
			return value.Vec{}, missing(f, n-i)
		}
		v, err := l.take()
		if err != nil {
			return value.Vec{}, wrongValue(f, row+int64(i), err)
		}
		values[i] = g.take(v)
	}
	return value.FromValues(f.typeOf(), values), nil
}

// numbers is plain for numbers of 64 bits, which are taken as they are stored.
func numbers(ctx context.Context, f *field, l *leaf, n int) (v value.Vec, ok bool, err error) {
	ints, isInt := l.stored.(*buffer[int64])
	floats, isFloat := l.stored.(*buffer[float64])
	switch v.Type = f.typeOf(); {
	case isInt && v.Type == value.Integer && f.leaf.ordered:
		v.Ints = make([]int64, n)
	case isFloat:
		v.Floats = make([]float64, n)
	default:
		return v, false, nil
	}
	for i := range n {
		def, _, more, err := l.peek(ctx)
		switch {
		case err != nil:
			return v, false, err
		case !more:
			return v, false, missing(f, n-i)
		case def < l.highest:
			if v.Null == nil {
				v.Null = make([]bool, n)
			}
			v.Null[i] = true
		case isInt:
			v.Ints[i] = ints.values[l.nextValue]
		default:
			v.Floats[i] = floats.values[l.nextValue] + 0 // -0 becomes 0
		}
		l.skip()
	}
	return v, true, nil
}

// nested reads n values of a nested column as JSON.
func (g *groupReader) nested(ctx context.Context, f *field, n int, row int64) (value.Vec, error) {
	a, values := assembly{ctx, g.leaves}, make([]value.Value, n)
	var text []byte
	for i := range values {
		ok, err := a.goesOn(f, 0)
		if err != nil {
			return value.Vec{}, err
		}
		if !ok {
			return value.Vec{}, missing(f, n-i)
		}
		def, err := a.first(f)
		if err == nil && def < f.present {
			err = a.skip(f, f.present)
		} else if err == nil {
			if text, err = a.append(text[:0], f); err == nil {
				values[i] = g.take(value.Value{T: value.JSON, S: string(text)})
			}
		}
		if err != nil {
			return value.Vec{}, wrongValue(f, row+int64(i), err)
		}
	}
	return value.FromValues(value.JSON, values), nil
}

// end looks whether there is more in the group than its rows.
func (g *groupReader) end(ctx context.Context) error {
	for _, f := range g.fields {
		for _, i := range f.leaves {
			_, _, ok, err := g.leaves[i].peek(ctx)
			if err != nil {
				return err
			}
			if ok {
				return fmt.Errorf("column %s has more rows than its group", f.name)
			}
		}
	}
	return nil
}

// release frees what the library holds.
func (g *groupReader) release() {
	g.memory.held = max(0, g.memory.held-g.held)
	g.held = 0
	for _, l := range g.leaves {
		_ = l.chunk.Close() // nothing was written
	}
}
