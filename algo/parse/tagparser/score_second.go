package tagparser

import "parlance/algo/numeric/buffer"

// Third tokens of an arc.
const (
	sibling    = 0 // the next closer modifier of the head on the same side
	grandchild = 1 // + half: the outermost modifier of the modifier towards the head, and away from it
)

// thirdKeys are those of an arc with a third token, 0 for none.
func (a *atoms) thirdKeys(what, h, m, x int, dst []uint64) []uint64 {
	hi, mi := h+margin, m+margin
	hw, ht, mw, mt := a.word[hi], a.tag[hi], a.word[mi], a.tag[mi]
	kind := uint64(32 + 2*what)
	if m < h {
		kind++
	}
	k := keys{dst[:0]}
	if x == 0 {
		kind += 16
		k.add(kind, ht, mt)
		k.add(kind, mt)
		k.add(kind, mw)
		k.add(kind, ht, mw)
		k.add(kind, hw, mt)
		return k.list
	}
	xw, xt := a.word[x+margin], a.tag[x+margin]
	k.add(kind, ht, mt, xt)
	k.add(kind, ht, xt)
	k.add(kind, mt, xt)
	k.add(kind, hw, xw)
	k.add(kind, mw, xw)
	k.add(kind, hw, xt)
	k.add(kind, mw, xt)
	k.add(kind, ht, xw)
	k.add(kind, mt, xw)
	k.add(kind, hw, mt, xt)
	k.add(kind, ht, mw, xt)
	k.add(kind, ht, mt, xw)
	return k.list
}

// link scores the arcs of the chart with third tokens.
func (s *scorer) link() {
	c := &s.chart
	x := &s.second
	x.chart = c
	x.links, x.roots = buffer.Resize(x.links, len(c.arcs)), buffer.Resize(x.roots, len(c.root))
	for k := range c.root {
		s.linkArc(&c.root[k], &x.roots[k], 0)
	}
	for k := range c.arcs {
		a := &c.arcs[k]
		side, _, _ := a.sides()
		s.linkArc(a, &x.links[k], k-int(c.first[2*int(a.head)+side]))
	}
}

// linkArc scores an arc with third tokens; closer is how many arcs of its head on its side have a closer modifier.
func (s *scorer) linkArc(a *arc, l *links, closer int) {
	l.used = l.used[:0]
	for i, x := range a.score {
		if x > none {
			l.used = append(l.used, int32(i))
		}
	}
	c := &s.chart
	side, to, out := a.sides()
	l.width[0] = closer + 1
	l.sib = buffer.Resize(l.sib, len(a.score)*l.width[0])
	s.third(a, l, sibling, 0, 0, l.sib, l.width[0])
	for k := range closer {
		s.third(a, l, sibling, int(c.of(int(a.head), side)[k].mod), k+1, l.sib, l.width[0])
	}
	for half, on := range [2]int{to, out} {
		list := c.of(int(a.mod), on)
		l.width[1+half] = len(list) + 1
		l.grand[half] = buffer.Resize(l.grand[half], len(a.score)*l.width[1+half])
		s.third(a, l, grandchild+half, 0, 0, l.grand[half], l.width[1+half])
		for k := range list {
			s.third(a, l, grandchild+half, int(list[k].mod), k+1, l.grand[half], l.width[1+half])
		}
	}
}

// third scores a third token for all labels in use.
func (s *scorer) third(a *arc, l *links, what, token, number int, dst []float64, width int) {
	s.keys = s.atoms.thirdKeys(what, int(a.head), int(a.mod), token, s.keys)
	bare := s.t.sum(s.keys, ofArc)
	for _, u := range l.used {
		dst[int(u)*width+number] = bare + s.t.sum(s.keys, ofLabel(a.labels[u/2], u&1 == 1))
	}
}

// decode fills the chart of the order of the scorer and reads the best derivation into it; −∞ if there is none.
func (s *scorer) decode() float64 {
	if s.order == 1 {
		score := s.chart.fill()
		if score > none {
			s.chart.trace()
		}
		return score
	}
	s.link()
	score := s.second.fill()
	if score > none {
		s.second.trace()
	}
	return score
}
