package columnar

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"parlance/storage/value"
)

// foreignArrow writes one column of a type by the library, each of the texts a batch, as a file or a stream.
func foreignArrow(t testing.TB, typ arrow.DataType, json string, stream bool, opts ...ipc.Option) []byte {
	t.Helper()
	return foreignField(t, arrow.Field{Name: "c", Type: typ, Nullable: true}, []string{json}, stream, opts...)
}

func foreignField(t testing.TB, f arrow.Field, batches []string, stream bool, opts ...ipc.Option) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{f}, nil)
	var b bytes.Buffer
	var w batchWriter
	opts = append(opts, ipc.WithSchema(schema))
	if stream {
		w = ipc.NewWriter(&b, opts...)
	} else {
		file, err := ipc.NewFileWriter(&b, opts...)
		if err != nil {
			t.Fatal(err)
		}
		w = file
	}
	for _, json := range batches {
		arr, _, err := array.FromJSON(memory.NewGoAllocator(), f.Type, strings.NewReader(json))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{arr}, int64(arr.Len()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestArrowTypes reads types that Parquet has not.
func TestArrowTypes(t *testing.T) {
	named := func(name string) arrow.Metadata { return arrow.NewMetadata([]string{extensionKey}, []string{name}) }
	words := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16, ValueType: arrow.BinaryTypes.String}
	for _, c := range []struct {
		typ  arrow.DataType
		meta arrow.Metadata
		json string
		want string
	}{
		{arrow.Null, arrow.Metadata{}, `[null, null]`, "[ ] text"},
		{arrow.PrimitiveTypes.Date64, arrow.Metadata{}, `["2020-01-02"]`, "[2020-01-02 00:00:00] timestamp"},
		{arrow.FixedWidthTypes.Timestamp_s, arrow.Metadata{}, `[1]`, "[1970-01-01 00:00:01] timestamp"},
		{arrow.FixedWidthTypes.Time32s, arrow.Metadata{}, `["01:02:03"]`, "[01:02:03] text"},
		{arrow.FixedWidthTypes.Float16, arrow.Metadata{}, `[0.5]`, "[0.5] float"},
		{&arrow.Decimal256Type{Precision: 60, Scale: 1}, arrow.Metadata{}, `["-0.5"]`, "[-0.5] float"},
		{&arrow.Decimal32Type{Precision: 5}, arrow.Metadata{}, `["-12345"]`, "[-12345] integer"},
		{&arrow.Decimal64Type{Precision: 18, Scale: 1}, arrow.Metadata{}, `["2.5"]`, "[2.5] float"},
		{arrow.BinaryTypes.LargeString, arrow.Metadata{}, `["a", null]`, "[a ] text"},
		{arrow.BinaryTypes.StringView, arrow.Metadata{}, `["a", "more than twelve bytes", null]`,
			"[a more than twelve bytes ] text"},
		{arrow.BinaryTypes.BinaryView, arrow.Metadata{}, `["AAE="]`, `[\x0001] bytes`},
		{arrow.BinaryTypes.LargeBinary, arrow.Metadata{}, `["AAE="]`, `[\x0001] bytes`},
		{arrow.LargeListOf(arrow.PrimitiveTypes.Int16), arrow.Metadata{}, `[[1, null], null, []]`, "[[1,null]  []] json"},
		{arrow.ListViewOf(arrow.PrimitiveTypes.Int16), arrow.Metadata{}, `[[1], null, [2, 3]]`, "[[1]  [2,3]] json"},
		{arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float32), arrow.Metadata{}, `[[1, 2.5], null]`,
			"[[1.0,2.5] ] json"},
		{arrow.MapOf(arrow.PrimitiveTypes.Int8, words), arrow.Metadata{}, `[[{"key": 1, "value": "x"}], null]`,
			`[[[1,"x"]] ] json`},
		{arrow.ListOf(words), arrow.Metadata{}, `[["a", null, "a"], []]`, `[["a",null,"a"] []] json`},
		{words, arrow.Metadata{}, `["a", null, "b"]`, `[a  b] text`},
		{arrow.BinaryTypes.String, named(jsonExtension), `["{\"a\": 1}", null]`, `[{"a": 1} ] json`},
		{&arrow.FixedSizeBinaryType{ByteWidth: 16}, named(uuidExtension), `["AAECAwQFBgcICQoLDA0ODw=="]`,
			"[00010203-0405-0607-0809-0a0b0c0d0e0f] text"},
		{arrow.FixedWidthTypes.Duration_s, arrow.Metadata{}, `[1]`, "[] null"},
		{arrow.ListOf(arrow.FixedWidthTypes.MonthInterval), arrow.Metadata{}, `[null]`, "[] null"},
		{arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int32), arrow.Metadata{}, `[1]`, "[] null"},
	} {
		for _, stream := range []bool{false, true} {
			data := foreignField(t, arrow.Field{Name: "c", Type: c.typ, Nullable: true, Metadata: c.meta}, []string{c.json},
				stream, ipc.WithLZ4())
			f, rows, err := all(data, nil, nil)
			if err != nil && (f == nil || f.Columns[0].Refused == "") {
				t.Errorf("%s: %v", c.typ, err)
				continue
			}
			var texts []string
			for _, r := range rows {
				texts = append(texts, r[0].String())
			}
			if got := fmt.Sprint(texts, " ", f.Columns[0].Type); got != c.want {
				t.Errorf("%s: %s, want %s", c.typ, got, c.want)
			}
		}
	}
}

// TestArrowDictionaries reads batches whose dictionary grows or is another one, and leaves some of them out.
func TestArrowDictionaries(t *testing.T) {
	words := arrow.Field{Name: "c", Nullable: true, Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
		ValueType: arrow.BinaryTypes.String}}
	batches := []string{`["a", "b"]`, `["a", "b", "c"]`, `["a", "b", "c", "d", null]`}
	others := []string{`["a", "b"]`, `["c"]`, `["d", "a", null]`}
	for _, c := range []struct {
		name    string
		data    []byte
		batches []string
	}{
		{"grows", foreignField(t, words, batches, true, ipc.WithDictionaryDeltas(true)), batches},
		{"other", foreignField(t, words, others, true, ipc.WithZstd()), others},
	} {
		for mask := range 8 {
			f, rows, err := all(c.data, nil, func(g int) bool { return mask>>g&1 == 1 })
			if err != nil || f.Groups != 3 {
				t.Fatalf("%s: %v", c.name, err)
			}
			got, want := "", ""
			for _, r := range rows {
				got += r[0].String() + " "
			}
			for g, b := range c.batches {
				if mask>>g&1 == 1 {
					want += strings.NewReplacer(`"`, "", ",", "", "[", "", "]", " ", "null", "").Replace(b)
				}
			}
			if got != want {
				t.Errorf("%s, batches %b: %q, want %q", c.name, mask, got, want)
			}
		}
	}
}

// streamEnd is the mark at the end of a stream.
var streamEnd = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

// packedColumn is a stream of a batch whose texts are compressed; change changes the compressed texts.
func packedColumn(t *testing.T, opt ipc.Option, texts int, change func(length uint64, packed []byte) (uint64, []byte),
) []byte {
	t.Helper()
	json := `["` + strings.Repeat("x", texts) + `"]`
	data := foreignArrow(t, arrow.BinaryTypes.String, json, true, opt)
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	m := f.source.(*arrowFile).messages[0]
	meta := flatbuffer(data[m.at:][:m.meta])
	at, n := meta.vector(meta.field(batchOf(meta, m), batchBuffers), bufferBytes)
	last := at + (n-1)*bufferBytes
	body := data[m.at+int64(m.meta):]
	whole := body[meta.i64(last):][:meta.i64(last+8)]
	length, packed := change(binary.LittleEndian.Uint64(whole), whole[8:])
	whole = append(binary.LittleEndian.AppendUint64(nil, length), packed...)
	begin := m.at + int64(m.meta) + meta.i64(last)
	out := append(bytes.Clone(data[:begin]), whole...)
	meta = flatbuffer(out[m.at:][:m.meta])
	binary.LittleEndian.PutUint64(meta[last+8:], uint64(len(whole)))
	size := len(out) - int(m.at) - m.meta
	binary.LittleEndian.PutUint64(meta[meta.field(meta.root(), messageBody):], uint64(size))
	return append(out, streamEnd...)
}

// TestArrowBuffersAreBounded: what comes out of a compressed buffer has the length that it tells, and windows are
// bounded.
func TestArrowBuffersAreBounded(t *testing.T) {
	big := make([]byte, 64<<20)
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var packedLZ4 bytes.Buffer
	w := lz4.NewWriter(&packedLZ4)
	if _, err := w.Write(big); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// The head of a frame with a window of 512 MB and no length, then the last block, a byte that is repeated.
	window := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 19 << 3, 0x83, 0x3e, 0x00, 'x'}
	for name, c := range map[string]struct {
		opt    ipc.Option
		length uint64 // 0 for the right one
		packed []byte // nil for the right ones
		want   string
	}{
		"zstd":         {ipc.WithZstd(), 0, nil, ""},
		"lz4":          {ipc.WithLZ4(), 0, nil, ""},
		"zstd, more":   {ipc.WithZstd(), 0, enc.EncodeAll(big, nil), "more than the 2000 bytes"},
		"lz4, more":    {ipc.WithLZ4(), 0, packedLZ4.Bytes(), "more than the 2000 bytes"},
		"zstd, less":   {ipc.WithZstd(), 3000, nil, "fewer bytes than the 3000"},
		"lz4, less":    {ipc.WithLZ4(), 3000, nil, "fewer bytes than the 3000"},
		"zstd, huge":   {ipc.WithZstd(), 1 << 40, nil, "more than a part may have"},
		"lz4, huge":    {ipc.WithLZ4(), 1 << 40, nil, "more than a part may have"},
		"zstd, window": {ipc.WithZstd(), 0, window, "window size exceeded"},
	} {
		data := packedColumn(t, c.opt, 2000, func(length uint64, packed []byte) (uint64, []byte) {
			if c.length > 0 {
				length = c.length
			}
			if c.packed != nil {
				packed = c.packed
			}
			return length, packed
		})
		f, rows, err := all(data, nil, nil)
		switch {
		case c.want == "" && (err != nil || len(rows) != 1 || len(rows[0][0].S) != 2000):
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", name, err, c.want)
		case f.memory.most > 1<<20:
			t.Errorf("%s: %d bytes held", name, f.memory.most)
		}
	}
}

// TestArrowMemory: a file of many batches is read in the memory of one, and nothing is held after the scan.
func TestArrowMemory(t *testing.T) {
	columns := []Column{{Name: "w", Type: value.Text}, {Name: "n", Type: value.Integer}}
	long := value.Str(strings.Repeat("x", 60_000))
	var rows [][]value.Value
	for i := range 4000 {
		rows = append(rows, []value.Value{long, value.Int(int64(i))})
	}
	for _, kind := range []string{"arrow", "stream"} {
		data := writers[kind].written(t, "zstd", columns, rows)
		f, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil || f.Groups < 5 {
			t.Fatal(err)
		}
		s, err := f.Scan([]int{1, 0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			b, err := s.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				break
			}
			n += b.N
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if n != len(rows) || f.memory.most > 100<<20 || f.memory.held != 0 {
			t.Errorf("%s: %d rows, %d MB held at most, %d bytes after the scan", kind, n, f.memory.most>>20, f.memory.held)
		}
	}
}

// TestArrowCancel ends the opening of a batch by its context.
func TestArrowCancel(t *testing.T) {
	data := packedColumn(t, ipc.WithZstd(), 100<<20, func(n uint64, b []byte) (uint64, []byte) { return n, b })
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	looks := 0
	ctx := &endsAt{Context: context.Background(), looks: &looks, at: 5}
	s, err := f.Scan([]int{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) || looks > 7 {
		t.Errorf("%v after %d looks", err, looks)
	}
}

// endsAt is a context that has ended at a look.
type endsAt struct {
	context.Context
	looks *int
	at    int
}

func (e *endsAt) Err() error {
	if *e.looks++; *e.looks >= e.at {
		return context.Canceled
	}
	return nil
}

// schemaStream is a stream that begins with a schema whose first field a function writes.
func schemaStream(field func(b *flatbuffers.Builder) flatbuffers.UOffsetT) []byte {
	b := flatbuffers.NewBuilder(0)
	first := field(b)
	b.StartVector(4, 1, 4)
	b.PrependUOffsetT(first)
	fields := b.EndVector(1)
	b.StartObject(4)
	b.PrependUOffsetTSlot(schemaFields, fields, 0)
	schema := b.EndObject()
	b.StartObject(5)
	b.PrependInt16Slot(0, 4, 0)
	b.PrependByteSlot(messageKind, schemaMessage, 0)
	b.PrependUOffsetTSlot(messageHeader, schema, 0)
	b.Finish(b.EndObject())
	meta := b.FinishedBytes()
	for len(meta)%8 != 0 {
		meta = append(meta, 0)
	}
	out := binary.LittleEndian.AppendUint32(nil, continued)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(meta)))
	return slices.Concat(out, meta, streamEnd)
}

// TestArrowSchemas: schemas that are nested too deep, that share their parts or that lead back to themselves are
// refused.
func TestArrowSchemas(t *testing.T) {
	nest := func(b *flatbuffers.Builder, children ...flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		b.StartVector(4, len(children), 4)
		for _, c := range children {
			b.PrependUOffsetT(c)
		}
		list := b.EndVector(len(children))
		b.StartObject(7)
		b.PrependUOffsetTSlot(fieldChildren, list, 0)
		return b.EndObject()
	}
	deep := schemaStream(func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		f := nest(b)
		for range 1 << 18 {
			f = nest(b, f)
		}
		return f
	})
	wide := schemaStream(func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		f := nest(b)
		for range 40 {
			f = nest(b, f, f)
		}
		return f
	})
	back := schemaStream(func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return nest(b, nest(b)) })
	meta := flatbuffer(back[8:])
	at, _ := meta.vector(meta.field(meta.follow(meta.field(meta.root(), messageHeader)), schemaFields), 4)
	outer := meta.follow(at)
	at, _ = meta.vector(meta.field(outer, fieldChildren), 4)
	binary.LittleEndian.PutUint32(meta[at:], uint32(outer-at)) // leads back, where places wrap around
	pairs := func(n uint32, shared int) []byte {               // fields that share a list of pairs, which tells a length
		return schemaStream(func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			text := b.CreateString(strings.Repeat("k", 100))
			b.StartObject(2)
			b.PrependUOffsetTSlot(keyOf, text, 0)
			b.PrependUOffsetTSlot(valueOf, text, 0)
			pair := b.EndObject()
			b.StartVector(4, 1000, 4)
			for range 1000 {
				b.PrependUOffsetT(pair)
			}
			list := b.EndVector(1000)
			if n > 0 {
				binary.LittleEndian.PutUint32(b.Bytes[int(b.Head()):], n)
			}
			var all []flatbuffers.UOffsetT
			for range shared {
				b.StartObject(7)
				b.PrependUOffsetTSlot(fieldMetadata, list, 0)
				all = append(all, b.EndObject())
			}
			return nest(b, all...)
		})
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"pairs":  {pairs(1<<31-1, 1), "damaged"},
		"shared": {pairs(0, 1000), "more than 65536 pairs"},
		"deep":   {deep, "nested more than"},
		"wide":   {wide, "more than 65536 fields"},
		"back":   {back, "damaged"},
	} {
		if _, err := Open(bytes.NewReader(c.data), int64(len(c.data))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestArrowRefused: what is no file of Arrow says what it is.
func TestArrowRefused(t *testing.T) {
	columns, rows := own()
	file := writers["arrow"].written(t, "none", columns, rows)
	stream := writers["stream"].written(t, "none", columns, rows)
	for in, want := range map[string]string{
		"FEA1\x00\x00\x00\x00":                                "Feather of version 1",
		"ARROW1\x00\x00":                                      "cut short",
		string(file[:len(file)-1]):                            "cut short",
		string(file[:len(file)-1]) + "2":                      "does not end with ARROW1",
		string(file[:len(file)-9]) + "\x00\x00\x00\x00ARROW1": "its footer has",
		string(stream[:len(stream)-20]):                       "cut short",
		string(stream[:300]):                                  "cut short",
		"\xff\xff\xff\xff\x08\x00\x00\x00abc":                 "cut short",
	} {
		_, _, err := all([]byte(in), nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.10q: %v, want %s", in, err, want)
		}
	}
	old := stream[4:] // before version 0.15 a message began with its length
	f := &arrowFile{r: bytes.NewReader(old), size: int64(len(old))}
	if m, _, err := f.message(0); err != nil || m.kind != schemaMessage {
		t.Errorf("a message without a mark: %v, %v", m, err)
	}
}

// TestArrowWithoutBatches: a stream that is cut between two batches, and a file whose list of batches lacks some, are
// refused; they would be read as shorter ones.
func TestArrowWithoutBatches(t *testing.T) {
	typ, batches := arrow.PrimitiveTypes.Int64, []string{"[1, 2]", "[3]", "[4]"}
	field := arrow.Field{Name: "n", Type: typ, Nullable: true}
	stream := foreignField(t, field, batches, true)
	f, rows, err := all(stream, nil, nil)
	if err != nil || len(rows) != 4 {
		t.Fatal(len(rows), err)
	}
	for _, m := range f.source.(*arrowFile).messages {
		cut := m.at - 8
		if _, err := Open(bytes.NewReader(stream[:cut]), cut); err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Errorf("cut at byte %d of %d: %v", cut, len(stream), err)
		}
	}
	file := foreignField(t, field, batches, false)
	tail := len(file) - footerTail
	footer := flatbuffer(file[tail-int(binary.LittleEndian.Uint32(file[tail:])) : tail])
	at, n := footer.vector(footer.field(footer.root(), footerBatches), blockBytes)
	for fewer := range n {
		binary.LittleEndian.PutUint32(footer[at-4:], uint32(fewer))
		if _, err := Open(bytes.NewReader(file), int64(len(file))); err == nil || !strings.Contains(err.Error(), "lacks") {
			t.Errorf("%d of %d batches: %v", fewer, n, err)
		}
	}
}

// TestArrowSchemaInFooter: a file whose schema stands in the footer alone is read like one that has it before the
// batches, too; the values of dictionaries and the metadata of the schema are there.
func TestArrowSchemaInFooter(t *testing.T) {
	for name, c := range map[string]struct {
		typ     arrow.DataType
		batches []string
	}{
		"integers": {arrow.PrimitiveTypes.Int64, []string{"[1, 2]", "[3]"}},
		"texts": {&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
			[]string{`["x", "y", "x"]`}},
		"none": {arrow.PrimitiveTypes.Int64, nil},
	} {
		file := foreignField(t, arrow.Field{Name: "n", Type: c.typ, Nullable: true}, c.batches, false)
		f, want, err := all(file, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		first := f.source.(*arrowFile).first
		gone := first.at + int64(first.meta) + first.body - fileBegin
		short := slices.Concat(file[:fileBegin], file[fileBegin+gone:])
		tail := len(short) - footerTail
		footer := flatbuffer(short[tail-int(binary.LittleEndian.Uint32(short[tail:])) : tail])
		for _, list := range []int{footerDictionaries, footerBatches} {
			at, n := footer.vector(footer.field(footer.root(), list), blockBytes)
			for i := range n {
				place := footer[at+i*blockBytes:]
				binary.LittleEndian.PutUint64(place, binary.LittleEndian.Uint64(place)-uint64(gone))
			}
		}
		g, got, err := all(short, nil, nil)
		if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]value.Value]) || !slices.Equal(g.Columns, f.Columns) {
			t.Errorf("%s: %v, want %v; %v", name, got, want, err)
		}
	}
}
