package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Node is a phrase of a tree, a node before its children: First and Last are positions of words
// from 0, Last inclusive and below First for an empty phrase. Parent is a position of a node
// before it, -1 for a root. Of an empty phrase First is the word that it stands before.
type Node struct {
	Parent, First, Last int
	Label               string
}

const (
	treeStep = 34 // between the heights of nodes
	treeGap  = 12 // between neighbours
)

// tree is a picture in the making. Its items are nodes, then words.
type tree struct {
	nodes []Node
	words []Word
	below [][]int // children of each node, in order
	tops  []int   // items without a parent
	above []int   // parent of each item, -1 for none
	level []int   // height of each item, words at 0
	wide  []float64
	at    []float64 // centre of each item
	total float64
	gauge
}

// Tree draws phrases over words. Words outside all phrases stand beside.
func Tree(words []Word, nodes []Node) Figure {
	t := &tree{nodes: nodes, words: words, below: make([][]int, len(nodes)), gauge: pixels}
	t.link()
	t.measure()
	t.place()
	return t.draw(rightToLeft(words))
}

// link finds the children of every node: a word belongs to the smallest phrase over it.
func (t *tree) link() {
	n := len(t.nodes)
	t.above = make([]int, n+len(t.words))
	size := func(x Node) int { return x.Last - x.First }
	for i := range t.above {
		t.above[i] = -1
	}
	for i, x := range t.nodes {
		if x.Parent >= 0 && x.Parent < i {
			t.above[i] = x.Parent
		}
		for w := max(x.First, 0); w <= min(x.Last, len(t.words)-1); w++ {
			if p := t.above[n+w]; p < 0 || size(x) <= size(t.nodes[p]) {
				t.above[n+w] = i
			}
		}
	}
	for i, p := range t.above {
		if p < 0 {
			t.tops = append(t.tops, i)
		} else {
			t.below[p] = append(t.below[p], i)
		}
	}
	t.sort(t.tops)
	for _, list := range t.below {
		t.sort(list)
	}
}

func (t *tree) sort(items []int) {
	first := func(i int) int {
		if i >= len(t.nodes) {
			return 2*(i-len(t.nodes)) + 1
		}
		x := t.nodes[i]
		if x.Last < x.First {
			return 2 * x.First // before the word
		}
		return 2*x.First + 1
	}
	slices.SortStableFunc(items, func(i, j int) int { return cmp.Compare(first(i), first(j)) })
}

// measure finds heights and widths from the words up.
func (t *tree) measure() {
	n := len(t.nodes)
	t.level, t.wide = make([]int, len(t.above)), make([]float64, len(t.above))
	for w, word := range t.words {
		t.wide[n+w] = max(t.word(word.Form), t.tag(word.Tag)) + t.gap
	}
	for i := n - 1; i >= 0; i-- {
		sum := 0.0
		for _, c := range t.below[i] {
			t.level[i] = max(t.level[i], t.level[c])
			sum += t.wide[c]
		}
		t.level[i]++
		t.wide[i] = max(t.label(t.nodes[i].Label)+t.gap, sum)
	}
}

// place gives every item its room from the top down, its children in the middle of it.
func (t *tree) place() {
	left := make([]float64, len(t.above))
	t.at = make([]float64, len(t.above))
	lay := func(items []int, x float64) float64 {
		for _, i := range items {
			left[i] = x
			x += t.wide[i]
		}
		return x
	}
	t.total = lay(t.tops, 0)
	for i, list := range t.below {
		sum := 0.0
		for _, c := range list {
			sum += t.wide[c]
		}
		lay(list, left[i]+(t.wide[i]-sum)/2)
	}
	for i := len(t.above) - 1; i >= 0; i-- {
		t.at[i] = left[i] + t.wide[i]/2
		if i >= len(t.nodes) || len(t.below[i]) == 0 {
			continue
		}
		// Over the middle of the children, as far as the label leaves room.
		list := t.below[i]
		half := t.label(t.nodes[i].Label)/2 + t.gap/2
		middle := (t.at[list[0]] + t.at[list[len(list)-1]]) / 2
		t.at[i] = min(max(middle, left[i]+half), left[i]+t.wide[i]-half)
	}
}

func (t *tree) draw(mirrored bool) Figure {
	high := 0
	for _, l := range t.level {
		high = max(high, l)
	}
	tags := 0.0
	for _, w := range t.words {
		if w.Tag != "" {
			tags = 14
		}
	}
	x := func(i int) float64 {
		if mirrored {
			return t.total - t.at[i]
		}
		return t.at[i]
	}
	y := func(i int) float64 { // where the letters of an item end
		return float64((high-t.level[i])*treeStep) + 14
	}
	var b strings.Builder
	for i, list := range t.below {
		for _, c := range list {
			top := y(c) - 13
			if t.level[c] > 0 || tags == 0 || t.words[c-len(t.nodes)].Tag != "" {
				top++
			}
			fmt.Fprintf(&b, `<path class="a" d="M%s %sV%sH%sV%s"/>`, num(x(i)), num(y(i)+4), num(y(i)+10), num(x(c)), num(top))
		}
	}
	for i, n := range t.nodes {
		label(&b, "n", x(i), y(i), n.Label)
	}
	for k, w := range t.words {
		i := len(t.nodes) + k
		if w.Tag != "" {
			label(&b, "s", x(i), y(i), w.Tag)
		}
		word(&b, mirrored, x(i), y(i)+tags, w.Form)
	}
	return Figure{max(t.total, 1), float64(high*treeStep) + 14 + tags + 6, b.String()}
}
