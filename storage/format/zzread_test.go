package format

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
	"parlance/storage/value"
)

// readBeside reads a file of a folder.
func readBeside(t *testing.T, dir, name string, c Codec) (string, error) {
	t.Helper()
	src, err := OpenSources(files.Anywhere, []string{filepath.Join(dir, name)}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(c, src, 1)
	if err != nil {
		return "", err
	}
	checkLayers(t, got.docs)
	var b strings.Builder
	for i, d := range got.docs {
		dump(&b, d, filepath.Base(got.places[i]))
	}
	return b.String(), nil
}

// readBack puts files into a folder and reads those of a pattern.
func readBack(t testing.TB, c Codec, all map[string]string, pattern string) ([]*text.Document, error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range all {
		write(t, dir, name, []byte(content))
	}
	src, err := OpenSources(files.Anywhere, []string{filepath.Join(dir, pattern)}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(c, src, 1)
	return got.docs, err
}

func readFiles(t *testing.T, c Codec, enc string, paths ...string) []*text.Document {
	t.Helper()
	src, err := OpenSources(files.Anywhere, paths, nil, enc)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(c, src, 2)
	if err != nil {
		t.Fatal(err)
	}
	return got.docs
}

// dataFiles lists the files of a pattern in the folder of real data.
// readPlain reads files in UTF-8.
func readPlain(t *testing.T, c Codec, files ...string) []*text.Document {
	t.Helper()
	return readFiles(t, c, "", files...)
}

// arg is an option with a literal value.
func arg(name string, v value.Value) option.Arg { return option.Arg{Name: name, Value: v} }

// collected is what a reader emits.
type collected struct {
	docs   []*text.Document
	places []string
}

func readString(c Codec, s string, workers int) (got collected, err error) {
	src, err := OpenSources(files.Anywhere, nil, strings.NewReader(s), "")
	if err != nil {
		return got, err
	}
	return readAll(c, src, workers)
}

func readAll(c Codec, src *Sources, workers int) (got collected, err error) {
	err = ReadDocuments(context.Background(), c, src, workers, func(docs []*text.Document, places []string) error {
		got.docs, got.places = append(got.docs, docs...), append(got.places, places...)
		return nil
	})
	return got, err
}

func rowsString(c Codec, s string, columns []Column) (rows [][]value.Value, places []string, err error) {
	src, err := OpenSources(files.Anywhere, nil, strings.NewReader(s), "")
	if err != nil {
		return nil, nil, err
	}
	err = ReadRows(context.Background(), c, src, columns, func(r [][]value.Value, p []string) error {
		rows, places = append(rows, r...), append(places, p...)
		return nil
	})
	return rows, places, err
}

// dump prints a document with all that its layers store.
func dump(b *strings.Builder, d *text.Document, place string) {
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

// dumps prints documents with layers by name, so that readers may add them in any order.
func dumps(docs []*text.Document) string {
	var b strings.Builder
	for _, d := range docs {
		c := *d
		c.Layers = slices.Clone(d.Layers)
		slices.SortFunc(c.Layers, func(x, y *text.Layer) int { return strings.Compare(x.Name, y.Name) })
		dump(&b, &c, "")
	}
	return b.String()
}

func listArg(name string, list ...string) option.Arg {
	a := option.Arg{Name: name, List: []option.Arg{}}
	for _, s := range list {
		a.List = append(a.List, option.Arg{Value: value.Str(s)})
	}
	return a
}
