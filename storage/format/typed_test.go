package format

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/table"
	"parlance/storage/value"
)

// TestHuggingFaceParquet reads tokens with tags and texts with labels, whose classes the file names, an option, or
// nothing does.
func TestHuggingFaceParquet(t *testing.T) {
	list := func(t arrow.DataType) arrow.DataType { return arrow.ListOf(t) }
	tokens := []arrow.Field{{Name: "id", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "tokens", Type: list(arrow.BinaryTypes.String), Nullable: true},
		{Name: "ner_tags", Type: list(arrow.PrimitiveTypes.Int64), Nullable: true}}
	records := `[{"id": "7", "tokens": ["Ann", "ate"], "ner_tags": [1, 0]}]`
	text := []arrow.Field{{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "label", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "stars", Type: arrow.PrimitiveTypes.Float32, Nullable: true}}
	for _, c := range []struct {
		name, path, want, err string
	}{
		{"sequence", dataset(t, tokens, records, `{"info": {"features": {"ner_tags": {"feature": {"names": ["O", "B-PER"],
			"_type": "ClassLabel"}, "_type": "Sequence"}}}}`), "PER", ""},
		{"list", dataset(t, tokens, records, `{"info": {"features": {"id": {"dtype": "string", "_type": "Value"},
			"ner_tags": {"feature": {"names": ["O", "B-LOC"], "_type": "ClassLabel"}, "_type": "List"},
			"pair": {"a": {"_type": "Value"}}, "names": {"names": 3}}}}`), "LOC", ""},
		{"old list", dataset(t, tokens, records,
			`{"info": {"features": {"ner_tags": [{"names": ["O", "B-ORG"], "_type": "ClassLabel"}]}}}`), "ORG", ""},
		{"no names", dataset(t, tokens, records, ""), "", "WITH (classes = (O, 'B-PER', …)) names them"},
		{"too few", dataset(t, tokens, records,
			`{"info": {"features": {"ner_tags": [{"names": ["O"], "_type": "ClassLabel"}]}}}`), "",
			"1 is none of the 1 classes of the file"},
		{"labels", dataset(t, text, `[{"text": "Fine.", "label": 1, "stars": 0.5}, {"text": "?", "label": -1}]`,
			`{"info": {"features": {"label": {"names": ["bad", "good"], "_type": "ClassLabel"}}}}`), "good", ""},
	} {
		src, err := codec.OpenSources(files.Anywhere, []string{c.path}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		of := suite.Configure(t, "hf")
		got, err := formattest.ReadAll(of, src, 2)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		d := got.Docs[0]
		l := d.Layer("entities")
		if l == nil {
			l = d.Layer("labels")
		}
		if label := l.Strs("label"); len(label) != 1 || label[0] != c.want {
			t.Errorf("%s: %v, want %s", c.name, label, c.want)
		}
		g, err := GuessFormat(src)
		if err != nil || g.Format != "hf" {
			t.Errorf("%s: guessed %+v, %v", c.name, g, err)
		}
	}
}

// TestArrowTables reads files and streams of Arrow as tables, known by their first bytes.
func TestArrowTables(t *testing.T) {
	ctx := context.Background()
	columns := []codec.Column{{Name: "n", Type: value.Integer}, {Name: "j", Type: value.JSON}}
	for _, stream := range []bool{false, true} {
		var b bytes.Buffer
		c := suite.Configure(t, "arrow", formattest.Arg("stream", value.Bool(stream)))
		w, err := codec.NewRowWriter(c, &b, columns)
		if err == nil {
			err = errors.Join(w.Write(value.FromRows([]value.Type{value.Integer, value.JSON},
				[][]value.Value{{value.Int(7), {T: value.JSON, S: "[1]"}}, {{}, {}}})), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "rows.bin")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := table.Open(ctx, files.Anywhere, path, nil)
		if err != nil || file.Format != "arrow" || file.Rows() != 2 || file.Columns[1].Type != value.JSON {
			t.Fatalf("stream %v: %+v %v", stream, file, err)
		}
		got := ""
		err = file.Scan(ctx, []bool{true, true}, nil, func(string) {}, func(b *value.Batch) error {
			for i := range b.N {
				got += b.Cols[0].At(i).String() + b.Cols[1].At(i).String() + "|"
			}
			return nil
		})
		if err != nil || got != "7[1]||" {
			t.Errorf("stream %v: %s %v", stream, got, err)
		}
		src, err := codec.OpenSources(files.Anywhere, []string{path}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		if g, err := GuessFormat(src); err != nil || g.Format != "arrow" {
			t.Errorf("stream %v: guessed %+v, %v", stream, g, err)
		}
		src, err = codec.OpenSources(files.Anywhere, []string{path}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		src.EndWith(func() error { return context.Canceled })
		err = codec.ReadRows(ctx, suite.Configure(t, "arrow"), src, columns,
			func([][]value.Value, []string) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stream %v: a load that has ended: %v", stream, err)
		}
		err = codec.ReadRows(ctx, suite.Configure(t, "parquet"), src, columns,
			func([][]value.Value, []string) error { return nil })
		if err == nil {
			t.Error("read as Parquet")
		}
	}
}

// dataset writes records as the library for data sets of Hugging Face does, with what it says of them.
func dataset(t *testing.T, fields []arrow.Field, records, metadata string) string {
	t.Helper()
	var keys *arrow.Metadata
	if metadata != "" {
		m := arrow.NewMetadata([]string{"huggingface"}, []string{metadata})
		keys = &m
	}
	schema := arrow.NewSchema(fields, keys)
	rec, _, err := array.RecordFromJSON(memory.NewGoAllocator(), schema, strings.NewReader(records))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &b, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties(
		pqarrow.WithStoreSchema()))
	if err == nil {
		err = w.Write(rec)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "train.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTypedColumnsAreCompared refuses a column whose values would change, before the first row.
func TestTypedColumnsAreCompared(t *testing.T) {
	path := dataset(t, []arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "w", Type: arrow.BinaryTypes.String, Nullable: true}}, `[{"n": 2.5, "w": "12"}, {"n": null, "w": "x"}]`, "")
	read := func(columns ...codec.Column) (rows [][]value.Value, err error) {
		src, err := codec.OpenSources(files.Anywhere, []string{path}, nil, "")
		if err != nil {
			return nil, err
		}
		emit := func(r [][]value.Value, _ []string) error {
			rows = append(rows, r...)
			return nil
		}
		err = codec.ReadRows(context.Background(), suite.Configure(t, "parquet"), src, columns, emit)
		return rows, err
	}
	if _, err := read(codec.Column{Name: "n", Type: value.Integer}); err == nil ||
		!strings.Contains(err.Error(), "column n is FLOAT in the file and INTEGER in the table") {
		t.Error(err)
	}
	if _, err := read(codec.Column{Name: "w", Type: value.Integer}); err == nil ||
		!strings.Contains(err.Error(), ":2: column w") {
		t.Error(err)
	}
	if _, err := read(codec.Column{Name: "other", Type: value.Integer}); err == nil ||
		!strings.Contains(err.Error(), "columns are n, w") {
		t.Error(err)
	}
	rows, err := read(codec.Column{Name: "w", Type: value.Text}, codec.Column{Name: "other", Type: value.Text},
		codec.Column{Name: "n", Type: value.Float})
	if err != nil || len(rows) != 2 || rows[0][0].S != "12" || !rows[0][1].IsNull() || rows[0][2].Float() != 2.5 {
		t.Error(rows, err)
	}
}
