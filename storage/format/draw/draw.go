// Package draw makes pictures of annotated text: marks over text, arcs of dependencies, trees
// of constituents, and line plots, as parts of SVG and HTML that need no other file.
//
// What it writes is well-formed XML whatever the texts hold. Lengths are CSS pixels.
package draw

import (
	"fmt"
	"strconv"
	"strings"
)

// Figure is a picture: SVG elements in a box whose left upper corner is 0, 0.
type Figure struct {
	W, H float64
	Body string
}

// Word is a token of a picture; Tag is small print beside it, "" for none.
type Word struct{ Form, Tag string }

// Sizes of letters.
const (
	wordSize  = 14
	labelSize = 11
)

// Inline returns the figure as an element of a page that has Style.
func (f Figure) Inline() string {
	w, h := num(f.W), num(f.H)
	return fmt.Sprintf(
		`<svg xmlns="http://www.w3.org/2000/svg" class="fig" width="%s" height="%s" viewBox="0 0 %s %s" role="img">%s</svg>`,
		w, h, w, h, f.Body)
}

// File returns the figure as a file of its own. More is added to its style.
func (f Figure) File(title, more string) string {
	w, h := num(f.W), num(f.H)
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" class="fig" width="%s" height="%s" viewBox="0 0 %s %s" role="img">`,
		w, h, w, h)
	if title != "" {
		b.WriteString("\n<title>" + Escape(title) + "</title>")
	}
	b.WriteString("\n<style>" + Style + more + "</style>\n")
	fmt.Fprintf(&b, `<rect class="bg" width="%s" height="%s"/>`, w, h)
	b.WriteString("\n" + f.Body + "</svg>\n")
	return b.String()
}

// Family is the font of pictures and pages; widths are measured for it.
const Family = `"Helvetica Neue",Helvetica,Arial,"Liberation Sans","Noto Sans",sans-serif`

// Style is the style of figures, in light and in dark surroundings.
const Style = `
.fig{font-family:` + Family + `}
.fig text{fill:#1b1f24;font-size:14px}
.fig .bg{fill:#ffffff}
.fig .l{fill:#7a2a12;font-size:11px}
.fig .n{fill:#17457e;font-size:12px}
.fig .s{fill:#5b6470;font-size:11px}
.fig .h{fill:#5b6470;font-size:12px;font-weight:bold}
.fig .t{fill:#ffffff;font-size:10px;font-weight:bold}
.fig .a{fill:none;stroke:#6c7a8c;stroke-width:1.2}
.fig .p{fill:#6c7a8c}
.fig .g{stroke:#dfe3e8;stroke-width:1}
.fig .x{stroke:#5b6470;stroke-width:1;fill:none}
.fig .k{font-size:11px}
.fig .e{fill:none;stroke:#dfe3e8;stroke-width:1}
.fig .r{fill:#2da44e}
.fig .w{fill:#d1242f}
@media (prefers-color-scheme:dark){
.fig text{fill:#e6e9ee}
.fig .bg{fill:#15181d}
.fig .n{fill:#a8c8f0}
.fig .t{fill:#15181d}
.fig .l{fill:#f0b59a}
.fig .s,.fig .h{fill:#a3adba}
.fig .a{stroke:#8fa0b5}
.fig .p{fill:#8fa0b5}
.fig .g{stroke:#2c323b}
.fig .x{stroke:#a3adba}
.fig .e{stroke:#2c323b}
}
`

// Stack puts figures below each other.
type Stack struct {
	w, y float64
	b    strings.Builder
	n    int
}

const margin = 12

// Heading adds a line of text.
func (s *Stack) Heading(t string) {
	fmt.Fprintf(&s.b, `<text class="h" x="%d" y="%s">%s</text>`+"\n", margin, num(s.y+22), Escape(t))
	s.y += 28
	s.w = max(s.w, Width(t, 13)+2*margin)
}

// Add adds a figure under small print, "" for none.
func (s *Stack) Add(caption string, f Figure) {
	if caption != "" {
		fmt.Fprintf(&s.b, `<text class="s" x="%d" y="%s">%s</text>`+"\n", margin, num(s.y+18), Escape(caption))
		s.y += 12
		s.w = max(s.w, Width(caption, labelSize)+2*margin)
	}
	fmt.Fprintf(&s.b, `<g transform="translate(%d %s)">%s</g>`+"\n", margin, num(s.y+margin), f.Body)
	s.y += f.H + margin
	s.w = max(s.w, f.W+2*margin)
	s.n++
}

// Empty reports whether nothing was added.
func (s *Stack) Empty() bool { return s.y == 0 }

// Len returns the number of figures.
func (s *Stack) Len() int { return s.n }

// Figure returns all of them as one.
func (s *Stack) Figure() Figure { return Figure{max(s.w, 40), s.y + margin, s.b.String()} }

// num writes a length with at most one decimal.
func num(x float64) string {
	s := strconv.FormatFloat(x, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// sizes are how wide letters of a class are, as Style has them: bold ones are wider.
var sizes = map[string]float64{"l": labelSize, "s": labelSize, "n": labelSize + 1, "h": 13, "t": tagSize * 1.06,
	"k": labelSize}

// label writes a text centred at x, as wide as it was measured, whatever the font.
func label(b *strings.Builder, class string, x, y float64, s string) {
	fmt.Fprintf(b, `<text class="%s" x="%s" y="%s" text-anchor="middle"%s>%s</text>`, class, num(x), num(y),
		measured(Width(s, sizes[class])), Escape(s))
}

// measured is the attribute of a text that is drawn as wide as room.
func measured(room float64) string {
	if room <= 0 {
		return ""
	}
	return fmt.Sprintf(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, num(room))
}

// word writes a word centred at x, as wide as it was measured, whatever the font. In a text from right to left it says
// so,
// for brackets and punctuation to turn to the right side.
func word(b *strings.Builder, mirrored bool, x, y float64, s string) {
	more := ""
	if mirrored {
		more = ` direction="rtl"`
	}
	fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="middle"%s>%s</text>`, num(x), num(y), more+measured(Width(s,
		wordSize)), Escape(s))
}
