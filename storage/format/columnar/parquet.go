package columnar

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"parlance/storage/value"
)

// parquetFile is a Parquet file.
type parquetFile struct {
	file   *file.Reader
	memory *limited
	fields []*field // its columns
}

func openParquet(r io.ReaderAt, size int64, memory *limited) (source, []Column, int, error) {
	props := parquet.NewReaderProperties(memory)
	props.BufferedStreamEnabled = true // page by page, not a column of a group at once
	props.MaxUncompressedPageSize = maxPage
	f, err := file.NewParquetReader(io.NewSectionReader(r, 0, size), file.WithReadProps(props))
	if err != nil {
		return nil, nil, 0, err
	}
	fields, refused := fieldsOf(f.MetaData().Schema)
	p := &parquetFile{f, memory, fields}
	return p, columnsOf(fields, refused), f.NumRowGroups(), p.check(size)
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

func (p *parquetFile) rowsOf(group int) int64 { return p.file.MetaData().RowGroup(group).NumRows() }

// scan reads groups in any order.
func (p *parquetFile) scan() groups { return p }

func (p *parquetFile) release() {}

// group opens columns of a group. For the number of rows alone it reads the smallest one.
func (p *parquetFile) group(_ context.Context, group int, columns []int, rounded func(column int)) (rowReader, error) {
	g := &groupReader{memory: p.memory, leaves: map[int]*leaf{}}
	if p.rowsOf(group) == 0 {
		return g, nil
	}
	open := columns
	if len(columns) == 0 {
		var err error
		if open, err = p.smallest(group); err != nil {
			return nil, err
		}
	}
	rows := p.file.RowGroup(group)
	for _, c := range open {
		f := p.fields[c]
		at := slices.Index(g.fields, f)
		if at < 0 {
			at, g.fields = len(g.fields), append(g.fields, f)
		}
		if len(columns) > 0 {
			g.order = append(g.order, at)
		}
		for _, i := range f.leaves {
			if g.leaves[i] != nil {
				continue
			}
			if err := g.open(rows, i, f.find(i), func() { rounded(c) }); err != nil {
				g.release()
				return nil, err
			}
		}
	}
	return g, nil
}

// smallest is the column of a group that is read fastest.
func (p *parquetFile) smallest(group int) ([]int, error) {
	best, least := -1, int64(math.MaxInt64)
	for c, f := range p.fields {
		if len(f.leaves) != 1 {
			continue
		}
		chunk, err := p.file.MetaData().RowGroup(group).ColumnChunk(f.leaves[0])
		if err != nil {
			return nil, err
		}
		if n := chunk.TotalCompressedSize(); n < least {
			best, least = c, n
		}
	}
	if best < 0 {
		best = slices.IndexFunc(p.fields, func(f *field) bool { return len(f.leaves) > 0 })
	}
	if best < 0 {
		return nil, fmt.Errorf("the file has rows, and no columns that can be read")
	}
	return []int{best}, nil
}

// metadata looks a key up in the metadata of the file, and in that of the Arrow schema which some programs keep there.
func (p *parquetFile) metadata(key string) (string, bool) {
	kv := p.file.MetaData().KeyValueMetadata()
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
	f := p.fields[column]
	if f.shape != plainField || len(f.leaves) != 1 {
		return value.Value{}, value.Value{}
	}
	chunk, err := p.file.MetaData().RowGroup(group).ColumnChunk(f.leaves[0])
	if err != nil {
		return value.Value{}, value.Value{}
	}
	stats, err := chunk.Statistics()
	if err != nil || stats == nil || !stats.HasMinMax() {
		return value.Value{}, value.Value{}
	}
	return statistics(stats, f.leaf)
}

// statistics are the bounds of a column of a type, NULL where it has another order than its values here.
func statistics(stats metadata.TypedStatistics, t leafType) (least, greatest value.Value) {
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
		if t.text {
			return value.Str(string(s.Min())), value.Str(string(s.Max()))
		}
		return value.Value{}, value.Value{}
	}
	if !t.ordered {
		return value.Value{}, value.Value{}
	}
	least, err := t.ints(lo)
	if err != nil {
		return value.Value{}, value.Value{}
	}
	if greatest, err = t.ints(hi); err != nil {
		return value.Value{}, value.Value{}
	}
	return least, greatest
}
