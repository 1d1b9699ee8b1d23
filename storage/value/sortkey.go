package value

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// HasSortKey reports whether values of a type are compared by their sort keys: texts that differ may be equal values.
func (t Type) HasSortKey() bool { return t == JSON || t == Interval }

// SortKey returns bytes of a value whose type has sort keys, in the order of the values; equal values have equal ones.
func SortKey(v Value) string { return string(appendSortKey(nil, v)) }

func appendSortKey(dst []byte, v Value) []byte {
	if v.T == Interval {
		return appendIntervalKey(dst, v.S)
	}
	dst, _ = appendJSONKey(dst, strings.TrimSpace(v.S))
	return dst
}

// Unique returns a value that equals (==) that of every value which is equal: of the same type, or the other type of
// numbers.
func Unique(v Value) Value {
	if v.T.HasSortKey() {
		v.S = SortKey(v)
	}
	if v.T == Float {
		if i, ok := EqualInteger(v.Float()); ok {
			return Int(i)
		}
	}
	return v
}

func compareSortKeys(a, b Value) int {
	if a.S == b.S {
		return 0
	}
	return strings.Compare(SortKey(a), SortKey(b))
}

// Tags of the sort keys of JSON, in the order of jsonb; 0 ends an array.
const (
	keyJSONNull = 1 + iota
	keyJSONString
	keyJSONNumber
	keyJSONFalse
	keyJSONTrue
	keyJSONArray
	keyJSONObject
)

// appendJSONKey appends the key of the JSON value with which s begins, and returns what follows it. Arrays compare
// member by member, objects by the number of their members, then key by key.
func appendJSONKey(dst []byte, s string) ([]byte, string) {
	if s == "" {
		return dst, ""
	}
	switch s[0] {
	case '{':
		return appendObjectKey(append(dst, keyJSONObject), s[1:])
	case '[':
		dst, s = append(dst, keyJSONArray), skipSpace(s[1:])
		for s != "" && s[0] != ']' {
			dst, s = appendJSONKey(dst, s)
			s = skipPast(s, ',')
		}
		return append(dst, 0), skipPast(s, ']')
	case '"':
		text, rest := cutString(s)
		return AppendKeyString(append(dst, keyJSONString), text), rest
	case 't':
		return append(dst, keyJSONTrue), s[min(len(s), len("true")):]
	case 'f':
		return append(dst, keyJSONFalse), s[min(len(s), len("false")):]
	case 'n':
		return append(dst, keyJSONNull), s[min(len(s), len("null")):]
	}
	number, rest := cutNumber(s)
	return appendNumberKey(append(dst, keyJSONNumber), number), rest
}

// appendObjectKey appends the number of members, then keys and values in the order of jsonb; s follows the brace.
func appendObjectKey(dst []byte, s string) ([]byte, string) {
	type member struct{ key, value string }
	var list []member
	s = skipSpace(s)
	for s != "" && s[0] != '}' {
		var m member
		m.key, s = cutString(s)
		var key []byte
		key, s = appendJSONKey(nil, skipPast(s, ':'))
		m.value, s = string(key), skipPast(s, ',')
		list = append(list, m)
	}
	list = LastOfKeys(list, func(m member) string { return m.key })
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(list)))
	for _, m := range list {
		dst = append(AppendKeyString(dst, m.key), m.value...)
	}
	return dst, skipPast(s, '}')
}

// LastOfKeys puts members of an object in the order of jsonb, shorter keys first, and keeps the last of equal keys.
func LastOfKeys[T any](list []T, key func(T) string) []T {
	slices.Reverse(list)
	slices.SortStableFunc(list, func(x, y T) int {
		a, b := key(x), key(y)
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return slices.CompactFunc(list, func(x, y T) bool { return key(x) == key(y) })
}

// appendNumberKey appends a number as keys have it; those beyond the range of floats compare by their text.
func appendNumberKey(dst []byte, s string) []byte {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return AppendKey(dst, Int(i))
	}
	f, _ := strconv.ParseFloat(s, 64)
	dst = AppendKey(dst, Real(f))
	if math.IsInf(f, 0) {
		dst = AppendKeyString(dst, s)
	}
	return dst
}

func skipSpace(s string) string { return strings.TrimLeft(s, " \t\r\n") }

// skipPast skips white space and, where it follows, c with the white space behind it.
func skipPast(s string, c byte) string {
	if s = skipSpace(s); s != "" && s[0] == c {
		s = skipSpace(s[1:])
	}
	return s
}

// cutNumber cuts the number off with which s begins, at least one byte.
func cutNumber(s string) (number, rest string) {
	n := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("+-.eE0123456789", r) })
	switch {
	case n < 0:
		return s, ""
	case n == 0:
		n = 1
	}
	return s[:n], s[n:]
}

// cutString cuts the string off with which s begins, and decodes it.
func cutString(s string) (text, rest string) {
	if s == "" {
		return "", ""
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			if strings.IndexByte(s[:i], '\\') < 0 {
				return s[1:i], s[i+1:]
			}
			var decoded string
			if err := json.Unmarshal([]byte(s[:i+1]), &decoded); err != nil {
				return s[1:i], s[i+1:]
			}
			return decoded, s[i+1:]
		}
	}
	return s[1:], ""
}
