package value

import (
	"encoding/hex"
	"strings"
)

// toBytes reads bytes as PostgreSQL writes them: \x and hexadecimal digits, which white space may divide; else
// the bytes of the text, with \\ for a backslash and \nnn for the byte of an octal number.
func toBytes(s string) (Value, error) {
	if digits, ok := strings.CutPrefix(s, `\x`); ok {
		b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
		if err != nil {
			return Value{}, Malformed(ErrMalformed, "%q is not hexadecimal", clip(s))
		}
		return Blob(b), nil
	}
	if !strings.Contains(s, `\`) {
		return Blob([]byte(s)), nil
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\':
			out = append(out, s[i])
		case strings.HasPrefix(s[i+1:], `\`):
			out = append(out, '\\')
			i++
		case i+3 < len(s) && '0' <= s[i+1] && s[i+1] <= '3' && octal(s[i+2]) && octal(s[i+3]):
			out = append(out, (s[i+1]-'0')<<6|(s[i+2]-'0')<<3|(s[i+3]-'0'))
			i += 3
		default:
			return Value{}, Malformed(ErrMalformed, "%q is not bytes (such as '\\xdead'; \\\\ is a backslash)", clip(s))
		}
	}
	return Blob(out), nil
}

func octal(c byte) bool { return '0' <= c && c <= '7' }
