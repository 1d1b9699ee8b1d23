package foreign

import (
	"fmt"
	"math"
	"strings"
)

// Bytes reads a binary file whose numbers are little-endian. Every read is checked against the size of the file; after
// a first fault all reads give 0, and Err tells it.
type Bytes struct {
	data string
	at   int64
	err  *Error
}

// NewBytes begins to read.
func NewBytes(data string) *Bytes { return &Bytes{data: data} }

// Err is the first fault.
func (b *Bytes) Err() error {
	if b.err == nil {
		return nil
	}
	return b.err
}

// Size is that of the file.
func (b *Bytes) Size() int64 { return int64(len(b.data)) }

// At is where the next read begins.
func (b *Bytes) At() int64 { return b.at }

// Left is how many bytes follow.
func (b *Bytes) Left() int64 { return b.Size() - b.at }

// Go goes to a place; what names what is there.
func (b *Bytes) Go(at int64, what string) {
	if at < 0 || at > b.Size() {
		b.Faultf("the file was cut short, or is damaged", "%s would be at byte %d, and the file has %d", what, at, b.Size())
		return
	}
	b.at = at
}

// Faultf notes a fault at the place of the next read, unless there was one before.
func (b *Bytes) Faultf(hint, format string, args ...any) {
	if b.err == nil {
		b.err = &Error{Offset: b.at, Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// Text returns the next n bytes.
func (b *Bytes) Text(n int64, what string) string {
	if b.err != nil {
		return ""
	}
	if n < 0 || n > b.Left() {
		b.Faultf("the file was cut short, or is damaged", "%s of %d bytes, and the file has %d more", what, n, b.Left())
		return ""
	}
	b.at += n
	return b.data[b.at-n : b.at]
}

// Count checks a number of items of at least some bytes each, which are still to come, so that memory may be taken for
// them.
func (b *Bytes) Count(n, size int64, what string) int {
	if b.err != nil {
		return 0
	}
	if n < 0 || n > b.Left()/max(1, size) {
		b.Faultf("the file was cut short, or is damaged", "%d %s, and the file has %d bytes more", n, what, b.Left())
		return 0
	}
	return int(n)
}

// Byte reads a byte.
func (b *Bytes) Byte() byte {
	if s := b.Text(1, "a byte"); s != "" {
		return s[0]
	}
	return 0
}

// Uint32 reads a number of four bytes.
func (b *Bytes) Uint32() uint32 {
	s := b.Text(4, "a number")
	if s == "" {
		return 0
	}
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Int32 reads a signed number of four bytes.
func (b *Bytes) Int32() int64 { return int64(int32(b.Uint32())) }

// Int64 reads a signed number of eight bytes.
func (b *Bytes) Int64() int64 {
	low := b.Uint32()
	return int64(low) | int64(b.Uint32())<<32
}

// Float64 reads a number of eight bytes, which must be finite.
func (b *Bytes) Float64(what string) float64 {
	at := b.at
	v := math.Float64frombits(uint64(b.Int64()))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		b.at = at
		b.Faultf("a finite number", "%s is %g", what, v)
	}
	return v
}

// Zero reads a text up to a zero byte, which is left out.
func (b *Bytes) Zero(what string) string {
	if b.err != nil {
		return ""
	}
	n := strings.IndexByte(b.data[b.at:], 0)
	if n < 0 {
		b.Faultf("the file was cut short, or is damaged", "%s without the zero byte at its end", what)
		return ""
	}
	s := b.data[b.at : b.at+int64(n)]
	b.at += int64(n) + 1
	return s
}

// Float32s reads numbers of four bytes, which must be finite.
func (b *Bytes) Float32s(n int, what string) []float32 {
	start := b.at
	s := b.Text(4*int64(n), what)
	if b.err != nil {
		return nil
	}
	out := make([]float32, n)
	for i := range out {
		p := s[4*i:][:4]
		out[i] = math.Float32frombits(uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24)
		if v := float64(out[i]); math.IsNaN(v) || math.IsInf(v, 0) {
			b.at = start + 4*int64(i)
			b.Faultf("a finite number", "one of the %s is %g", what, v)
			return nil
		}
	}
	return out
}
