package triples

import (
	"slices"

	"parlance/algo/kind"
)

// Sets are the entities that each relation allows as subjects and as objects. Equal sets are kept
// once. It is immutable.
type Sets struct {
	of    [2][]int32 // number of the set of each relation, by side
	lists [][]int32  // different sets, entities in order
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
	return &builder{&Sets{of: [2][]int32{make([]int32, relations), make([]int32, relations)}}, entities,
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
		i = int32(len(b.s.lists))
		b.byKey[string(key)] = i
		b.s.lists, b.s.bits = append(b.s.lists, list), append(b.s.bits, bits)
	}
	b.s.of[side][relation] = i
}

func (b *builder) sets() *Sets { return b.s }

// Len is the number of different sets.
func (s *Sets) Len() int { return len(s.lists) }

// Number returns the number, from 0, of the set of a relation at a side.
func (s *Sets) Number(side Side, relation int32) int { return int(s.of[side][relation]) }

// List returns the entities of a set by its number, in order; they may not be changed.
func (s *Sets) List(number int) []int32 { return s.lists[number] }

// Allowed returns the entities that a relation allows at a side, in order; they may not be changed.
func (s *Sets) Allowed(side Side, relation int32) []int32 { return s.lists[s.of[side][relation]] }

// Allows reports whether a relation allows an entity at a side.
func (s *Sets) Allows(side Side, relation, entity int32) bool {
	return s.bits[s.of[side][relation]][entity/64]>>(entity%64)&1 == 1
}

// AllowsTriple reports whether the relation allows both entities.
func (s *Sets) AllowsTriple(t Triple) bool {
	return s.Allows(Subject, t.Relation, t.Subject) && s.Allows(Object, t.Relation, t.Object)
}

// Bytes is what the sets take in memory.
func (s *Sets) Bytes() int64 {
	n := int64(8 * len(s.of[0]))
	for i := range s.lists {
		n += int64(4*len(s.lists[i]) + 8*len(s.bits[i]) + 48)
	}
	return n
}

// Encode writes the sets, 4 bytes an entity of each; nil sets are written too.
func (s *Sets) Encode(w *kind.Writer) error {
	var of, lists []uint32
	if s != nil {
		for _, side := range s.of {
			for _, n := range side {
				of = append(of, uint32(n))
			}
		}
		for _, l := range s.lists {
			lists = append(lists, uint32(len(l)))
			for _, e := range l {
				lists = append(lists, uint32(e))
			}
		}
	}
	if err := w.Uint32s("set_of_relation", of); err != nil {
		return err
	}
	return w.Uint32s("sets", lists)
}

// DecodeSets reads what Encode wrote for a graph, nil if there were none.
func DecodeSets(r *kind.Reader, g *Graph) (*Sets, error) {
	of, err := r.Uint32s("set_of_relation")
	if err != nil {
		return nil, err
	}
	p, err := r.Uint32s("sets")
	if err != nil {
		return nil, err
	}
	relations, entities := g.Relations.Len(), g.Entities.Len()
	if len(of) == 0 && len(p) == 0 {
		return nil, nil
	}
	if len(of) != 2*relations {
		return nil, kind.Corrupt("set_of_relation", "two a relation are wanted")
	}
	var lists [][]int32
	for len(p) > 0 {
		n := int(p[0])
		if n > len(p)-1 {
			return nil, kind.Corrupt("sets", "a set is cut short")
		}
		list := make([]int32, n)
		for i, e := range p[1 : n+1] {
			if int(e) >= entities || i > 0 && int32(e) <= list[i-1] {
				return nil, kind.Corrupt("sets", "an entity is unknown or out of order")
			}
			list[i] = int32(e)
		}
		lists, p = append(lists, list), p[n+1:]
	}
	b := newBuilder(relations, entities)
	for i, n := range of {
		if int(n) >= len(lists) {
			return nil, kind.Corrupt("set_of_relation", "a set is unknown")
		}
		b.add(Side(i/relations), int32(i%relations), lists[n])
	}
	return b.sets(), nil
}
