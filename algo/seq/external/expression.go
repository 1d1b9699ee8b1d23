package external

import (
	"errors"
	"strings"
)

// expression is a regular expression as Wapiti's patterns have them, over bytes: a sequence of items, each a byte or a
// class, once, at most once (?, the longer match first) or any number of times (*, the shorter match first). ^ and $
// at its ends are those of the text. There are no groups, alternatives or bracketed classes.
type expression struct {
	items      []item
	start, end bool
}

type item struct {
	set    *[256]bool
	repeat byte // 0, ? or *
}

// classes are what follows a backslash; capitals are their opposites.
var classes = map[byte]func(byte) bool{
	'a': letter, 'd': digit,
	'l': func(b byte) bool { return 'a' <= b && b <= 'z' },
	'u': func(b byte) bool { return 'A' <= b && b <= 'Z' },
	'w': func(b byte) bool { return letter(b) || digit(b) },
	's': func(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' },
	'p': func(b byte) bool { return '!' <= b && b <= '~' && !letter(b) && !digit(b) },
}

func letter(b byte) bool { b |= 0x20; return 'a' <= b && b <= 'z' }
func digit(b byte) bool  { return '0' <= b && b <= '9' }

func parseExpression(s string) (*expression, error) {
	e := &expression{}
	s, e.start = strings.CutPrefix(s, "^")
	for s != "" {
		if s == "$" {
			e.end = true
			break
		}
		set, rest, err := itemSet(s)
		if err != nil {
			return nil, err
		}
		it := item{set: set}
		if rest != "" && (rest[0] == '*' || rest[0] == '?') {
			it.repeat, rest = rest[0], rest[1:]
		}
		e.items, s = append(e.items, it), rest
	}
	return e, nil
}

// itemSet reads the bytes that an item matches.
func itemSet(s string) (set *[256]bool, rest string, err error) {
	in := func(b byte) bool { return b == s[0] }
	n := 1
	switch {
	case s[0] == '.':
		in = func(byte) bool { return true }
	case s[0] == '\\' && len(s) == 1:
		return nil, "", errors.New("has an expression that ends in a backslash")
	case s[0] == '\\':
		n = 2
		small := s[1] | 0x20
		if class := classes[small]; class == nil {
			in = func(b byte) bool { return b == s[1] }
		} else {
			in = func(b byte) bool { return class(b) == (s[1] == small) }
		}
	}
	set = new([256]bool)
	for b := range 256 {
		set[b] = in(byte(b))
	}
	return set, s[n:], nil
}

// find returns the first match in a text. failed is memory for places at which the rest of the items does not match,
// so that the time is bounded by the product of both lengths.
func (e *expression) find(s string, failed []bool) (from, to int, ok bool, mem []bool) {
	size := (len(e.items) + 1) * (len(s) + 1)
	if cap(failed) < size {
		failed = make([]bool, size)
	}
	failed = failed[:size]
	clear(failed)
	for from = 0; from <= len(s); from++ {
		if to, ok = e.match(s, 0, from, failed); ok || e.start {
			break
		}
	}
	return from, to, ok, failed
}

// match matches the items from i on at a place, and returns where the match ends.
func (e *expression) match(s string, i, at int, failed []bool) (int, bool) {
	if i == len(e.items) {
		return at, !e.end || at == len(s)
	}
	place := i*(len(s)+1) + at
	if failed[place] {
		return 0, false
	}
	it := e.items[i]
	here := at < len(s) && it.set[s[at]]
	switch {
	case it.repeat == 0:
		if here {
			if to, ok := e.match(s, i+1, at+1, failed); ok {
				return to, true
			}
		}
	case it.repeat == '?':
		if here {
			if to, ok := e.match(s, i+1, at+1, failed); ok {
				return to, true
			}
		}
		if to, ok := e.match(s, i+1, at, failed); ok {
			return to, true
		}
	default:
		for k := at; ; k++ {
			if to, ok := e.match(s, i+1, k, failed); ok {
				return to, true
			}
			if k == len(s) || !it.set[s[k]] {
				break
			}
		}
	}
	failed[place] = true
	return 0, false
}
