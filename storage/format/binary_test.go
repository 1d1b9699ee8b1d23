package format

import (
	"errors"
	"strings"
	"testing"

	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
)

// TestBinaryFiles: a file that is no text is told by its beginning, with what reads it; the hint about encodings is of
// others.
func TestBinaryFiles(t *testing.T) {
	for in, want := range map[string]string{
		"PAR1\x15\x00\x15":             "FORMAT parquet reads",
		"PAR1 abc\nx\xff":              "FORMAT parquet reads",
		formattest.Zipped([]byte("a")): "FORMAT spacy reads",
		"PGCOPY\n\xff\r\n\x00\x00\x00": "FORMAT pgbinary reads",
		"\x80\x04\x95\x00":             "a pickle of Python",
		"BZh9\xff":                     "bzip2",
		"caf\xe9":                      "WITH (encoding = 'latin1')",
	} {
		for _, format := range []string{"lines", "jsonl", "inception"} {
			_, err := formattest.ReadString(suite.Configure(t, format), in, 1)
			var fault *codec.Error
			if !errors.As(err, &fault) || !strings.Contains(fault.Hint, want) {
				t.Errorf("%s %q: %v, hint %q", format, in, err, fault)
			}
		}
	}
}
