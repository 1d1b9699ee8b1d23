package formattest

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
)

// FilesOf writes documents to files of their own and returns what these hold, by their names.
func FilesOf(t testing.TB, c codec.Codec, path string, docs ...*text.Document) (map[string]string, error) {
	t.Helper()
	out := map[string]string{}
	w, err := codec.NewFilesWriter(c, path, func(path string, content []byte) error {
		out[path] = string(content)
		return nil
	})
	for i := 0; err == nil && i < len(docs); i++ {
		err = w.WritePredicted(docs[i], nil)
	}
	if err == nil {
		err = w.Close()
	}
	return out, err
}

// Write puts a file into a folder.
func Write(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Gzipped compresses by gzip.
func Gzipped(t testing.TB, s string) []byte {
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

// Zstandard compresses by zstd.
func Zstandard(t testing.TB, s string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll([]byte(s), nil)
}

// Written is what a writer makes of documents.
func Written(t rapid.TB, c codec.Codec, docs []*text.Document) string {
	t.Helper()
	var b bytes.Buffer
	w, err := codec.NewDocumentWriter(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// Zipped compresses by zlib.
func Zipped(b []byte) string {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

// FileOf writes a file and opens it.
func FileOf(t *testing.T, name, content string) *codec.Sources {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := codec.OpenSources(files.Anywhere, []string{path}, nil, "utf-8")
	if err != nil {
		t.Fatal(err)
	}
	return src
}
