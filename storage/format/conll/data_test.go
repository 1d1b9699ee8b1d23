package conll

import (
	"bytes"
	"os"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
)

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
	c := suite.Configure(t, format, args...)
	var b bytes.Buffer
	w, err := codec.NewDocumentWriter(c, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range formattest.ReadFiles(t, c, enc, file) {
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
		t.Errorf("line %d differs: %q, want %q", bytes.Count(want[:at], []byte("\n"))+1, formattest.Near(out, at),
			formattest.Near(want, at))
	}
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
			for _, f := range formattest.DataFiles(t, c.pattern) {
				checkSameBytes(t, c.format, c.enc, f)
			}
		})
	}
}
