package triples

import (
	"slices"
)

// Sets are the entities that each relation allows as subjects and as objects. Equal sets are kept
// once. It is immutable.
type Sets struct {
	Of    [2][]int32 `state:"of,len=Relations.All,below=Lists"` // number of the set of each relation, by side
	Lists [][]int32  `state:"lists,rising,below=Entities.All"`  // different sets, entities in order
	bits  [][]uint64
}

// observed allows the entities that stand there.
func (d *Data) observed() *Sets {
	b := newBuilder(d.Relations.Len(), d.Entities.Len())
	for _, side := range []Side{Subject, Object} {
		for r := range int32(d.Relations.Len()) {
			b.add(side, r, d.Index.seen(side, r))
		}
	}
	return b.sets()
}

// declared allows the entities of the declared types.
func (d *Data) declared() *Sets {
	b := newBuilder(d.Relations.Len(), d.Entities.Len())
	children := make([][]int32, d.Types.Len())
	for t, list := range d.parents {
		for _, p := range list {
			children[p] = append(children[p], int32(t))
		}
	}
	all := d.typings(nil, true)
	for side, types := range [][][]int32{d.Domain, d.Range} {
		for r := range int32(d.Relations.Len()) {
			allowed := make([]bool, d.Types.Len())
			below(types[r], children, allowed)
			if len(types[r]) == 0 {
				for t := range allowed {
					allowed[t] = true
				}
			}
			b.add(Side(side), r, having(all, allowed))
		}
	}
	return b.sets()
}

// below marks types and all below them; types may stand below themselves.
func below(types []int32, children [][]int32, mark []bool) {
	todo := slices.Clone(types)
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !mark[t] {
			mark[t] = true
			todo = append(todo, children[t]...)
		}
	}
}

// seen lists the different entities at a side of the facts of a relation, in order.
func (x *Index) seen(side Side, relation int32) []int32 {
	d := &x.sides[side.Other()] // where this side is given
	out := slices.Clone(d.given[d.start[relation]:d.start[relation+1]])
	return slices.Compact(out)
}

// union merges two lists in order.
func union(a, b []int32) []int32 {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// builder finds equal sets.
type builder struct {
	s        *Sets
	entities int
	byKey    map[string]int32
}

func newBuilder(relations, entities int) *builder {
	return &builder{&Sets{Of: [2][]int32{make([]int32, relations), make([]int32, relations)}}, entities,
		map[string]int32{}}
}

// add takes the set of a relation, entities in order.
func (b *builder) add(side Side, relation int32, list []int32) {
	bits := make([]uint64, (b.entities+63)/64)
	for _, e := range list {
		bits[e/64] |= 1 << (e % 64)
	}
	key := make([]byte, 0, 8*len(bits))
	for _, w := range bits {
		for k := range 8 {
			key = append(key, byte(w>>(8*k)))
		}
	}
	i, ok := b.byKey[string(key)]
	if !ok {
		i = int32(len(b.s.Lists))
		b.byKey[string(key)] = i
		b.s.Lists, b.s.bits = append(b.s.Lists, list), append(b.s.bits, bits)
	}
	b.s.Of[side][relation] = i
}

func (b *builder) sets() *Sets { return b.s }

// Len is the number of different sets.
func (s *Sets) Len() int { return len(s.Lists) }

// Number returns the number, from 0, of the set of a relation at a side.
func (s *Sets) Number(side Side, relation int32) int { return int(s.Of[side][relation]) }

// List returns the entities of a set by its number, in order; they may not be changed.
func (s *Sets) List(number int) []int32 { return s.Lists[number] }

// Allowed returns the entities that a relation allows at a side, in order; they may not be changed.
func (s *Sets) Allowed(side Side, relation int32) []int32 { return s.Lists[s.Of[side][relation]] }

// Allows reports whether a relation allows an entity at a side.
func (s *Sets) Allows(side Side, relation, entity int32) bool {
	return s.bits[s.Of[side][relation]][entity/64]>>(entity%64)&1 == 1
}

// AllowsTriple reports whether the relation allows both entities.
func (s *Sets) AllowsTriple(t Triple) bool {
	return s.Allows(Subject, t.Relation, t.Subject) && s.Allows(Object, t.Relation, t.Object)
}
