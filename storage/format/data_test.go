package format

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"

	"golang.org/x/text/encoding/charmap"

	"parlance/storage/files"
)

// dataFiles lists files of real data; without them, and in a short run, the test is skipped.
func dataFiles(t *testing.T, patterns ...string) (files []string) {
	t.Helper()
	dir := realdata.Folder(t)
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, names...)
	}
	if len(files) == 0 {
		t.Skipf("%s has no files %v", dir, patterns)
	}
	return files
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

// checkSameBytes reads a file and writes it back byte by byte, in UTF-8.
func checkSameBytes(t *testing.T, format, enc, file string, args ...option.Arg) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if enc == "latin1" {
		if want, err = charmap.ISO8859_1.NewDecoder().Bytes(want); err != nil {
			t.Fatal(err)
		}
	}
	c := configure(t, format, args...)
	var b bytes.Buffer
	w, err := NewDocumentWriter(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range readFiles(t, c, enc, file) {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.HasSuffix(want, []byte("\n")) && !bytes.HasSuffix(want, []byte("\n\n")) {
		want = append(want, '\n') // the blank line after the last sentence is missing
	}
	if out := b.Bytes(); !bytes.Equal(out, want) {
		at := 0
		for at < len(out) && at < len(want) && out[at] == want[at] {
			at++
		}
		t.Errorf("line %d differs: %q, want %q", bytes.Count(want[:at], []byte("\n"))+1, near(out, at), near(want, at))
	}
}

// near is what stands around an offset.
func near(b []byte, at int) []byte { return b[max(0, at-40):min(len(b), at+40)] }

// checkSameDocuments reads files, writes the documents and reads them back.
func checkSameDocuments(t *testing.T, format string, files []string, args ...option.Arg) []*text.Document {
	t.Helper()
	c := configure(t, format, args...)
	docs := readFiles(t, c, "", files...)
	back, err := readString(c, written(t, c, docs), 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(back.docs) != len(docs) {
		t.Fatalf("%d documents, %d are written", len(back.docs), len(docs))
	}
	for i, d := range docs {
		d.ID, back.docs[i].ID = "", "" // ids of a file come from its name
		want, got := dumps(docs[i:i+1]), dumps(back.docs[i:i+1])
		if want != got {
			at := 0
			for at < len(got) && at < len(want) && got[at] == want[at] {
				at++
			}
			t.Fatalf("document %d: %q, want %q", i+1, near([]byte(got), at), near([]byte(want), at))
		}
	}
	return docs
}

// Treebanks come back byte by byte.
func TestTreebanks(t *testing.T) {
	for _, c := range []struct{ pattern, format, enc string }{
		{"ud/*.conllu", "conllu", ""},
		{"gum/*.conllu", "conllu", ""},
		{"conll2007/esp.*", "conll2007", ""},
		{"conll2007/eus.*", "conllx", "latin1"},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			for _, f := range dataFiles(t, c.pattern) {
				checkSameBytes(t, c.format, c.enc, f)
			}
		})
	}
}
