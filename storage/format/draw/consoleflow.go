package draw

import (
	"maps"
	"strings"
)

// Flow draws a marked text in lines. Marks are colours with their tags behind the text, brackets where marks overlap
// or there
// are no colours. With corrected, the tags are what replaces the text: it is struck, or [-removed-], and they are
// {+added+}.
func (c Console) Flow(m *Marks, corrected bool, palettes ...*Palette) string {
	f := &consoleFlow{Console: c, marks: m, shades: map[string]colours{}, corrected: corrected}
	for _, p := range palettes {
		maps.Copy(f.shades, p.shades())
	}
	var open []int
	for i, p := range m.Pieces {
		f.piece = i
		if corrected {
			f.correct(p)
		} else {
			f.mark(p, open)
		}
		open = p.Over
	}
	lines, _ := breakLines(f.atoms, float64(max(c.Width, 8)))
	return f.render(lines)
}

// consoleFlow is a text on its way to the screen.
type consoleFlow struct {
	Console
	marks     *Marks
	shades    map[string]colours
	corrected bool
	piece     int
	atoms     []atom
	inks      []ink // of each atom
	glue      bool  // the next atom stays with the one before
}

// add adds atoms that look alike.
func (f *consoleFlow) add(s string, i ink, whole bool) {
	var made []atom
	if whole {
		made = []atom{{s: harmless(s), w: cellWidth(s), mark: -1, attached: true}}
	} else {
		made = cutAtoms(nil, s, f.piece, cellWidth)
		for k := range made {
			switch a := &made[k]; {
			case a.newline:
			case a.blank && harmless(a.s) != a.s: // a tab
				a.s, a.w = " ", 1
			default:
				a.s = harmless(a.s)
			}
		}
	}
	for k, a := range made {
		if k == 0 && f.glue && !a.blank {
			a.attached = true
		}
		f.glue = false
		f.atoms, f.inks = append(f.atoms, a), append(f.inks, i)
	}
}

// bracketed reports whether a mark is shown by brackets.
func (f *consoleFlow) bracketed(i int) bool { return !f.Colour || f.marks.Deep[i] }

// mark draws a piece under its marks; open are those that began before it.
func (f *consoleFlow) mark(p Piece, open []int) {
	began := map[int]bool{}
	for _, i := range open {
		began[i] = true
	}
	look := plainInk
	if len(p.Over) > 0 {
		look = softInk(f.colours(p.Over[len(p.Over)-1]).soft)
	}
	for _, i := range p.Over {
		if !began[i] && f.bracketed(i) {
			f.begin(look)
		}
	}
	f.add(p.Text, look, false)
	for _, i := range p.Ends {
		x := f.marks.List[i]
		if x.From == x.To { // a mark without text
			f.begin(look)
		}
		if tag := strings.TrimSpace(x.Tag); tag != "" {
			if f.Colour {
				f.add(" "+tag+" ", strongInk(f.colours(i).strong), true)
			} else {
				f.add(" "+tag, plainInk, true)
			}
		}
		if f.bracketed(i) || x.From == x.To {
			f.add("]", look, true)
		}
	}
}

// begin adds the bracket that begins a mark. A line may begin with it, and what follows stays with it.
func (f *consoleFlow) begin(look ink) {
	nested := f.glue // behind another bracket
	f.add("[", look, true)
	f.atoms[len(f.atoms)-1].attached = nested
	f.glue = true
}

// colours of a mark; those of mentions that corefer with none are grey.
func (f *consoleFlow) colours(i int) colours {
	if c, ok := f.shades[f.marks.List[i].Class]; ok {
		return c
	}
	return colours{"#d7d7d7", "#5f5f5f"}
}

// correct draws a piece with its corrections.
func (f *consoleFlow) correct(p Piece) {
	switch {
	case len(p.Over) == 0 || p.Text == "":
		f.add(p.Text, plainInk, false)
	case f.Colour:
		f.add(p.Text, struckInk, false)
	default:
		f.add("[-"+p.Text+"-]", plainInk, false)
	}
	before := " " // what stands before an insertion
	if n := len(f.atoms); n > 0 {
		before = f.atoms[n-1].s
	}
	for _, i := range p.Ends {
		x := f.marks.List[i]
		if x.Tag != "" {
			tag := x.Tag
			if !f.Colour {
				tag = "{+" + tag + "+}"
			}
			f.add(tag, addedInk, true)
			f.atoms[len(f.atoms)-1].attached = strings.TrimSpace(before) != ""
		}
		if x.Title != "" {
			f.add("("+x.Title+")", dimInk, true)
		}
	}
	if next := f.piece + 1; p.Text == "" && strings.TrimSpace(before) == "" && next < len(f.marks.Pieces) &&
		strings.TrimLeft(f.marks.Pieces[next].Text, " ") == f.marks.Pieces[next].Text {
		f.add(" ", plainInk, false) // an insertion before a word
	}
}

func (f *consoleFlow) render(lines int) string {
	var b strings.Builder
	for line, k := 0, 0; line < lines; line++ {
		from := k
		for k < len(f.atoms) && f.atoms[k].line == line {
			k++
		}
		end := k
		for end > from && f.atoms[end-1].blank && (f.inks[end-1] == plainInk || !f.Colour) {
			end--
		}
		for i := from; i < end; {
			var run strings.Builder
			j := i
			for ; j < end && f.inks[j] == f.inks[i]; j++ {
				if a := f.atoms[j]; !a.newline && (a.w > 0 || !a.blank) {
					run.WriteString(a.s)
				}
			}
			b.WriteString(f.paint(run.String(), f.inks[i]))
			i = j
		}
		b.WriteByte('\n')
	}
	return b.String()
}
