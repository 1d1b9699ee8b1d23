package columnar

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"parlance/storage/value"
)

const (
	// groupRows and groupBytes are when a writer ends a group of rows: it holds one in memory.
	groupRows  = 1 << 16
	groupBytes = 32 << 20
)

// Writer writes rows.
type Writer struct {
	columns []Column
	held    []pending
	sink    *file.Writer
	rows    int
	bytes   int
}

// pending are the values of a column that are still to be written, in one of the lists, without the NULLs.
type pending struct {
	def, rep []int16 // the levels; rep is for lists
	ints     []int64
	floats   []float64
	members  []float32 // of lists
	bools    []bool
	texts    []parquet.ByteArray
	room     []byte // behind the last texts
}

// textRoom is how many bytes of memory are taken for texts at once.
const textRoom = 64 << 10

// writeOnly hides other methods of a writer: the library would close it.
type writeOnly struct{ io.Writer }

// Compressions are how pages of Parquet are compressed, the default first.
var Compressions = []string{"zstd", "snappy", "gzip", "none"}

var codecs = map[string]compress.Compression{"zstd": compress.Codecs.Zstd, "snappy": compress.Codecs.Snappy,
	"gzip": compress.Codecs.Gzip, "none": compress.Codecs.Uncompressed}

// NewWriter begins a file. compression is one of Compressions.
func NewWriter(w io.Writer, columns []Column, compression string) (*Writer, error) {
	fields := make(schema.FieldList, len(columns))
	for i, c := range columns {
		var err error
		if fields[i], err = nodeOf(c); err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	out := &Writer{columns: columns, held: make([]pending, len(columns))}
	err := safely(func() error {
		root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
		if err != nil {
			return err
		}
		props := parquet.NewWriterProperties(parquet.WithCompression(codecs[compression]),
			parquet.WithCreatedBy("parlance"))
		out.sink, err = file.NewParquetWriterWithError(writeOnly{w}, root, file.WithWriterProps(props))
		return err
	})
	return out, err
}

// nodeOf describes the column of a file in which values of a type are written; any may be NULL.
func nodeOf(c Column) (schema.Node, error) {
	optional := func(logical schema.LogicalType, physical parquet.Type) (schema.Node, error) {
		return schema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Optional, logical, physical, -1, -1)
	}
	switch c.Type {
	case value.Text, value.Interval, value.Null:
		return optional(schema.StringLogicalType{}, parquet.Types.ByteArray)
	case value.Integer:
		return optional(schema.NewIntLogicalType(64, true), parquet.Types.Int64)
	case value.Float:
		return optional(schema.NoLogicalType{}, parquet.Types.Double)
	case value.Boolean:
		return optional(schema.NoLogicalType{}, parquet.Types.Boolean)
	case value.Timestamp:
		return optional(schema.NewTimestampLogicalType(true, schema.TimeUnitMicros), parquet.Types.Int64)
	case value.Bytes:
		return optional(schema.NoLogicalType{}, parquet.Types.ByteArray)
	case value.Vector:
		member := schema.NewFloat32Node("element", parquet.Repetitions.Optional, -1)
		return schema.ListOfWithName(c.Name, member, parquet.Repetitions.Optional, -1)
	case value.JSON:
		return optional(schema.JSONLogicalType{}, parquet.Types.ByteArray)
	}
	return nil, fmt.Errorf("values of the type %s cannot be written", c.Type)
}

// Definition levels of columns that are written.
const (
	levelNull   = 0
	levelValue  = 1
	levelEmpty  = 1 // of a list
	levelMember = 3 // of a list: the list, its entry, and the value of that
)

// Row writes a row, whose values have the types of the columns or can be cast to them.
func (w *Writer) Row(row []value.Value) error {
	for i, v := range row {
		if err := w.held[i].add(v, w.columns[i].Type); err != nil {
			return fmt.Errorf("column %s: %w", w.columns[i].Name, err)
		}
		w.bytes += 8 + len(v.S)
	}
	if w.rows++; w.rows >= groupRows || w.bytes >= groupBytes {
		return w.flush()
	}
	return nil
}

func (p *pending) add(v value.Value, t value.Type) error {
	if v.IsNull() {
		p.def = append(p.def, levelNull)
		if t == value.Vector {
			p.rep = append(p.rep, 0)
		}
		return nil
	}
	if t == value.Null {
		v, t = value.Str(v.String()), value.Text
	}
	v, err := value.Cast(v, t)
	if err != nil {
		return err
	}
	if t == value.Vector {
		p.addList(v.Vector())
		return nil
	}
	p.def = append(p.def, levelValue)
	switch t {
	case value.Integer, value.Timestamp:
		p.ints = append(p.ints, v.Int())
	case value.Float:
		p.floats = append(p.floats, v.Float())
	case value.Boolean:
		p.bools = append(p.bools, v.Bool())
	default:
		if len(v.S) > cap(p.room)-len(p.room) {
			p.room = make([]byte, 0, max(textRoom, len(v.S)))
		}
		from := len(p.room)
		p.room = append(p.room, v.S...)
		p.texts = append(p.texts, p.room[from:])
	}
	return nil
}

func (p *pending) addList(members []float32) {
	if len(members) == 0 {
		p.def, p.rep = append(p.def, levelEmpty), append(p.rep, 0)
	}
	for i := range members {
		p.def, p.rep = append(p.def, levelMember), append(p.rep, int16(min(i, 1)))
	}
	p.members = append(p.members, members...)
}

// write writes the values, and forgets them.
func (p *pending) write(to file.ColumnChunkWriter) (err error) {
	switch w := to.(type) {
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(p.ints, p.def, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(p.floats, p.def, nil)
	case *file.Float32ColumnChunkWriter:
		_, err = w.WriteBatch(p.members, p.def, p.rep)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(p.bools, p.def, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(p.texts, p.def, nil)
	default:
		err = fmt.Errorf("values of the type %s cannot be written", to.Type())
	}
	clear(p.texts)
	*p = pending{def: p.def[:0], rep: p.rep[:0], ints: p.ints[:0], floats: p.floats[:0], members: p.members[:0],
		bools: p.bools[:0], texts: p.texts[:0]}
	return err
}

// flush writes a group of rows.
func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	return safely(func() error {
		w.rows, w.bytes = 0, 0
		group, err := w.sink.AppendRowGroupChecked()
		if err != nil {
			return err
		}
		for i := range w.held {
			column, err := group.NextColumn()
			if err != nil {
				return err
			}
			if err := w.held[i].write(column); err != nil {
				return err
			}
			if err := column.Close(); err != nil {
				return err
			}
		}
		return group.Close()
	})
}

// Close writes what is left, and the end of the file.
func (w *Writer) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return safely(w.sink.Close)
}
