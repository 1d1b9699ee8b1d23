package format

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"parlance/storage/files"
)

// arg is an option with a literal value.
func arg(name string, v value.Value) option.Arg { return option.Arg{Name: name, Value: v} }

func configure(t testing.TB, format string, args ...option.Arg) Codec {
	t.Helper()
	f, ok := Lookup(format)
	if !ok {
		t.Fatalf("there is no format %s", format)
	}
	c, err := f.Configure(args)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

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
			out = append(out, arg(a.Key, value.Bool(a.Vals[0] == "true")))
		default:
			out = append(out, arg(a.Key, value.Str(a.Vals[0])))
		}
	}
	return out
}

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
	var columns []Column
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
				columns = append(columns, Column{name, ty})
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
		var got collected
		got, err = readString(c, in, 1)
		for i, doc := range got.docs {
			dump(&b, doc, got.places[i])
		}
		for _, n := range Notices(c) {
			fmt.Fprintf(&b, "notice: %s\n", n)
		}
	case d.Cmd == "rows":
		var rows [][]value.Value
		var places []string
		rows, places, err = rowsString(c, in, columns)
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

// write puts a file into a folder.
func write(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func gzipped(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, s); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t testing.TB, s string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll([]byte(s), nil)
}

// texts reads files and returns id, place and text of each document.
func texts(t *testing.T, format, enc string, paths ...string) ([]string, error) {
	t.Helper()
	src, err := OpenSources(files.Anywhere, paths, nil, enc)
	if err != nil {
		return nil, err
	}
	got, err := readAll(configure(t, format), src, 2)
	out := []string{}
	for i, d := range got.docs {
		_, place, _ := strings.Cut(got.places[i], filepath.Dir(paths[0])+string(filepath.Separator))
		out = append(out, fmt.Sprintf("%s|%s|%s", d.ID, place, d.Text))
	}
	return out, err
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b.txt", []byte("two\nthree"))
	write(t, dir, "a.txt", []byte("\xef\xbb\xbfone\r\n"))
	write(t, dir, "c.txt", nil)
	write(t, dir, "z.gz", gzipped(t, "packed\n"))
	write(t, dir, "z.tsv.zst", zstandard(t, "squeezed\n"))
	write(t, dir, "l1", []byte("caf\xe9\n"))
	write(t, dir, "cp", []byte("\x93q\x94\n"))
	write(t, dir, "le", []byte("\xff\xfee\x00\xe9\x00\n\x00"))
	write(t, dir, "be", []byte("\xfe\xff\x00e\x00\xe9\x00\n"))
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
	write(t, dir, "latin", []byte("ok\nca fé caf\xe9 \xff\n"))
	write(t, dir, "plain.gz", []byte("not packed at all"))
	whole := gzipped(t, strings.Repeat("line\n", 3))
	write(t, dir, "short.gz", whole[:len(whole)-6])
	write(t, dir, "wrong.gz", append(slices.Clone(whole[:len(whole)-8]), "12345678"...))
	write(t, dir, "empty.gz", nil)
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
	var e *Error
	if !errors.As(err, &e) || e.Line != 2 || e.Col != 11 || !strings.Contains(e.Hint, "latin1") {
		t.Errorf("%#v", err)
	}
	if _, err = readString(configure(t, "lines"), "\xff\xfea\x00\n\x00", 1); !errors.As(err, &e) ||
		!strings.Contains(e.Hint, "utf-16") {
		t.Errorf("%#v", err)
	}
	if _, err := OpenSources(files.Anywhere, nil, nil, ""); err == nil ||
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
		_, err := readString(configure(t, "csv"), c.in, 1)
		var e *Error
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
	columns := []Column{{"a", value.Text}, {"b", value.Text}}
	for _, f := range List() {
		if !f.Reads() || f.Name == "pgbinary" || f.Name == "parquet" || f.Name == "arrow" { // which have no lines
			continue
		}
		c := configure(t, f.Name)
		if _, isDocs := c.(rowReader); isDocs {
			if _, _, err := rowsString(c, in, columns); err == nil || err.Error() != want {
				t.Errorf("%s rows: %v", f.Name, err)
			}
		}
		if f.Target == Documents {
			if _, err := readString(c, in, 1); err == nil || err.Error() != want {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	columns := []Column{{"a", value.Text}}
	for _, f := range List() {
		if !f.Reads() || f.Name == "pgbinary" || f.Name == "parquet" || f.Name == "arrow" { // which begin with a signature
			continue
		}
		c := configure(t, f.Name)
		if f.Target == Documents {
			if got, err := readString(c, "", 4); err != nil || len(got.docs) != 0 {
				t.Errorf("%s: %d documents, %v", f.Name, len(got.docs), err)
			}
		}
		if _, ok := c.(rowReader); ok {
			if rows, _, err := rowsString(c, "", columns); err != nil || len(rows) != 0 {
				t.Errorf("%s: %d rows, %v", f.Name, len(rows), err)
			}
		}
	}
}

func TestLongLine(t *testing.T) {
	long := strings.Repeat("größer ", 300_000)
	got, err := readString(configure(t, "lines"), "a\n"+long+"\nb\n", 4)
	if err != nil || len(got.docs) != 3 || got.docs[1].Text != long || got.docs[2].Text != "b" ||
		got.places[2] != "stdin:3" {
		t.Fatalf("%d documents, %v", len(got.docs), err)
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
	src, err := OpenSources(files.Anywhere, nil, io.MultiReader(strings.NewReader("a\n"), letters{}), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = readAll(configure(t, "lines"), src, 1)
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
		got, err := readString(configure(t, "text", arg("document", value.Str(c.pattern))), in, 1)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, d := range got.docs {
			dump(&b, d, got.places[i])
		}
		want := strings.Join(c.want, "\n")
		if diff := cmp.Diff(want, strings.TrimSuffix(b.String(), "\n")); diff != "" {
			t.Errorf("%q: %s", c.pattern, diff)
		}
	}
	f, _ := Lookup("text")
	if _, err := f.Configure([]option.Arg{arg("document", value.Str("("))}); err == nil {
		t.Error("a pattern that does not compile passes")
	}
}

// readChunks reads with chunks of some kilobytes, so that a short text has many, and counts them.
func readChunks(c Codec, s string, workers int) (got collected, chunks int, err error) {
	src, err := OpenSources(files.Anywhere, nil, strings.NewReader(s), "")
	if err != nil {
		return got, 0, err
	}
	err = readBlocks(context.Background(), c.(blockReader), src, workers, 4<<10,
		func(docs []*text.Document, places []string) error {
			got.docs, got.places = append(got.docs, docs...), append(got.places, places...)
			chunks++
			return nil
		})
	return got, chunks, err
}

// workload is n lines or sentences in a format, in documents of a few.
func workload(format string, n int) string {
	var b strings.Builder
	for i := range n {
		switch format {
		case "conll2003":
			if i%7 == 0 {
				b.WriteString("-DOCSTART- -X- O O\n\n")
			}
			fmt.Fprintf(&b, "Word%d NN B-NP I-PER\nruns VB B-VP O\n. . O O\n\n", i)
		case "conllu":
			if i%5 == 0 {
				if i%15 == 5 {
					fmt.Fprintf(&b, "# above = %d\n", i)
				}
				fmt.Fprintf(&b, "# newdoc id = d%d\n", i)
			}
			fmt.Fprintf(&b, "# sent_id = "+
				"%d\n1\tW%d\tw\tNOUN\tN\t_\t2\tnsubj\t_\tSpaceAfter=No\n2\truns\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n", i, i)
		case "articles":
			fmt.Fprintf(&b, "# %d\tTitle %d\nOne paragraph.\nAnother %s.\n\n", i, i, strings.Repeat("x", i%50))
		case "m2":
			fmt.Fprintf(&b, "S word %d .\nA 0 1|||Noun|||words|||REQUIRED|||-NONE-|||0\nA 2 "+
				"2|||X|||x|||OPTIONAL|||-NONE-|||1\n\n", i)
		case "semeval":
			fmt.Fprintf(&b, "%d\t\"The <e1>word</e1> %d <e2>is</e2>.\"\nOther\nComment: none\n\n", i+1, i)
		case "conllx", "conll2007":
			fmt.Fprintf(&b, "1\tW%d\tw\tN\tNN\t_\t2\tSBJ\t_\t_\n2\truns\trun\tV\t_\t_\t0\tROOT\t0\tROOT\n\n", i)
		case "conll2012":
			if i%6 == 0 {
				fmt.Fprintf(&b, "#end document\n#begin document (d%d); part 00%d\n", i, i%5)
			}
			fmt.Fprintf(&b, "d 0 0 W%d NN (NP* - - - A (PER) (ARG0*) (1)\nd 0 1 go VB *) go 01 - A * (V*) -\n\n", i)
		case "conll2009":
			fmt.Fprintf(&b,
				"1\tW%d\tw\tw\tN\tN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n2\tgo\tgo\tgo\tV\tV\t_\t_\t0\t0\tROOT\tROOT\tY\tgo.01\t_\n\n",
				i)
		case "conllup":
			fmt.Fprintf(&b, "1\tW%d\tw\tNOUN\tN\t_\t2\tnsubj\t_\t_\t_\tARG0\n2\tgo\tgo\tVERB\tV\t_\t0\troot\t_\t_\tgo.01\tV\n\n",
				i)
		case "crfsuite":
			fmt.Fprintf(&b, "B-X\tw[0]=Word%d\tn:0.5\nO\tw[0]=runs\n\n", i)
		case "svmlight":
			fmt.Fprintf(&b, "%d 1:0.5 %d:1 # %s\n", i%3, i+2, strings.Repeat("x", i%50))
		case "brown":
			fmt.Fprintf(&b, "Word%d/nn runs/vbz ./.\n", i)
		case "pfr":
			fmt.Fprintf(&b, "19980101-01-%03d-%03d/m 他%d/r [北京/ns 大学/n]nt 。/w\n", 1+i/5, 1+i%5, i)
		case "sinica":
			fmt.Fprintf(&b, "#%d:1.[7] S(agent:NP(Head:Nh:他%d)|Head:VA4:睡)#。(PERIODCATEGORY)\n", 1+i%7, i)
		case "doccano", "prodigy", "label_studio", "hf":
			record := map[string]string{
				"hf":           `{"id":%d,"tokens":["Zoë","met","%d","."],"ner_tags":["B-PER","O","O","O"],"pad":"%s"}`,
				"doccano":      `{"id":%d,"text":"Zoë met %d.","label":[[0,3,"PER"]],"pad":"%s"}`,
				"prodigy":      `{"_input_hash":%d,"text":"Zoë met %d.","spans":[{"start":0,"end":3,"label":"PER"}],"pad":"%s"}`,
				"label_studio": `{"id":%d,"data":{"text":"Zoë met %d.","pad":"%s"},"annotations":[{"result":[]}]}`}[format]
			fmt.Fprintf(&b, record+"\n", i, i, strings.Repeat("x", i%200))
		case "jsonl":
			fmt.Fprintf(&b, `{"id":"d%d","text":"Zoë met %d.","entities":[{"start":0,"end":3,"label":"PER"}],"pad":"%s"}`+"\n",
				i, i, strings.Repeat("x", i%200))
		default:
			fmt.Fprintf(&b, "text\tof line %d %s\n", i, strings.Repeat("x", i%300))
		}
	}
	return b.String()
}

func TestWorkersAgree(t *testing.T) {
	for _, f := range List() {
		if f.Target != Documents || !f.Reads() {
			continue
		}
		if _, ok := f.new().(blockReader); !ok {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			name := f.Name
			var args []option.Arg
			switch name {
			case "conll", "conll2000", "conll2002":
				args = append(args,
					option.Arg{Name: "columns", List: []option.Arg{{Value: value.Str("form")}, {Value: value.Str("xpos")},
						{Value: value.Str("chunks")}, {Value: value.Str("entities")}}})
				name = "conll2003"
			case "brown":
				args = append(args, arg("document", value.Str("2")))
			case "text":
				args = append(args, arg("document", value.Str(`^text`)))
			}
			in := workload(name, 2000)
			one, chunks, err := readChunks(configure(t, f.Name, args...), in, 1)
			if err != nil {
				t.Fatal(err)
			}
			if chunks < 10 || len(one.docs) < 200 {
				t.Fatalf("%d documents in %d chunks", len(one.docs), chunks)
			}
			four, _, err := readChunks(configure(t, f.Name, args...), in, 4)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(one.places, four.places) {
				t.Fatal(cmp.Diff(one.places, four.places))
			}
			for i, d := range one.docs {
				if !reflect.DeepEqual(d, four.docs[i]) {
					t.Fatal(cmp.Diff(d, four.docs[i]))
				}
			}
		})
	}
}

// The first fault of a file is reported for any number of workers.
func TestWorkersFault(t *testing.T) {
	in := workload("conll2003", 2000)
	lines := strings.SplitAfter(in, "\n")
	for _, at := range []int{3001, 6001, 7001} {
		for strings.TrimSpace(lines[at]) == "" || strings.HasPrefix(lines[at], "-DOC") {
			at++
		}
		lines[at] = "broken\n"
	}
	in = strings.Join(lines, "")
	var want string
	for _, workers := range []int{1, 2, 4, 8} {
		_, _, err := readChunks(configure(t, "conll2003"), in, workers)
		if err == nil || !regexp.MustCompile(`^stdin:300\d: 1 column, 4 are named`).MatchString(err.Error()) {
			t.Fatalf("%d workers: %v", workers, err)
		}
		if want == "" {
			want = err.Error()
		}
		if err.Error() != want {
			t.Errorf("%d workers: %v, one worker: %s", workers, err, want)
		}
	}
}

func TestReadStops(t *testing.T) {
	in := workload("lines", 30_000)
	stop := errors.New("enough")
	for _, format := range []string{"lines", "tsv"} {
		src, err := OpenSources(files.Anywhere, nil, strings.NewReader("text\tlabel\n"+in), "")
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		err = ReadDocuments(context.Background(), configure(t, format), src, 4, func([]*text.Document, []string) error {
			calls++
			return stop
		})
		if !errors.Is(err, stop) || calls != 1 {
			t.Errorf("%s: %d calls, %v", format, calls, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		src, err = OpenSources(files.Anywhere, nil, strings.NewReader("text\tlabel\n"+in), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := ReadDocuments(ctx, configure(t, format), src, 4,
			func([]*text.Document, []string) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s cancelled: %v", format, err)
		}
	}
}

func TestWrongTarget(t *testing.T) {
	if _, err := readString(configure(t, "lexicon"), "a\n", 1); err == nil || err.Error() != "the format holds no "+
		"documents" {
		t.Error(err)
	}
	if _, _, err := rowsString(configure(t, "conllu"), "a\n", nil); err == nil || err.Error() != "the format holds no "+
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
		src := func() *Sources {
			s, err := OpenSources(files.Anywhere, nil, strings.NewReader(line+"\n"), "utf-8")
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		c := configure(t, "jsonl")
		err := ReadRows(context.Background(), c, src(), []Column{{Name: "text", Type: value.Text}},
			func([][]value.Value, []string) error {
				return nil
			})
		if err == nil || !strings.Contains(err.Error(), "stdin:1: no JSON object: ") {
			t.Errorf("rows of %s: %v", line, err)
		}
		err = ReadDocuments(context.Background(), c, src(), 1, func([]*text.Document, []string) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "stdin:1: no JSON object: ") {
			t.Errorf("documents of %s: %v", line, err)
		}
	}
}
