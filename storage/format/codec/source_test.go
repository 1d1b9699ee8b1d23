package codec_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// texts reads files and returns id, place and text of each document.
func texts(t *testing.T, format, enc string, paths ...string) ([]string, error) {
	t.Helper()
	src, err := codec.OpenSources(files.Anywhere, paths, nil, enc)
	if err != nil {
		return nil, err
	}
	got, err := formattest.ReadAll(all.Configure(t, format), src, 2)
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
	if _, err = formattest.ReadString(all.Configure(t, "lines"), "\xff\xfea\x00\n\x00", 1); !errors.As(err, &e) ||
		!strings.Contains(e.Hint, "utf-16") {
		t.Errorf("%#v", err)
	}
	if _, err := codec.OpenSources(files.Anywhere, nil, nil, ""); err == nil ||
		err.Error() != "there is no standard input here" {
		t.Errorf("no paths and no stdin: %v", err)
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
	for _, f := range format.List() {
		if !f.Reads() || f.Name == "pgbinary" || f.Name == "parquet" || f.Name == "arrow" { // which have no lines
			continue
		}
		c := all.Configure(t, f.Name)
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

func TestLongLine(t *testing.T) {
	long := strings.Repeat("größer ", 300_000)
	got, err := formattest.ReadString(all.Configure(t, "lines"), "a\n"+long+"\nb\n", 4)
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
	_, err = formattest.ReadAll(all.Configure(t, "lines"), src, 1)
	if err == nil || err.Error() != "stdin:2: the line is longer than 128 MB" {
		t.Error(err)
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
		err = codec.ReadDocuments(context.Background(), all.Configure(t, format), src, 4,
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
		if err := codec.ReadDocuments(ctx, all.Configure(t, format), src, 4,
			func([]*text.Document, []string) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s cancelled: %v", format, err)
		}
	}
}

// TestShare tells the part of the bytes of all files that has been read, compressed or not, and nothing for a stream.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	plain, zipped := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt.gz")
	lines := strings.Repeat("one two three four five six seven\n", 100_000)
	if err := os.WriteFile(plain, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(lines)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths []string
		stdin string
	}{{[]string{plain}, ""}, {[]string{zipped}, ""}, {[]string{plain, zipped}, ""}, {nil, lines}} {
		src, err := codec.OpenSources(files.Anywhere, c.paths, strings.NewReader(c.stdin), "")
		if err != nil {
			t.Fatal(err)
		}
		last, least := 0.0, 2.0
		err = codec.ReadDocuments(context.Background(), all.Configure(t, "lines"), src, 1,
			func([]*text.Document, []string) error {
				x := src.Share()
				if x < last {
					t.Errorf("%v: the share falls from %v to %v", c.paths, last, x)
				}
				last, least = x, min(least, x)
				return nil
			})
		switch {
		case err != nil:
			t.Error(err)
		case c.paths == nil && last != 0:
			t.Errorf("a stream has the share %v", last)
		case c.paths != nil && (last != 1 || least <= 0):
			t.Errorf("%v: shares from %v to %v", c.paths, least, last)
		case len(c.paths) == 1 && c.paths[0] == plain && least > 0.5:
			t.Errorf("the first share is %v", least)
		}
	}
}
