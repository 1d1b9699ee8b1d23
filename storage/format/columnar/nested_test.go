package columnar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"parlance/storage/value"
)

// nestedValue makes a value of a type by chance, some of them NULL.
func nestedValue(r *rand.Rand, t arrow.DataType) any {
	if r.IntN(4) == 0 {
		return nil
	}
	switch t := t.(type) {
	case *arrow.ListType:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = nestedValue(r, t.Elem())
		}
		return list
	case *arrow.StructType:
		fields := map[string]any{}
		for _, f := range t.Fields() {
			fields[f.Name] = nestedValue(r, f.Type)
		}
		return fields
	case *arrow.StringType:
		return strings.Repeat("w", r.IntN(5))
	}
	return float64(r.IntN(100))
}

// TestNestedByChance writes nested values by the library, in pages of a few bytes, and reads what was written.
func TestNestedByChance(t *testing.T) {
	part := arrow.StructOf(arrow.Field{Name: "a", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
		arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true})
	typ := arrow.ListOf(arrow.StructOf(arrow.Field{Name: "p", Type: part, Nullable: true},
		arrow.Field{Name: "q", Type: arrow.ListOf(arrow.ListOf(part)), Nullable: true}))
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := make([]any, 700)
		for i := range want {
			want[i] = nestedValue(r, typ)
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		version := []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2}[seed%2]
		_, rows, err := all(foreign(t, typ, string(text), parquet.WithDataPageVersion(version),
			parquet.WithDataPageSize(64), parquet.WithBatchSize(7)), nil, nil)
		if err != nil || len(rows) != len(want) {
			t.Fatal(seed, len(rows), err)
		}
		for i, row := range rows {
			var got any
			if v := row[0]; !v.IsNull() {
				if err := json.Unmarshal([]byte(v.S), &got); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(got, want[i]) {
				t.Fatalf("seed %d, row %d: %v, want %v", seed, i+1, got, want[i])
			}
		}
	}
}

// stored32 writes columns of integers with the levels that are given, as no careful program would.
func stored32(t testing.TB, root schema.FieldList, levels ...[2][]int16) []byte {
	t.Helper()
	group, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, root, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, group)
	rows, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range levels {
		c, err := rows.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		ints := make([]int32, 10)
		for i := range ints {
			ints[i] = int32(i + 1)
		}
		if _, err := c.(*file.Int32ColumnChunkWriter).WriteBatch(ints, l[0], l[1]); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOldLists reads lists as they were written before there was one way.
func TestOldLists(t *testing.T) {
	required, optional := parquet.Repetitions.Required, parquet.Repetitions.Optional
	repeated := parquet.Repetitions.Repeated
	group := func(name string, r parquet.Repetition, l schema.LogicalType, fields ...schema.Node) schema.Node {
		if l == nil {
			return schema.Must(schema.NewGroupNode(name, r, fields, -1))
		}
		return schema.Must(schema.NewGroupNodeLogical(name, r, fields, l, -1))
	}
	list := schema.ListLogicalType{}
	for _, c := range []struct {
		node     schema.Node
		def, rep []int16
		want     string
	}{
		{schema.NewInt32Node("c", repeated, -1), []int16{1, 1, 0, 1}, []int16{0, 1, 0, 0}, "[[1,2] [] [3]]"},
		{group("c", optional, list, schema.NewInt32Node("element", repeated, -1)), []int16{2, 2, 1, 0}, []int16{0, 1, 0, 0},
			"[[1,2] [] ]"},
		{group("c", required, list, group("array", repeated, nil, schema.NewInt32Node("x", required, -1))),
			[]int16{1, 1, 0}, []int16{0, 1, 0}, `[[{"x":1},{"x":2}] []]`},
		{group("c", required, list, group("c_tuple", repeated, nil, schema.NewInt32Node("x", optional, -1))),
			[]int16{2, 1, 0}, []int16{0, 1, 0}, `[[{"x":1},{"x":null}] []]`},
		{group("c", required, list, group("bag", repeated, nil, schema.NewInt32Node("x", optional, -1))),
			[]int16{2, 1, 0}, []int16{0, 1, 0}, `[[1,null] []]`},
		{group("c", optional, list, group("array", repeated, list, schema.NewInt32Node("array", repeated, -1))),
			[]int16{3, 3, 3, 3, 2}, []int16{0, 2, 1, 2, 1}, `[[[1,2],[3,4],[]]]`},
		{group("c", required, schema.MapLogicalType{}, group("key_value", repeated, nil,
			schema.NewInt32Node("key", required, -1))), []int16{1, 1, 0}, []int16{0, 1, 0}, `[[1,2] []]`},
	} {
		_, rows, err := all(stored32(t, schema.FieldList{c.node}, [2][]int16{c.def, c.rep}), nil, nil)
		if got := fmt.Sprint(slices.Concat(rows...)); err != nil || got != c.want {
			t.Errorf("%s, want %s: %v", got, c.want, err)
		}
	}
}

// TestLevelsThatDisagree refuses columns of one nested column that tell of different lists.
func TestLevelsThatDisagree(t *testing.T) {
	repeated, required := parquet.Repetitions.Repeated, parquet.Repetitions.Required
	pair := schema.Must(schema.NewGroupNode("c", repeated, schema.FieldList{schema.NewInt32Node("x", required, -1),
		schema.NewInt32Node("y", required, -1)}, -1))
	x := [2][]int16{{1, 1, 0, 1}, {0, 1, 0, 0}}
	for want, y := range map[string][2][]int16{
		`[[{"x":1,"y":1},{"x":2,"y":2}] [] [{"x":3,"y":3}]]`: x,
		"shorter list":               {{1, 0, 1}, {0, 0, 0}},
		"longer list":                {{1, 1, 1, 0, 1}, {0, 1, 1, 0, 0}},
		"a list where there is none": {{1, 1, 1, 1}, {0, 1, 0, 0}},
		"none where there is a list": {{0, 0, 1}, {0, 0, 0}},
	} {
		_, rows, err := all(stored32(t, schema.FieldList{pair}, x, y), nil, nil)
		got := fmt.Sprint(slices.Concat(rows...))
		if strings.HasPrefix(want, "[") && (err != nil || got != want) {
			t.Errorf("%s: %v", got, err)
		} else if !strings.HasPrefix(want, "[") && (err == nil || !strings.Contains(err.Error(), "do not fit together")) {
			t.Errorf("%s: %s, %v", want, got, err)
		}
	}
}

// TestOthersRead reads what this package writes by another reader.
func TestOthersRead(t *testing.T) {
	columns, rows := own()
	columns = append(columns, Column{Name: "v", Type: value.Vector})
	vectors := []value.Value{value.Vec32([]float32{1, 2.5}), {}, value.Vec32([]float32{-1})}
	for i := range rows {
		rows[i] = append(rows[i], vectors[i])
	}
	data := written(t, "snappy", columns, rows)
	mem := memory.NewGoAllocator()
	table, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(data), parquet.NewReaderProperties(mem),
		pqarrow.ArrowReadProperties{}, mem)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range columns {
		c := table.Column(i)
		got = append(got, fmt.Sprintf("%s %s %v", c.Name(), c.DataType(), c.Data().Chunk(0)))
	}
	want := []string{
		`t utf8 ["🍞 ä" (null) ""]`,
		`i int64 [9223372036854775807 (null) -9223372036854775808]`,
		`f float64 [-Inf (null) 0]`,
		`b bool [true (null) false]`,
		`d timestamp[us, tz=UTC] [-62135596799999999 (null) 253402300799999999]`,
		`x binary ["\x00\xff" (null) ""]`,
		`j binary ["{\"a\": [1, null]}" (null) "\"<&>\""]`,
		`p utf8 ["1 day" (null) "-00:00:01"]`,
		`v list<element: float32, nullable> [[1 2.5] (null) [-1]]`,
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("%s\nwant\n%s", a, b)
	}
	if _, rows, err = all(data, []int{8, 0, 8}, nil); err != nil || fmt.Sprint(rows[0]) != "[[1.0,2.5] 🍞 ä [1.0,2.5]]" {
		t.Errorf("a column twice: %v %v", rows, err)
	}
}

// TestLongTimes reads times of 96 bits, which old programs write.
func TestLongTimes(t *testing.T) {
	typ := arrow.FixedWidthTypes.Timestamp_ns
	for _, c := range [][2]string{{`[-1000]`, "1969-12-31 23:59:59.999999"},
		{`[1577923200000001000]`, "2020-01-02 00:00:00.000001"}} {
		_, rows, err := all(foreignAs(t, typ, c[0], nil, pqarrow.WithDeprecatedInt96Timestamps(true)), nil, nil)
		if err != nil || len(rows) != 1 || rows[0][0].String() != c[1] {
			t.Errorf("%v %v, want %s", rows, err, c[1])
		}
	}
}
