package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Arc goes from a head to its dependent, positions of words from 0. A head outside the words is
// drawn as an arrow from above.
type Arc struct {
	Head, Dep int
	Label     string
}

const (
	levelStep = 20 // between the heights of arcs
	arcStep   = 6  // between the ends of arcs at a word
	wordGap   = 14
)

// arcs is a picture in the making. Places run in the order of reading, whatever the script.
type arcs struct {
	words       []Word
	arcs        []Arc
	level       []int     // of each arc, from 1
	top         int       // the highest level
	before, aft [][]int   // at each word, arcs to words before and after it, highest first
	rank        [][2]int  // of each arc, where it stands in aft of its first word and before of its last
	roots       [][]int   // at each word, arcs from above
	at          []float64 // centre of each word
	width       float64
	mirrored    bool
}

// Arcs draws a sentence with arcs above it.
func Arcs(words []Word, list []Arc) Figure {
	a := newArcs(words, list)
	a.places()
	return a.draw()
}

// newArcs finds the levels of arcs; what depends on no word is left out.
func newArcs(words []Word, list []Arc) *arcs {
	a := &arcs{words: words, mirrored: rightToLeft(words)}
	for _, x := range list {
		if x.Dep < 0 || x.Dep >= len(words) {
			continue
		}
		if x.Head < 0 || x.Head >= len(words) || x.Head == x.Dep {
			x.Head = -1
		}
		a.arcs = append(a.arcs, x)
	}
	a.levels()
	return a
}

// levels puts each arc above those that it spans.
func (a *arcs) levels() {
	order := make([]int, len(a.arcs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a.arcs[i].length(), a.arcs[j].length()) })
	a.level = make([]int, len(a.arcs))
	a.before, a.aft = make([][]int, len(a.words)), make([][]int, len(a.words))
	over := make([]int, len(a.words)) // the highest level between a word and the next
	for _, i := range order {
		x := a.arcs[i]
		if x.Head < 0 {
			continue
		}
		from, to := x.ends()
		for k := from; k < to; k++ {
			a.level[i] = max(a.level[i], over[k]+1)
		}
		for k := from; k < to; k++ {
			over[k] = a.level[i]
		}
		a.aft[from], a.before[to] = append(a.aft[from], i), append(a.before[to], i)
		a.top = max(a.top, a.level[i])
	}
	highest := func(i, j int) int { return cmp.Compare(a.level[j], a.level[i]) }
	a.rank = make([][2]int, len(a.arcs))
	for w := range a.words {
		slices.SortStableFunc(a.aft[w], highest)
		slices.SortStableFunc(a.before[w], highest)
		for k, i := range a.aft[w] {
			a.rank[i][0] = k
		}
		for k, i := range a.before[w] {
			a.rank[i][1] = k
		}
	}
	a.addRoots()
}

// addRoots puts the arcs from above over all others.
func (a *arcs) addRoots() {
	a.roots = make([][]int, len(a.words))
	for i, x := range a.arcs {
		if x.Head < 0 {
			a.roots[x.Dep] = append(a.roots[x.Dep], i)
			a.level[i] = max(a.top, 1) + len(a.roots[x.Dep])
		}
	}
	for _, list := range a.roots {
		for _, i := range list {
			a.top = max(a.top, a.level[i])
		}
	}
}

func (x Arc) ends() (from, to int) { return min(x.Head, x.Dep), max(x.Head, x.Dep) }

func (x Arc) length() int {
	if x.Head < 0 {
		return 0
	}
	from, to := x.ends()
	return to - from
}

// shift returns how far from the centres of its first and last word an arc ends: a higher arc
// nearer, so that no arc crosses another at its word.
func (a *arcs) shift(arc int) (first, last float64) {
	r := a.rank[arc]
	return float64(arcStep*r[0]) + arcStep*0.6, float64(arcStep*r[1]) + arcStep*0.6
}

// places sets words apart so that neither they nor the labels of arcs collide.
func (a *arcs) places() {
	a.at = make([]float64, len(a.words))
	right := 0.0
	for w, word := range a.words {
		half := max(Width(word.Form, wordSize), Width(word.Tag, labelSize), 8) / 2
		for _, i := range a.roots[w] {
			half = max(half, Width(a.arcs[i].Label, labelSize)/2)
		}
		x := right + max(half, float64(arcStep*len(a.before[w])))
		for _, i := range a.before[w] {
			from, _ := a.arcs[i].ends()
			first, last := a.shift(i)
			x = max(x, a.at[from]+first+Width(a.arcs[i].Label, labelSize)+14+last)
		}
		a.at[w] = x
		right = x + max(half, float64(arcStep*len(a.aft[w]))) + wordGap
	}
	a.width = max(right-wordGap, 1)
}

func (a *arcs) x(place float64) float64 {
	if a.mirrored {
		return a.width - place
	}
	return place
}

func (a *arcs) draw() Figure {
	base := float64(a.top*levelStep + 4)
	var lines, labels strings.Builder
	for i, arc := range a.arcs {
		y := base - float64(a.level[i]*levelStep) + labelSize
		dep := a.at[arc.Dep]
		middle := dep
		if arc.Head < 0 {
			fmt.Fprintf(&lines, `<path class="a" d="M%s %sV%s"/>`, num(a.x(dep)), num(y), num(base-4))
		} else {
			head := a.at[arc.Head]
			first, last := a.shift(i)
			if arc.Head < arc.Dep {
				head, dep = head+first, dep-last
			} else {
				head, dep = head-last, dep+first
			}
			a.bow(&lines, a.x(head), a.x(dep), y, base)
			middle = (head + dep) / 2
		}
		x := a.x(dep)
		fmt.Fprintf(&lines, `<path class="p" d="M%s %sl-3 -6h6z"/>`, num(x), num(base+1))
		if arc.Label != "" {
			w := Width(arc.Label, labelSize) + 4
			fmt.Fprintf(&labels, `<rect class="bg" x="%s" y="%s" width="%s" height="12"/>`, num(a.x(middle)-w/2),
				num(y-6), num(w))
			label(&labels, "l", a.x(middle), y+4, arc.Label)
		}
	}
	height := base + 18
	for i, w := range a.words {
		word(&labels, a.mirrored, a.x(a.at[i]), base+16, w.Form)
		if w.Tag != "" {
			label(&labels, "s", a.x(a.at[i]), base+31, w.Tag)
			height = base + 34
		}
	}
	return Figure{a.width, height + 4, lines.String() + labels.String()}
}

// bow draws an arc with round corners.
func (a *arcs) bow(b *strings.Builder, head, dep, y, base float64) {
	r := min(6, max(head-dep, dep-head)/2)
	if dep < head {
		r = -r
	}
	down := max(r, -r)
	fmt.Fprintf(b, `<path class="a" d="M%s %sV%sQ%s %s %s %sH%sQ%s %s %s %sV%s"/>`, num(head), num(base), num(y+down),
		num(head), num(y), num(head+r), num(y),
		num(dep-r), num(dep), num(y), num(dep), num(y+down), num(base-4))
}
