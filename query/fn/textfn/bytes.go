package textfn

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"parlance/query/fn"
	"parlance/storage/value"
)

var bytesFuncs = []fn.Func{
	{Name: "octet_length", Doc: "number of bytes", Example: "octet_length('Ünal')", Args: []value.Type{fn.Any}, Result: integer,
		Eval: func(a []value.Value) (value.Value, error) {
			b, err := content(a[0])
			return value.Int(int64(len(b))), err
		}},
	{Name: "encode", Doc: "bytes as text: hex, base64 or escape", Example: `encode('\xdeadbeef', 'base64')`, Args: []value.Type{value.Bytes, text}, Result: text, Long: encode},
	{Name: "decode", Doc: "the bytes of a text: hex, base64 or escape", Example: "decode('3q2+7w==', 'base64')", Args: []value.Type{text, text}, Result: value.Bytes, Long: decode},
	{Name: "md5", Doc: "MD5 of a text or of bytes, in hexadecimal", Example: "md5('Oslo')", Args: []value.Type{fn.Any}, Result: text,
		Eval: hashed(func(b string) []byte { s := md5.Sum([]byte(b)); return s[:] })},
	{Name: "sha256", Other: bytesDigest, Doc: "SHA-256 of a text in hexadecimal, of bytes as bytes", Example: "left(sha256('Oslo'), 12)", Args: []value.Type{text}, Result: text,
		Eval: hashed(func(b string) []byte { s := sha256.Sum256([]byte(b)); return s[:] })},
}

// BytesCat is the function that || stands for between bytes.
var BytesCat = &fn.Func{Name: "bytes_cat", Args: []value.Type{value.Bytes, value.Bytes}, Result: value.Bytes,
	Eval: func(a []value.Value) (value.Value, error) {
		out, err := fn.Bounded(a[0].S + a[1].S)
		out.T = value.Bytes
		return out, err
	}}

// content is the bytes of a text or of bytes.
func content(v value.Value) (string, error) {
	switch v.T {
	case value.Text, value.JSON, value.Bytes:
		return v.S, nil
	}
	return "", fmt.Errorf("%s where text or bytes are wanted", v.T)
}

func hashed(sum func(string) []byte) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		b, err := content(a[0])
		if err != nil {
			return value.Value{}, err
		}
		return value.Str(hex.EncodeToString(sum(b))), nil
	}
}

func unknownEncoding(name string) error {
	return fmt.Errorf("'%s' is no encoding; encodings are hex, base64, escape", fn.Abbreviate(name))
}

func encode(ctx context.Context, a []value.Value) (value.Value, error) {
	switch fn.LowerName(a[1].S) {
	case "hex":
		return fn.Bounded(hex.EncodeToString([]byte(a[0].S)))
	case "base64":
		return fn.Bounded(base64.StdEncoding.EncodeToString([]byte(a[0].S)))
	case "escape":
		return escaped(ctx, a[0].S)
	}
	return value.Value{}, unknownEncoding(a[1].S)
}

// escaped writes \nnn for zero and for bytes beyond ASCII.
func escaped(ctx context.Context, s string) (value.Value, error) {
	var b strings.Builder
	for i := range len(s) {
		if i%fn.ChunkBytes == fn.ChunkBytes-1 && ctx.Err() != nil {
			return value.Value{}, ctx.Err()
		}
		switch c := s[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == 0 || c >= 0x80:
			b.Write([]byte{'\\', '0' + c>>6, '0' + c>>3&7, '0' + c&7})
		default:
			b.WriteByte(c)
		}
	}
	return fn.Bounded(b.String())
}

// withoutSpace is a text without its white space.
func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func decode(ctx context.Context, a []value.Value) (value.Value, error) {
	switch s := a[0].S; fn.LowerName(a[1].S) {
	case "hex":
		return value.Cast(value.Str(`\x`+s), value.Bytes)
	case "base64":
		packed, err := fn.ByChunk(withoutSpace)(ctx, a)
		if err != nil {
			return value.Value{}, err
		}
		b, err := base64.StdEncoding.DecodeString(packed.S)
		if err != nil {
			return value.Value{}, fmt.Errorf("'%s' is not base64", fn.Abbreviate(s))
		}
		return value.Blob(b), nil
	case "escape":
		if strings.HasPrefix(s, `\x`) {
			return value.Value{}, fmt.Errorf("'%s' is hexadecimal: cast it to bytes", fn.Abbreviate(s))
		}
		return value.Cast(value.Str(s), value.Bytes)
	}
	return value.Value{}, unknownEncoding(a[1].S)
}
