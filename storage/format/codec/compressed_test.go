package codec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/storage/files"
)

// TestCompressedByOtherName refuses files whose name does not say that they are compressed.
func TestCompressedByOtherName(t *testing.T) {
	for begin, want := range map[string]string{
		"\x1f\x8b\x08\x00": "compressed by gzip", "\x28\xb5\x2f\xfd\x00": "compressed by zstd",
		"PK\x03\x04\x14": "compressed by zip",
		"\xfd7zXZ\x00":   "compressed by xz",
	} {
		name := filepath.Join(t.TempDir(), "mail.txt")
		if err := os.WriteFile(name, []byte(begin+"rest"), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := OpenSources(files.Anywhere, []string{name}, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		err = s.Each(func(*Source) error { return nil })
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Msg, want) || e.Hint == "" {
			t.Errorf("%q: %v", begin, err)
		}
	}
}
