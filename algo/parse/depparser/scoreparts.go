package depparser

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// shape numbers the directions of the arcs of a part.
func shape(t tree.Type, x tree.Part) int {
	d := direction(x.H, x.M)
	switch t {
	case tree.Grand, tree.GrandSib:
		if x.G == tree.None {
			return 4 + d
		}
		return 2*direction(x.G, x.H) + d
	case tree.Leaf:
		return 2*int(x.S) + d
	case tree.End:
		return int(x.S)
	}
	return d
}

func direction(h, m int32) int {
	if m > h {
		return tree.Right
	}
	return tree.Left
}

// shapes are the salts of shapes: the same templates of parts of another shape are other features.
var shapes = func() (s [8]uint64) {
	for i := range s {
		s[i] = mix(uint64(i) + 0x5a9e)
	}
	return s
}()

// sum adds the weights of keys, each the sum of two halves and a salt; two sums at once, as in pairs.
func sum[W numeric, S total](l lookup[W, S], a, b []uint64) float64 {
	w, drop := l.w, l.drop&63
	b = b[:len(a)]
	var x, y S
	t := 0
	for ; t+1 < len(a); t += 2 {
		x += S(w[(a[t]+b[t])>>drop])
		y += S(w[(a[t+1]+b[t+1])>>drop])
	}
	if t < len(a) {
		x += S(w[(a[t]+b[t])>>drop])
	}
	return float64(x+y) * l.unit
}

// sumOf adds the weights of keys.
func sumOf[W numeric, S total](l lookup[W, S], keys []uint64) float64 {
	var s S
	drop := l.drop & 63
	for _, k := range keys {
		s += S(l.w[k>>drop])
	}
	return float64(s) * l.unit
}

// join writes the sums of two halves and a salt.
func join(dst, a, b []uint64, salt uint64) {
	b, dst = b[:len(a)], dst[:len(a)]
	for t, k := range a {
		dst[t] = k + b[t] + salt
	}
}

// places gives what scores parts of a type: the halves and the number of templates.
func (v *view) places(t tree.Type) (x *halves, T int) {
	g := v.s.parts[bit(t)]
	v.keys = buffer.Resize(v.keys, 2*len(g.templates))
	return &v.parts[bit(t)], len(g.templates)
}

func scoreSiblings[W numeric, S total](v *view, p *tree.Parts, score []float64, l lookup[W, S]) {
	x, T := v.places(tree.Sib)
	for a, h := range p.Head {
		if p.Ended() {
			return
		}
		m := p.Mod[a]
		join(v.keys, x.row(roleH, T, h), x.row(roleM, T, m), shapes[direction(h, m)])
		at := p.Sib(a, 0)
		score[at] = sum(l, v.keys[:T], x.row(roleS, T, tree.None))
		for k, s := range p.Mod[a-p.Inner(a) : a] {
			score[at+k+1] = sum(l, v.keys[:T], x.row(roleS, T, s))
			if v.s.more.siblings {
				for _, k2 := range v.siblingKeys(int(h), int(m), int(s)) {
					score[at+k+1] += float64(l.w[k2>>l.drop]) * l.unit
				}
			}
		}
	}
}

// inside tells that no projective tree has g as the head of h and h as that of m: g is m or between
// both. Head automata, which choose each for itself, may choose so.
func (v *view) inside(g, h, m int32) bool {
	return v.s.types&tree.End == 0 && (g == m || (g > h) == (m > h) && (g < m) == (m > h))
}

func scoreGrand[W numeric, S total](v *view, p *tree.Parts, score []float64, l lookup[W, S]) {
	x, T := v.places(tree.Grand)
	for a, h := range p.Head {
		if p.Ended() {
			return
		}
		if h == 0 {
			continue
		}
		m := p.Mod[a]
		d := direction(h, m)
		hr, mr := x.row(roleH, T, h), x.row(roleM, T, m)
		for j, e := range p.In(int(h)) {
			g := p.Head[e]
			if v.inside(g, h, m) {
				continue
			}
			join(v.keys, hr, mr, shapes[2*direction(g, h)+d])
			at := p.Grand(a, j)
			score[at] = sum(l, v.keys[:T], x.row(roleG, T, g))
			if v.s.more.grands {
				score[at] += sumOf(l, v.grandKeys(int(g), int(h), int(m)))
			}
		}
	}
}

func scoreLeaves[W numeric, S total](v *view, p *tree.Parts, score []float64, l lookup[W, S]) {
	x, T := v.places(tree.Leaf)
	for a, h := range p.Head {
		if p.Ended() {
			return
		}
		m := p.Mod[a]
		d := direction(h, m)
		for side := range 2 {
			join(v.keys, x.row(roleH, T, h), x.row(roleM, T, m), shapes[2*side+d])
			score[p.Leaf(a, side)] = sumOf(l, v.keys[:T])
		}
	}
}

func scoreGrandSiblings[W numeric, S total](v *view, p *tree.Parts, score []float64, l lookup[W, S]) {
	x, T := v.places(tree.GrandSib)
	base, keys := v.keys[:T], v.keys[T:2*T]
	for a, h := range p.Head {
		if p.Ended() {
			return
		}
		m := p.Mod[a]
		d := direction(h, m)
		hr, mr := x.row(roleH, T, h), x.row(roleM, T, m)
		for j := range p.Above(a) {
			g, sh := int32(tree.None), 4+d
			if h > 0 {
				if g = p.Head[p.In(int(h))[j]]; v.inside(g, h, m) {
					continue
				}
				sh = 2*direction(g, h) + d
			}
			join(base, hr, mr, shapes[sh])
			join(keys, base, x.row(roleG, T, g), 0)
			at := p.GrandSib(a, j, 0)
			score[at] = sum(l, keys, x.row(roleS, T, tree.None))
			for k, s := range p.Mod[a-p.Inner(a) : a] {
				score[at+k+1] = sum(l, keys, x.row(roleS, T, s))
			}
		}
	}
}

func scoreTriSiblings[W numeric, S total](v *view, p *tree.Parts, score []float64, l lookup[W, S]) {
	x, T := v.places(tree.TriSib)
	base, keys := v.keys[:T], v.keys[T:2*T]
	for a, h := range p.Head {
		if p.Ended() {
			return
		}
		m := p.Mod[a]
		join(base, x.row(roleH, T, h), x.row(roleM, T, m), shapes[direction(h, m)])
		inner := p.Mod[a-p.Inner(a) : a]
		none := x.row(roleT, T, tree.None)
		join(keys, base, x.row(roleS, T, tree.None), 0)
		score[p.TriSib(a, 0, 0)] = sum(l, keys, none)
		for k, s := range inner {
			join(keys, base, x.row(roleS, T, s), 0)
			at := p.TriSib(a, k+1, 0)
			score[at] = sum(l, keys, none)
			for i, t := range inner[:k] {
				score[at+i+1] = sum(l, keys, x.row(roleT, T, t))
			}
		}
	}
}

func scoreEnds[W numeric, S total](v *view, p *tree.Parts, score []float64, l lookup[W, S]) {
	x, T := v.places(tree.End)
	one := func(h, m int32, d int) float64 {
		join(v.keys, x.row(roleH, T, h), x.row(roleM, T, m), shapes[d])
		return sumOf(l, v.keys[:T])
	}
	for h := range p.N + 1 {
		for d := tree.Left; d <= tree.Right; d++ {
			score[p.NoEnd(h, d)] = one(int32(h), tree.None, d)
		}
	}
	for a, h := range p.Head {
		score[p.End(a)] = one(h, p.Mod[a], p.Direction(a))
	}
}

// each calls f with the places of the features of a part in the table of its type.
func (v *view) each(x tree.Part, f func(place uint32)) {
	tab := v.s.of(x.Type)
	if x.Type == tree.Dep {
		v.eachOfArc(int(x.H), int(x.M), tab.drop, f)
		return
	}
	g := v.s.parts[bit(x.Type)]
	h, T := &v.parts[bit(x.Type)], len(g.templates)
	salt := shapes[shape(x.Type, x)]
	if x.Type == tree.Leaf || x.Type == tree.End {
		x.S = tree.None
	}
	for t := range T {
		k := salt
		for r, token := range [...]int32{x.G, x.H, x.M, x.S, x.T} {
			if g.used[r] {
				k += h.row(role(r), T, token)[t]
			}
		}
		f(uint32(k >> tab.drop))
	}
	var more []uint64
	switch {
	case x.Type == tree.Sib && x.S != tree.None && v.s.more.siblings:
		more = v.siblingKeys(int(x.H), int(x.M), int(x.S))
	case x.Type == tree.Grand && v.s.more.grands:
		more = v.grandKeys(int(x.G), int(x.H), int(x.M))
	}
	for _, k := range more {
		f(uint32(k >> tab.drop))
	}
}

// eachOfArc calls f with the places of the features of an arc.
func (v *view) eachOfArc(h, m int, drop uint, f func(place uint32)) {
	step := near(span(h, m))
	both := func(k uint64) {
		f(uint32(k >> drop))
		f(uint32(k>>drop ^ step))
	}
	one := func(k uint64) { f(uint32(k >> drop)) }
	for _, k := range v.heads.row(roleH, len(v.s.heads.templates), int32(h)) {
		both(k)
	}
	for _, k := range v.mods.row(roleM, len(v.s.mods.templates), int32(m)) {
		both(k)
	}
	T := len(v.s.arcs.templates)
	mod := v.arcs.row(roleM, T, int32(m))
	for t, k := range v.arcs.row(roleH, T, int32(h)) {
		both(k + mod[t])
	}
	if v.s.set.between > nothing {
		v.eachBetween(h, m, both, one)
	}
	for _, k := range v.arcKeys(h, m) {
		one(k)
	}
}

// eachBetween calls both with the keys of the sets of tags between head and modifier, one with those
// of single tags.
func (v *view) eachBetween(h, m int, both, one func(uint64)) {
	var b tagsBetween
	b.start(v.sent, h)
	b.extend(m)
	c, f := b.keys(h, m)
	both(c)
	both(f)
	if v.s.set.between < singly {
		return
	}
	each := b.each(h, m)
	for _, t := range b.list[:b.count] {
		one(each + t)
	}
}
