package columnar

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

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
	build   *array.RecordBuilder
	sink    sink
	rows    int
	bytes   int
}

// sink takes groups of rows.
type sink interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// writeOnly hides other methods of a writer: the library would close it.
type writeOnly struct{ io.Writer }

// Compressions are how pages of Parquet are compressed, the default first.
var Compressions = []string{"zstd", "snappy", "gzip", "none"}

var codecs = map[string]compress.Compression{"zstd": compress.Codecs.Zstd, "snappy": compress.Codecs.Snappy,
	"gzip": compress.Codecs.Gzip, "none": compress.Codecs.Uncompressed}

// NewWriter begins a file. compression is one of Compressions.
func NewWriter(w io.Writer, columns []Column, compression string) (*Writer, error) {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		t, err := arrowType(c.Type)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: true}
	}
	schema := arrow.NewSchema(fields, nil)
	out := &Writer{columns: columns, build: array.NewRecordBuilder(memory.NewGoAllocator(), schema)}
	err := safely(func() (err error) {
		props := parquet.NewWriterProperties(parquet.WithCompression(codecs[compression]),
			parquet.WithMaxRowGroupLength(groupRows), parquet.WithCreatedBy("parlance"))
		out.sink, err = pqarrow.NewFileWriter(schema, writeOnly{w}, props, pqarrow.DefaultWriterProps())
		return err
	})
	return out, err
}

// arrowType is the type in which values of a type are written.
func arrowType(t value.Type) (arrow.DataType, error) {
	switch t {
	case value.Text, value.Interval, value.Null:
		return arrow.BinaryTypes.String, nil
	case value.Integer:
		return arrow.PrimitiveTypes.Int64, nil
	case value.Float:
		return arrow.PrimitiveTypes.Float64, nil
	case value.Boolean:
		return arrow.FixedWidthTypes.Boolean, nil
	case value.Timestamp:
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, nil
	case value.Bytes:
		return arrow.BinaryTypes.Binary, nil
	case value.Vector:
		return arrow.ListOf(arrow.PrimitiveTypes.Float32), nil
	case value.JSON:
		return extensions.NewJSONType(arrow.BinaryTypes.String)
	}
	return nil, fmt.Errorf("values of the type %s cannot be written", t)
}

// Row writes a row, whose values have the types of the columns or can be cast to them.
func (w *Writer) Row(row []value.Value) error {
	for i, v := range row {
		if err := w.append(i, v); err != nil {
			return fmt.Errorf("column %s: %w", w.columns[i].Name, err)
		}
		w.bytes += 8 + len(v.S)
	}
	if w.rows++; w.rows >= groupRows || w.bytes >= groupBytes {
		return w.flush()
	}
	return nil
}

func (w *Writer) append(i int, v value.Value) error {
	b := w.build.Field(i)
	if v.IsNull() {
		b.AppendNull()
		return nil
	}
	t := w.columns[i].Type
	if t == value.Null {
		v, t = value.Str(v.String()), value.Text
	}
	v, err := value.Cast(v, t)
	if err != nil {
		return err
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(v.S)
	case *array.Int64Builder:
		b.Append(v.Int())
	case *array.Float64Builder:
		b.Append(v.Float())
	case *array.BooleanBuilder:
		b.Append(v.Bool())
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.Int()))
	case *array.BinaryBuilder:
		b.Append([]byte(v.S))
	case *array.ListBuilder:
		b.Append(true)
		b.ValueBuilder().(*array.Float32Builder).AppendValues(v.Vector(), nil)
	case *array.ExtensionBuilder:
		b.StorageBuilder().(*array.StringBuilder).Append(v.S)
	default:
		return fmt.Errorf("values of the type %s cannot be written", t)
	}
	return nil
}

func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	return safely(func() error {
		rec := w.build.NewRecordBatch()
		defer rec.Release()
		w.rows, w.bytes = 0, 0
		return w.sink.Write(rec)
	})
}

// Close writes what is left, and the end of the file.
func (w *Writer) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return safely(w.sink.Close)
}
