package hiddenreranker

import (
	"slices"

	"parlance/algo/parse/candidates"
)

// problem is the candidates of a sentence as a member sees them. Words and edges that several candidates share stand in
// it once.
type problem struct {
	candidates.Tally
	target int
	ids    []int32     // of features
	blocks [][2]int32  // ids[b[0]:b[1]] are the features of a word with a class, or of an edge with two
	words  []wordUnit  //
	edges  []edgeUnit  //
	trees  [][]element // of each candidate, parents first
}

// wordUnit is a word with its classes, a block for each from first on.
type wordUnit struct{ first, classes int32 }

// edgeUnit is an edge with its features, a block from first on for each pair of a class of the parent and one of the
// word.
type edgeUnit struct{ first, up, down int32 }

// element is a word of a tree: its parent's place, −1 for none, and its units; edge is −1 without a parent.
type element struct{ parent, word, edge int32 }

// builder makes problems of one member. It belongs to one goroutine.
type builder struct {
	m     *member
	x     *reader
	words map[uint64]int32
	edges map[uint64]int32
}

func (m *member) builder(x *reader) *builder { return &builder{m: m, x: x} }

// problem makes one of the candidates of a sentence; features that have no weight are left out.
func (b *builder) problem(s *candidates.Sentence, t candidates.Tally) *problem {
	p := &problem{Tally: t}
	if len(t.Logs) > 0 {
		p.target = t.Target()
	}
	b.words, b.edges = map[uint64]int32{}, map[uint64]int32{}
	for _, c := range s.List {
		list := b.m.read(b.x, c.Tree, s)
		tree := make([]element, len(list))
		for i := range list {
			v := &list[i]
			tree[i] = element{parent: int32(v.parent), word: b.word(p, v), edge: -1}
			if v.parent >= 0 {
				tree[i].edge = b.edge(p, &list[v.parent], v)
			}
		}
		p.trees = append(p.trees, tree)
	}
	p.ids, p.blocks = slices.Clip(p.ids), slices.Clip(p.blocks)
	return p
}

// word is the unit of a word.
func (b *builder) word(p *problem, v *classified) int32 {
	key := mix(v.variable.sign, v.sign)
	n, ok := b.words[key]
	if !ok {
		n = int32(len(p.words))
		b.words[key] = n
		p.words = append(p.words, wordUnit{int32(len(p.blocks)), int32(len(v.classes))})
		for _, c := range v.classes {
			from := int32(len(p.ids))
			for _, f := range v.word {
				if id, ok := b.m.singles[single(f, c)]; ok {
					p.ids = append(p.ids, id)
				}
			}
			p.blocks = append(p.blocks, [2]int32{from, int32(len(p.ids))})
		}
	}
	return n
}

// edge is the unit of an edge.
func (b *builder) edge(p *problem, u, v *classified) int32 {
	key := mix(v.edge.sign(), mix(u.sign, v.sign))
	n, ok := b.edges[key]
	if !ok {
		n = int32(len(p.edges))
		b.edges[key] = n
		p.edges = append(p.edges, edgeUnit{int32(len(p.blocks)), int32(len(u.classes)), int32(len(v.classes))})
		for _, cu := range u.classes {
			for _, cv := range v.classes {
				from := int32(len(p.ids))
				for _, f := range v.edge {
					if id, ok := b.m.pairs[pair(f, cu, cv)]; ok {
						p.ids = append(p.ids, id)
					}
				}
				p.blocks = append(p.blocks, [2]int32{from, int32(len(p.ids))})
			}
		}
	}
	return n
}
