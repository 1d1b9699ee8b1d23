package columnar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"parlance/storage/value"
)

// all reads a whole file; columns nil for all of them.
func all(data []byte, columns []int, keep func(int) bool) (f *File, rows [][]value.Value, err error) {
	f, err = Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	if columns == nil {
		for i := range f.Columns {
			columns = append(columns, i)
		}
	}
	s, err := f.Scan(columns, keep)
	if err != nil {
		return f, nil, err
	}
	defer s.Close()
	for {
		b, err := s.Next(context.Background())
		if b == nil || err != nil {
			return f, rows, err
		}
		for i := range b.N {
			rows = append(rows, b.Row(nil, i))
		}
	}
}

// own is the columns and rows of every type that is written.
func own() ([]Column, [][]value.Value) {
	columns := []Column{{Name: "t", Type: value.Text}, {Name: "i", Type: value.Integer}, {Name: "f", Type: value.Float},
		{Name: "b", Type: value.Boolean}, {Name: "d", Type: value.Timestamp}, {Name: "x", Type: value.Bytes},
		{Name: "j", Type: value.JSON}, {Name: "p", Type: value.Interval}}
	rows := [][]value.Value{
		{value.Str("🍞 ä"), value.Int(math.MaxInt64), value.Real(math.Inf(-1)), value.Bool(true),
			value.Time(time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC)), value.Blob([]byte{0, 255}),
			{T: value.JSON, S: `{"a": [1, null]}`}, {T: value.Interval, S: "1 day"}},
		make([]value.Value, len(columns)),
		{value.Str(""), value.Int(math.MinInt64), value.Real(0), value.Bool(false),
			value.Time(time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)), value.Blob(nil),
			{T: value.JSON, S: `"<&>"`}, {T: value.Interval, S: "-00:00:01"}},
	}
	return columns, rows
}

// formatWriter writes a format.
type formatWriter struct {
	compressions []string
	begin        func(w io.Writer, columns []Column, compression string) (RowWriter, error)
}

var writers = map[string]formatWriter{
	"parquet": {Compressions, func(w io.Writer, columns []Column, how string) (RowWriter, error) {
		return NewWriter(w, columns, how)
	}},
	"arrow": {ArrowCompressions, func(w io.Writer, columns []Column, how string) (RowWriter, error) {
		return NewArrowWriter(w, columns, how, false)
	}},
	"stream": {ArrowCompressions, func(w io.Writer, columns []Column, how string) (RowWriter, error) {
		return NewArrowWriter(w, columns, how, true)
	}},
}

func written(t testing.TB, compression string, columns []Column, rows [][]value.Value) []byte {
	t.Helper()
	return writers["parquet"].written(t, compression, columns, rows)
}

func (f formatWriter) written(t testing.TB, compression string, columns []Column, rows [][]value.Value) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := f.begin(&b, columns, compression)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRoundTrip writes every type in every way and reads it back; the same rows make the same bytes.
func TestRoundTrip(t *testing.T) {
	columns, rows := own()
	for kind, write := range writers {
		for _, how := range write.compressions {
			data := write.written(t, how, columns, rows)
			if !bytes.Equal(data, write.written(t, how, columns, rows)) {
				t.Errorf("%s %s: other bytes the second time", kind, how)
			}
			f, got, err := all(data, nil, nil)
			if err != nil {
				t.Fatal(kind, how, err)
			}
			if fmt.Sprint(got) != fmt.Sprint(rows) {
				t.Errorf("%s %s: %v, want %v", kind, how, got, rows)
			}
			for i, c := range f.Columns {
				if want := columns[i].Type; c.Type != want && want != value.Interval || c.Name != columns[i].Name {
					t.Errorf("%s: column %v, want %v", kind, c, columns[i])
				}
			}
			_, got, err = all(data, []int{4, 0}, nil)
			if err != nil || len(got) != 3 || got[0][0].T != value.Timestamp || got[0][1].S != "🍞 ä" {
				t.Errorf("%s: columns in another order: %v %v", kind, got, err)
			}
			if _, got, err = all(data, []int{}, nil); err != nil || len(got) != 3 {
				t.Errorf("%s: rows without columns: %v %v", kind, got, err)
			}
		}
	}
}

// foreign writes one column of a type by the library, as other programs do.
func foreign(t testing.TB, typ arrow.DataType, json string, opts ...parquet.WriterProperty) []byte {
	t.Helper()
	return foreignAs(t, typ, json, opts)
}

// foreignAs is foreign with options on types.
func foreignAs(t testing.TB, typ arrow.DataType, json string, opts []parquet.WriterProperty,
	types ...pqarrow.WriterOption) []byte {
	t.Helper()
	mem := memory.NewGoAllocator()
	arr, _, err := array.FromJSON(mem, typ, strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: typ, Nullable: true}}, nil)
	rec := array.NewRecordBatch(schema, []arrow.Array{arr}, int64(arr.Len()))
	var b bytes.Buffer
	opts = append(opts, parquet.WithCompression(compress.Codecs.Gzip))
	w, err := pqarrow.NewFileWriter(schema, &b, parquet.NewWriterProperties(opts...),
		pqarrow.NewArrowWriterProperties(append(types, pqarrow.WithStoreSchema())...))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rec), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestForeignTypes reads types that this database does not write.
func TestForeignTypes(t *testing.T) {
	list := arrow.ListOf(arrow.PrimitiveTypes.Int32)
	pair := arrow.StructOf(arrow.Field{Name: "k", Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: "v", Type: list, Nullable: true})
	for _, c := range []struct {
		typ  arrow.DataType
		json string
		want string
		err  string
	}{
		{arrow.PrimitiveTypes.Int8, `[-128, null, 127]`, "[-128  127] integer", ""},
		{arrow.PrimitiveTypes.Uint32, `[4294967295]`, "[4294967295] integer", ""},
		{arrow.PrimitiveTypes.Uint64, `[1, 9223372036854775808]`, "", "row 2: column c: 9223372036854775808 is beyond INTEGER"},
		{arrow.PrimitiveTypes.Float32, `[0.5, 1e30]`, "[0.5 1.0000000150474662e+30] float", ""},
		{arrow.FixedWidthTypes.Date32, `["2020-01-02", "0001-01-01"]`, "[2020-01-02 00:00:00 0001-01-01 00:00:00] timestamp", ""},
		{arrow.FixedWidthTypes.Timestamp_ms, `[-11670955199500]`, "[1600-02-29 12:00:00.5] timestamp", ""},
		{arrow.FixedWidthTypes.Timestamp_ns, `[1577923200000001000]`, "[2020-01-02 00:00:00.000001] timestamp", ""},
		{arrow.FixedWidthTypes.Timestamp_ns, `[1577923200000000001]`, "", "no whole number of microseconds"},
		{&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "Europe/Paris"}, `[1593604800000000]`,
			"[2020-07-01 12:00:00] timestamp", ""},
		{arrow.FixedWidthTypes.Time64us, `["01:02:03.5"]`, "[01:02:03.5] text", ""},
		{&arrow.Decimal128Type{Precision: 9, Scale: 2}, `["1.10", "-3.05"]`, "[1.1 -3.05] float", ""},
		{&arrow.Decimal128Type{Precision: 12}, `["123456789012"]`, "[123456789012] integer", ""},
		{list, `[[1, null, 2], [], null]`, "[[1,null,2] [] ] json", ""},
		{pair, `[{"k": "a\"", "v": [1]}, null]`, `[{"k":"a\"","v":[1]} ] json`, ""},
		{arrow.ListOf(pair), `[[{"k": null, "v": []}]]`, `[[{"k":null,"v":[]}]] json`, ""},
		{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), `[[{"key": "x", "value": 1}]]`, `[{"x":1}] json`, ""},
		{&arrow.FixedSizeBinaryType{ByteWidth: 2}, `["AAE="]`, `[\x0001] bytes`, ""},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, `["a", "b", null, "a"]`,
			"[a b  a] text", ""},
	} {
		for kind, data := range map[string][]byte{"parquet": foreign(t, c.typ, c.json),
			"arrow": foreignArrow(t, c.typ, c.json, false), "stream": foreignArrow(t, c.typ, c.json, true, ipc.WithZstd())} {
			f, rows, err := all(data, nil, nil)
			switch {
			case c.err != "":
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s %s: %v, want %s", kind, c.typ, err, c.err)
				}
				continue
			case err != nil:
				t.Errorf("%s %s: %v", kind, c.typ, err)
				continue
			}
			var texts []string
			for _, r := range rows {
				texts = append(texts, r[0].String())
			}
			if got := fmt.Sprint(texts, " ", f.Columns[0].Type); got != c.want {
				t.Errorf("%s %s: %s, want %s", kind, c.typ, got, c.want)
			}
		}
	}
}

// TestRoundedDecimals counts the decimals that a float does not keep.
func TestRoundedDecimals(t *testing.T) {
	f, rows, err := all(foreign(t, &arrow.Decimal128Type{Precision: 38, Scale: 20},
		`["0.5", "0.12345678901234567891", "123456789012345678.00000000000000000000"]`), nil, nil)
	if err != nil || f.Rounded()["c"] != 2 || rows[0][0].Float() != 0.5 {
		t.Errorf("%v %v %v", f.Rounded(), rows, err)
	}
}

// TestGroups leaves out groups of rows, and knows their bounds.
func TestGroups(t *testing.T) {
	var b bytes.Buffer
	columns := []Column{{Name: "n", Type: value.Integer}, {Name: "w", Type: value.Text}, {Name: "x", Type: value.Float},
		{Name: "d", Type: value.Timestamp}}
	w, err := NewWriter(&b, columns, "zstd")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * groupRows {
		day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
		if err := w.Row([]value.Value{value.Int(int64(i)), value.Str(fmt.Sprintf("%07d", i)), value.Real(float64(-i)),
			value.Time(day)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, rows, err := all(b.Bytes(), []int{0, 1}, func(g int) bool { return g == 1 })
	if err != nil || len(rows) != groupRows || rows[0][0].Int() != groupRows || f.Groups != 3 {
		t.Fatalf("%d rows of %d groups, %v", len(rows), f.Groups, err)
	}
	for c, want := range []string{"65536 131071", "0065536 0131071", "-131071.0 -65536.0",
		"2027-06-23 16:00:00 2034-12-14 07:00:00"} {
		least, greatest := f.Bounds(1, c)
		if got := least.String() + " " + greatest.String(); got != want {
			t.Errorf("column %d: bounds %s, want %s", c, got, want)
		}
	}
	if f.Rows() != 3*groupRows {
		t.Errorf("%d rows", f.Rows())
	}
}

// TestUnknownBounds: a column whose statistics have no least and greatest value has no bounds, be it that all values
// are NULL or NaN, or that they are too long for statistics; others have, whatever is NULL or NaN beside them.
func TestUnknownBounds(t *testing.T) {
	var b bytes.Buffer
	nan, long := value.Real(math.NaN()), value.Str(strings.Repeat("x", 1<<13))
	columns := []Column{{Name: "null", Type: value.Integer}, {Name: "nan", Type: value.Float},
		{Name: "long", Type: value.Text}, {Name: "some", Type: value.Integer}, {Name: "beside", Type: value.Float},
		{Name: "json", Type: value.JSON}, {Name: "ok", Type: value.Boolean}}
	w, err := NewWriter(&b, columns, "none")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]value.Value{
		{{}, nan, long, {}, nan, {T: value.JSON, S: "1"}, value.Bool(true)},
		{{}, nan, long, value.Int(-7), value.Real(-2.5), {}, {}},
	} {
		if err := w.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, rows, err := all(b.Bytes(), nil, nil)
	if err != nil || len(rows) != 2 || f.Groups != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for c, want := range []string{"none", "none", "none", "-7 -7", "-2.5 -2.5", "none", "none"} {
		got, least, greatest := "none", value.Value{}, value.Value{}
		if least, greatest = f.Bounds(0, c); !least.IsNull() || !greatest.IsNull() {
			got = least.String() + " " + greatest.String()
		}
		if got != want {
			t.Errorf("column %s: bounds %s, want %s", columns[c].Name, got, want)
		}
	}
	if least, greatest := f.Bounds(1, 3); !least.IsNull() || !greatest.IsNull() {
		t.Errorf("a group that is not there has the bounds %s %s", least, greatest)
	}
}

// TestDamage cuts a file and changes every third of its bytes: there is an error or there are rows, and never a panic.
func TestDamage(t *testing.T) {
	columns, rows := own()
	nested := arrow.ListOf(arrow.StructOf(arrow.Field{Name: "k", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32),
		Nullable: true}, arrow.Field{Name: "w", Type: arrow.BinaryTypes.String, Nullable: true}))
	const list = `[[{"k": [1, null], "w": "a"}, {"k": [], "w": null}, null], [], null]`
	words := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	for kind, data := range map[string][]byte{"plain": written(t, "snappy", columns, rows),
		"nested":            foreign(t, nested, list),
		"arrow":             writers["arrow"].written(t, "none", columns, rows),
		"arrow, compressed": writers["arrow"].written(t, "zstd", columns, rows),
		"arrow, nested":     foreignArrow(t, nested, list, false, ipc.WithLZ4()),
		"arrow, words":      foreignArrow(t, words, `["a", "b", null, "a"]`, false)} {
		for n := 0; n < len(data); n += 1 + len(data)/200 {
			if _, _, err := all(data[:n], nil, nil); err == nil {
				t.Errorf("%s cut to %d of %d bytes is read", kind, n, len(data))
			}
		}
		for i := 0; i < len(data); i += 3 {
			for _, x := range []byte{1, 0x80, 0xff} {
				bad := slices.Clone(data)
				bad[i] ^= x
				_, _, _ = all(bad, nil, nil)
			}
		}
	}
}

// TestPagesAreBounded makes pages that hold a thousand times what their headers say.
func TestPagesAreBounded(t *testing.T) {
	big := make([]byte, 64<<20)
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		codec compress.Compression
		page  []byte
	}{{compress.Codecs.Zstd, enc.EncodeAll(big, nil)}, {compress.Codecs.Snappy, snappy.Encode(nil, big)}} {
		codec, err := compress.GetCodec(c.codec)
		if err != nil {
			t.Fatal(err)
		}
		_, err = compress.Decode(codec, make([]byte, 1000), c.page)
		if err == nil || !strings.Contains(err.Error(), "more than the 1000 bytes") {
			t.Errorf("%s: a page of %d bytes in place of 1000: %v", c.codec, len(big), err)
		}
	}
}

// TestGrowth reads a small file whose rows are a thousand times as large: what the library holds of it stays small.
func TestGrowth(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, []Column{{Name: "w", Type: value.Text}}, "zstd")
	if err != nil {
		t.Fatal(err)
	}
	long, n := value.Str(strings.Repeat("x", 60_000)), 2000
	for range n {
		if err := w.Row([]value.Value{long}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scan([]int{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	read := 0
	for {
		batch, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if batch == nil {
			break
		}
		read += batch.Cols[0].TextBytes(batch.N)
	}
	if grown := read / b.Len(); read < n*60_000 || grown < 1000 || f.memory.most > 48<<20 {
		t.Errorf("%d bytes of %d, %d times as many, %d MB held", read, b.Len(), grown, f.memory.most>>20)
	}
}

// TestMetadata finds a key in the file, and in the schema that some programs keep in it.
func TestMetadata(t *testing.T) {
	meta := arrow.NewMetadata([]string{"huggingface"}, []string{"{}"})
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.BinaryTypes.String, Nullable: true}}, &meta)
	var b bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &b, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties(
		pqarrow.WithStoreSchema()))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	f, rows, err := all(b.Bytes(), nil, nil)
	if err != nil || len(rows) != 0 || f.Metadata("huggingface") != "{}" || f.Metadata("other") != "" {
		t.Errorf("%v %v", rows, err)
	}
}

// TestCancel ends a scan by its context.
func TestCancel(t *testing.T) {
	columns, rows := own()
	data := written(t, "zstd", columns, rows)
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scan([]int{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzOpen reads anything as a file of typed columns.
func FuzzOpen(f *testing.F) {
	columns, rows := own()
	for _, w := range writers {
		for _, how := range w.compressions {
			f.Add(w.written(f, how, columns, rows))
		}
	}
	f.Add(foreignArrow(f, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
		`["a", "b", null, "a"]`, false))
	f.Add(foreignArrow(f, arrow.MapOf(arrow.BinaryTypes.StringView, arrow.PrimitiveTypes.Int64),
		`[[{"key": "x", "value": 1}]]`, true))
	f.Add(foreign(f, arrow.ListOf(arrow.StructOf(arrow.Field{Name: "k", Type: arrow.PrimitiveTypes.Int32})), `[[{"k": 1}]]`))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _, _ = all(data, nil, nil) })
}
