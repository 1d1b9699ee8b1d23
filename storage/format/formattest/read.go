package formattest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// ReadBeside reads a file of a folder.
func ReadBeside(t *testing.T, dir, name string, c codec.Codec) (string, error) {
	t.Helper()
	src, err := codec.OpenSources(files.Anywhere, []string{filepath.Join(dir, name)}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadAll(c, src, 1)
	if err != nil {
		return "", err
	}
	CheckLayers(t, got.Docs)
	var b strings.Builder
	for i, d := range got.Docs {
		Dump(&b, d, filepath.Base(got.Places[i]))
	}
	return b.String(), nil
}

// ReadBack puts files into a folder and reads those of a pattern.
func ReadBack(t testing.TB, c codec.Codec, all map[string]string, pattern string) ([]*text.Document, error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range all {
		Write(t, dir, name, []byte(content))
	}
	src, err := codec.OpenSources(files.Anywhere, []string{filepath.Join(dir, pattern)}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadAll(c, src, 1)
	return got.Docs, err
}

// ReadFiles reads the documents of files in an encoding.
func ReadFiles(t *testing.T, c codec.Codec, enc string, paths ...string) []*text.Document {
	t.Helper()
	src, err := codec.OpenSources(files.Anywhere, paths, nil, enc)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadAll(c, src, 2)
	if err != nil {
		t.Fatal(err)
	}
	return got.Docs
}

// ReadPlain reads files in UTF-8.
func ReadPlain(t *testing.T, c codec.Codec, files ...string) []*text.Document {
	t.Helper()
	return ReadFiles(t, c, "", files...)
}

// Arg is an option with a literal value.
func Arg(name string, v value.Value) option.Arg { return option.Arg{Name: name, Value: v} }

// Collected is what a reader emits.
type Collected struct {
	Docs   []*text.Document
	Places []string
}

// ReadString reads the documents of a text.
func ReadString(c codec.Codec, s string, workers int) (got Collected, err error) {
	src, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader(s), "")
	if err != nil {
		return got, err
	}
	return ReadAll(c, src, workers)
}

// ReadAll reads the documents of sources.
func ReadAll(c codec.Codec, src *codec.Sources, workers int) (got Collected, err error) {
	err = codec.ReadDocuments(context.Background(), c, src, workers, func(docs []*text.Document, places []string) error {
		got.Docs, got.Places = append(got.Docs, docs...), append(got.Places, places...)
		return nil
	})
	return got, err
}

// RowsString reads the rows of a text.
func RowsString(c codec.Codec, s string, columns []codec.Column) (rows [][]value.Value, places []string, err error) {
	src, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader(s), "")
	if err != nil {
		return nil, nil, err
	}
	err = codec.ReadRows(context.Background(), c, src, columns, func(r [][]value.Value, p []string) error {
		rows, places = append(rows, r...), append(places, p...)
		return nil
	})
	return rows, places, err
}

// Dump prints a document with all that its layers store.
func Dump(b *strings.Builder, d *text.Document, place string) {
	fmt.Fprintf(b, "%s at %s: %q\n", d.ID, place, d.Text)
	for _, f := range d.Fields {
		fmt.Fprintf(b, "  field %s %s %q\n", f.Name, f.Value.T, f.Value.String())
	}
	var row []byte // millions are dumped
	for _, l := range d.Layers {
		for i := range l.N {
			row = append(append(row[:0], "  "...), l.Name...)
			for c, col := range l.Def.Columns {
				switch {
				case l.Cols[c].Ints != nil:
					row = append(append(append(row, ' '), short(col.Name)...), '=')
					row = strconv.AppendInt(row, int64(l.Cols[c].Ints[i]), 10)
				case l.Cols[c].Strs != nil && l.Cols[c].Strs[i] != "":
					row = append(append(append(row, ' '), col.Name...), '=')
					row = strconv.AppendQuote(row, l.Cols[c].Strs[i])
				}
			}
			b.Write(append(row, '\n'))
		}
	}
}

func short(column string) string { return strings.TrimPrefix(column, "char_") }

// Dumps prints documents with layers by name, so that readers may add them in any order.
func Dumps(docs []*text.Document) string {
	var b strings.Builder
	for _, d := range docs {
		c := *d
		c.Layers = slices.Clone(d.Layers)
		slices.SortFunc(c.Layers, func(x, y *text.Layer) int { return strings.Compare(x.Name, y.Name) })
		Dump(&b, &c, "")
	}
	return b.String()
}

// ListArg is an option with a list of texts.
func ListArg(name string, list ...string) option.Arg {
	a := option.Arg{Name: name, List: []option.Arg{}}
	for _, s := range list {
		a.List = append(a.List, option.Arg{Value: value.Str(s)})
	}
	return a
}
