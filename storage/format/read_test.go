package format

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// options turns the arguments of a directive into options: truth values, lists and texts.
func options(args []datadriven.CmdArg) (out []option.Arg) {
	for _, a := range args {
		switch {
		case a.Key == "columns" || len(a.Vals) > 1:
			list := option.Arg{Name: a.Key}
			for _, v := range a.Vals {
				list.List = append(list.List, option.Arg{Value: value.Str(v)})
			}
			out = append(out, list)
		case a.Vals[0] == "true" || a.Vals[0] == "false":
			out = append(out, formattest.Arg(a.Key, value.Bool(a.Vals[0] == "true")))
		default:
			out = append(out, formattest.Arg(a.Key, value.Str(a.Vals[0])))
		}
	}
	return out
}

// unescape turns \t, \r, \\ and \xNN of test data into bytes.
func unescape(t testing.TB, s string) string {
	t.Helper()
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		u, err := strconv.Unquote(`"` + strings.ReplaceAll(l, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		lines[i] = u
	}
	return strings.Join(lines, "\n")
}

// runData runs the directives read (a stream of documents) and rows (typed columns):
//
//	read FORMAT [escaped] [option=value ...]
//	rows FORMAT [escaped] as=(name:TYPE, ...) [option=value ...]
func runData(t *testing.T, d *datadriven.TestData) string {
	in, format := d.Input+"\n", d.CmdArgs[0].Key
	var columns []codec.Column
	var args []datadriven.CmdArg
	for _, a := range d.CmdArgs[1:] {
		switch a.Key {
		case "escaped":
			in = unescape(t, in)
		case "as":
			for _, v := range a.Vals {
				name, typ, _ := strings.Cut(v, ":")
				ty, ok := value.ParseType(typ)
				if !ok {
					d.Fatalf(t, "there is no type %s", typ)
				}
				columns = append(columns, codec.Column{Name: name, Type: ty})
			}
		default:
			args = append(args, a)
		}
	}
	f, ok := Lookup(format)
	if !ok {
		d.Fatalf(t, "there is no format %s", format)
	}
	var b strings.Builder
	c, err := f.Configure(options(args))
	switch {
	case err != nil:
	case d.Cmd == "read":
		var got formattest.Collected
		got, err = formattest.ReadString(c, in, 1)
		for i, doc := range got.Docs {
			formattest.Dump(&b, doc, got.Places[i])
		}
		for _, n := range codec.Notices(c) {
			fmt.Fprintf(&b, "notice: %s\n", n)
		}
	case d.Cmd == "rows":
		var rows [][]value.Value
		var places []string
		rows, places, err = formattest.RowsString(c, in, columns)
		for i, row := range rows {
			fmt.Fprintf(&b, "%s:", places[i])
			for _, v := range row {
				fmt.Fprintf(&b, " %s %q", v.T, v.String())
			}
			b.WriteByte('\n')
		}
	default:
		d.Fatalf(t, "there is no directive %s", d.Cmd)
	}
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	datadriven.Walk(t, "testdata/read", func(t *testing.T, path string) { datadriven.RunTest(t, path, runData) })
}

func TestMalformed(t *testing.T) {
	datadriven.Walk(t, "testdata/malformed", func(t *testing.T, path string) { datadriven.RunTest(t, path, runData) })
}

// texts reads files and returns id, place and text of each document.
func texts(t *testing.T, format, enc string, paths ...string) ([]string, error) {
	t.Helper()
	src, err := codec.OpenSources(files.Anywhere, paths, nil, enc)
	if err != nil {
		return nil, err
	}
	got, err := formattest.ReadAll(suite.Configure(t, format), src, 2)
	out := []string{}
	for i, d := range got.Docs {
		_, place, _ := strings.Cut(got.Places[i], filepath.Dir(paths[0])+string(filepath.Separator))
		out = append(out, fmt.Sprintf("%s|%s|%s", d.ID, place, d.Text))
	}
	return out, err
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	formattest.Write(t, dir, "b.txt", []byte("two\nthree"))
	formattest.Write(t, dir, "a.txt", []byte("\xef\xbb\xbfone\r\n"))
	formattest.Write(t, dir, "c.txt", nil)
	formattest.Write(t, dir, "z.gz", formattest.Gzipped(t, "packed\n"))
	formattest.Write(t, dir, "z.tsv.zst", formattest.Zstandard(t, "squeezed\n"))
	formattest.Write(t, dir, "l1", []byte("caf\xe9\n"))
	formattest.Write(t, dir, "cp", []byte("\x93q\x94\n"))
	formattest.Write(t, dir, "le", []byte("\xff\xfee\x00\xe9\x00\n\x00"))
	formattest.Write(t, dir, "be", []byte("\xfe\xff\x00e\x00\xe9\x00\n"))
	if err := os.Mkdir(filepath.Join(dir, "d.txt"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, enc string
		paths     []string
		want      []string
	}{
		{"byte order mark and CRLF", "", []string{"a.txt"}, []string{"a.txt:1|a.txt:1|one"}},
		{"pattern by name, without folders", "", []string{"*.txt"},
			[]string{"a.txt:1|a.txt:1|one", "b.txt:1|b.txt:1|two", "b.txt:2|b.txt:2|three"}},
		{"paths in the given order", "", []string{"b.txt", "a.txt"},
			[]string{"b.txt:1|b.txt:1|two", "b.txt:2|b.txt:2|three", "a.txt:1|a.txt:1|one"}},
		{"empty", "", []string{"c.txt"}, []string{}},
		{"gzip by extension", "", []string{"z.gz"}, []string{"z:1|z.gz:1|packed"}},
		{"zstd by extension", "", []string{"z.tsv.zst"}, []string{"z.tsv:1|z.tsv.zst:1|squeezed"}},
		{"latin1", "latin1", []string{"l1"}, []string{"l1:1|l1:1|café"}},
		{"windows-1252", "windows-1252", []string{"cp"}, []string{"cp:1|cp:1|“q”"}},
		{"UTF-16 by its mark", "utf-16", []string{"le", "be"}, []string{"le:1|le:1|eé", "be:1|be:1|eé"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []string
			for _, p := range c.paths {
				paths = append(paths, filepath.Join(dir, p))
			}
			got, err := texts(t, "lines", c.enc, paths...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSourceFaults(t *testing.T) {
	dir := t.TempDir()
	formattest.Write(t, dir, "latin", []byte("ok\nca fé caf\xe9 \xff\n"))
	formattest.Write(t, dir, "plain.gz", []byte("not packed at all"))
	whole := formattest.Gzipped(t, strings.Repeat("line\n", 3))
	formattest.Write(t, dir, "short.gz", whole[:len(whole)-6])
	formattest.Write(t, dir, "wrong.gz", append(slices.Clone(whole[:len(whole)-8]), "12345678"...))
	formattest.Write(t, dir, "empty.gz", nil)
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, enc, path, want string }{
		{"not UTF-8", "", "latin", "DIR/latin:2:11: byte 0xe9 is not UTF-8"},
		{"no gzip", "", "plain.gz", "DIR/plain.gz:1: the file does not begin as gzip does, which its name says it is"},
		{"empty gzip", "", "empty.gz", "DIR/empty.gz:1: the file does not begin as gzip does, which its name says it is"},
		{"cut gzip", "", "short.gz", "DIR/short.gz:4: the compressed file ends early: it was cut off"},
		{"damaged gzip", "", "wrong.gz", "DIR/wrong.gz:4: the compressed file is damaged: its checksum does not fit"},
		{"folder", "", "sub", "DIR/sub is a folder; name its files, such as DIR/sub/*"},
		{"near name", "", "short.gs", "DIR/short.gs: no such file or directory; did you mean DIR/short.gz?"},
		{"no file", "", "none", "stat DIR/none: no such file or directory"},
		{"no match", "", "*.conll", "no file matches DIR/*.conll"},
		{"pattern", "", "[", "DIR/[: syntax error in pattern"},
		{"encoding", "utf8", "latin", "there is no encoding utf8; encodings are utf-8, latin1, windows-1252, utf-16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := texts(t, "lines", c.enc, filepath.Join(dir, c.path))
			if err == nil {
				t.Fatal("no error")
			}
			if got := strings.ReplaceAll(err.Error(), dir, "DIR"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	_, err := texts(t, "lines", "", filepath.Join(dir, "latin"))
	var e *codec.Error
	if !errors.As(err, &e) || e.Line != 2 || e.Col != 11 || !strings.Contains(e.Hint, "latin1") {
		t.Errorf("%#v", err)
	}
	if _, err = formattest.ReadString(suite.Configure(t, "lines"), "\xff\xfea\x00\n\x00", 1); !errors.As(err, &e) ||
		!strings.Contains(e.Hint, "utf-16") {
		t.Errorf("%#v", err)
	}
	if _, err := codec.OpenSources(files.Anywhere, nil, nil, ""); err == nil ||
		err.Error() != "there is no standard input here" {
		t.Errorf("no paths and no stdin: %v", err)
	}
}

func TestHeaderFaults(t *testing.T) {
	for _, c := range []struct{ in, want, hint string }{
		{"id,text,id\n1,a,2\n", "stdin:1: the header names column id twice", "WITH (columns = (…)) gives the columns " +
			"other names"},
		{"id;text\n1;a\n", "stdin:2: there is no column text; columns are id;text", "WITH (delimiter = ';')"},
		{"id\ttext\n1\ta\n", "stdin:2: there is no column text; columns are id\ttext", "WITH (delimiter = 'tab')"},
		{"id,body\n1,a\n", "stdin:2: there is no column text; columns are id, body", "WITH (text = 'body') reads the " +
			"texts from column body, which has the longest"},
		{"body,stars\nnot at all bad,5\n", "stdin:2: there is no column text; columns are body, stars", "WITH (text = " +
			"'body') reads the texts from column body, which has the longest"},
	} {
		_, err := formattest.ReadString(suite.Configure(t, "csv"), c.in, 1)
		var e *codec.Error
		if !errors.As(err, &e) || e.Error() != c.want || e.Hint != c.hint {
			t.Errorf("%q: %#v", c.in, err)
		}
	}
}

// A byte that cannot stand in a text is found in every format that is read.
func TestNoText(t *testing.T) {
	for in, fault := range map[string]string{"ab\xff\n": "byte 0xff is not UTF-8", "ab\x00\xff\n": "byte 0x00 cannot " +
		"stand in a text"} {
		noText(t, in, "stdin:1:3: "+fault)
	}
}

func noText(t *testing.T, in, want string) {
	t.Helper()
	columns := []codec.Column{{Name: "a", Type: value.Text}, {Name: "b", Type: value.Text}}
	for _, f := range List() {
		if !f.Reads() || f.Name == "pgbinary" || f.Name == "parquet" || f.Name == "arrow" { // which have no lines
			continue
		}
		c := suite.Configure(t, f.Name)
		if codec.ReadsRows(c) {
			if _, _, err := formattest.RowsString(c, in, columns); err == nil || err.Error() != want {
				t.Errorf("%s rows: %v", f.Name, err)
			}
		}
		if f.Target == codec.Documents {
			if _, err := formattest.ReadString(c, in, 1); err == nil || err.Error() != want {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	columns := []codec.Column{{Name: "a", Type: value.Text}}
	for _, f := range List() {
		if !f.Reads() || f.Name == "pgbinary" || f.Name == "parquet" || f.Name == "arrow" { // which begin with a signature
			continue
		}
		c := suite.Configure(t, f.Name)
		if f.Target == codec.Documents {
			if got, err := formattest.ReadString(c, "", 4); err != nil || len(got.Docs) != 0 {
				t.Errorf("%s: %d documents, %v", f.Name, len(got.Docs), err)
			}
		}
		if codec.ReadsRows(c) {
			if rows, _, err := formattest.RowsString(c, "", columns); err != nil || len(rows) != 0 {
				t.Errorf("%s: %d rows, %v", f.Name, len(rows), err)
			}
		}
	}
}

func TestLongLine(t *testing.T) {
	long := strings.Repeat("größer ", 300_000)
	got, err := formattest.ReadString(suite.Configure(t, "lines"), "a\n"+long+"\nb\n", 4)
	if err != nil || len(got.Docs) != 3 || got.Docs[1].Text != long || got.Docs[2].Text != "b" ||
		got.Places[2] != "stdin:3" {
		t.Fatalf("%d documents, %v", len(got.Docs), err)
	}
}

// letters is an endless line.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestEndlessLine(t *testing.T) {
	if testing.Short() {
		t.Skip("needs some hundred megabytes; run without -short")
	}
	src, err := codec.OpenSources(files.Anywhere, nil, io.MultiReader(strings.NewReader("a\n"), letters{}), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = formattest.ReadAll(suite.Configure(t, "lines"), src, 1)
	if err == nil || err.Error() != "stdin:2: the line is longer than 128 MB" {
		t.Error(err)
	}
}

func TestTextPattern(t *testing.T) {
	in := "lost\n= a 1990\nOne.\n\nTwo.\n= b 1991\n"
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{"", []string{`stdin at stdin:1: "lost\n= a 1990\nOne.\n\nTwo.\n= b 1991"`}},
		{`^= `, []string{`stdin:1 at stdin:2: "= a 1990\nOne.\n\nTwo."`, `stdin:2 at stdin:6: "= b 1991"`}},
		{`^= (?P<id>\w+) (?P<year>\d+)$`, []string{`a at stdin:2: "One.\n\nTwo."`, `  field year text "1990"`,
			`b at stdin:6: ""`, `  field year text "1991"`}},
		{`^no`, nil},
	} {
		got, err := formattest.ReadString(suite.Configure(t, "text", formattest.Arg("document", value.Str(c.pattern))), in, 1)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, d := range got.Docs {
			formattest.Dump(&b, d, got.Places[i])
		}
		want := strings.Join(c.want, "\n")
		if diff := cmp.Diff(want, strings.TrimSuffix(b.String(), "\n")); diff != "" {
			t.Errorf("%q: %s", c.pattern, diff)
		}
	}
	f, _ := Lookup("text")
	if _, err := f.Configure([]option.Arg{formattest.Arg("document", value.Str("("))}); err == nil {
		t.Error("a pattern that does not compile passes")
	}
}

func TestReadStops(t *testing.T) {
	in := formattest.Workload("lines", 30_000)
	stop := errors.New("enough")
	for _, format := range []string{"lines", "tsv"} {
		src, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader("text\tlabel\n"+in), "")
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		err = codec.ReadDocuments(context.Background(), suite.Configure(t, format), src, 4,
			func([]*text.Document, []string) error {
				calls++
				return stop
			})
		if !errors.Is(err, stop) || calls != 1 {
			t.Errorf("%s: %d calls, %v", format, calls, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		src, err = codec.OpenSources(files.Anywhere, nil, strings.NewReader("text\tlabel\n"+in), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := codec.ReadDocuments(ctx, suite.Configure(t, format), src, 4,
			func([]*text.Document, []string) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s cancelled: %v", format, err)
		}
	}
}

func TestWrongTarget(t *testing.T) {
	if _, err := formattest.ReadString(suite.Configure(t, "lexicon"), "a\n", 1); err == nil ||
		err.Error() != "the format holds no "+
			"documents" {
		t.Error(err)
	}
	if _, _, err := formattest.RowsString(suite.Configure(t, "conllu"), "a\n", nil); err == nil ||
		err.Error() != "the format holds no "+
			"rows" {
		t.Error(err)
	}
}

// TestNamesWithNUL refuses members whose names no column can have, at any depth and in rows too.
func TestNamesWithNUL(t *testing.T) {
	for _, line := range []string{
		`{"id": "a", "text": "x", "y\u0000": 1}`,
		`{"id": "a", "text": "x", "y": [{"z\u0000": 1}]}`,
		`{"id": "a", "text": "x", "y": "z\u0000"}`,
	} {
		src := func() *codec.Sources {
			s, err := codec.OpenSources(files.Anywhere, nil, strings.NewReader(line+"\n"), "utf-8")
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		c := suite.Configure(t, "jsonl")
		err := codec.ReadRows(context.Background(), c, src(), []codec.Column{{Name: "text", Type: value.Text}},
			func([][]value.Value, []string) error {
				return nil
			})
		if err == nil || !strings.Contains(err.Error(), "stdin:1: no JSON object: ") {
			t.Errorf("rows of %s: %v", line, err)
		}
		err = codec.ReadDocuments(context.Background(), c, src(), 1, func([]*text.Document, []string) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "stdin:1: no JSON object: ") {
			t.Errorf("documents of %s: %v", line, err)
		}
	}
}
