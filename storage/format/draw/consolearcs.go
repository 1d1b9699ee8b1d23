package draw

import (
	"cmp"
	"slices"
	"strings"
)

// Arcs draws a sentence with arcs above it; one that is wider than the screen a word a line, joined by lines to the
// word that it depends on.
func (c Console) Arcs(words []Word, list []Arc) string {
	a := newArcs(words, list)
	if s, fits := c.flatArcs(a); fits {
		return s
	}
	return c.hangingArcs(a)
}

// flatArcs draws arcs above the words, on one line, if it is no wider than the screen.
func (c Console) flatArcs(a *arcs) (picture string, fits bool) {
	ends := a.cellPlaces()
	width := 0
	for w, word := range a.words {
		width = max(width, int(a.at[w])+max(cells(harmless(word.Form)), cells(harmless(word.Tag)))/2+1)
	}
	if width > c.Width {
		return "", false
	}
	var g canvas
	bottom := a.top + 1 // the row of words
	a.lines(&g, ends, bottom)
	for w, word := range a.words {
		at := func(s string) int { return max(0, int(a.at[w])-(cells(harmless(s))-1)/2) }
		g.write(bottom, at(word.Form), word.Form, plainInk)
		if word.Tag != "" {
			g.write(bottom+1, at(word.Tag), word.Tag, dimInk)
		}
	}
	return g.render(c), true
}

// lines draws the arcs, their labels over them.
func (a *arcs) lines(g *canvas, ends [][2]int, bottom int) {
	type text struct {
		row, col int
		s        string
		ink      ink
	}
	var over []text
	for i, arc := range a.arcs {
		row := a.top - a.level[i]
		dep := ends[i][1]
		label := harmless(arc.Label)
		if arc.Head < 0 {
			g.down(dep, row, bottom-1)
			over = append(over, text{row, max(0, dep-(cells(label)-1)/2), label, labelInk})
		} else {
			head := ends[i][0]
			g.across(row, head, dep)
			g.down(head, row, bottom-1)
			g.cell(bottom-1, head).lines |= goDown
			g.down(dep, row, bottom-1)
			from, room := min(head, dep)+1, max(head, dep)-min(head, dep)-1
			over = append(over, text{row, from + (room-cells(label))/2, label, labelInk})
		}
		over = append(over, text{bottom - 1, dep, "▼", dimInk})
	}
	for _, t := range over {
		g.write(t.row, t.col, t.s, t.ink)
	}
}

// cellPlaces gives words and the ends of arcs whole columns: the columns of head and dependent of each arc.
func (a *arcs) cellPlaces() [][2]int {
	a.at = make([]float64, len(a.words))
	ends := make([][2]int, len(a.arcs))
	right := 0
	for w, word := range a.words {
		list := a.endsAt(w)
		left := (len(list) - 1) / 2 // ends before the middle
		wide := max(cells(harmless(word.Form)), cells(harmless(word.Tag)), len(list), 1)
		for _, i := range a.roots[w] {
			wide = max(wide, cells(harmless(a.arcs[i].Label)))
		}
		x := right + (wide-1)/2
		for k, i := range list {
			if arc := a.arcs[i]; arc.Head >= 0 && max(arc.Head, arc.Dep) == w {
				x = max(x, a.endOf(ends, i, min(arc.Head, arc.Dep))+cells(harmless(arc.Label))+3+left-k)
			}
		}
		for k, i := range list {
			if a.arcs[i].Head == w {
				ends[i][0] = x - left + k
			} else {
				ends[i][1] = x - left + k
			}
		}
		a.at[w] = float64(x)
		right = x + wide/2 + 2
	}
	return ends
}

func (a *arcs) endOf(ends [][2]int, arc, word int) int {
	if a.arcs[arc].Head == word {
		return ends[arc][0]
	}
	return ends[arc][1]
}

// endsAt are the arcs that end at a word from left to right, so that none crosses another there.
func (a *arcs) endsAt(w int) []int {
	out := slices.Clone(a.before[w])
	slices.Reverse(out)
	out = append(out, a.roots[w]...)
	return append(out, a.aft[w]...)
}

// hangingArcs draws a word a line behind the lines that join it to its head and its dependents. A word without a head,
// or in a circle, hangs at nothing.
func (c Console) hangingArcs(a *arcs) string {
	n := len(a.words)
	arcOf, depth := make([]int, n), make([]int, n)
	for w := range arcOf {
		arcOf[w] = -1
	}
	for i, arc := range a.arcs {
		arcOf[arc.Dep] = i
	}
	head := func(w int) int {
		if arcOf[w] < 0 {
			return -1
		}
		return a.arcs[arcOf[w]].Head
	}
	deepest := 0
	for w := range n {
		h := head(w)
		for d := 1; h >= 0; d++ {
			if depth[w] = d; d > n {
				depth[w] = 0 // a circle
				break
			}
			h = head(h)
		}
		deepest = max(deepest, depth[w])
	}
	step := 3
	if 3*deepest > c.Width/2 {
		step = 1
	}
	var g canvas
	order := make([]int, n)
	for w := range order {
		order[w] = w
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(depth[x], depth[y]) })
	for _, w := range order {
		if depth[w] == 0 {
			continue
		}
		x := step * (depth[w] - 1)
		g.down(x, min(w, head(w)), max(w, head(w)))
		g.across(w, x, x+step)
	}
	for w, word := range a.words {
		x := step*deepest + 1
		g.across(w, step*depth[w], step*deepest)
		g.write(w, x, word.Form, plainInk)
		x += cells(harmless(word.Form)) + 1
		g.write(w, x, word.Tag, dimInk)
		if word.Tag != "" {
			x += cells(harmless(word.Tag)) + 1
		}
		if i := arcOf[w]; i >= 0 {
			g.write(w, x, strings.TrimSpace(a.arcs[i].Label), labelInk)
		}
	}
	return g.render(c)
}
