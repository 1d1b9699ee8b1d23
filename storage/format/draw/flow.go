package draw

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	lineHeight = 26
	tagSize    = 10
	lineStep   = 5 // between the lines of overlapping marks
)

// atom is what a line is not broken in: a word, a blank or the tag of a mark.
type atom struct {
	s        string
	w, x     float64
	line     int
	piece    int
	mark     int // whose tag it is, -1 for text
	blank    bool
	newline  bool
	attached bool // stays with the atom before
}

// Flow draws a marked text in lines of at most the width, where words allow it.
func Flow(m *Marks, most float64) Figure {
	var atoms []atom
	for i, p := range m.Pieces {
		atoms = appendAtoms(atoms, p.Text, i)
		for _, k := range p.Ends {
			if m.List[k].Tag != "" {
				tag := m.List[k].Tag
				atoms = append(atoms, atom{s: tag, w: Width(tag, tagSize)*1.06 + 8, piece: i, mark: k, attached: true})
			}
		}
	}
	lines, wide := breakLines(atoms, most)
	mirrored := RightToLeft(m.text())
	if mirrored {
		turnBack(atoms)
	}
	return m.drawFlow(atoms, lines, wide, mirrored)
}

func (m *Marks) text() string {
	var b strings.Builder
	for _, p := range m.Pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

func appendAtoms(atoms []atom, s string, piece int) []atom {
	return cutAtoms(atoms, s, piece, pixels.word)
}

// cutAtoms cuts a text at blanks and at wide characters; wide returns how wide a part is.
func cutAtoms(atoms []atom, s string, piece int, wide func(string) float64) []atom {
	start := 0
	add := func(end int, blank, newline bool) {
		if end > start {
			w := 0.0
			if !newline {
				w = wide(s[start:end])
			}
			atoms = append(atoms, atom{s: s[start:end], w: w, piece: piece, mark: -1, blank: blank, newline: newline})
		}
		start = end
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == '\n' || unicode.IsSpace(r) || fullWidth(r) {
			add(i, false, false)
			add(i+size, unicode.IsSpace(r), r == '\n')
		}
		i += size
	}
	add(len(s), false, false)
	return atoms
}

// breakLines gives atoms their lines and places; a word is what lies between blanks.
func breakLines(atoms []atom, most float64) (lines int, wide float64) {
	x, line := 0.0, 0
	for i := 0; i < len(atoms); {
		j, w := i+1, atoms[i].w
		for j < len(atoms) && (atoms[j].attached || !breakable(atoms[j-1], atoms[j])) {
			w += atoms[j].w
			j++
		}
		if x > 0 && x+w > most && (!atoms[i].blank || j > i+1) {
			x, line = 0, line+1
		}
		for ; i < j; i++ {
			a := &atoms[i]
			if a.blank && x == 0 && line > 0 {
				a.w = 0
			}
			a.x, a.line = x, line
			x += a.w
			wide = max(wide, x)
			if a.newline {
				x, line = 0, line+1
			}
		}
	}
	return line + 1, wide
}

// breakable reports whether a line may end between two atoms.
func breakable(a, b atom) bool {
	if a.blank || b.blank || a.mark >= 0 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(b.s)
	last, _ := utf8.DecodeLastRuneInString(a.s)
	return fullWidth(r) || fullWidth(last)
}

// turnBack reverses the words of another script in a text from right to left, so that they read
// from left to right once the lines are mirrored.
func turnBack(atoms []atom) {
	other := func(a atom) bool {
		return a.mark < 0 && strings.ContainsFunc(a.s, func(r rune) bool {
			return unicode.IsLetter(r) ||
				unicode.IsDigit(r)
		}) && !RightToLeft(a.s)
	}
	for i := 0; i < len(atoms); {
		if !other(atoms[i]) {
			i++
			continue
		}
		end := i + 1
		for j := end; j < len(atoms) && atoms[j].line == atoms[i].line && atoms[j].piece == atoms[i].piece &&
			(atoms[j].blank || other(atoms[j])); j++ {
			if other(atoms[j]) {
				end = j + 1
			}
		}
		from, to := atoms[i].x, atoms[end-1].x+atoms[end-1].w
		for ; i < end; i++ {
			atoms[i].x = from + to - atoms[i].x - atoms[i].w
		}
	}
}

func (m *Marks) drawFlow(atoms []atom, lines int, wide float64, mirrored bool) Figure {
	step := float64(lineHeight + m.Most*lineStep)
	x := func(from, w float64) float64 {
		if mirrored {
			return wide - from - w
		}
		return from
	}
	var boxes, letters strings.Builder
	for i := 0; i < len(atoms); {
		j, w, from := i, 0.0, atoms[i].x
		for ; j < len(atoms) && atoms[j].piece == atoms[i].piece && atoms[j].line == atoms[i].line; j++ {
			w, from = w+atoms[j].w, min(from, atoms[j].x)
		}
		m.box(&boxes, m.Pieces[atoms[i].piece].Over, x(from, w), w, float64(atoms[i].line)*step)
		i = j
	}
	for _, a := range atoms {
		y := float64(a.line) * step
		switch {
		case a.mark >= 0:
			m.tag(&letters, a, x(a.x+2, a.w-4), y)
		case !a.blank:
			word(&letters, mirrored, x(a.x, a.w)+a.w/2, y+17, a.s)
		}
	}
	return Figure{max(wide, 1), float64(lines)*step + 4, boxes.String() + letters.String()}
}

// box draws the background of a piece and the lines of marks that overlap there.
func (m *Marks) box(b *strings.Builder, over []int, x, w, y float64) {
	if len(over) == 0 || w <= 0 {
		return
	}
	fmt.Fprintf(b, `<rect class="b%s" x="%s" y="%s" width="%s" height="20"/>`, m.List[over[len(over)-1]].Class, num(x),
		num(y+2), num(w))
	for _, k := range over {
		if m.Deep[k] {
			fmt.Fprintf(b, `<rect class="c%s" x="%s" y="%s" width="%s" height="3"/>`, m.List[k].Class, num(x),
				num(y+23+float64(m.Depth[k]*lineStep)), num(w))
		}
	}
}

func (m *Marks) tag(b *strings.Builder, a atom, x, y float64) {
	if m.List[a.mark].Low {
		y += 4
	}
	fmt.Fprintf(b, `<rect class="c%s" x="%s" y="%s" width="%s" height="13" rx="3"/>`, m.List[a.mark].Class, num(x),
		num(y+5), num(a.w-4))
	label(b, "t", x+(a.w-4)/2, y+15, a.s)
}
