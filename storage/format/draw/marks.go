package draw

import (
	"cmp"
	"slices"
	"sort"
	"unicode/utf8"
)

// Mark is a span of a text to be marked: bytes From to To, half-open.
type Mark struct {
	From, To int
	Class    string // of its colour, as Palette.Class gives it
	Tag      string // small print after it
	Low      bool   // the tag is set low, as a number
	Title    string // what a page shows under the pointer
}

// Piece is a part of a text in which the same marks hold. The pieces of a text are all of it.
type Piece struct {
	Text string
	Over []int // marks over it, the widest first
	Ends []int // marks whose tag follows it, the narrowest first
}

// Marks is a text cut at the ends of its marks.
type Marks struct {
	List   []Mark
	Pieces []Piece
	Depth  []int  // of each mark: how many lines lie between it and the text, where marks overlap
	Deep   []bool // of each mark: whether it overlaps another
	Most   int    // the greatest depth plus one, 0 if no marks overlap
}

// Cut cuts a text at the ends of marks. Ends within a character move to its start, ends outside
// the text to its ends.
func Cut(text string, marks []Mark) *Marks {
	m := &Marks{List: slices.Clone(marks), Depth: make([]int, len(marks)), Deep: make([]bool, len(marks))}
	for i := range m.List {
		x := &m.List[i]
		x.From = snap(text, x.From)
		x.To = max(snap(text, x.To), x.From)
	}
	order := make([]int, len(marks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := m.List[i], m.List[j]
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To))
	})
	m.depths(order)
	m.cut(text, order)
	return m
}

func snap(s string, at int) int {
	at = min(max(at, 0), len(s))
	for back := 0; back < utf8.UTFMax && at > 0 && at < len(s) && !utf8.RuneStart(s[at]); back++ {
		at--
	}
	return at
}

// depths gives overlapping marks lines of their own, those that begin first the outer ones.
// Empty marks overlap nothing.
func (m *Marks) depths(order []int) {
	order = slices.DeleteFunc(slices.Clone(order), func(i int) bool { return m.List[i].From == m.List[i].To })
	for from := 0; from < len(order); {
		end := m.List[order[from]].To
		to := from + 1
		for to < len(order) && m.List[order[to]].From < end {
			end = max(end, m.List[order[to]].To)
			to++
		}
		m.depthsOf(order[from:to])
		from = to
	}
}

func (m *Marks) depthsOf(group []int) {
	if len(group) < 2 {
		return
	}
	var busy []int // until where each line is used
	for _, i := range group {
		line := 0
		for line < len(busy) && busy[line] > m.List[i].From {
			line++
		}
		if line == len(busy) {
			busy = append(busy, 0)
		}
		busy[line] = m.List[i].To
		m.Depth[i], m.Deep[i] = line, true
	}
	for _, i := range group {
		m.Depth[i] = len(busy) - 1 - m.Depth[i]
	}
	m.Most = max(m.Most, len(busy))
}

func (m *Marks) cut(text string, order []int) {
	cuts := []int{0, len(text)}
	for _, x := range m.List {
		cuts = append(cuts, x.From, x.To)
	}
	sort.Ints(cuts)
	cuts = slices.Compact(cuts)
	var open []int
	next := 0
	for c, at := range cuts {
		// Empty marks stand at their place without text.
		var empty []int
		for next < len(order) && m.List[order[next]].From == at {
			if i := order[next]; m.List[i].To == at {
				empty = append(empty, i)
			} else {
				open = append(open, i)
			}
			next++
		}
		if len(empty) > 0 {
			over := slices.DeleteFunc(slices.Clone(open), func(i int) bool { return m.List[i].From == at })
			m.Pieces = append(m.Pieces, Piece{Over: over, Ends: empty})
		}
		if c+1 == len(cuts) {
			return
		}
		end := cuts[c+1]
		p := Piece{Text: text[at:end], Over: slices.Clone(open)}
		open = slices.DeleteFunc(open, func(i int) bool {
			if m.List[i].To == end {
				p.Ends = append(p.Ends, i)
				return true
			}
			return false
		})
		slices.Reverse(p.Ends)
		m.Pieces = append(m.Pieces, p)
	}
}
