package textfn

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"math/bits"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"

	"parlance/query/fn"
	"parlance/storage/value"
)

// binaryFuncs read and change bytes.
var binaryFuncs = []fn.Func{
	{Name: "get_byte", Doc: "the byte at a 0-based place, 0 to 255", Example: `get_byte('\x1234', 1)`, Args: []value.Type{value.Bytes, integer}, Result: integer, Eval: getByte},
	{Name: "set_byte", Doc: "the bytes with another one at a 0-based place", Example: `set_byte('\x1234', 1, 64)`, Args: []value.Type{value.Bytes, integer, integer}, Result: value.Bytes, Eval: setByte},
	{Name: "get_bit", Doc: "the bit at a 0-based place, the lowest of the first byte being 0", Example: `get_bit('\x1234', 1)`, Args: []value.Type{value.Bytes, integer}, Result: integer, Eval: getBit},
	{Name: "set_bit", Doc: "the bytes with another bit at a 0-based place", Example: `set_bit('\x1234', 1, 0)`, Args: []value.Type{value.Bytes, integer, integer}, Result: value.Bytes, Eval: setBit},
	{Name: "bit_count", Doc: "number of bits that are 1", Example: `bit_count('\x1234')`, Args: []value.Type{value.Bytes}, Result: integer, Eval: bitCount},
	{Name: "convert_from", Doc: "the text that bytes are in an encoding, by its name at IANA or in PostgreSQL", Example: `convert_from('\x4fe9', 'LATIN1')`, Args: []value.Type{value.Bytes, text}, Result: text, Eval: convertFrom},
	{Name: "convert_to", Doc: "the bytes of a text in an encoding", Example: `convert_to('é', 'LATIN1')`, Args: []value.Type{text, text}, Result: value.Bytes, Eval: convertTo},
	{Name: "sha224", Doc: "SHA-224 of bytes", Example: `encode(sha224('abc'), 'hex')`, Args: []value.Type{value.Bytes}, Result: value.Bytes, Eval: digest(func(b []byte) []byte { s := sha256.Sum224(b); return s[:] })},
	{Name: "sha384", Doc: "SHA-384 of bytes", Example: `length(encode(sha384('abc'), 'hex'))`, Args: []value.Type{value.Bytes}, Result: value.Bytes, Eval: digest(func(b []byte) []byte { s := sha512.Sum384(b); return s[:] })},
	{Name: "sha512", Doc: "SHA-512 of bytes", Example: `length(encode(sha512('abc'), 'hex'))`, Args: []value.Type{value.Bytes}, Result: value.Bytes, Eval: digest(func(b []byte) []byte { s := sha512.Sum512(b); return s[:] })},
}

// The forms over bytes of functions of texts.
var (
	bytesDigest   = &fn.Func{Name: "sha256", Args: []value.Type{value.Bytes}, Result: value.Bytes, Eval: digest(func(b []byte) []byte { s := sha256.Sum256(b); return s[:] })}
	bytesSubstr   = &fn.Func{Name: "substr", Args: []value.Type{value.Bytes, integer, integer}, Optional: 1, Result: value.Bytes, Eval: substrBytes}
	bytesOverlay  = &fn.Func{Name: "overlay", Args: []value.Type{value.Bytes, value.Bytes, integer, integer}, Optional: 1, Result: value.Bytes, Eval: overlayBytes}
	bytesPosition = &fn.Func{Name: "position", Args: []value.Type{value.Bytes, value.Bytes}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) {
			return value.Int(int64(strings.Index(a[0].S, a[1].S) + 1)), nil
		}}
	bytesTrim  = &fn.Func{Name: "trim", Args: []value.Type{value.Bytes, value.Bytes}, Result: value.Bytes, Eval: trimBytes(true, true)}
	bytesLtrim = &fn.Func{Name: "ltrim", Args: []value.Type{value.Bytes, value.Bytes}, Result: value.Bytes, Eval: trimBytes(true, false)}
	bytesRtrim = &fn.Func{Name: "rtrim", Args: []value.Type{value.Bytes, value.Bytes}, Result: value.Bytes, Eval: trimBytes(false, true)}
)

func digest(sum func([]byte) []byte) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) { return value.Blob(sum([]byte(a[0].S))), nil }
}

// within refuses a place outside of n.
func within(i, n int64) error {
	if i < 0 || i >= n {
		return &fn.Fault{Code: "2202E", Msg: fmt.Sprintf("place %d is not from 0 to %d", i, n-1)}
	}
	return nil
}

func getByte(a []value.Value) (value.Value, error) {
	if err := within(a[1].Int(), int64(len(a[0].S))); err != nil {
		return value.Value{}, err
	}
	return value.Int(int64(a[0].S[a[1].Int()])), nil
}

func setByte(a []value.Value) (value.Value, error) {
	if err := within(a[1].Int(), int64(len(a[0].S))); err != nil {
		return value.Value{}, err
	}
	b := []byte(a[0].S)
	b[a[1].Int()] = byte(a[2].Int())
	return value.Blob(b), nil
}

func getBit(a []value.Value) (value.Value, error) {
	if err := within(a[1].Int(), 8*int64(len(a[0].S))); err != nil {
		return value.Value{}, err
	}
	return value.Int(int64(a[0].S[a[1].Int()/8] >> (a[1].Int() % 8) & 1)), nil
}

func setBit(a []value.Value) (value.Value, error) {
	i, bit := a[1].Int(), a[2].Int()
	if err := within(i, 8*int64(len(a[0].S))); err != nil {
		return value.Value{}, err
	}
	if bit != 0 && bit != 1 {
		return value.Value{}, &fn.Fault{Code: "22023", Msg: "a bit is 0 or 1"}
	}
	b := []byte(a[0].S)
	b[i/8] = b[i/8]&^(1<<(i%8)) | byte(bit)<<(i%8)
	return value.Blob(b), nil
}

func bitCount(a []value.Value) (value.Value, error) {
	n := 0
	for i := range len(a[0].S) {
		n += bits.OnesCount8(a[0].S[i])
	}
	return value.Int(int64(n)), nil
}

// encodingNames are those of PostgreSQL that IANA does not know.
var encodingNames = map[string]string{"utf8": "utf-8", "unicode": "utf-8", "win1250": "windows-1250", "win1251": "windows-1251", "win1252": "windows-1252", "win1253": "windows-1253",
	"win1254": "windows-1254", "win1255": "windows-1255", "win1256": "windows-1256", "win1257": "windows-1257", "win1258": "windows-1258", "win866": "ibm866", "koi8": "koi8-r", "koi8r": "koi8-r", "koi8u": "koi8-u",
	"latin9": "iso-8859-15", "latin10": "iso-8859-16", "sjis": "shift_jis", "uhc": "euc-kr", "euc_jp": "euc-jp", "euc_kr": "euc-kr"}

// named is an encoding by its name; nil is UTF-8.
func named(name string) (encoding.Encoding, error) {
	known := fn.LowerName(name)
	if iana, ok := encodingNames[known]; ok {
		known = iana
	}
	if known == "utf-8" {
		return nil, nil
	}
	e, err := ianaindex.IANA.Encoding(known)
	if err != nil || e == nil {
		return nil, &fn.Fault{Code: "22023", Msg: fmt.Sprintf("'%s' is no encoding", fn.Abbreviate(name)), Hint: "such as UTF8, LATIN1 or WIN1252"}
	}
	return e, nil
}

func convertFrom(a []value.Value) (value.Value, error) {
	e, err := named(a[1].S)
	if err != nil {
		return value.Value{}, err
	}
	s := a[0].S
	if e != nil {
		if s, err = e.NewDecoder().String(s); err != nil {
			return value.Value{}, &fn.Fault{Code: "22021", Msg: "the bytes are no text in " + a[1].S}
		}
	}
	if err := value.CheckText(s); err != nil {
		return value.Value{}, &fn.Fault{Code: "22021", Msg: err.Error()}
	}
	return fn.Bounded(s)
}

func convertTo(a []value.Value) (value.Value, error) {
	e, err := named(a[1].S)
	if err != nil || e == nil {
		return value.Blob([]byte(a[0].S)), err
	}
	s, err := e.NewEncoder().String(a[0].S)
	if err != nil {
		return value.Value{}, &fn.Fault{Code: "22P05", Msg: "the text has a character that " + a[1].S + " has not"}
	}
	return value.Blob([]byte(s)), nil
}

// substrBytes is substr of bytes, counted from 1.
func substrBytes(a []value.Value) (value.Value, error) {
	from, to := a[1].Int()-1, int64(len(a[0].S))
	if len(a) == 3 {
		if a[2].Int() < 0 {
			return value.Value{}, &fn.Fault{Code: "22011", Msg: fmt.Sprintf("negative length %d of a substring", a[2].Int())}
		}
		to = min(to, max(from, -1<<40)+min(a[2].Int(), 1<<40))
	}
	return value.Blob([]byte(cutBytes(a[0].S, from, to))), nil
}

// cutBytes is s[from:to] as far as there is such.
func cutBytes(s string, from, to int64) string {
	from, to = max(from, 0), min(to, int64(len(s)))
	if from >= to {
		return ""
	}
	return s[from:to]
}

func overlayBytes(a []value.Value) (value.Value, error) {
	from, n := a[2].Int()-1, int64(len(a[1].S))
	if len(a) == 4 {
		n = a[3].Int()
	}
	if from < 0 {
		return value.Value{}, &fn.Fault{Code: "22011", Msg: fmt.Sprintf("overlay begins at byte 1 at least, not %d", a[2].Int())}
	}
	from, n = min(from, 1<<40), max(min(n, 1<<40), -1<<40)
	out, err := fn.Bounded(cutBytes(a[0].S, 0, from) + a[1].S + cutBytes(a[0].S, from+n, int64(len(a[0].S))))
	out.T = value.Bytes
	return out, err
}

// trimBytes cuts the bytes that the second argument has off the ends.
func trimBytes(left, right bool) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		b, set := []byte(a[0].S), []byte(a[1].S)
		for left && len(b) > 0 && bytes.IndexByte(set, b[0]) >= 0 {
			b = b[1:]
		}
		for right && len(b) > 0 && bytes.IndexByte(set, b[len(b)-1]) >= 0 {
			b = b[:len(b)-1]
		}
		return value.Blob(b), nil
	}
}
