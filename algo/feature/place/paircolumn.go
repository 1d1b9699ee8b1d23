package place

import (
	"slices"
	"strings"
)

// column computes an instruction for a block.
func (p *Pairs) column(k, second, from, to int) {
	c := &p.x.set.code[k]
	out := p.cols[k][:to-from]
	if c.step != nil {
		p.stepped(k, c, p.values(c.in[0], second, from, to, p.wide), out)
		return
	}
	a, b := c.in[0], c.in[1]
	switch c.walk.name {
	case "equals", "contains":
		if p.x.set.code[a].typ == textsType {
			p.listed(a, b, second, from, out)
			return
		}
		var wide [widest]int32
		va, vb := p.values(a, second, from, to, p.wide), p.values(b, second, from, to, wide[:])
		for i := range out {
			switch {
			case va[i] == missed || vb[i] == missed:
				out[i] = p.yes[2]
			case c.walk.name == "equals":
				out[i] = p.truth(va[i] == vb[i])
			default:
				out[i] = p.truth(p.contains(va[i], vb[i]))
			}
		}
	case "share":
		p.shared(a, b, second, from, out)
	default:
		p.between(c, second, from, out)
	}
}

// stepped applies a step of a value.
func (p *Pairs) stepped(k int, c *instruction, in, out []int32) {
	small := p.bins[k]
	for i, v := range in {
		switch {
		case v == missed:
			out[i] = missed
		case uint32(v) < uint32(len(small)):
			out[i] = small[v]
		default:
			if out[i] = c.step.one(p.x, k, v); out[i] < 0 {
				out[i] = missed
			}
		}
	}
}

// contains tells whether a text is part of another one, each pair computed once a document.
func (p *Pairs) contains(a, b int32) bool {
	x, y := p.x.texts[a], p.x.texts[b]
	if len(y) >= len(x) {
		return x == y
	}
	if len(x) < 24 {
		return strings.Contains(x, y)
	}
	is, known := p.memo[[2]int32{a, b}]
	if !known {
		is = strings.Contains(x, y)
		p.memo[[2]int32{a, b}] = is
	}
	return is
}

// shared compares two lists of rows, by their bits first.
func (p *Pairs) shared(a, b, second, from int, out []int32) {
	if p.side[a] != firstSide {
		a, b = b, a
	}
	list, bits := p.lists[b][second], p.bloom[b][second]
	for i := range out {
		r := from + i
		switch {
		case p.cols[a][r] == missed || p.cols[b][second] == missed:
			out[i] = p.yes[2]
		case p.bloom[a][r]&bits == 0:
			out[i] = p.yes[1]
		default:
			out[i] = p.yes[1]
			for _, v := range p.lists[a][r] {
				if v >= 0 && slices.Contains(list, v) {
					out[i] = p.yes[0]
				}
			}
		}
	}
}

// listed tells whether texts are in lists.
func (p *Pairs) listed(a, b, second, from int, out []int32) {
	for i := range out {
		r, s := from+i, from+i
		if p.side[a] != firstSide {
			r = second
		}
		if p.side[b] != firstSide {
			s = second
		}
		v := p.cols[b][s]
		switch {
		case p.cols[a][r] == missed || v == missed:
			out[i] = p.yes[2]
		default:
			out[i] = p.truth(p.bloom[a][r]&(1<<(v&63)) != 0 && slices.Contains(p.lists[a][r], v))
		}
	}
}

// between computes what lies between two places.
func (p *Pairs) between(c *instruction, second, from int, out []int32) {
	x := p.x
	l := &x.layers[0]
	name, swapped := c.walk.name, p.side[c.in[0]] == secondSide
	for i := range out {
		r := from + i
		if l.from[r] < 0 || l.from[second] < 0 {
			out[i] = missed
			continue
		}
		a, b := int32(r), int32(second)
		if swapped {
			a, b = b, a
		}
		switch name {
		case "sentence_distance":
			d := x.sents[l.from[a]] - x.sents[l.from[b]]
			out[i] = max(d, -d)
		case "mention_distance":
			d := p.starts[a] - p.starts[b]
			out[i] = max(d, -d)
		case "order":
			out[i] = p.orders[orderOf(l.from[a], l.to[a], l.from[b], l.to[b])]
		case "compatible":
			out[i] = p.truth(x.compatible(a, b))
		default:
			out[i] = x.described.compatible(a, b)
		}
	}
}
