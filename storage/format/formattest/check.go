package formattest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// CheckFiles writes documents to files and reads them back.
func CheckFiles(t *rapid.T, top testing.TB, c codec.Codec, ext string, docs []*text.Document,
	same func(*text.Document)) {
	t.Helper()
	all, err := FilesOf(top, c, "*"+ext, docs...)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(top.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := codec.OpenSources(files.Anywhere, []string{filepath.Join(dir, "*"+ext)}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadAll(c, src, 1)
	if err != nil {
		t.Fatalf("%v in\n%q", err, all)
	}
	for _, d := range got.Docs {
		same(d)
	}
	if diff := cmp.Diff(Dumps(docs), Dumps(got.Docs)); diff != "" {
		t.Fatalf("%s\nin\n%q", diff, all)
	}
}

// Near is what stands around an offset.
func Near(b []byte, at int) []byte { return b[max(0, at-40):min(len(b), at+40)] }

// CheckSameDocuments reads files, writes the documents and reads them back.
func (s Suite) CheckSameDocuments(t *testing.T, format string, files []string, args ...option.Arg) []*text.Document {
	t.Helper()
	c := s.Configure(t, format, args...)
	docs := ReadFiles(t, c, "", files...)
	back, err := ReadString(c, Written(t, c, docs), 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Docs) != len(docs) {
		t.Fatalf("%d documents, %d are written", len(back.Docs), len(docs))
	}
	for i, d := range docs {
		d.ID, back.Docs[i].ID = "", "" // ids of a file come from its name
		want, got := Dumps(docs[i:i+1]), Dumps(back.Docs[i:i+1])
		if want != got {
			at := 0
			for at < len(got) && at < len(want) && got[at] == want[at] {
				at++
			}
			t.Fatalf("document %d: %q, want %q", i+1, Near([]byte(got), at), Near([]byte(want), at))
		}
	}
	return docs
}

// CheckFault wants every fault of a file to name the file and a line of it.
func CheckFault(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *codec.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T without a place: %v", err, err)
	}
	if e.File != "stdin" || e.Line < 1 || e.Col < 0 || e.Msg == "" {
		t.Fatalf("%#v", e)
	}
}

// CheckRead reads with one and with several workers: no panic, the same documents and fault, each
// document with an id, text within bounds and a place.
func (s Suite) CheckRead(t *testing.T, in string, format string, args ...option.Arg) {
	t.Helper()
	c := s.Configure(t, format, args...)
	one, err := ReadString(c, in, 1)
	CheckFault(t, err)
	three, err3 := ReadString(c, in, 3)
	if (err == nil) != (err3 == nil) || err != nil && err.Error() != err3.Error() {
		t.Fatalf("one worker: %v, three: %v", err, err3)
	}
	if strings.Join(one.Places, " ") != strings.Join(three.Places, " ") || Dumps(one.Docs) != Dumps(three.Docs) {
		t.Fatal("workers change what is read")
	}
	for i, d := range one.Docs {
		if d.ID == "" && format != "text" {
			t.Fatalf("the document at %s has no id", one.Places[i])
		}
		toks := d.Layer("tokens")
		for k := 0; toks != nil && k < toks.N; k++ {
			if a, z := toks.Ints("char_start")[k], toks.Ints("char_end")[k]; a < 0 || z < a || int(z) > len(d.Text) {
				t.Fatalf("token %d of %s: [%d, %d) of %d bytes", k, d.ID, a, z, len(d.Text))
			}
		}
	}
}

// CheckReadRows wants rows as wide as the columns.
func (s Suite) CheckReadRows(t *testing.T, in, format string, columns []codec.Column, args ...option.Arg) {
	t.Helper()
	rows, places, err := RowsString(s.Configure(t, format, args...), in, columns)
	CheckFault(t, err)
	if len(rows) != len(places) {
		t.Fatalf("%d rows, %d places", len(rows), len(places))
	}
	for i, row := range rows {
		if len(row) != len(columns) {
			t.Fatalf("%d values at %s", len(row), places[i])
		}
		for k, v := range row {
			if !v.IsNull() && v.T != columns[k].Type {
				t.Fatalf("column %s at %s is %s", columns[k].Name, places[i], v.T)
			}
		}
	}
}

// Seeds adds inputs that every format meets.
func Seeds(f *testing.F, more ...string) {
	for _, s := range append(more, "", "\n", "\r\n", "\xef\xbb\xbf", "a\xffb\n", "\x00", " \t \n", "\u00a0\n", "no end") {
		f.Add(s)
	}
}

// PlacesAlone is a layer of spans with their characters alone.
func PlacesAlone(d *text.Document, def *text.LayerDef) {
	l := d.Layer(def.Name)
	list := make([]layers.Span, l.N)
	for i := range list {
		list[i] = layers.EntityAt(l, i)
	}
	d.SetLayer(layers.Spans(d, def, list))
}

// CheckLayers wants offsets within the text and the columns of a layer equally long.
func CheckLayers(t rapid.TB, docs []*text.Document) {
	t.Helper()
	for _, d := range docs {
		for _, l := range d.Layers {
			for c, col := range l.Def.Columns {
				if n := len(l.Cols[c].Ints) + len(l.Cols[c].Strs); n != 0 && n != l.N {
					t.Fatalf("%s: column %s of %s has %d rows of %d", d.ID, col.Name, l.Name, n, l.N)
				}
				from, isStart := strings.CutSuffix(col.Name, "_start")
				if !isStart || col.Role != text.Offset {
					continue
				}
				start, end := l.Ints(col.Name), l.Ints(from+"_end")
				for i := range start {
					if a, z := start[i], end[i]; a < 0 || z < a || int(z) > len(d.Text) {
						t.Fatalf("%s: row %d of %s is [%d, %d) of %d bytes", d.ID, i, l.Name, a, z, len(d.Text))
					}
				}
			}
		}
	}
}

// CheckDocuments writes documents and reads them back.
func CheckDocuments(t *rapid.T, c codec.Codec, docs []*text.Document) {
	t.Helper()
	file := Written(t, c, docs)
	got, err := ReadString(c, file, 2)
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	if diff := cmp.Diff(Dumps(docs), Dumps(got.Docs)); diff != "" {
		t.Fatalf("%s\nin\n%s", diff, file)
	}
}

// CheckRows writes rows and reads them back.
func CheckRows(t *rapid.T, c codec.Codec, columns []codec.Column, rows [][]value.Value) {
	t.Helper()
	var b bytes.Buffer
	w, err := codec.NewRowWriter(c, &b, columns)
	if err != nil {
		t.Fatal(err)
	}
	types := make([]value.Type, len(columns))
	for i, c := range columns {
		types[i] = c.Type
	}
	if err := errors.Join(w.Write(value.FromRows(types, rows)), w.Close()); err != nil {
		t.Fatal(err)
	}
	got, _, err := RowsString(c, b.String(), columns)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Fatalf("%s\nin\n%s", diff, b.String())
	}
}

// RowsOf counts the rows of a layer.
func RowsOf(docs []*text.Document, layer string) (n int) {
	for _, d := range docs {
		if l := d.Layer(layer); l != nil {
			n += l.N
		}
	}
	return n
}

// Suite is the formats under test.
type Suite []*codec.Format

// Configure returns a format of the suite with options.
func (s Suite) Configure(t rapid.TB, name string, args ...option.Arg) codec.Codec {
	t.Helper()
	f, ok := codec.Find(s, name)
	if !ok {
		t.Fatalf("there is no format %s", name)
	}
	c, err := f.Configure(args)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// CheckWritten wants what is read to be the same after it is written, unless the writer refuses.
func (s Suite) CheckWritten(t *testing.T, in, format string, args ...option.Arg) {
	t.Helper()
	c := s.Configure(t, format, args...)
	got, err := ReadString(c, in, 1)
	if err != nil {
		return
	}
	var b bytes.Buffer
	w, err := codec.NewDocumentWriter(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range got.Docs {
		if w.Write(d) != nil {
			return
		}
	}
	back, err := ReadString(c, b.String(), 1)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if diff := cmp.Diff(Dumps(got.Docs), Dumps(back.Docs)); diff != "" {
		t.Fatalf("%s\nin\n%s", diff, b.String())
	}
}
