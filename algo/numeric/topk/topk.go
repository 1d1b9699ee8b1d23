// Package topk keeps the best of many numbered things by their scores, in time linear in their number.
package topk

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Item is a thing by its number, from 0, with its score, which is not NaN.
type Item struct {
	ID    uint32
	Score float64
}

// Compare orders items: by falling score, equal ones by number.
func Compare(a, b Item) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// Best keeps the n best of any number of items in time linear in that number: what may belong to them
// is collected until there are twice as many, then cut down. Reset comes first.
type Best struct {
	n     int
	list  []Item
	worst float64 // what has a lower score is none of the n best
}

// spare is how many items are collected at least before they are cut down.
const spare = 64

// Reset empties it for the best n.
func (s *Best) Reset(n int) {
	s.n, s.list, s.worst = n, s.list[:0], math.Inf(-1)
}

// Add takes an item into account.
func (s *Best) Add(id uint32, score float64) {
	if score < s.worst {
		return
	}
	s.list = append(s.list, Item{id, score})
	if len(s.list) >= s.n+max(s.n, spare) {
		s.Cut()
	}
}

// Cut leaves the n best and returns them in any order; they are valid until the next Reset.
func (s *Best) Cut() []Item {
	if len(s.list) <= s.n {
		return s.list
	}
	if s.n > 0 {
		place(s.list, s.n-1)
		s.worst = s.list[s.n-1].Score
	}
	s.list = s.list[:s.n]
	return s.list
}

// Sorted returns the n best, the best first; they are valid until the next Reset.
func (s *Best) Sorted() []Item {
	slices.SortFunc(s.Cut(), Compare)
	return s.list
}

// place puts the item there that a sort would put at k, with the better ones before it (Hoare 1961). Where pivots
// keep dividing badly it sorts, so that the time stays below n log n.
func place(list []Item, k int) {
	for tries := 2 * bits.Len(uint(len(list))); tries > 0 && len(list) > 16; tries-- {
		p := partition(list)
		switch {
		case p == k:
			return
		case p < k:
			list, k = list[p+1:], k-p-1
		default:
			list = list[:p]
		}
	}
	slices.SortFunc(list, Compare)
}

// partition divides items into those better than one of them, which it returns the place of, and the others.
func partition(list []Item) int {
	last := len(list) - 1
	a, b, c := 0, last/2, last
	if Compare(list[b], list[a]) < 0 {
		a, b = b, a
	}
	if Compare(list[c], list[b]) < 0 {
		if b = c; Compare(list[b], list[a]) < 0 {
			b = a
		}
	}
	list[b], list[last] = list[last], list[b]
	pivot, at := list[last], 0
	for i, x := range list[:last] {
		if x.Score > pivot.Score || x.Score == pivot.Score && x.ID < pivot.ID {
			list[i], list[at] = list[at], x
			at++
		}
	}
	list[at], list[last] = list[last], list[at]
	return at
}
