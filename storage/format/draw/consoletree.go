package draw

import "strings"

// gauge is how wide texts are in a picture, and how far apart they stand.
type gauge struct {
	word, label, tag func(string) float64
	gap              float64
}

var (
	pixels = gauge{
		word:  func(s string) float64 { return Width(s, wordSize) },
		label: func(s string) float64 { return Width(s, labelSize+1) },
		tag:   func(s string) float64 { return Width(s, labelSize) },
		gap:   treeGap,
	}
	inCells = gauge{word: cellWidth, label: cellWidth, tag: cellWidth, gap: 2}
)

func cellWidth(s string) float64 { return float64(cells(harmless(s))) }

// Tree draws phrases over words; one that is wider than the screen a node a line, joined by lines to the one that it is
// part of.
func (c Console) Tree(words []Word, nodes []Node) string {
	t := &tree{nodes: nodes, words: words, below: make([][]int, len(nodes)), gauge: inCells}
	t.link()
	t.measure()
	t.place()
	if int(t.total) > c.Width {
		var b strings.Builder
		for _, i := range t.tops {
			c.outline(&b, t, i, "", "", "")
		}
		return b.String()
	}
	return c.hanging(t)
}

// hanging draws a tree from its root down to the line of words.
func (c Console) hanging(t *tree) string {
	high, tags := 0, 0
	for _, l := range t.level {
		high = max(high, l)
	}
	for _, w := range t.words {
		if w.Tag != "" {
			tags = 1
		}
	}
	row := func(i int) int { return 2 * (high - t.level[i]) }
	x := func(i int) int { return int(t.at[i]) }
	var g canvas
	for i, list := range t.below {
		for _, k := range list {
			g.down(x(k), row(i)+1, row(k))
			g.across(row(i)+1, x(i), x(k))
			g.down(x(i), row(i), row(i)+1)
		}
	}
	centred := func(row, i int, s string, k ink) {
		g.write(row, max(0, int(t.at[i]-cellWidth(s)/2+0.5)), s, k)
	}
	for i, n := range t.nodes {
		centred(row(i), i, n.Label, phraseInk)
	}
	for k, w := range t.words {
		i := len(t.nodes) + k
		if w.Tag != "" {
			centred(row(i), i, w.Tag, labelInk)
		}
		centred(row(i)+tags, i, w.Form, plainInk)
	}
	return g.render(c)
}

// outline writes an item with what is below it; first stands before it, rest before the lines below.
func (c Console) outline(b *strings.Builder, t *tree, i int, before, first, rest string) {
	b.WriteString(c.paint(before+first, dimInk))
	if k := i - len(t.nodes); k >= 0 {
		if w := t.words[k]; w.Tag != "" {
			b.WriteString(c.paint(harmless(w.Tag), labelInk) + " ")
		}
		b.WriteString(harmless(t.words[k].Form) + "\n")
		return
	}
	b.WriteString(c.paint(harmless(t.nodes[i].Label), phraseInk) + "\n")
	for k, child := range t.below[i] {
		mark, below := "├─ ", "│  "
		if k == len(t.below[i])-1 {
			mark, below = "└─ ", "   "
		}
		c.outline(b, t, child, before+rest, mark, below)
	}
}
