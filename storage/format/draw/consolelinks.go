package draw

import (
	"strconv"
	"strings"
)

// Links draws a sentence with, below each word, the words of the other sentence that it is linked to and their numbers,
// in parentheses where the link is possible. Words of the other sentence that nothing leads to follow.
func (c Console) Links(upper, lower []Word, list []Link) string {
	columns := make([]linkColumn, len(upper))
	linked := make([]bool, len(lower))
	for i, w := range upper {
		columns[i].form = harmless(w.Form)
	}
	for _, l := range list {
		if min(l.From, l.To) < 0 || l.From >= len(upper) || l.To >= len(lower) {
			continue
		}
		columns[l.From].add(harmless(lower[l.To].Form), strconv.Itoa(l.To+1), l.Possible)
		linked[l.To] = true
	}
	var b strings.Builder
	for begin := 0; begin < len(columns); {
		end, room := begin, c.Width
		for end < len(columns) && (end == begin || columns[end].width() <= room) {
			room -= columns[end].width() + 2
			end++
		}
		if begin > 0 {
			b.WriteByte('\n')
		}
		c.linkLines(&b, columns[begin:end])
		begin = end
	}
	var rest []string
	for i, w := range lower {
		if !linked[i] {
			rest = append(rest, harmless(w.Form)+" "+strconv.Itoa(i+1))
		}
	}
	if len(rest) > 0 {
		b.WriteString(c.Flow(Cut("not linked: "+strings.Join(rest, ", "), nil), false))
	}
	return b.String()
}

// linkColumn is a word with what it is linked to.
type linkColumn struct{ form, words, numbers string }

func (l *linkColumn) add(word, number string, possible bool) {
	if possible {
		word, number = "("+word+")", "("+number+")"
	}
	l.words = strings.TrimSpace(l.words + " " + word)
	if word != number { // words that are not known are their numbers
		l.numbers = strings.TrimSpace(l.numbers + " " + number)
	}
}

func (l *linkColumn) width() int { return max(cells(l.form), cells(l.words), cells(l.numbers), 1) }

// linkLines writes some words, what they are linked to, and its numbers, a line each.
func (c Console) linkLines(b *strings.Builder, columns []linkColumn) {
	for _, line := range []struct {
		of  func(l *linkColumn) string
		ink ink
	}{
		{func(l *linkColumn) string { return l.form }, plainInk},
		{func(l *linkColumn) string {
			if l.words == "" {
				return "·"
			}
			return l.words
		}, labelInk},
		{func(l *linkColumn) string { return l.numbers }, dimInk},
	} {
		var g canvas
		col := 0
		for i := range columns {
			g.write(0, col, line.of(&columns[i]), line.ink)
			col += columns[i].width() + 2
		}
		b.WriteString(g.render(c))
	}
}
