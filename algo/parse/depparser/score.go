package depparser

import (
	"math/bits"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// Distances of arcs, as in MSTParser: 1 to 5, up to 10, more; by direction.
const (
	distances = 7
	spans     = 2 * distances
)

// near is how far from the place of a feature that is bare the same with direction and distance stands:
// in the same piece of 64 weights, which is fetched once.
func near(span int) uint64 { return uint64(4*span + 3) }

var salts = func() (s [spans]uint64) {
	for i := range s {
		s[i] = mix(uint64(i) + 0x5a17)
	}
	return s
}()

// span numbers direction and distance of an arc.
func span(h, m int) int {
	d, right := m-h, distances
	if d < 0 {
		d, right = -d, 0
	}
	switch {
	case d <= 5:
		return right + d - 1
	case d <= 10:
		return right + 5
	}
	return right + 6
}

// scorer scores the parts of sentences. It is shared; what belongs to a sentence is in a view.
type scorer struct {
	set    features
	types  tree.Type
	heads  *group // templates of one token
	mods   *group
	arcs   *group
	parts  [8]*group // by the number of the bit of the type
	first  *table    // of arcs
	second *table    // of pairs of arcs
	third  *table    // of three arcs
	labels *table    // of relations, where they are scored with the heads
	more   sources
}

// bit numbers a type.
func bit(t tree.Type) int { return bits.TrailingZeros8(uint8(t)) }

// newScorer makes a scorer of the types with empty tables of 2^bits weights.
func newScorer(set features, types tree.Type, size int) *scorer {
	s := &scorer{set: set, types: types, heads: newGroup(set.head), mods: newGroup(set.modifier), arcs: newGroup(set.arcs),
		first: newTable(size)}
	for t := tree.Sib; t <= tree.End && t != 0; t <<= 1 {
		if types&t == 0 {
			continue
		}
		s.parts[bit(t)] = newGroup(set.parts[t])
		if t == tree.GrandSib || t == tree.TriSib {
			if s.third == nil {
				s.third = newTable(size)
			}
		} else if s.second == nil {
			s.second = newTable(size)
		}
	}
	return s
}

// tables are the tables by number; nil where no type has it.
func (s *scorer) tables() [tables]*table { return [tables]*table{s.first, s.second, s.third, s.labels} }

// tables is how many there may be; relations have the last one.
const (
	tables    = 4
	relations = 3
)

// number is that of the table of a type.
func (s *scorer) number(t tree.Type) int {
	switch t {
	case tree.Dep:
		return 0
	case tree.GrandSib, tree.TriSib:
		return 2
	}
	return 1
}

// of returns the table of a type.
func (s *scorer) of(t tree.Type) *table { return s.tables()[s.number(t)] }

// view is a sentence as a scorer sees it. It belongs to one goroutine.
type view struct {
	s     *scorer
	sent  *sentence
	heads halves
	mods  halves
	arcs  halves
	parts [8]halves
	// Scores of one token as a head and as a modifier, by token and span.
	asHead, asMod []float64
	keys          []uint64
	more          []uint64 // keys of what is known besides
	facts         []fact
}

func (v *view) load(s *scorer, sent *sentence) {
	v.s, v.sent = s, sent
	v.heads.load(s.heads, sent)
	v.mods.load(s.mods, sent)
	v.arcs.load(s.arcs, sent)
	for i, g := range s.parts {
		if g != nil {
			v.parts[i].load(g, sent)
		}
	}
	if s.first.q != nil {
		singles(v, s.first.small())
	} else {
		singles(v, s.first.exact())
	}
}

func singles[W numeric, S total](v *view, l lookup[W, S]) {
	v.asHead = single(l, v.asHead, &v.heads, roleH, v.s.heads, v.sent.n)
	v.asMod = single(l, v.asMod, &v.mods, roleM, v.s.mods, v.sent.n)
}

// single sums the weights of the templates of one token, by token and span.
func single[W numeric, S total](l lookup[W, S], dst []float64, v *halves, r role, g *group, n int) []float64 {
	dst = buffer.Resize(dst, (n+1)*spans)
	T := len(g.templates)
	for i := range n + 1 {
		bare := 0.0
		row := v.row(r, T, int32(i))
		for _, k := range row {
			bare += float64(l.w[k>>l.drop]) * l.unit
		}
		for d := range spans {
			x, step := bare, near(d)
			for _, k := range row {
				x += float64(l.w[k>>l.drop^step]) * l.unit
			}
			dst[i*spans+d] = x
		}
	}
	return dst
}

// Keys of the tags between head and modifier.
var (
	betweenFine   = mix(0xbe01)
	betweenCoarse = mix(0xbe02)
	betweenEach   = mix(0xbe03)
)

// score writes the scores of all parts.
func (v *view) score(p *tree.Parts, score []float64) {
	if s := v.s; s.first.q != nil {
		scoreParts(v, p, score, s.first.small(), s.second.small(), s.third.small())
	} else {
		scoreParts(v, p, score, s.first.exact(), s.second.exact(), s.third.exact())
	}
}

func scoreParts[W numeric, S total](v *view, p *tree.Parts, score []float64, first, second, third lookup[W, S]) {
	scoreArcs(v, p, score, first)
	for _, x := range []struct {
		of    tree.Type
		score func(*view, *tree.Parts, []float64, lookup[W, S])
		with  lookup[W, S]
	}{
		{tree.Sib, scoreSiblings[W, S], second}, {tree.Grand, scoreGrand[W, S], second},
		{tree.Leaf, scoreLeaves[W, S], second}, {tree.End, scoreEnds[W, S], second},
		{tree.GrandSib, scoreGrandSiblings[W, S], third}, {tree.TriSib, scoreTriSiblings[W, S], third},
	} {
		if v.s.types&x.of != 0 {
			x.score(v, p, score, x.with)
		}
	}
}

// scoreArcs scores the arcs of each head outwards, so that the tags between come one by one.
func scoreArcs[W numeric, S total](v *view, p *tree.Parts, score []float64, l lookup[W, S]) {
	T, w, drop := len(v.s.arcs.templates), l.w, l.drop&63
	for h := range p.N + 1 {
		if p.Ended() {
			return
		}
		head := v.arcs.row(roleH, T, int32(h))
		for d := tree.Left; d <= tree.Right; d++ {
			from, to := p.Of(h, d)
			var b tagsBetween
			b.start(v.sent, h)
			for a := from; a < to; a++ {
				m := int(p.Mod[a])
				mod := v.arcs.row(roleM, T, int32(m))
				sp := span(h, m)
				step := near(sp)
				x := v.asHead[h*spans+sp] + v.asMod[m*spans+sp]
				s := pairs(l, step, head, mod)
				if v.s.set.between > nothing {
					b.extend(m)
					k1, k2 := b.keys(h, m)
					s += S(w[k1>>drop]) + S(w[k1>>drop^step]) + S(w[k2>>drop]) + S(w[k2>>drop^step])
					if v.s.set.between == singly {
						each := b.each(h, m)
						for _, t := range b.list[:b.count] {
							s += S(w[(each+t)>>drop])
						}
					}
				}
				if v.s.more.any() {
					for _, k := range v.arcKeys(h, m) {
						s += S(w[k>>drop])
					}
				}
				score[a] = x + float64(s)*l.unit
			}
		}
	}
}

// pairs adds the weights of the keys of head and modifier, bare and near; two sums at once, so that one
// need not wait for the other.
func pairs[W numeric, S total](l lookup[W, S], step uint64, head, mod []uint64) S {
	w, drop := l.w, l.drop&63
	mod = mod[:len(head)]
	var a, b S
	t := 0
	for ; t+1 < len(head); t += 2 {
		i, j := (head[t]+mod[t])>>drop, (head[t+1]+mod[t+1])>>drop
		a += S(w[i]) + S(w[i^step])
		b += S(w[j]) + S(w[j^step])
	}
	if t < len(head) {
		i := (head[t] + mod[t]) >> drop
		a += S(w[i]) + S(w[i^step])
	}
	return a + b
}

// tagsBetween keeps the set of tags between a head and tokens ever farther away.
type tagsBetween struct {
	s            *sentence
	last         int    // the token farthest away so far
	coarse, fine uint64 // sums of the hashes of the distinct tags
	seenC, seenF [4]uint64
	list         [maxBetween]uint64 // hashes of the distinct finer tags
	count        int
}

// maxBetween is how many of the finer tags between are features one by one.
const maxBetween = 64

func (b *tagsBetween) start(s *sentence, h int) {
	*b = tagsBetween{s: s, last: h}
}

// extend adds the tags of the tokens before m.
func (b *tagsBetween) extend(m int) {
	step := 1
	if m < b.last {
		step = -1
	}
	for b.last+step != m {
		b.last += step
		if c := b.s.tag[b.last]; b.seenC[c>>6]&(1<<(c&63)) == 0 {
			b.seenC[c>>6] |= 1 << (c & 63)
			b.coarse += mix(b.s.value[coarse][b.last+shift])
		}
		if f := b.s.fines[b.last]; b.seenF[f>>6]&(1<<(f&63)) == 0 {
			b.seenF[f>>6] |= 1 << (f & 63)
			x := mix(b.s.value[fine][b.last+shift])
			if b.fine += x; b.count < maxBetween {
				b.list[b.count] = x
				b.count++
			}
		}
	}
}

// each is what the key of both tags with one of the tags between begins with; its hash is added.
func (b *tagsBetween) each(h, m int) uint64 {
	f := b.s.value[fine]
	return mix(betweenEach + f[h+shift] + 3*f[m+shift] + uint64(direction(int32(h), int32(m))))
}

// keys are those of both tags with the set of tags between.
func (b *tagsBetween) keys(h, m int) (uint64, uint64) {
	c, f := b.s.value[coarse], b.s.value[fine]
	return mix(betweenCoarse + c[h+shift] + 3*c[m+shift] + b.coarse), mix(betweenFine + f[h+shift] + 3*f[m+shift] + b.fine)
}
