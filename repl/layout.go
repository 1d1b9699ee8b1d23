package repl

import (
	"strings"

	"parlance/db"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Bounds of texts in tables, in cells of the terminal and in lines.
const (
	widestText    = 100
	narrowestText = 12
	narrowestLong = 24 // of texts of more than widestText cells
	widestWord    = 24 // of a text; a longer one may end in … so that others have room
	widestID      = 40 // a text that is one word in every row
	tallestText   = 12 // on a screen
)

// room is how many cells of a screen the values and margins of a table have; 0 for no screen.
func (l *look) room(screen int) int {
	if l.border == 2 && screen > 0 {
		return max(1, screen-2) // the frame
	}
	return screen
}

// layOut aligns numbers and bounds the width of texts, so that a row fits on the screen if it can; 0 is no screen.
// Numbers, identifiers and the words of texts keep their width where that is possible; names of columns are broken at
// their underscores before texts become narrower than narrowestText.
func layOut(columns []db.Column, cells [][]string, screen int) (out []column, fits bool) {
	out = make([]column, len(columns))
	widths := make([]extent, len(columns))
	room := screen + 1 // behind the last column is no line
	for i, c := range columns {
		out[i] = column{name: visible(c.Name), right: c.Type == "integer" || c.Type == "float", cut: screen > 0}
		if !out[i].right {
			out[i].most = widestText
		}
		widths[i] = extentOf(out[i], cells, i)
		room -= 3 // blanks and a line
	}
	if len(columns) == 1 { // plans and templates are lines of their own
		out[0].most, out[0].cut = 0, false
		return out, screen == 0 || widths[0].most <= room
	}
	if screen == 0 {
		return out, true
	}
	for level := range levels {
		bound := widestText
		for bound > 1 && sum(widths, level, bound) > room {
			bound--
		}
		if fits = sum(widths, level, bound) <= room; fits || level == levels-1 {
			for i := range out {
				out[i].give(widths[i].at(level, bound), level > 0)
			}
			return out, fits
		}
	}
	return out, false
}

// extent is how wide a column is.
type extent struct {
	most int // with every value on one line
	word int // the widest word of the values
	name int // the name on one line
	part int // the widest part of the name
	text bool
}

// levels are how far columns yield: names stay whole; names are broken; texts are as narrow as their words.
const levels = 3

// least is how narrow a column may be.
func (e *extent) least(level int) int {
	n := e.word
	switch {
	case !e.text:
	case e.most > widestText:
		n = max(n, narrowestLong)
	case level < 2:
		n = max(n, min(e.most, narrowestText))
	}
	if level == 0 {
		return max(n, e.name)
	}
	return max(n, e.part)
}

// at is how wide a column is where a bound holds for texts.
func (e *extent) at(level, bound int) int { return max(e.least(level), min(e.most, bound)) }

// sum is the width of columns where a bound holds for texts.
func sum(widths []extent, level, bound int) (n int) {
	for i := range widths {
		n += widths[i].at(level, bound)
	}
	return n
}

// give gives a column its width.
func (c *column) give(width int, broken bool) {
	if !c.right {
		c.most = width
	}
	if broken {
		c.names = packed(nameParts(c.name), width)
	}
}

// nameParts are the parts of a name between which it may be broken.
func nameParts(name string) []string { return strings.SplitAfter(name, "_") }

// packed puts parts into lines that are no wider than some cells where that is possible.
func packed(parts []string, width int) (lines []string) {
	for i, p := range parts {
		if i > 0 && text.StringWidth(lines[len(lines)-1]+p) <= width {
			lines[len(lines)-1] += p
		} else {
			lines = append(lines, p)
		}
	}
	return lines
}

// extentOf measures a column.
func extentOf(c column, cells [][]string, at int) extent {
	e := extent{name: text.StringWidth(c.name), text: !c.right}
	for _, part := range nameParts(c.name) {
		e.part = max(e.part, text.StringWidth(part))
	}
	single := true // values are words
	for _, row := range cells {
		s := row[at]
		if len(s) > e.most {
			e.most = max(e.most, text.StringWidth(s))
		}
		single = single && !strings.Contains(s, " ")
		for _, word := range words(s) {
			if len(word) > e.word && !hasWide(word) {
				e.word = max(e.word, text.StringWidth(strings.TrimRight(word, " ")))
			}
		}
	}
	switch {
	case c.right:
		e.word = e.most
	case single:
		e.word = min(e.word, widestID)
	default:
		e.word = min(e.word, widestWord)
	}
	return e
}

// hasWide tells whether a word has characters of two cells, between which a line may end.
func hasWide(word string) bool {
	for _, r := range word {
		if r >= 0x1100 && text.RuneWidth(r) == 2 {
			return true
		}
	}
	return false
}

// fit breaks a text into the lines of its column; more tells whether some of it is left out, for which … stands.
func (c *column) fit(s string) (lines []string, more bool) {
	if !c.cut || c.most <= 0 {
		return wrap(s, c.most), false
	}
	s, more = clip(s, c.most)
	lines = fold(s, c.most)
	if len(lines) > tallestText {
		lines, more = lines[:tallestText], true
		last := lines[tallestText-1] + " …"
		if text.StringWidth(last) > c.most {
			last = shorten(lines[tallestText-1]+"…", c.most)
		}
		lines[tallestText-1] = last
	}
	return lines, more
}

// words are the parts of a text that lines end behind: blanks, and commas of lists. A comma within a number is none.
func words(s string) []string {
	var out []string
	begin := 0
	for i := range len(s) {
		if (s[i] == ' ' || s[i] == ',' && !inNumber(s, i)) && i+1 < len(s) {
			out = append(out, s[begin:i+1])
			begin = i + 1
		}
	}
	return append(out, s[begin:])
}

// inNumber tells whether a comma has a digit on both sides.
func inNumber(s string, i int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	return digit(i-1) && digit(i+1)
}

// clip shortens words that are wider than their column.
func clip(s string, most int) (out string, more bool) {
	if len(s) <= most || text.StringWidth(s) <= most {
		return s, false
	}
	list := words(s)
	for i, word := range list {
		bare := strings.TrimRight(word, " ")
		if len(bare) > most && text.StringWidth(bare) > most && !hasWide(bare) {
			list[i], more = shorten(bare, most)+word[len(bare):], true
		}
	}
	return strings.Join(list, ""), more
}

// fold breaks a text into lines as words tells.
func fold(s string, most int) []string {
	at := map[int]bool{} // ends of words
	end := 0
	for _, word := range words(s) {
		end += len(word)
		at[end] = true
	}
	return wrapBehind(s, most, func(begun string) bool { return at[len(begun)] })
}

// shorten ends a text in … where it is wider than some cells.
func shorten(s string, most int) string {
	if text.StringWidth(s) <= most {
		return s
	}
	end, width := 0, 0
	for it := graphemes.FromString(s); it.Next(); {
		if width += text.StringWidth(it.Value()); width > most-1 {
			break
		}
		end += len(it.Value())
	}
	return s[:end] + "…"
}
