package segmenter

import (
	"unicode"
	"unicode/utf8"
)

// Types of characters, the classes of Kruengkrai et al. (2009), section 4.1.
const (
	typeOther uint8 = iota
	typeSpace
	typeNumeral
	typeSymbol
	typeAlphabet
	typeChinese
	typeBorder // beyond the ends of a sentence
	types
)

var typeNames = [types]string{"other", "space", "numeral", "symbol", "alphabet", "chinese", "border"}

// hanNumerals are Chinese numerals, plain and formal.
var hanNumerals = func() map[rune]bool {
	out := map[rune]bool{}
	for _, r := range "零〇○一二三四五六七八九十百千万亿兩两廿卅壹贰叁肆伍陆柒捌玖拾佰仟萬億" {
		out[r] = true
	}
	return out
}()

// typeOf returns the type of a character.
func typeOf(r rune) uint8 {
	switch {
	case unicode.Is(unicode.Han, r):
		if hanNumerals[r] {
			return typeNumeral
		}
		return typeChinese
	case unicode.IsDigit(r), unicode.IsNumber(r), hanNumerals[r]:
		return typeNumeral
	case unicode.IsSpace(r):
		return typeSpace
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return typeSymbol
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic):
		return typeAlphabet
	}
	return typeOther
}

// fullWidth returns the full-width form of an ASCII character, other characters as they are.
func fullWidth(r rune) rune {
	if r > ' ' && r <= '~' {
		return r - '!' + '！'
	}
	return r
}

// border is the character beyond the ends of a sentence. It is no rune of a text.
const border = unicode.MaxRune + 1

// margin is how many characters of border stand on both sides of a sentence.
const margin = 2

// characters are those of a sentence, without white space.
type characters struct {
	runes []rune  // with the margins; rune i is at i+margin
	types []uint8 // the same
	start []int32 // byte offsets into the text
	end   []int32
	space []bool // white space stands before it
}

func (c *characters) len() int { return len(c.start) }

// reset begins a sentence.
func (c *characters) reset() {
	c.runes, c.types = append(c.runes[:0], border, border), append(c.types[:0], typeBorder, typeBorder)
	c.start, c.end, c.space = c.start[:0], c.end[:0], c.space[:0]
}

// add appends the characters of text[from:to] but white space, and ASCII as full width if wide says so.
func (c *characters) add(text string, from, to int, wide bool) {
	gap := false
	for at := from; at < to; {
		r, n := utf8.DecodeRuneInString(text[at:to])
		if unicode.IsSpace(r) {
			gap = true
			at += n
			continue
		}
		if wide {
			r = fullWidth(r)
		}
		c.runes, c.types = append(c.runes, r), append(c.types, typeOf(r))
		c.start, c.end, c.space = append(c.start, int32(at)), append(c.end, int32(at+n)), append(c.space, gap)
		gap = false
		at += n
	}
}

// close ends the sentence.
func (c *characters) close() {
	c.runes, c.types = append(c.runes, border, border), append(c.types, typeBorder, typeBorder)
}

// word returns the characters of [from, to).
func (c *characters) word(from, to int) []rune { return c.runes[from+margin : to+margin] }
