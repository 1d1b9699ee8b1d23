package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// classes is a set of classes of bytes.
type classes uint8

const (
	alphanumeric classes = 1 << iota // ASCII letters and digits
	addressMark                      // one of the marks without which there is no address
	space                            // ASCII white space
	lead                             // the first of a character beyond ASCII
	other                            // all other bytes
)

// classOf is the class of a byte.
var classOf = func() (m [256]classes) {
	for i := range m {
		switch c := byte(i); {
		case letter(c) || c >= '0' && c <= '9':
			m[i] = alphanumeric
		case strings.IndexByte(":@.", c) >= 0:
			m[i] = addressMark
		case c < utf8.RuneSelf && unicode.IsSpace(rune(c)):
			m[i] = space
		case utf8.RuneStart(c) && c >= utf8.RuneSelf:
			m[i] = lead
		default:
			m[i] = other
		}
	}
	return m
}()

// chunk is a run [start, end) of characters of a text other than white space.
type chunk struct {
	text       string
	start, end int
	before     int     // where the white space before it begins
	classes    classes // of its bytes
}

// next goes on to the next chunk and reports whether there is one.
func (c *chunk) next() bool {
	text, i := c.text, c.end
	c.before = i
	for i < len(text) {
		w := spaceAt(text, i)
		if w == 0 {
			break
		}
		i += w
	}
	c.start, c.classes = i, 0
	for i < len(text) {
		m := classOf[text[i]]
		if m == space || m == lead && spaceAt(text, i) > 0 {
			break
		}
		c.classes |= m
		i++
	}
	c.end = i
	return i > c.start
}

// gap is the white space before the chunk.
func (c *chunk) gap() string { return c.text[c.before:c.start] }

// afterBlankLine reports whether a blank line lies before the chunk.
func (c *chunk) afterBlankLine() bool {
	return c.start > c.before+1 && strings.Count(c.gap(), "\n") > 1
}

// spaceAt returns the length in bytes of the white space character at i, 0 if there is another.
func spaceAt(text string, i int) int {
	if text[i] < utf8.RuneSelf {
		if classOf[text[i]] == space {
			return 1
		}
		return 0
	}
	if c, w := utf8.DecodeRuneInString(text[i:]); unicode.IsSpace(c) {
		return w
	}
	return 0
}
