package format

import (
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/format/codec"
)

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
		err = codec.ReadDocuments(context.Background(), suite.Configure(t, "lines"), src, 1,
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
