package value

import (
	"context"
	"errors"
	"strconv"
	"strings"
)

// ErrUnicode is an escape of JSON for which texts have no character.
var ErrUnicode = errors.New("a text cannot hold the character \\u0000")

// ErrLong is that a text would have more bytes than are allowed.
var ErrLong = errors.New("the text would be too long")

// NormalJSON writes JSON as PostgreSQL writes jsonb: members by the length of their keys, then by key, the last of
// equal keys, ", " and ": " between, strings with the escapes that they need, numbers without exponents. It ends with
// its context, and beyond so many bytes.
func NormalJSON(ctx context.Context, s string, most int) (string, error) {
	if ok, err := ValidJSON(ctx, s); err != nil {
		return "", err
	} else if !ok {
		return "", Malformed(ErrMalformed, "%q is not JSON", clip(s))
	}
	if strings.Contains(s, `\u0000`) && hasZero(s) {
		return "", ErrUnicode
	}
	n := normalizer{ctx: ctx, most: most}
	dst, _ := n.append(make([]byte, 0, len(s)+len(s)/8), skipSpace(s))
	if n.err == nil && len(dst) > most {
		n.err = ErrLong
	}
	return string(dst), n.err
}

// normalizer appends JSON in its normal form, until err is not nil.
type normalizer struct {
	ctx        context.Context
	most       int
	steps      int
	made, seen int // bytes that were made, and at the last look at the context
	err        error
}

// step counts bytes that were made or copied.
func (n *normalizer) step(bytes int) {
	n.steps++
	if n.made += bytes; n.err == nil && (n.steps%turn == 0 || n.made-n.seen > 1<<20) {
		n.seen, n.err = n.made, n.ctx.Err()
	}
}

// hasZero tells \u0000 from a backslash before u0000.
func hasZero(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			if strings.HasPrefix(s[i:], `\u0000`) {
				return true
			}
			i++
		}
	}
	return false
}

// append appends the value with which valid JSON begins, and returns what follows it.
func (n *normalizer) append(dst []byte, s string) ([]byte, string) {
	from := len(dst)
	defer func() { n.step(len(dst) - from) }()
	switch s[0] {
	case '{':
		return n.object(dst, s[1:])
	case '[':
		dst, s = append(dst, '['), skipSpace(s[1:])
		for first := true; s[0] != ']' && n.err == nil; first = false {
			if !first {
				dst = append(dst, ", "...)
			}
			dst, s = n.append(dst, s)
			s = skipPast(s, ',')
			if len(dst) > n.most && n.err == nil {
				n.err = ErrLong
			}
		}
		return append(dst, ']'), s[1:]
	case '"':
		text, rest := cutString(s)
		return appendQuoted(dst, text), rest
	case 't', 'n':
		return append(dst, s[:4]...), s[4:]
	case 'f':
		return append(dst, s[:5]...), s[5:]
	}
	number, rest := cutNumber(s)
	return append(dst, plainNumber(number)...), rest
}

// object appends an object, of which s is what follows {.
func (n *normalizer) object(dst []byte, s string) ([]byte, string) {
	type member struct {
		key   string
		value []byte
	}
	var list []member
	s = skipSpace(s)
	for size := 0; s[0] != '}' && n.err == nil; {
		var m member
		m.key, s = cutString(s)
		m.value, s = n.append(nil, skipPast(s, ':'))
		s = skipPast(s, ',')
		list = append(list, m)
		if size += len(m.key) + len(m.value); size > n.most && n.err == nil {
			n.err = ErrLong
		}
	}
	dst = append(dst, '{')
	for i, m := range LastOfKeys(list, func(m member) string { return m.key }) {
		if n.err != nil {
			break
		}
		n.step(len(m.value))
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendQuoted(dst, m.key), ": "...)
		dst = append(dst, m.value...)
	}
	return append(dst, '}'), s[1:]
}

// appendQuoted writes a string of JSON with no more escapes than it needs.
func appendQuoted(dst []byte, s string) []byte {
	const short = "\b\f\n\r\t\"\\"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case strings.IndexByte(short, c) >= 0:
			dst = append(dst, '\\', "bfnrt\"\\"[strings.IndexByte(short, c)])
		case c < ' ':
			dst = append(dst, `\u00`...)
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// longestNumber bounds the digits that an exponent is written out to; numbers beyond keep it.
const longestNumber = 1000

// plainNumber writes a number of JSON without its exponent and without the sign of zero.
func plainNumber(s string) string {
	digits, negative := strings.CutPrefix(s, "-")
	if e := strings.IndexAny(digits, "eE"); e >= 0 {
		n, err := strconv.Atoi(digits[e+1:])
		if err != nil || n > longestNumber || n < -longestNumber {
			return s
		}
		digits = shiftPoint(digits[:e], n)
	}
	if negative && strings.Trim(digits, "0.") != "" {
		return "-" + digits
	}
	return digits
}

// shiftPoint multiplies a decimal by a power of ten.
func shiftPoint(s string, n int) string {
	whole, part, _ := strings.Cut(s, ".")
	if n >= 0 {
		part += strings.Repeat("0", max(0, n-len(part)))
		whole, part = whole+part[:n], part[n:]
	} else {
		whole = strings.Repeat("0", max(0, -n-len(whole))) + whole
		whole, part = whole[:len(whole)+n], whole[len(whole)+n:]+part
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if part == "" {
		return whole
	}
	return whole + "." + part
}
