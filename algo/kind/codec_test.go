package kind

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"
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

// TestWords: numbers come back, wherever their bytes lie; a section of no whole number of them is damaged.
func TestWords(t *testing.T) {
	ints := []uint64{0, 1, 1 << 40, math.MaxUint64}
	floats := []float64{0, -1.5, math.Inf(1), math.SmallestNonzeroFloat64}
	sections := map[string][]byte{}
	w := NewWriter(func(name string, p []byte) error {
		sections[name] = append(sections[name], p...)
		return nil
	})
	short, single := []uint32{7, 1 << 31, 3}, []float32{-0.25, math.MaxFloat32}
	for _, err := range []error{w.Uint64s("u64", ints), w.Float64s("f64", floats), w.Uint32s("u32", short),
		w.Float32s("f32", single), w.Uint32s("none", nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for off := range 9 {
		var read []byte
		r := NewReader(func(name string) ([]byte, error) {
			read = append(make([]byte, off, off+len(sections[name])), sections[name]...)[off:]
			return read, nil
		})
		shares := func(first unsafe.Pointer) bool { return first == unsafe.Pointer(unsafe.SliceData(read)) }
		whole := func(size uintptr) bool {
			return littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(read)))%size == 0
		}
		a, err1 := r.Uint64s("u64")
		if got := shares(unsafe.Pointer(unsafe.SliceData(a))); got != whole(8) {
			t.Errorf("%d bytes further: words of 64 bits are in their place: %v", off, got)
		}
		b, err2 := r.Float64s("f64")
		c, err3 := r.Uint32s("u32")
		if got := shares(unsafe.Pointer(unsafe.SliceData(c))); got != whole(4) {
			t.Errorf("%d bytes further: words of 32 bits are in their place: %v", off, got)
		}
		d, err4 := r.Float32s("f32")
		none, err5 := r.Uint32s("none")
		if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, ints) || !slices.Equal(b, floats) || !slices.Equal(c, short) || !slices.Equal(d, single) ||
			none == nil || len(none) != 0 {
			t.Errorf("%d bytes further: %v %v %v %v %v", off, a, b, c, d, none)
		}
		if _, err := r.Uint64s("u32"); !errors.Is(err, ErrCorrupt) {
			t.Errorf("12 bytes as words of 8: %v", err)
		}
	}
}

// TestStream: a section that is streamed is that of its bytes, in pieces of at most a megabyte; one that is shorter or
// longer the second time is an error.
func TestStream(t *testing.T) {
	for _, n := range []int{0, 1, pieceBytes, 3*pieceBytes + 5} {
		want := bytes.Repeat([]byte("abc"), n/3+1)[:n]
		var got []byte
		w := NewWriter(func(_ string, p []byte) error {
			if len(p) > pieceBytes {
				t.Errorf("a piece of %d bytes", len(p))
			}
			got = append(got, p...)
			return nil
		})
		if err := w.Stream("s", func(out io.Writer) error {
			for p := range slices.Chunk(want, 70_001) {
				if _, err := out.Write(p); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		one := NewWriter(func(string, []byte) error { return nil })
		if err := one.Bytes("s", want); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) || w.Sum() != one.Sum() || w.Size() != int64(n) {
			t.Errorf("%d bytes of %d", len(got), n)
		}
	}
	for _, second := range []int{1, 3} {
		size := 2
		err := NewWriter(func(string, []byte) error { return nil }).Stream("s", func(out io.Writer) error {
			_, err := out.Write(make([]byte, size))
			size = second
			return err
		})
		if err == nil {
			t.Errorf("2 bytes and then %d", second)
		}
	}
	bad := errors.New("bad")
	for _, call := range []int{1, 2} {
		n := 0
		err := NewWriter(func(string, []byte) error { return nil }).Stream("s", func(out io.Writer) error {
			if n++; n == call {
				return bad
			}
			_, err := out.Write([]byte{1})
			return err
		})
		if !errors.Is(err, bad) {
			t.Errorf("call %d fails: %v", call, err)
		}
	}
	err := NewWriter(func(string, []byte) error { return bad }).Stream("s", func(out io.Writer) error {
		_, err := out.Write([]byte{1})
		return err
	})
	if !errors.Is(err, bad) {
		t.Errorf("the sink fails: %v", err)
	}
}
