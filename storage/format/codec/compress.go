package codec

import (
	"compress/gzip"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// Compress returns what compresses into w by the extension of a path, .gz or .zst, or passes
// through. Closing it does not close w.
func Compress(path string, w io.Writer) (io.WriteCloser, error) {
	switch filepath.Ext(path) {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w)
	}
	return passing{w}, nil
}

type passing struct{ io.Writer }

func (passing) Close() error { return nil }
