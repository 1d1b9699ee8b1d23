// Package packed writes numbers for other processes: little endian or of variable length, with runs of zeros as their
// length, as sums and parameters of iterations that leave most of them at 0.
package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// ErrDamaged is wrapped by errors of what is no such file, or damaged.
var ErrDamaged = errors.New("damaged numbers")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Bytes is what write writes, with a checksum.
func Bytes(write func(*Writer)) []byte {
	w := &Writer{}
	write(w)
	return binary.LittleEndian.AppendUint32(w.buf, crc32.Checksum(w.buf, castagnoli))
}

// Load has read read what Bytes gave, after its checksum is found right, and returns the first error.
func Load(p []byte, read func(*Reader)) error {
	n := len(p) - 4
	if n < 0 || crc32.Checksum(p[:n], castagnoli) != binary.LittleEndian.Uint32(p[n:]) {
		return fmt.Errorf("%w: the checksum is another", ErrDamaged)
	}
	r := &Reader{r: bytes.NewReader(p[:n])}
	read(r)
	return r.err
}

// Writer writes numbers.
type Writer struct{ buf []byte }

// Text writes the bytes of a text, whose length the reader must know.
func (w *Writer) Text(s string) { w.buf = append(w.buf, s...) }

// Number writes a number from 0, in fewer bytes the smaller it is.
func (w *Writer) Number(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

// Float writes a number in 8 bytes.
func (w *Writer) Float(v float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(v))
}

// zeros writes how many zeros come next, and returns that.
func (w *Writer) zeros(n int, zero func(i int) bool) int {
	k := 0
	for k < n && zero(k) {
		k++
	}
	w.Number(uint64(k))
	return k
}

// Floats writes numbers, each behind the number of zeros before it.
func (w *Writer) Floats(v []float64) {
	for i := 0; i < len(v); i++ {
		i += w.zeros(len(v)-i, func(k int) bool { return v[i+k] == 0 })
		if i < len(v) {
			w.Float(v[i])
		}
	}
}

// Integers does the same.
func (w *Writer) Integers(v []int64) {
	for i := 0; i < len(v); i++ {
		i += w.zeros(len(v)-i, func(k int) bool { return v[i+k] == 0 })
		if i < len(v) {
			w.buf = binary.AppendVarint(w.buf, v[i])
		}
	}
}

// Reader reads what a Writer wrote; the first error stays, and all is 0 then.
type Reader struct {
	r   *bytes.Reader
	err error
}

// Err is the first error.
func (r *Reader) Err() error { return r.err }

// Fail notes a fault in what was read, unless there was one before.
func (r *Reader) Fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrDamaged, what)
	}
}

// ended notes that the file ends too early.
func (r *Reader) ended(err error) {
	if r.err == nil && err != nil {
		r.Fail("it ends too early")
	}
}

// Count reads a number up to a limit.
func (r *Reader) Count(limit int) int {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.r)
	if r.ended(err); r.err == nil && n > uint64(limit) {
		r.Fail("a number out of range")
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// Float reads a number of 8 bytes.
func (r *Reader) Float() float64 {
	var b [8]byte
	if r.err == nil {
		_, err := io.ReadFull(r.r, b[:])
		r.ended(err)
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

// Text reads a text of n bytes.
func (r *Reader) Text(n int) string {
	b := make([]byte, n)
	if r.err == nil {
		_, err := io.ReadFull(r.r, b)
		r.ended(err)
	}
	return string(b)
}

// grown is how many numbers are made room for at once, so that a damaged size takes no more memory than its file is
// long.
const grown = 1 << 16

// Floats reads n numbers.
func (r *Reader) Floats(n int) []float64 {
	v := make([]float64, 0, min(n, grown))
	for len(v) < n && r.err == nil {
		for k := r.Count(n - len(v)); k > 0; k-- {
			v = append(v, 0)
		}
		if len(v) < n && r.err == nil {
			v = append(v, r.Float())
		}
	}
	return v
}

// Integers reads n integers.
func (r *Reader) Integers(n int) []int64 {
	v := make([]int64, 0, min(n, grown))
	for len(v) < n && r.err == nil {
		for k := r.Count(n - len(v)); k > 0; k-- {
			v = append(v, 0)
		}
		if len(v) < n && r.err == nil {
			x, err := binary.ReadVarint(r.r)
			r.ended(err)
			v = append(v, x)
		}
	}
	return v
}
