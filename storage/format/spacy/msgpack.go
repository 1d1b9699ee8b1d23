package spacy

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// msgReader reads values of MessagePack. Lengths and counts are checked against the bytes that are left before memory
// is taken for them, and values lie within each other to a bounded depth, for both of which the library relies on its
// caller.
type msgReader struct {
	whole []byte
	left  *bytes.Reader
	dec   *msgpack.Decoder
	depth int
	steps int
	ended func() error // nil for no context
}

func newMsgReader(b []byte, ended func() error) *msgReader {
	r := &msgReader{whole: b, left: bytes.NewReader(b), ended: ended}
	r.dec = msgpack.NewDecoder(r.left)
	return r
}

// deepest is how deep values of MessagePack may lie within each other.
const deepest = 32

func msgEnds(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("the data ends within a value of MessagePack")
	}
	return err
}

// value reads a value: nil, bool, int64, uint64 above these, float64, string, []byte, []any or map[string]any. Values
// of types of a program are nil. Bytes are a part of what is read.
func (r *msgReader) value() (any, error) {
	if r.steps++; r.steps&4095 == 0 && r.ended != nil {
		if err := r.ended(); err != nil {
			return nil, err
		}
	}
	c, err := r.dec.PeekCode()
	if err != nil {
		return nil, msgEnds(err)
	}
	var v any
	switch {
	case msgpcode.IsFixedMap(c) || c == msgpcode.Map16 || c == msgpcode.Map32:
		return r.object()
	case msgpcode.IsFixedArray(c) || c == msgpcode.Array16 || c == msgpcode.Array32:
		return r.list()
	case msgpcode.IsString(c):
		b, err := r.bytes()
		return string(b), err
	case msgpcode.IsBin(c):
		return r.bytes()
	case msgpcode.IsExt(c):
		_, n, err := r.dec.DecodeExtHeader()
		if err == nil {
			_, err = r.take(n)
		}
		return nil, msgEnds(err)
	case c == msgpcode.Nil:
		err = r.dec.DecodeNil()
	case c == msgpcode.False || c == msgpcode.True:
		v, err = r.dec.DecodeBool()
	case c == msgpcode.Float || c == msgpcode.Double:
		v, err = r.dec.DecodeFloat64()
	case c == msgpcode.Uint64:
		var n uint64
		n, err = r.dec.DecodeUint64()
		if v = n; n <= math.MaxInt64 {
			v = int64(n)
		}
	case msgpcode.IsFixedNum(c) || c >= msgpcode.Uint8 && c <= msgpcode.Int64:
		v, err = r.dec.DecodeInt64()
	default:
		return nil, fmt.Errorf("no value of MessagePack")
	}
	return v, msgEnds(err)
}

// bytes reads bytes, or those of a text.
func (r *msgReader) bytes() ([]byte, error) {
	n, err := r.dec.DecodeBytesLen()
	if err != nil {
		return nil, msgEnds(err)
	}
	return r.take(n)
}

// take takes the next n bytes.
func (r *msgReader) take(n int) ([]byte, error) {
	if n < 0 || n > r.left.Len() {
		return nil, msgEnds(io.EOF)
	}
	at := len(r.whole) - r.left.Len()
	_, err := r.left.Seek(int64(n), io.SeekCurrent)
	return r.whole[at : at+n : at+n], err
}

// within checks a count of values against the bytes that are left, and how deep they lie.
func (r *msgReader) within(n int) error {
	if r.depth++; r.depth > deepest {
		return fmt.Errorf("values of MessagePack lie more than %d deep", deepest)
	}
	if n < 0 || n > r.left.Len() {
		return fmt.Errorf("%d values of MessagePack are more than the data that is left", n)
	}
	return nil
}

func (r *msgReader) list() (any, error) {
	n, err := r.dec.DecodeArrayLen()
	if err != nil {
		return nil, msgEnds(err)
	}
	if err := r.within(n); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	out := make([]any, 0, min(n, 1<<16))
	for range n {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// object reads a map; keys that are bytes or numbers become texts.
func (r *msgReader) object() (any, error) {
	n, err := r.dec.DecodeMapLen()
	if err != nil {
		return nil, msgEnds(err)
	}
	if err := r.within(2 * n); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	out := map[string]any{}
	for range n {
		k, err := r.value()
		if err != nil {
			return nil, err
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if b, ok := k.([]byte); ok {
			k = string(b)
		}
		out[fmt.Sprint(k)] = v
	}
	return out, nil
}

// msgWriter writes values of MessagePack to memory, where no write fails but for a value that cannot be written.
type msgWriter struct {
	b   bytes.Buffer
	enc *msgpack.Encoder
	err error
}

func newMsgWriter() *msgWriter {
	w := &msgWriter{}
	w.enc = msgpack.NewEncoder(&w.b)
	return w
}

func (w *msgWriter) keep(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *msgWriter) object(n int)    { w.keep(w.enc.EncodeMapLen(n)) }
func (w *msgWriter) list(n int)      { w.keep(w.enc.EncodeArrayLen(n)) }
func (w *msgWriter) text(s string)   { w.keep(w.enc.EncodeString(s)) }
func (w *msgWriter) bool(v bool)     { w.keep(w.enc.EncodeBool(v)) }
func (w *msgWriter) float(v float64) { w.keep(w.enc.EncodeFloat64(v)) }
func (w *msgWriter) number(n uint64) { w.keep(w.enc.EncodeUint(n)) }

// bytes writes bytes; the library makes nil of a nil slice.
func (w *msgWriter) bytes(b []byte) {
	w.keep(w.enc.EncodeBytesLen(len(b)))
	w.b.Write(b)
}
