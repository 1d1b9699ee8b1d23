package codec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"parlance/algo/text"
	"parlance/storage/files"
	"parlance/storage/guard"
)

// brittle reads a line as a document and panics at what it is told to.
type brittle struct{ parseAt, cutAt string }

func (r *brittle) Splitter() Splitter { return &brittleSplitter{at: r.cutAt} }

func (r *brittle) Parse(b Block) ([]*text.Document, error) {
	if r.parseAt != "" && strings.Contains(b.Text, r.parseAt) {
		panic("boom")
	}
	return []*text.Document{{ID: b.ID(), Text: b.Text}}, nil
}

type brittleSplitter struct{ at string }

func (s *brittleSplitter) Begins(line []byte) (begins, skip bool) {
	if s.at != "" && strings.Contains(string(line), s.at) {
		panic("boom")
	}
	return true, false
}

// TestReaderPanics: what panics while files are cut or read is an error that tells the place, and no goroutine is left.
func TestReaderPanics(t *testing.T) {
	defer goleak.VerifyNone(t)
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte(strings.Repeat("good\n", 2000)+"bad\n"+strings.Repeat("good\n", 2000)),
		0o600); err != nil {
		t.Fatal(err)
	}
	for want, r := range map[string]*brittle{path + ":2001": {parseAt: "bad"}, "cutting": {cutAt: "bad"}} {
		src, err := OpenSources(files.Anywhere, []string{path}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		err = readBlocks(context.Background(), r, src, 2, 100, func([]*text.Document, []string) error { return nil })
		var p *guard.Panic
		if !errors.As(err, &p) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
