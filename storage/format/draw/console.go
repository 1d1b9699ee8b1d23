package draw

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Console draws the pictures of this package with the characters of a terminal, in lines of at most Width cells where a
// single word allows it.
type Console struct {
	Width  int
	Colour bool // by the sequences of ECMA-48 and the palette of 256 colours
}

// Heading is a line that names what follows.
func (c Console) Heading(name string) string { return c.paint(harmless(name), headInk) + "\n" }

// ink is how a cell looks: the numbers of a sequence of ECMA-48, "" for the terminal's own look.
type ink string

const (
	plainInk  ink = ""
	headInk   ink = "1"
	dimInk    ink = "2"
	labelInk  ink = "33"
	phraseInk ink = "36"
	struckInk ink = "9;31"
	addedInk  ink = "1;32"
)

// paint writes a text in an ink.
func (c Console) paint(s string, i ink) string {
	if !c.Colour || i == plainInk || s == "" {
		return s
	}
	return "\x1b[" + string(i) + "m" + s + "\x1b[0m"
}

// cells is how many cells of a terminal a text takes.
func cells(s string) int { return text.StringWidth(s) }

// harmless replaces what would steer a terminal: line ends and tabs by signs, control characters by their pictures, and
// characters that turn the direction of text by U+FFFD.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '⏎'
		case r == '\t':
			return '→'
		case r < ' ':
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case r > 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return utf8.RuneError
		}
		return r
	}, s)
}

// Directions in which the lines of a cell leave it.
const (
	goUp = 1 << iota
	goDown
	goLeft
	goRight
)

// boxes are the characters of lines by their directions.
var boxes = [16]string{
	0: " ", goUp: "╵", goDown: "╷", goLeft: "╴", goRight: "╶", goUp | goDown: "│", goLeft | goRight: "─",
	goDown | goRight: "┌", goDown | goLeft: "┐", goUp | goRight: "└", goUp | goLeft: "┘",
	goUp | goDown | goRight: "├", goUp | goDown | goLeft: "┤", goDown | goLeft | goRight: "┬",
	goUp | goLeft | goRight:          "┴",
	goUp | goDown | goLeft | goRight: "┼",
}

// canvas is a grid of cells.
type canvas struct{ rows [][]canvasCell }

type canvasCell struct {
	s      string // "" for a line or nothing
	behind bool   // the second cell of a wide character
	lines  int
	ink    ink
}

func (c *canvas) cell(row, col int) *canvasCell {
	for len(c.rows) <= row {
		c.rows = append(c.rows, nil)
	}
	for len(c.rows[row]) <= col {
		c.rows[row] = append(c.rows[row], canvasCell{})
	}
	return &c.rows[row][col]
}

// write puts a text at a place.
func (c *canvas) write(row, col int, s string, i ink) {
	for it := graphemes.FromString(harmless(s)); it.Next(); {
		g := it.Value()
		n := cells(g)
		if n == 0 {
			continue
		}
		*c.cell(row, col) = canvasCell{s: g, ink: i}
		for k := 1; k < n; k++ {
			*c.cell(row, col+k) = canvasCell{behind: true}
		}
		col += n
	}
}

// across draws a line between two columns of a row.
func (c *canvas) across(row, from, to int) {
	from, to = min(from, to), max(from, to)
	for col := from; col <= to; col++ {
		x := c.cell(row, col)
		if col > from {
			x.lines |= goLeft
		}
		if col < to {
			x.lines |= goRight
		}
	}
}

// down draws a line between two rows of a column.
func (c *canvas) down(col, from, to int) {
	for row := from; row <= to; row++ {
		x := c.cell(row, col)
		if row > from {
			x.lines |= goUp
		}
		if row < to {
			x.lines |= goDown
		}
	}
}

// render writes the lines, without blanks at their ends.
func (c *canvas) render(t Console) string {
	var b strings.Builder
	for _, row := range c.rows {
		var line, run strings.Builder
		of := plainInk
		end := func() {
			line.WriteString(t.paint(run.String(), of))
			run.Reset()
		}
		for len(row) > 0 && row[len(row)-1] == (canvasCell{}) {
			row = row[:len(row)-1]
		}
		for _, x := range row {
			if x.behind {
				continue
			}
			s, i := x.s, x.ink
			if s == "" {
				s, i = boxes[x.lines], dimInk
			}
			if i != of {
				end()
				of = i
			}
			run.WriteString(s)
		}
		end()
		b.WriteString(line.String() + "\n")
	}
	return b.String()
}

// inks of the palette of 256 colours for #rrggbb: background with dark letters, background with light letters, letters.
func softInk(hex string) ink   { return ink("38;5;16;48;5;" + strconv.Itoa(cube(hex))) }
func strongInk(hex string) ink { return ink("1;38;5;231;48;5;" + strconv.Itoa(cube(hex))) }

// cube is the nearest colour of the 6×6×6 cube in the palette of 256 colours.
func cube(hex string) int {
	v, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		return 231
	}
	level := func(x int) int {
		switch {
		case x < 48:
			return 0
		case x < 115:
			return 1
		}
		return min((x-35)/40, 5)
	}
	r, g, b := level(int(v>>16)), level(int(v>>8&255)), level(int(v&255))
	return 16 + 36*r + 6*g + b
}
