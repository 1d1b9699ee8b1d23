package triples

import (
	"cmp"
	"slices"
	"sort"
)

// Index finds what stands at a side of known triples, in the order of entities. It is immutable.
type Index struct{ sides [2]direction }

// direction holds the entities at one side by relation and the entity at the other side.
type direction struct {
	start  []int32 // of each relation in given and answer, and the end
	given  []int32
	answer []int32
}

// NewIndex indexes triples of as many relations as are told; the same triple may come more than once.
// Time and memory grow with their number, 16 bytes a triple.
func NewIndex(relations int, list ...[]Triple) *Index {
	all := slices.Concat(list...)
	x := &Index{}
	for _, side := range []Side{Subject, Object} {
		slices.SortFunc(all, func(a, b Triple) int {
			return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.At(side.Other()), b.At(side.Other())),
				cmp.Compare(a.At(side), b.At(side)))
		})
		all = slices.Compact(all)
		x.sides[side] = newDirection(relations, side, all)
	}
	return x
}

func newDirection(relations int, side Side, sorted []Triple) direction {
	d := direction{make([]int32, relations+1), make([]int32, len(sorted)), make([]int32, len(sorted))}
	for i, t := range sorted {
		d.start[t.Relation+1] = int32(i + 1)
		d.given[i], d.answer[i] = t.At(side.Other()), t.At(side)
	}
	for r := range relations {
		d.start[r+1] = max(d.start[r], d.start[r+1])
	}
	return d
}

// Known returns the entities at the open side of the triples that have the relation and the entity
// given at the other side, in order. They may not be changed.
func (x *Index) Known(open Side, relation, given int32) []int32 {
	d := &x.sides[open]
	from, to := int(d.start[relation]), int(d.start[relation+1])
	g := d.given[from:to]
	low := sort.Search(len(g), func(i int) bool { return g[i] >= given })
	high := low
	for high < len(g) && g[high] == given {
		high++
	}
	return d.answer[from+low : from+high]
}

// Has reports whether a triple is known.
func (x *Index) Has(t Triple) bool {
	_, ok := slices.BinarySearch(x.Known(Object, t.Relation, t.Subject), t.Object)
	return ok
}

// Count returns the number of triples of a relation.
func (x *Index) Count(relation int32) int {
	d := &x.sides[Object]
	return int(d.start[relation+1] - d.start[relation])
}
