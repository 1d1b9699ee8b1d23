package subtreerules

import (
	"slices"

	"parlance/algo/bitext"
	"parlance/algo/lexical"
)

// couple is the trees of a pair of documents and what their words are linked to.
type couple struct {
	source, target *bitext.Tree
	images         []int32 // by source row
	linked         []bool  // by target row
}

// chain puts target rows, which are two or three, into the order in which each is the head of the next one.
func (c *couple) chain(rows []int32) bool {
	if len(rows) == 2 {
		if c.target.Head(rows[1]) != rows[0] {
			rows[0], rows[1] = rows[1], rows[0]
		}
		return c.target.Head(rows[1]) == rows[0]
	}
	for _, p := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		a, b, x := rows[p[0]], rows[p[1]], rows[p[2]]
		if c.target.Head(b) == a && c.target.Head(x) == b {
			rows[0], rows[1], rows[2] = a, b, x
			return true
		}
	}
	return false
}

// between finds the word without a link between two words of a chain of three.
func (c *couple) between(a, b int32) (x int32, ok bool) {
	for range 2 {
		if x := c.target.Head(b); x >= 0 && x != a && c.target.Head(x) == a && !c.linked[x] {
			return x, true
		}
		a, b = b, a
	}
	return 0, false
}

// rules yields the rules of a pair: each arc of the source, and each chain of three, with the target subtree that the
// images of its words make, as it is or with one word between.
func (c *couple) rules(k classes, yield func(t bitext.RuleType, left, right string)) {
	for m, h := range c.source.Heads {
		if h < 0 {
			continue
		}
		c.rule(k, []int32{h, int32(m)}, yield)
		if g := c.source.Heads[h]; g >= 0 && g != int32(m) {
			c.rule(k, []int32{g, h, int32(m)}, yield)
		}
	}
}

// rule yields that of a subtree, whose rows begin with the root and go down.
func (c *couple) rule(k classes, down []int32, yield func(t bitext.RuleType, left, right string)) {
	rows := slices.Sorted(slices.Values(down))
	forms, tags, heads, linked := make([]string, len(rows)), make([]string, len(rows)), make([]int, len(rows)),
		make([]bool, len(rows))
	var images []int32
	for i, r := range rows {
		forms[i], tags[i], heads[i] = c.source.Forms[r], c.source.Tags[r], -1
		if r != down[0] {
			heads[i] = slices.Index(rows, c.source.Heads[r])
		}
		if t := c.images[r]; t >= 0 {
			if slices.Contains(images, t) {
				return
			}
			linked[i] = true
			images = append(images, t)
		}
	}
	l := k.left(forms, tags, heads, linked)
	if l == "" {
		return
	}
	target := slices.Clone(images)
	if !c.chain(target) {
		if len(rows) > 2 || len(images) > 2 {
			return
		}
		x, ok := c.between(images[0], images[1])
		if target = append(target, x); !ok || !c.chain(target) {
			return
		}
	}
	if r := right(c.slots(target, rows)); r != "" {
		yield(typeOf(len(rows), len(target)), l, r)
	}
}

func typeOf(source, target int) bitext.RuleType {
	switch {
	case source == 2 && target == 2:
		return bitext.TwoToTwo
	case source == 2:
		return bitext.TwoToThree
	case target == 3:
		return bitext.ThreeToThree
	}
	return bitext.ThreeToTwo
}

// slots are the target side of a chain of rows, each the head of the next, in the order of the sentence.
func (c *couple) slots(down, sources []int32) (out []bitext.Slot) {
	order := slices.Sorted(slices.Values(down))
	for _, r := range order {
		s := bitext.Slot{Source: -1, Head: -1}
		for i, from := range sources {
			if c.images[from] == r {
				s.Source = i
			}
		}
		if s.Source < 0 {
			s.Word, s.Tag = c.target.Forms[r], c.target.Tags[r]
		}
		if k := slices.Index(down, r); k > 0 {
			s.Head = slices.Index(order, down[k-1])
		}
		out = append(out, s)
	}
	return out
}

// found is a part of the source with one of the target, as rows; −1 where there is no third one.
type found struct {
	part           bitext.Part
	source, target [3]int32
}

func (f *found) orders() (source, target lexical.Order) {
	s, t := &f.source, &f.target
	return lexical.OrderOf(int(s[0]), int(s[1]), int(s[2])), lexical.OrderOf(int(t[0]), int(t[1]), int(t[2]))
}

// parts yields pairs of parts: arcs whose images make an arc or the ends of a chain, adjacent siblings on a side whose
// images have the image of their head as their head, chains whose images make a chain.
func (c *couple) parts(yield func(found)) {
	last := make([][2]int32, len(c.source.Heads)) // by head and side: 1 + the dependent before
	for i, h := range c.source.Heads {
		m := int32(i)
		if h < 0 {
			continue
		}
		side := 0
		if m > h {
			side = 1
		}
		before := last[h][side] - 1
		last[h][side] = m + 1
		a, b := c.images[h], c.images[m]
		if a < 0 || b < 0 || a == b {
			continue
		}
		above := c.target.Head(b)
		switch up := c.target.Head(above); {
		case above == a:
			yield(found{bitext.Arc, [3]int32{h, m, -1}, [3]int32{a, b, -1}})
		case above >= 0 && up == a && above != b:
			yield(found{bitext.ArcToChain, [3]int32{h, m, -1}, [3]int32{a, b, above}})
		}
		if above != a {
			continue
		}
		if before >= 0 {
			if x := c.images[before]; x >= 0 && x != b && c.target.Head(x) == a {
				yield(found{bitext.Siblings, [3]int32{h, before, m}, [3]int32{a, x, b}})
			}
		}
	}
	for i, m := range c.source.Heads {
		d := int32(i)
		if m < 0 || c.source.Heads[m] < 0 || c.source.Heads[m] == d {
			continue
		}
		h := c.source.Heads[m]
		x, y, z := c.images[h], c.images[m], c.images[d]
		if x >= 0 && y >= 0 && z >= 0 && x != z && c.target.Head(y) == x && c.target.Head(z) == y {
			yield(found{bitext.Chain, [3]int32{h, m, d}, [3]int32{x, y, z}})
		}
	}
}
