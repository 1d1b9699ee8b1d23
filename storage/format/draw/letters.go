package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// advances are widths of ASCII from the blank on, in hundredths of the size of the letters, as
// in Helvetica.
var advances = [95]uint8{
	28, 28, 36, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28, // blank to /
	56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 28, 28, 58, 58, 58, 56, // 0 to ?
	102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78, // @ to O
	67, 78, 72, 67, 61, 72, 67, 94, 67, 67, 61, 28, 28, 28, 47, 56, // P to _
	33, 56, 56, 50, 56, 56, 28, 56, 56, 22, 22, 50, 22, 83, 56, 56, // ` to o
	56, 56, 33, 50, 28, 56, 50, 72, 50, 50, 50, 33, 26, 33, 58, // p to ~
}

// Width estimates how wide a text is in letters of the size. It errs on the wide side, for the
// reader's font is not known.
func Width(s string, size float64) float64 {
	n := 0
	for _, r := range s {
		n += advance(r)
	}
	return float64(n) / 100 * size * 1.03
}

func fullWidth(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

func advance(r rune) int {
	switch {
	case r < ' ':
		return 60
	case r < 0x7f:
		return int(advances[r-' '])
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Arabic, unicode.Hebrew):
		return 52
	}
	switch {
	case fullWidth(r) && r >= 0x1f000:
		return 130 // emoji
	case fullWidth(r):
		return 100
	case unicode.IsUpper(r):
		return 72
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic):
		return 60
	}
	return 72
}

// RightToLeft reports whether most letters of a text are of a script that runs so.
func RightToLeft(s string) bool {
	right, left := 0, 0
	for _, r := range s {
		if unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko) {
			right++
		} else if unicode.IsLetter(r) {
			left++
		}
	}
	return right > left
}

func rightToLeft(words []Word) bool {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Form)
	}
	return RightToLeft(b.String())
}

// Escape makes a text safe within elements and quoted attributes. Control characters, which XML
// cannot hold, become their pictures.
func Escape(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		c := s[i]
		clean = c >= ' ' && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"' && c != '\''
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&#34;")
		case r == '\'':
			b.WriteString("&#39;")
		case r == '\r':
			b.WriteString("&#13;")
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		case r >= 0x80 && r < 0xa0 || r == 0xfffe || r == 0xffff:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
