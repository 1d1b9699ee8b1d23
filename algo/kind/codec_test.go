package kind

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// TestStringsAndChunks: sections have the bytes of their parts, in pieces of at most a megabyte for texts.
func TestStringsAndChunks(t *testing.T) {
	var long []string
	for i := range 30000 {
		long = append(long, strings.Repeat(string(rune('a'+i%26)), i%170))
	}
	for _, list := range [][]string{nil, {""}, {"a", "", "bc"}, {strings.Repeat("x", 3*pieceBytes+5), "y", ""}, long} {
		want := binary.AppendUvarint(nil, uint64(len(list)))
		for _, s := range list {
			want = binary.AppendUvarint(want, uint64(len(s)))
		}
		want = append(want, strings.Join(list, "")...)
		got, chunks := map[string][]byte{}, [][]byte{}
		w := NewWriter(func(name string, p []byte) error {
			if name == "texts" && len(p) > pieceBytes {
				t.Errorf("a piece of %d bytes", len(p))
			}
			got[name] = append(got[name], p...)
			return nil
		})
		if err := w.Strings("texts", list); err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			chunks = append(chunks, []byte(s))
		}
		if err := w.Chunks("chunks", chunks); err != nil {
			t.Fatal(err)
		}
		one := NewWriter(func(string, []byte) error { return nil })
		if err := one.Bytes("texts", want); err != nil {
			t.Fatal(err)
		}
		if err := one.Bytes("chunks", []byte(strings.Join(list, ""))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got["texts"], want) || string(got["chunks"]) != strings.Join(list, "") || w.Sum() != one.Sum() {
			t.Errorf("%d texts: %d bytes, want %d", len(list), len(got["texts"]), len(want))
		}
	}
}
