package columnar

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// The compressions of bodies.
const (
	lz4Body  = 0
	zstdBody = 1
)

// bodyDecoder decompresses the buffers of bodies. The library does so too, but lets the content of zstd say how much
// memory its window takes, and does not stop before all of a batch is decompressed.
type bodyDecoder struct {
	zstd *zstd.Decoder
	lz4  *lz4.Reader
}

// decode returns a body whose buffers are stored as they are, and makes its metadata say so; nil for a body without
// compression. A buffer begins with its length once decompressed, −1 for one that is not compressed.
func (d *bodyDecoder) decode(ctx context.Context, b flatbuffer, m message, body []byte,
	held *limited) (*memory.Buffer, error) {
	if m.kind == schemaMessage {
		return nil, nil
	}
	header := batchOf(b, m)
	k := b.field(header, batchCompression)
	if k == 0 {
		return nil, nil
	}
	codec := byte(lz4Body)
	if c := b.field(b.follow(k), compressionCodec); c > 0 {
		codec = b[c]
	}
	if codec != lz4Body && codec != zstdBody {
		return nil, fmt.Errorf("a batch has the compression %d, which is not read", codec)
	}
	at, n := b.vector(b.field(header, batchBuffers), bufferBytes)
	buffers := make([]packedBuffer, n)
	size := int64(0)
	for i := range buffers {
		p := &buffers[i]
		place := at + i*bufferBytes
		if length := b.i64(place + 8); length > 0 {
			whole := body[b.i64(place):][:length]
			p.length, p.packed = int64(binary.LittleEndian.Uint64(whole)), whole[8:]
		}
		if p.length < 0 {
			p.stored, p.length = true, int64(len(p.packed))
		}
		if p.length > maxPage {
			return nil, tooLarge{int(p.length)}
		}
		size += 8 + (p.length+7)/8*8
	}
	out := memory.NewResizableBuffer(bodies{held})
	out.Resize(int(size))
	to := 0
	for i, p := range buffers {
		if p.length == 0 {
			binary.LittleEndian.PutUint64(b[at+i*bufferBytes+8:], 0)
			continue
		}
		room := out.Bytes()[to:]
		binary.LittleEndian.PutUint64(room, ^uint64(0))
		if err := d.buffer(ctx, codec, p, room[8:][:p.length]); err != nil {
			out.Release()
			return nil, err
		}
		binary.LittleEndian.PutUint64(b[at+i*bufferBytes:], uint64(to))
		binary.LittleEndian.PutUint64(b[at+i*bufferBytes+8:], uint64(8+p.length))
		to += 8 + int((p.length+7)/8*8)
	}
	return out, nil
}

// packedBuffer is a buffer of a compressed body.
type packedBuffer struct {
	length int64 // once decompressed
	stored bool  // it is not compressed
	packed []byte
}

// inflatePiece is how much is decompressed between looks at the context.
const inflatePiece = 8 << 20

// buffer decompresses a buffer into dst, which has the length that it states.
func (d *bodyDecoder) buffer(ctx context.Context, codec byte, p packedBuffer, dst []byte) error {
	if p.stored {
		copy(dst, p.packed)
		return ctx.Err()
	}
	r, err := d.reader(codec, p.packed)
	if err != nil {
		return err
	}
	for len(dst) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(r, dst[:min(len(dst), inflatePiece)])
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = fmt.Errorf("a buffer holds fewer bytes than the %d that it tells", p.length)
			}
			return err
		}
		dst = dst[n:]
	}
	if n, _ := r.Read(make([]byte, 1)); n > 0 {
		return fmt.Errorf("a buffer holds more than the %d bytes that it tells", p.length)
	}
	return nil
}

func (d *bodyDecoder) reader(codec byte, packed []byte) (io.Reader, error) {
	if codec == lz4Body {
		if d.lz4 == nil {
			d.lz4 = lz4.NewReader(nil)
		}
		d.lz4.Reset(bytes.NewReader(packed))
		return d.lz4, nil
	}
	if d.zstd == nil {
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage),
			zstd.WithDecoderMaxWindow(maxPage))
		if err != nil {
			return nil, err
		}
		d.zstd = r
	}
	return d.zstd, d.zstd.Reset(bytes.NewReader(packed))
}

func (d *bodyDecoder) close() {
	if d.zstd != nil {
		d.zstd.Close()
		d.zstd = nil
	}
}

// batchOf is the table of a batch, or of the batch of values that a dictionary is.
func batchOf(b flatbuffer, m message) int {
	header := b.follow(b.field(b.root(), messageHeader))
	if m.kind == dictionaryMessage {
		header = b.follow(b.field(header, dictionaryData))
	}
	return header
}
