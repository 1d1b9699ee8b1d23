package offset

import "unicode/utf8"

// ByteAt turns a code point offset into bytes; -1 outside the text.
func ByteAt(s string, n int) int {
	if n < 0 {
		return -1
	}
	if utf8.RuneCountInString(s) == len(s) {
		if n > len(s) {
			return -1
		}
		return n
	}
	at := 0
	for ; n > 0; n-- {
		if at >= len(s) {
			return -1
		}
		_, w := utf8.DecodeRuneInString(s[at:])
		at += w
	}
	return at
}

// Pointer returns what turns byte offsets into code points.
func Pointer(s string) func(int32) int {
	if utf8.RuneCountInString(s) == len(s) {
		return func(o int32) int { return int(o) }
	}
	points := make([]int32, len(s)+1)
	n := int32(0)
	for i := range len(s) {
		points[i] = n
		if i+1 == len(s) || utf8.RuneStart(s[i+1]) {
			n++
		}
	}
	points[len(s)] = n
	return func(o int32) int { return int(points[o]) }
}
