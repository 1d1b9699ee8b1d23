// Package triples is what kinds that score triples of a knowledge base share: facts as numbers, the
// entities that a relation allows, the relations of such models over any Scorer, and the protocols
// that knowledge base completion is scored by.
package triples

import (
	"cmp"
	"slices"
)

// Triple is a fact by the numbers of its entities and relation, all from 0.
type Triple struct {
	Subject  int32 `state:"subjects,below=Entities.All"`
	Relation int32 `state:"relations,below=Relations.All"`
	Object   int32 `state:"objects,below=Entities.All"`
}

// Side is a place of a triple that holds an entity.
type Side uint8

// The sides.
const (
	Subject Side = iota
	Object
)

func (s Side) String() string { return [...]string{"subject", "object"}[s] }

// Other is the opposite side.
func (s Side) Other() Side { return 1 - s }

// At returns the entity at a side.
func (t Triple) At(s Side) int32 {
	if s == Subject {
		return t.Subject
	}
	return t.Object
}

// Of is the triple of a relation with an entity at a side and one at the other.
func Of(relation int32, side Side, here, there int32) Triple {
	if side == Subject {
		return Triple{here, relation, there}
	}
	return Triple{there, relation, here}
}

// compare orders by relation, subject and object.
func compare(a, b Triple) int {
	return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Object, b.Object))
}

// sortedFacts sorts facts and leaves out equal ones.
func sortedFacts(list []Triple) []Triple {
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}

// Names numbers different names from 0 in their byte order, so that order by number is order by name.
type Names struct {
	All []string `state:",rising"`
}

// NewNames numbers the names of a list, which may have some more than once.
func NewNames(list []string) *Names {
	list = slices.Clone(list)
	slices.Sort(list)
	return &Names{slices.Compact(list)}
}

// Len is how many there are.
func (n *Names) Len() int { return len(n.All) }

// Name returns the name of a number.
func (n *Names) Name(i int32) string { return n.All[i] }

// List returns all names in order; it may not be changed.
func (n *Names) List() []string { return n.All }

// Find returns the number of a name. It costs a binary search.
func (n *Names) Find(name string) (int32, bool) {
	i, ok := slices.BinarySearch(n.All, name)
	return int32(i), ok
}
