package value

import (
	"context"
	"encoding/json"
	"strings"
)

// Loops over long texts look at their context every turn of them, which is a number of bytes or steps.
const (
	longText = 1 << 16
	turn     = 1 << 12
)

// deepestJSON bounds arrays and objects within each other, as package json does.
const deepestJSON = 10_000

// ValidJSON reports whether a text is JSON, as json.Valid does; it ends with its context.
func ValidJSON(ctx context.Context, s string) (bool, error) {
	if len(s) <= longText {
		return json.Valid([]byte(s)), nil
	}
	c := jsonChecker{ctx: ctx, s: s}
	ok := c.value()
	return ok && c.err == nil, c.err
}

// jsonChecker reads JSON from byte at on.
type jsonChecker struct {
	ctx  context.Context
	s    string
	at   int
	n    uint
	open []byte // arrays and objects that are not closed yet: ] or }
	err  error  // of the context
}

// value reads the whole text.
func (c *jsonChecker) value() bool {
	for {
		c.space()
		switch b := c.peek(); {
		case b == '[' || b == '{':
			if c.at++; len(c.open) == deepestJSON {
				return false
			}
			c.open = append(c.open, b+2) // ] follows [ by two, as } does {
			if c.space(); c.peek() != b+2 {
				if b == '{' && !c.key() {
					return false
				}
				continue
			}
		case !c.scalar(b):
			return false
		}
		more, ok := c.after()
		if !more || !ok {
			return ok
		}
	}
}

// after reads what follows a value: more is false at the end of the text.
func (c *jsonChecker) after() (more, ok bool) {
	for {
		c.space()
		if len(c.open) == 0 || c.err != nil {
			return false, c.at == len(c.s)
		}
		last := c.open[len(c.open)-1]
		switch c.peek() {
		case ',':
			c.at++
			return true, last == ']' || c.key()
		case last:
			c.at++
			c.open = c.open[:len(c.open)-1]
		default:
			return false, false
		}
	}
}

// peek is the next byte, 0 at the end and where the context has ended.
func (c *jsonChecker) peek() byte {
	if c.n++; c.n%turn == 0 && c.err == nil {
		c.err = c.ctx.Err()
	}
	if c.err != nil || c.at >= len(c.s) {
		return 0
	}
	return c.s[c.at]
}

func (c *jsonChecker) space() {
	for b := c.peek(); b == ' ' || b == '\t' || b == '\r' || b == '\n'; b = c.peek() {
		c.at++
	}
}

func (c *jsonChecker) key() bool {
	c.space()
	if !c.text() {
		return false
	}
	c.space()
	if c.peek() != ':' {
		return false
	}
	c.at++
	return true
}

// scalar reads what begins with b.
func (c *jsonChecker) scalar(b byte) bool {
	switch b {
	case '"':
		return c.text()
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.number()
}

func (c *jsonChecker) word(w string) bool {
	ok := strings.HasPrefix(c.s[c.at:], w)
	c.at += len(w)
	return ok
}

// number reads [-] 0 or digits [. digits] [e [sign] digits].
func (c *jsonChecker) number() bool {
	if c.peek() == '-' {
		c.at++
	}
	switch {
	case c.peek() == '0':
		c.at++
	case !c.digits():
		return false
	}
	if c.peek() == '.' {
		if c.at++; !c.digits() {
			return false
		}
	}
	if b := c.peek(); b == 'e' || b == 'E' {
		c.at++
		if b := c.peek(); b == '+' || b == '-' {
			c.at++
		}
		return c.digits()
	}
	return true
}

func (c *jsonChecker) digits() bool {
	from := c.at
	for b := c.peek(); '0' <= b && b <= '9'; b = c.peek() {
		c.at++
	}
	return c.at > from
}

// text reads a string.
func (c *jsonChecker) text() bool {
	if c.peek() != '"' {
		return false
	}
	for c.at++; ; c.at++ {
		switch b := c.peek(); {
		case b == '"':
			c.at++
			return true
		case b < ' ': // the end, too
			return false
		case b == '\\':
			c.at++
			if b := c.peek(); b == 'u' {
				for range 4 {
					if c.at++; !hexadecimal(c.peek()) {
						return false
					}
				}
			} else if b == 0 || strings.IndexByte(`"\/bfnrt`, b) < 0 {
				return false
			}
		}
	}
}

func hexadecimal(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}
