package columnar

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"parlance/storage/value"
)

// ArrowCompressions are how buffers of Arrow are compressed, the default first.
var ArrowCompressions = []string{"lz4", "zstd", "none"}

// RowWriter writes rows.
type RowWriter interface {
	// Row writes a row, whose values have the types of the columns or can be cast to them.
	Row(row []value.Value) error
	// Close writes what is left, and the end of the file.
	Close() error
}

// batchWriter is the library's writer of files or of streams.
type batchWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// arrowWriter writes a file or stream of Arrow, batch by batch.
type arrowWriter struct {
	columns []Column
	rows    *array.RecordBuilder
	sink    batchWriter
	n       int
	bytes   int
}

// NewArrowWriter begins a file, or a stream. compression is one of ArrowCompressions.
func NewArrowWriter(w io.Writer, columns []Column, compression string, stream bool) (RowWriter, error) {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		var err error
		if fields[i], err = arrowField(c); err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	schema := arrow.NewSchema(fields, nil)
	opts := []ipc.Option{ipc.WithSchema(schema), ipc.WithAllocator(plain)}
	switch compression {
	case "lz4":
		opts = append(opts, ipc.WithLZ4())
	case "zstd":
		opts = append(opts, ipc.WithZstd())
	}
	out := &arrowWriter{columns: columns}
	err := safely(func() (err error) {
		out.rows = array.NewRecordBuilder(memory.NewGoAllocator(), schema)
		if stream {
			out.sink = ipc.NewWriter(writeOnly{w}, opts...)
			return nil
		}
		out.sink, err = ipc.NewFileWriter(writeOnly{w}, opts...)
		return err
	})
	return out, err
}

// arrowField describes the column of a file in which values of a type are written; any may be NULL.
func arrowField(c Column) (arrow.Field, error) {
	f := arrow.Field{Name: c.Name, Nullable: true}
	switch c.Type {
	case value.Text, value.Interval, value.Null:
		f.Type = arrow.BinaryTypes.String
	case value.Integer:
		f.Type = arrow.PrimitiveTypes.Int64
	case value.Float:
		f.Type = arrow.PrimitiveTypes.Float64
	case value.Boolean:
		f.Type = arrow.FixedWidthTypes.Boolean
	case value.Timestamp:
		f.Type = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	case value.Bytes:
		f.Type = arrow.BinaryTypes.Binary
	case value.Vector:
		f.Type = arrow.ListOf(arrow.PrimitiveTypes.Float32)
	case value.JSON:
		f.Type = arrow.BinaryTypes.String
		f.Metadata = arrow.NewMetadata([]string{extensionKey, extensionMeta}, []string{jsonExtension, ""})
	default:
		return f, fmt.Errorf("values of the type %s cannot be written", c.Type)
	}
	return f, nil
}

func (w *arrowWriter) Row(row []value.Value) error {
	for i, v := range row {
		if err := addTo(w.rows.Field(i), v, w.columns[i].Type); err != nil {
			return fmt.Errorf("column %s: %w", w.columns[i].Name, err)
		}
		w.bytes += 8 + len(v.S)
	}
	if w.n++; w.n >= groupRows || w.bytes >= groupBytes {
		return w.flush()
	}
	return nil
}

// addTo adds a value of a type to a column.
func addTo(b array.Builder, v value.Value, t value.Type) error {
	if v.IsNull() {
		b.AppendNull()
		return nil
	}
	if t == value.Null {
		v, t = value.Str(v.String()), value.Text
	}
	v, err := value.Cast(v, t)
	if err != nil {
		return err
	}
	switch b := b.(type) {
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
	case *array.StringBuilder:
		b.Append(v.S)
	}
	return nil
}

// flush writes a batch.
func (w *arrowWriter) flush() error {
	if w.n == 0 {
		return nil
	}
	return safely(func() error {
		w.n, w.bytes = 0, 0
		batch := w.rows.NewRecordBatch()
		defer batch.Release()
		return w.sink.Write(batch)
	})
}

func (w *arrowWriter) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return safely(w.sink.Close)
}
