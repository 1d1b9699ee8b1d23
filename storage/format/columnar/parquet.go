package columnar

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"parlance/storage/value"
)

// recordRows is how many rows the library reads at once: all of their texts are in memory.
const recordRows = 256

// parquetFile is a Parquet file.
type parquetFile struct {
	file   *file.Reader
	arrow  *pqarrow.FileReader
	schema *arrow.Schema
	keys   metadata.KeyValueMetadata
	leaves [][]int // of each column, the columns of its values in the file
}

func openParquet(r io.ReaderAt, size int64, memory *limited) (source, *arrow.Schema, int, error) {
	props := parquet.NewReaderProperties(memory)
	props.BufferedStreamEnabled = true // page by page, not a column of a group at once
	props.MaxUncompressedPageSize = maxPage
	f, err := file.NewParquetReader(io.NewSectionReader(r, 0, size), file.WithReadProps(props))
	if err != nil {
		return nil, nil, 0, err
	}
	// The schema of Arrow that some programs add is not read: the library takes memory for whatever counts stand in it,
	// and the types of Parquet tell all that is wanted.
	keys := f.MetaData().KeyValueMetadata()
	f.MetaData().FileMetaData.KeyValueMetadata = nil
	reader, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: recordRows}, memory)
	if err != nil {
		return nil, nil, 0, err
	}
	p := &parquetFile{file: f, arrow: reader, keys: keys}
	if p.schema, err = reader.Schema(); err != nil {
		return nil, nil, 0, err
	}
	if len(reader.Manifest.Fields) != p.schema.NumFields() {
		return nil, nil, 0, fmt.Errorf("%d columns, of which %d are described", p.schema.NumFields(),
			len(reader.Manifest.Fields))
	}
	for i := range reader.Manifest.Fields {
		p.leaves = append(p.leaves, leavesOf(&reader.Manifest.Fields[i], nil))
	}
	return p, p.schema, f.NumRowGroups(), p.check(size)
}

// typeOf is the type of a column by its logical type, where Arrow has none for it.
func (p *parquetFile) typeOf(column int) (value.Type, bool) {
	if len(p.leaves[column]) != 1 || p.schema.Field(column).Type.ID() != arrow.BINARY {
		return value.Null, false
	}
	switch p.file.MetaData().Schema.Column(p.leaves[column][0]).LogicalType().(type) {
	case schema.JSONLogicalType, *schema.JSONLogicalType:
		return value.JSON, true
	case schema.EnumLogicalType, *schema.EnumLogicalType:
		return value.Text, true
	}
	return value.Null, false
}

// check compares the places and sizes of the columns with the size of the file.
func (p *parquetFile) check(size int64) error {
	for g := range p.file.NumRowGroups() {
		group := p.file.MetaData().RowGroup(g)
		if group.NumRows() < 0 {
			return fmt.Errorf("group %d has %d rows", g+1, group.NumRows())
		}
		if group.NumColumns() != p.file.MetaData().Schema.NumColumns() {
			return fmt.Errorf("group %d has %d columns of %d", g+1, group.NumColumns(), p.file.MetaData().Schema.NumColumns())
		}
		for c := range group.NumColumns() {
			chunk, err := group.ColumnChunk(c)
			if err != nil {
				return err
			}
			from := chunk.DataPageOffset()
			if chunk.HasDictionaryPage() && chunk.DictionaryPageOffset() > 0 {
				from = min(from, chunk.DictionaryPageOffset())
			}
			if from < 0 || chunk.TotalCompressedSize() < 0 || chunk.TotalCompressedSize() > size-from {
				return fmt.Errorf("column %d of group %d takes the bytes %d to %d of %d", c+1, g+1, from,
					from+chunk.TotalCompressedSize(), size)
			}
		}
	}
	return nil
}

// leavesOf are the columns of the values of a field, in order.
func leavesOf(f *pqarrow.SchemaField, to []int) []int {
	if f.IsLeaf() {
		return append(to, f.ColIndex)
	}
	for i := range f.Children {
		to = leavesOf(&f.Children[i], to)
	}
	return to
}

func (p *parquetFile) rowsOf(group int) int64 { return p.file.MetaData().RowGroup(group).NumRows() }

// group opens columns of a group. For the number of rows alone it reads the smallest one.
func (p *parquetFile) group(ctx context.Context, group int, columns []int) (batches, error) {
	if p.rowsOf(group) == 0 {
		return noBatches{}, nil
	}
	if len(columns) == 0 {
		var err error
		if columns, err = p.smallest(group); err != nil {
			return nil, err
		}
	}
	var leaves []int
	for _, c := range columns {
		leaves = append(leaves, p.leaves[c]...)
	}
	slices.Sort(leaves)
	rr, err := p.arrow.GetRecordReader(ctx, slices.Compact(leaves), []int{group})
	if err != nil {
		return nil, err
	}
	return parquetBatches{rr}, nil
}

// smallest is the column of a group that is read fastest.
func (p *parquetFile) smallest(group int) ([]int, error) {
	best, least := -1, int64(math.MaxInt64)
	for c, leaves := range p.leaves {
		if len(leaves) != 1 {
			continue
		}
		chunk, err := p.file.MetaData().RowGroup(group).ColumnChunk(leaves[0])
		if err != nil {
			return nil, err
		}
		if n := chunk.TotalCompressedSize(); n < least {
			best, least = c, n
		}
	}
	if best < 0 && len(p.leaves) > 0 {
		best = 0
	}
	if best < 0 {
		return nil, fmt.Errorf("the file has rows and no columns")
	}
	return []int{best}, nil
}

// metadata looks a key up in the metadata of the file, and in that of the Arrow schema which some programs keep there.
func (p *parquetFile) metadata(key string) (string, bool) {
	kv := p.keys
	if v := kv.FindValue(key); v != nil {
		return *v, true
	}
	v := kv.FindValue("ARROW:schema")
	if v == nil {
		return "", false
	}
	text := ""
	err := safely(func() error {
		raw, err := base64.StdEncoding.DecodeString(*v)
		if err == nil {
			text = schemaText(raw, key)
		}
		return err
	})
	return text, err == nil && text != ""
}

// bounds reads the statistics of a column of plain values.
func (p *parquetFile) bounds(group, column int) (least, greatest value.Value) {
	if len(p.leaves[column]) != 1 {
		return value.Value{}, value.Value{}
	}
	chunk, err := p.file.MetaData().RowGroup(group).ColumnChunk(p.leaves[column][0])
	if err != nil {
		return value.Value{}, value.Value{}
	}
	stats, err := chunk.Statistics()
	if err != nil || stats == nil || !stats.HasMinMax() {
		return value.Value{}, value.Value{}
	}
	return statistics(stats, p.schema.Field(column).Type)
}

// statistics are the bounds of a column of a type, NULL where it has another order than its values here.
func statistics(stats metadata.TypedStatistics, t arrow.DataType) (least, greatest value.Value) {
	var lo, hi int64
	switch s := stats.(type) {
	case *metadata.Int32Statistics:
		lo, hi = int64(s.Min()), int64(s.Max())
	case *metadata.Int64Statistics:
		lo, hi = s.Min(), s.Max()
	case *metadata.Float64Statistics:
		return value.Real(s.Min()), value.Real(s.Max())
	case *metadata.Float32Statistics:
		return value.Real(float64(s.Min())), value.Real(float64(s.Max()))
	case *metadata.ByteArrayStatistics:
		if t.ID() == arrow.STRING || t.ID() == arrow.LARGE_STRING {
			return value.Str(string(s.Min())), value.Str(string(s.Max()))
		}
		return value.Value{}, value.Value{}
	default:
		return value.Value{}, value.Value{}
	}
	convert := integerBound(t)
	if convert == nil {
		return value.Value{}, value.Value{}
	}
	least, err := convert(lo)
	if err != nil {
		return value.Value{}, value.Value{}
	}
	if greatest, err = convert(hi); err != nil {
		return value.Value{}, value.Value{}
	}
	return least, greatest
}

// integerBound makes a bound that is stored as an integer a value of a type, nil for types without.
func integerBound(t arrow.DataType) func(int64) (value.Value, error) {
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64:
		return func(n int64) (value.Value, error) { return value.Int(n), nil }
	case arrow.DATE32:
		return func(n int64) (value.Value, error) { return instant(n, microsecondsPerDay, 1) }
	case arrow.TIMESTAMP:
		if unit := t.(*arrow.TimestampType).Unit; unit != arrow.Nanosecond {
			return func(n int64) (value.Value, error) { return timestamp(n, unit) }
		}
	}
	return nil
}

// parquetBatches are the rows of a group.
type parquetBatches struct{ pqarrow.RecordReader }

func (b parquetBatches) next() (arrow.RecordBatch, error) {
	if !b.Next() {
		if err := b.Err(); err != nil && err != io.EOF {
			return nil, err
		}
		return nil, io.EOF
	}
	rec := b.RecordBatch()
	rec.Retain()
	return rec, nil
}

func (b parquetBatches) release() { b.Release() }

// noBatches is a group without rows.
type noBatches struct{}

func (noBatches) next() (arrow.RecordBatch, error) { return nil, io.EOF }

func (noBatches) release() {}
