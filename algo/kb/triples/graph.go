package triples

import (
	"slices"

	"parlance/algo/kind"
)

// Graph is the facts that a model was trained on and what was denied there, with names and types. It is immutable.
type Graph struct {
	Entities  *Names
	Relations *Names
	Types     *Names
	Facts     []Triple // by relation, subject and object, without duplicates
	Index     *Index   // of the facts
	Denied    []Triple // known not to hold, in the same order
	denied    *Index
	typeStart []int32 // of each entity in typeOf, and the end
	typeOf    []int32
}

// TypesOf returns the types of an entity in order; they may not be changed.
func (g *Graph) TypesOf(entity int32) []int32 {
	return g.typeOf[g.typeStart[entity]:g.typeStart[entity+1]]
}

// Typed reports whether an entity has a type.
func (g *Graph) Typed() bool { return len(g.typeOf) > 0 }

// Degrees counts the facts that each entity is in, a fact of an entity with itself once.
func (g *Graph) Degrees() []int {
	n := make([]int, g.Entities.Len())
	for _, t := range g.Facts {
		n[t.Subject]++
		if t.Object != t.Subject {
			n[t.Object]++
		}
	}
	return n
}

// setTypes takes pairs of entity and type, in any order.
func (g *Graph) setTypes(pairs [][2]int32) {
	slices.SortFunc(pairs, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	pairs = slices.Compact(pairs)
	g.typeStart, g.typeOf = make([]int32, g.Entities.Len()+1), make([]int32, len(pairs))
	for i, p := range pairs {
		g.typeStart[p[0]+1], g.typeOf[i] = int32(i+1), p[1]
	}
	for e := range g.Entities.Len() {
		g.typeStart[e+1] = max(g.typeStart[e], g.typeStart[e+1])
	}
}

// Bytes is what the graph takes in memory.
func (g *Graph) Bytes() int64 {
	n := int64(28*(len(g.Facts)+len(g.Denied)) + 4*len(g.typeOf) + 4*len(g.typeStart) + 8*g.Relations.Len())
	for _, names := range []*Names{g.Entities, g.Relations, g.Types} {
		for _, s := range names.list {
			n += int64(len(s)) + 16
		}
	}
	return n
}

// Encode writes names, facts, what is denied, and types: 12 bytes a fact and 8 a type of an entity.
func (g *Graph) Encode(w *kind.Writer) error {
	for _, s := range []struct {
		name string
		n    *Names
	}{{"entities", g.Entities}, {"relations", g.Relations}, {"types", g.Types}} {
		if err := w.Strings(s.name, s.n.list); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		name string
		list []Triple
	}{{"facts", g.Facts}, {"denied", g.Denied}} {
		numbers := make([]uint32, 0, 3*len(s.list))
		for _, t := range s.list {
			numbers = append(numbers, uint32(t.Relation), uint32(t.Subject), uint32(t.Object))
		}
		if err := w.Uint32s(s.name, numbers); err != nil {
			return err
		}
	}
	var pairs []uint32
	for e := range int32(g.Entities.Len()) {
		for _, t := range g.TypesOf(e) {
			pairs = append(pairs, uint32(e), uint32(t))
		}
	}
	return w.Uint32s("entity_types", pairs)
}

// DecodeGraph reads what Encode wrote.
func DecodeGraph(r *kind.Reader) (*Graph, error) {
	g := &Graph{}
	for _, s := range []struct {
		name string
		n    **Names
	}{{"entities", &g.Entities}, {"relations", &g.Relations}, {"types", &g.Types}} {
		list, err := r.Strings(s.name)
		if err != nil {
			return nil, err
		}
		for i := 1; i < len(list); i++ {
			if list[i-1] >= list[i] {
				return nil, kind.Corrupt(s.name, "names are out of order")
			}
		}
		*s.n = &Names{list}
	}
	var err error
	if g.Facts, err = g.decodeTriples(r, "facts"); err != nil {
		return nil, err
	}
	if g.Denied, err = g.decodeTriples(r, "denied"); err != nil {
		return nil, err
	}
	g.index()
	return g, g.decodeTypes(r)
}

// index prepares finding facts and what is denied.
func (g *Graph) index() {
	g.Index, g.denied = NewIndex(g.Relations.Len(), g.Facts), nil
	if len(g.Denied) > 0 {
		g.denied = NewIndex(g.Relations.Len(), g.Denied)
	}
}

func (g *Graph) decodeTriples(r *kind.Reader, section string) ([]Triple, error) {
	p, err := r.Uint32s(section)
	if err != nil {
		return nil, err
	}
	if len(p)%3 != 0 {
		return nil, kind.Corrupt(section, "three numbers a triple are wanted")
	}
	entities, relations := uint32(g.Entities.Len()), uint32(g.Relations.Len())
	list := make([]Triple, len(p)/3)
	for i := range list {
		rel, s, o := p[3*i], p[3*i+1], p[3*i+2]
		if rel >= relations || s >= entities || o >= entities {
			return nil, kind.Corrupt(section, "a number has no name")
		}
		list[i] = Triple{int32(s), int32(rel), int32(o)}
		if i > 0 && compare(list[i-1], list[i]) >= 0 {
			return nil, kind.Corrupt(section, "triples are out of order")
		}
	}
	return list, nil
}

func (g *Graph) decodeTypes(r *kind.Reader) error {
	p, err := r.Uint32s("entity_types")
	if err != nil {
		return err
	}
	if len(p)%2 != 0 {
		return kind.Corrupt("entity_types", "two numbers a row are wanted")
	}
	pairs := make([][2]int32, len(p)/2)
	for i := range pairs {
		if p[2*i] >= uint32(g.Entities.Len()) || p[2*i+1] >= uint32(g.Types.Len()) {
			return kind.Corrupt("entity_types", "a number has no name")
		}
		pairs[i] = [2]int32{int32(p[2*i]), int32(p[2*i+1])}
	}
	g.setTypes(pairs)
	return nil
}
