package value

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrNotText is behind the error of bytes that are no text.
var ErrNotText = errors.New("no text")

// NotText is the error of bytes that are no text: texts are UTF-8 without the character 0, which
// clients of PostgreSQL take for their end.
type NotText struct {
	Byte byte
	At   int // from 0
}

func (e *NotText) Error() string {
	if e.Byte == 0 {
		return "byte 0x00 cannot stand in a text"
	}
	return fmt.Sprintf("byte 0x%02x is not UTF-8", e.Byte)
}

// Unwrap returns ErrNotText.
func (e *NotText) Unwrap() error { return ErrNotText }

// CheckText returns a *NotText with the first byte of s that keeps it from being a text.
func CheckText(s string) error {
	zero := strings.IndexByte(s, 0)
	if zero < 0 && utf8.ValidString(s) {
		return nil
	}
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if at == zero || r == utf8.RuneError && size == 1 {
			return &NotText{s[at], at}
		}
		at += size
	}
	return nil
}
