package check

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// encoding looks for damage of the texts. A document breaks a rule once, whatever the number
// of places.
type encoding struct {
	c    *Checker
	want map[string]bool
}

func newEncoding(c *Checker, _ int) detector {
	e := &encoding{c, map[string]bool{}}
	for _, r := range rules {
		if r.About == "text" {
			e.want[r.Name] = c.Wants(r.Name)
		}
	}
	return e
}

func (e *encoding) finish() bool { return false }

// marks are the places where a text breaks one rule.
type marks struct{ n, from, to int }

func (m *marks) add(from, to int) {
	if m.n++; m.n == 1 {
		m.from, m.to = from, to
	}
}

// report makes one finding of the places.
func (e *encoding) report(rule string, d *view, m marks, what, right string) {
	if m.n == 0 || !e.want[rule] {
		return
	}
	e.c.note(rule, e.c.ordinal, func() Finding {
		from, to := around(d.Text, m.from, m.to)
		return Finding{Document: d.ID, Place: d.char(m.from), Message: what + " in " + count(m.n, "place", "places") +
			", first in " + excerpt(strings.ToValidUTF8(d.Text[from:to], "�")) + "; " + right}
	})
}

// around widens a range of bytes by some characters.
func around(s string, from, to int) (int, int) {
	for k := 0; k < 12 && from > 0; k++ {
		_, n := utf8.DecodeLastRuneInString(s[:from])
		from -= n
	}
	for k := 0; k < 12 && to < len(s); k++ {
		_, n := utf8.DecodeRuneInString(s[to:])
		to += n
	}
	return from, to
}

func (e *encoding) add(d *view) {
	e.characters(d)
	e.escapes(d)
	e.scripts(d)
}

// characters looks at single characters and at sequences of misread bytes.
func (e *encoding) characters(d *view) {
	var invalid, lost, misread, control, mark, space marks
	s := d.Text
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			switch {
			case b == '\r':
				space.add(i, i+1)
			case b < ' ' && b != '\t' && b != '\n' || b == 0x7f:
				control.add(i, i+1)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			invalid.add(i, i+1)
		case r == utf8.RuneError:
			lost.add(i, i+n)
		case r == '\ufeff':
			mark.add(i, i+n)
		case odd(s, i, r, n):
			space.add(i, i+n)
		default:
			if k := misreadAt(s, i); k > 0 {
				misread.add(i, i+k)
				n = k
			} else if r < 0xa0 {
				control.add(i, i+n)
			}
		}
		i += n
	}
	e.report("invalid-utf8", d, invalid, "bytes that are no UTF-8", "load the file in its own encoding")
	e.report("replacement-character", d, lost, "U+FFFD",
		"the character was lost before; load the source in its own encoding")
	e.report("mojibake", d, misread, "UTF-8 that was read as another encoding", "load the source as UTF-8")
	e.report("control-character", d, control, "control characters", "remove them, or load the source in its own encoding")
	e.report("byte-order-mark", d, mark, "byte-order marks", "remove them; they belong at the head of a file, if anywhere")
	e.report("whitespace", d, space, "zero-width or other unusual white space", "replace it by what is meant")
}

// odd reports white space that is hardly meant. No-break spaces are, unless beside a space.
func odd(s string, i int, r rune, n int) bool {
	switch r {
	case '\u200b', '\u2060', '\u00ad', '\u2028', '\u2029', '\u0085':
		return true
	case '\u00a0':
		return i > 0 && s[i-1] == ' ' || i+n < len(s) && s[i+n] == ' '
	}
	return false
}

// windows1252 is the characters of the bytes 80 to 9F, 0 for those that stand for none.
var windows1252 = [32]rune{'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ'}

// singleByte is the byte that Latin-1 or Windows-1252 writes for a character.
func singleByte(r rune) (byte, bool) {
	if r < 0x100 {
		return byte(r), true
	}
	for i, w := range windows1252 {
		if r == w {
			return byte(0x80 + i), true
		}
	}
	return 0, false
}

// misreadAt returns the length of the characters at i that are the bytes of one UTF-8
// character read one by one, 0 if they are not. Pairs also occur in words in capitals before
// a quotation mark, so but for Â and Ã two pairs in a row are asked for.
func misreadAt(s string, i int) int {
	n, r := misreadRune(s, i)
	switch {
	case n == 0:
		return 0
	case r >= 0x800 || r < 0x100 && !quoteAfterCapital(s, i, n):
		return n
	}
	if m, r2 := misreadRune(s, i+n); m > 0 && r2 >= 0x80 {
		return n + m
	}
	return 0
}

// quoteAfterCapital reports a capital with an accent before a closing quotation mark.
func quoteAfterCapital(s string, i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	last, _ := utf8.DecodeLastRuneInString(s[:i+n])
	return (last == '»' || last == '“' || last == '”' || last == '’') && unicode.IsUpper(before)
}

// misreadRune reads the character whose bytes stand at i as characters of their own.
func misreadRune(s string, i int) (n int, r rune) {
	var raw [4]byte
	want := 0
	for k := 0; i+n < len(s); k++ {
		c, size := utf8.DecodeRuneInString(s[i+n:])
		b, ok := singleByte(c)
		if !ok {
			return 0, 0
		}
		raw[k] = b
		n += size
		if k == 0 {
			switch {
			case b >= 0xc2 && b < 0xe0:
				want = 2
			case b >= 0xe0 && b < 0xf0:
				want = 3
			case b >= 0xf0 && b < 0xf5:
				want = 4
			default:
				return 0, 0
			}
		}
		if k+1 == want {
			if r, size := utf8.DecodeRune(raw[:want]); size == want {
				return n, r
			}
			return 0, 0
		}
	}
	return 0, 0
}

// escapes looks for escapes of JSON and HTML that nobody has read.
func (e *encoding) escapes(d *view) {
	var surrogate, reference marks
	s := d.Text
	for i := 0; ; {
		k := strings.IndexAny(s[i:], `\&`)
		if k < 0 {
			break
		}
		i += k
		if s[i] == '\\' && isSurrogate(s[i:]) {
			surrogate.add(i, i+6)
		}
		if n := referenceLength(s[i:]); n > 0 {
			reference.add(i, i+n)
		}
		i++
	}
	e.report("surrogate-escape", d, surrogate, "escaped surrogates", "read the source as JSON, or join them to characters")
	e.report("character-reference", d, reference, "character references",
		"load the source as html, or replace them by their characters")
}

// isSurrogate reports whether s begins with an escape of D800 to DFFF.
func isSurrogate(s string) bool {
	if len(s) < 6 || s[1] != 'u' || s[2]|0x20 != 'd' || !strings.ContainsRune("89abcdefABCDEF", rune(s[3])) {
		return false
	}
	return isHex(s[4]) && isHex(s[5])
}

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f'
}

// referenceLength is the length of the character reference that s begins with, or 0.
func referenceLength(s string) int {
	if s[0] != '&' {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), 10)], ';')
	if end < 0 {
		return 0
	}
	switch name := s[1:end]; {
	case name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos" || name == "nbsp":
		return end + 1
	case len(name) > 1 && name[0] == '#' &&
		strings.Trim(strings.TrimPrefix(name[1:], "x"), "0123456789abcdefABCDEF") == "":
		return end + 1
	}
	return 0
}

// Letters of two scripts that look the same, at least in some typefaces.
const (
	latinAlike    = "aceopxyijsABCEHIJKMOPSTXYZNv"
	cyrillicAlike = "асеорхуіјѕАВСЕНІЈКМОРЅТХУԁһ"
	greekAlike    = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον"
)

// scripts looks for words in which letters of one script stand for those of another.
func (e *encoding) scripts(d *view) {
	if !e.want["mixed-script"] {
		return
	}
	var mixed marks
	s, from := d.Text, -1
	other := false // than ASCII
	for i, r := range s {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0x80 && unicode.IsLetter(r)
		if letter {
			if from < 0 {
				from, other = i, false
			}
			other = other || r >= 0x370 && r < 0x530
			continue
		}
		if from >= 0 && other && disguised(s[from:i]) {
			mixed.add(from, i)
		}
		from = -1
	}
	if from >= 0 && other && disguised(s[from:]) {
		mixed.add(from, len(s))
	}
	e.report("mixed-script", d, mixed, "words that mix scripts whose letters look alike", "write them in one script")
}

// disguised reports a word of two scripts in which all letters of one look like the other's.
func disguised(word string) bool {
	var latin, cyrillic, greek, latinOdd, cyrillicOdd, greekOdd bool
	for _, r := range word {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin, latinOdd = true, latinOdd || !strings.ContainsRune(latinAlike, r)
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic, cyrillicOdd = true, cyrillicOdd || !strings.ContainsRune(cyrillicAlike, r)
		case unicode.Is(unicode.Greek, r):
			greek, greekOdd = true, greekOdd || !strings.ContainsRune(greekAlike, r)
		}
	}
	return latin && (cyrillic && !(latinOdd && cyrillicOdd) || greek && !(latinOdd && greekOdd))
}
