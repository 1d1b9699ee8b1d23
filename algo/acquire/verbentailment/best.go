package verbentailment

import (
	"cmp"
	"slices"
)

// pair is an ordered pair of templates: left entails right.
type pair struct {
	l, r  uint32
	score float64
}

// best keeps the n best pairs, the best one of each key, and of each right side at most n.
type best struct {
	n, perRight int
	key         func(pair) uint64 // what a pair is the best of
	right       func(pair) uint32 // its right side, for perRight
	compare     func(a, b pair) int
	list        []pair
	full        bool
	worst       float64 // score of the last one of a full list
}

func (b *best) add(p pair) {
	if b.full && p.score < b.worst {
		return
	}
	if b.list = append(b.list, p); len(b.list) >= 2*b.n+1024 {
		b.cut()
	}
}

// cut sorts the list and leaves the n best. A pair that goes has better ones in its place, so cutting early changes
// nothing.
func (b *best) cut() {
	slices.SortFunc(b.list, b.compare)
	seen, ofRight := map[uint64]bool{}, map[uint32]int{}
	out := b.list[:0]
	for _, p := range b.list {
		if len(out) == b.n {
			break
		}
		k := b.key(p)
		if seen[k] || b.perRight > 0 && ofRight[b.right(p)] >= b.perRight {
			continue
		}
		seen[k] = true
		ofRight[b.right(p)]++
		out = append(out, p)
	}
	b.list = out
	if b.full = len(out) == b.n && b.n > 0; b.full {
		b.worst = out[len(out)-1].score
	}
}

// order is that of the lists: by falling score, then the more frequent templates, then by their names.
func (m *model) order(a, b pair) int {
	c := m.counts
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(c.OfRow[b.l]+c.OfRow[b.r], c.OfRow[a.l]+c.OfRow[a.r]),
		cmp.Compare(a.l, b.l), cmp.Compare(a.r, b.r))
}

// lists returns empty lists of templates and of verbs.
func (m *model) lists() (templates, verbs *best) {
	templates = &best{n: m.opt.nbest, perRight: m.opt.perRight, compare: m.order,
		key: func(p pair) uint64 { return uint64(p.l)<<32 | uint64(p.r) }, right: func(p pair) uint32 { return p.r }}
	verbs = &best{n: m.opt.nbest, perRight: m.opt.perRight, compare: m.order,
		key:   func(p pair) uint64 { return uint64(m.verb[p.l])<<32 | uint64(m.verb[p.r]) },
		right: func(p pair) uint32 { return m.verb[p.r] }}
	return templates, verbs
}
