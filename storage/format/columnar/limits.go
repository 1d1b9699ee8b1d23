package columnar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxPage bounds a page of a Parquet file, and a block of an Arrow file, once decompressed.
	maxPage = 256 << 20
	// maxHeld bounds what the library holds of a file at once.
	maxHeld = 1 << 30
)

// tooLarge is the panic of an allocation that a file asks for and does not get.
type tooLarge struct{ bytes int }

func (t tooLarge) Error() string {
	return fmt.Sprintf("a part of the file asks for %d MB, more than a part may have (%d MB) or all parts together "+
		"(%d MB)", t.bytes>>20, maxPage>>20, maxHeld>>20)
}

// limited gives memory to the library, up to a bound.
type limited struct{ held, most int }

var plain = memory.NewGoAllocator()

func (l *limited) take(n int) {
	if n < 0 || n > maxPage || l.held+n > maxHeld {
		panic(tooLarge{n})
	}
	l.held += n
	l.most = max(l.most, l.held)
}

func (l *limited) Allocate(n int) []byte {
	l.take(n)
	return plain.Allocate(n)
}

func (l *limited) Reallocate(n int, b []byte) []byte {
	l.take(max(0, n-len(b)))
	if n < len(b) {
		l.held -= len(b) - n
	}
	return plain.Reallocate(n, b)
}

func (l *limited) Free(b []byte) { l.held = max(0, l.held-len(b)) }

// bodies gives memory for what is read of the file as it is, up to the bound of all parts together.
type bodies struct{ *limited }

func (l bodies) Allocate(n int) []byte {
	if n < 0 || l.held+n > maxHeld {
		panic(tooLarge{n})
	}
	l.held += n
	return plain.Allocate(n)
}

// safely calls the library: its panics, and its errors, are errors of the file.
func safely(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case tooLarge:
			err = p
		default:
			err = damaged(fmt.Errorf("%v", p))
		}
	}()
	return f()
}

// damaged is the error of a file that the library cannot make sense of.
func damaged(err error) error {
	var large tooLarge
	if errors.As(err, &large) {
		return &Error{Msg: large.Error(), Hint: "write it with smaller pages or groups of rows"}
	}
	return &Error{Msg: "the file is damaged, or has something that is not supported: " + oneLine(err), err: err}
}

// oneLine is the text of an error of the library, whose panics may have a stack below them.
func oneLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	if strings.Contains(text, "runtime error: ") {
		return "its lengths and places do not fit each other"
	}
	return text
}

// boundedZstd and boundedSnappy decompress no more than the header of a page says: the library lets the content itself
// say how long it is.
type boundedZstd struct{ compress.Codec }

func (z boundedZstd) Decode(dst, src []byte) []byte { return mustDecode(z, dst, src) }

// DecodeWithError decompresses into dst, which has the size that the header states.
func (boundedZstd) DecodeWithError(dst, src []byte) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	n, err := io.ReadFull(r, dst)
	if err == io.ErrUnexpectedEOF || err == io.EOF && len(dst) == 0 {
		return dst[:n], nil // the library compares the lengths
	}
	if err != nil {
		return nil, err
	}
	if n, _ := r.Read(make([]byte, 1)); n > 0 {
		return nil, longer(len(dst))
	}
	return dst, nil
}

type boundedSnappy struct{ compress.Codec }

func (s boundedSnappy) Decode(dst, src []byte) []byte { return mustDecode(s, dst, src) }

// DecodeWithError decompresses into dst, which has the size that the header states.
func (boundedSnappy) DecodeWithError(dst, src []byte) ([]byte, error) {
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, err
	}
	if n > len(dst) {
		return nil, longer(len(dst))
	}
	return snappy.Decode(dst, src)
}

func longer(n int) error {
	return fmt.Errorf("a page holds more than the %d bytes that its header tells", n)
}

func mustDecode(c compress.ErrorCodec, dst, src []byte) []byte {
	out, err := c.DecodeWithError(dst, src)
	if err != nil {
		panic(err) // safely makes it an error
	}
	return out
}

func init() {
	for _, c := range []struct {
		name compress.Compression
		wrap func(compress.Codec) compress.Codec
	}{
		{compress.Codecs.Zstd, func(c compress.Codec) compress.Codec { return boundedZstd{c} }},
		{compress.Codecs.Snappy, func(c compress.Codec) compress.Codec { return boundedSnappy{c} }},
	} {
		if codec, err := compress.GetCodec(c.name); err == nil {
			compress.RegisterCodec(c.name, c.wrap(codec))
		}
	}
}
