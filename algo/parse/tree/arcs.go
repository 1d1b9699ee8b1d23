// Package tree finds dependency trees: the candidate arcs and parts of a sentence, and the best tree,
// the sum over all trees and the probability of each part under scores of parts.
//
// Tokens are numbered from 1, 0 is the root. Heads have an entry for the root, which is not used.
package tree

import "parlance/algo/numeric/buffer"

// Arcs are the candidate arcs of a sentence: all, or those that a pruner leaves. Arcs of one head in
// one direction are neighbours, the nearest modifier first, so that the modifiers nearer than an arc
// are the arcs just before it.
type Arcs struct {
	N    int     // tokens
	Head []int32 // by arc
	Mod  []int32 // by arc

	first   []int32 // arcs of head h and direction d are first[2h+d] to first[2h+d+1]
	in      []int32 // arcs by modifier, by rising head
	inFirst []int32 // arcs to modifier m are in[inFirst[m]] to in[inFirst[m+1]]
	rank    []int32 // place of an arc among those to its modifier
	id      []int32 // 1 + arc by h·(n+1)+m, 0 for none
}

// Directions of arcs.
const (
	Left  = 0 // the modifier stands before the head
	Right = 1
)

// Full takes all arcs of n tokens: n² of them.
func (a *Arcs) Full(n int) { a.Keep(n, nil) }

// Keep takes the arcs for which keep is true at h·(n+1)+m; nil keeps all. Arcs to the root and of a
// token to itself are none. O(n²).
func (a *Arcs) Keep(n int, keep []bool) {
	a.N = n
	a.Head, a.Mod, a.in = a.Head[:0], a.Mod[:0], a.in[:0]
	a.first = append(a.first[:0], 0)
	a.id = buffer.Resize(a.id, (n+1)*(n+1))
	clear(a.id)
	add := func(h, m int) {
		if keep == nil || keep[h*(n+1)+m] {
			a.Head, a.Mod = append(a.Head, int32(h)), append(a.Mod, int32(m))
			a.id[h*(n+1)+m] = int32(len(a.Head))
		}
	}
	for h := range n + 1 {
		for m := h - 1; m >= 1; m-- {
			add(h, m)
		}
		a.first = append(a.first, int32(len(a.Head)))
		for m := h + 1; m <= n; m++ {
			add(h, m)
		}
		a.first = append(a.first, int32(len(a.Head)))
	}
	a.rank = buffer.Resize(a.rank, len(a.Head))
	a.inFirst = append(a.inFirst[:0], 0)
	for m := range n + 1 {
		from := len(a.in)
		for h := 0; h <= n && m > 0; h++ {
			if x := a.id[h*(n+1)+m]; x != 0 {
				a.rank[x-1] = int32(len(a.in) - from)
				a.in = append(a.in, x-1)
			}
		}
		a.inFirst = append(a.inFirst, int32(len(a.in)))
	}
}

// Len returns the number of arcs.
func (a *Arcs) Len() int { return len(a.Head) }

// Find returns the arc from h to m, -1 for none.
func (a *Arcs) Find(h, m int) int { return int(a.id[h*(a.N+1)+m]) - 1 }

// Of returns the arcs of a head in a direction as a range [from, to), the nearest modifier first.
func (a *Arcs) Of(h, direction int) (from, to int) {
	i := 2*h + direction
	return int(a.first[i]), int(a.first[i+1])
}

// In returns the arcs to a modifier, by rising head. It must not be changed.
func (a *Arcs) In(m int) []int32 { return a.in[a.inFirst[m]:a.inFirst[m+1]] }

// Rank returns the place of an arc in In of its modifier.
func (a *Arcs) Rank(arc int) int { return int(a.rank[arc]) }

// Direction returns that of an arc.
func (a *Arcs) Direction(arc int) int {
	if a.Mod[arc] > a.Head[arc] {
		return Right
	}
	return Left
}

// Inner returns how many arcs of the same head and direction have a nearer modifier: they are
// arc−Inner(arc) to arc−1.
func (a *Arcs) Inner(arc int) int {
	return arc - int(a.first[2*int(a.Head[arc])+a.Direction(arc)])
}
