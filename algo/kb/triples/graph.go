package triples

import (
	"slices"

	"parlance/algo/kind"
)

// Graph is the facts that a model was trained on and what was denied there, with names and types. It is immutable.
type Graph struct {
	Entities  *Names   `state:"entities,always"`
	Relations *Names   `state:"relations,always"`
	Types     *Names   `state:"types,always"`
	Facts     []Triple `state:"facts,rising=Relation+Subject+Object"` // by relation, subject and object, without duplicates
	Index     *Index   // of the facts
	Denied    []Triple `state:"denied,rising=Relation+Subject+Object"` // known not to hold, in the same order
	denied    *Index
	TypeStart []int32 `state:"type_starts,rows=Entities.All,into=TypeOf"` // of each entity in typeOf, and the end
	TypeOf    []int32 `state:"entity_types,below=Types.All"`
}

// TypesOf returns the types of an entity in order; they may not be changed.
func (g *Graph) TypesOf(entity int32) []int32 {
	return g.TypeOf[g.TypeStart[entity]:g.TypeStart[entity+1]]
}

// Typed reports whether an entity has a type.
func (g *Graph) Typed() bool { return len(g.TypeOf) > 0 }

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
	g.TypeStart, g.TypeOf = make([]int32, g.Entities.Len()+1), make([]int32, len(pairs))
	for i, p := range pairs {
		g.TypeStart[p[0]+1], g.TypeOf[i] = int32(i+1), p[1]
	}
	for e := range g.Entities.Len() {
		g.TypeStart[e+1] = max(g.TypeStart[e], g.TypeStart[e+1])
	}
}

// Loaded checks that types are in order, and indexes the facts.
func (g *Graph) Loaded() error {
	for e := range int32(g.Entities.Len()) {
		list := g.TypesOf(e)
		for i := 1; i < len(list); i++ {
			if list[i-1] >= list[i] {
				return kind.Corrupt("entity_types", "has types of an entity that are out of order")
			}
		}
	}
	g.index()
	return nil
}

// index prepares finding facts and what is denied.
func (g *Graph) index() {
	g.Index, g.denied = NewIndex(g.Relations.Len(), g.Facts), nil
	if len(g.Denied) > 0 {
		g.denied = NewIndex(g.Relations.Len(), g.Denied)
	}
}
