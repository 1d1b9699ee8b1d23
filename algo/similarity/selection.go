package similarity

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// neighbour is a word with its similarity.
type neighbour struct {
	word  uint32
	score float64
}

// better orders neighbours: by falling score, equal ones by number.
func better(a, b neighbour) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Compare(a.word, b.word)
}

// selection keeps the n best neighbours of any number in time linear in that number: what may belong to
// them is collected until there are twice as many, then cut down.
type selection struct {
	n     int
	list  []neighbour
	worst float64 // what has a lower score is none of the n best
}

// spare is how many neighbours are collected at least before they are cut down.
const spare = 64

// reset empties a selection for the best n.
func (s *selection) reset(n int) {
	s.n, s.list, s.worst = n, s.list[:0], math.Inf(-1)
}

func (s *selection) add(word uint32, score float64) {
	if score < s.worst {
		return
	}
	s.list = append(s.list, neighbour{word, score})
	if len(s.list) >= s.n+max(s.n, spare) {
		s.cut()
	}
}

// cut leaves the n best, in any order.
func (s *selection) cut() {
	if len(s.list) <= s.n {
		return
	}
	if s.n > 0 {
		place(s.list, s.n-1)
		s.worst = s.list[s.n-1].score
	}
	s.list = s.list[:s.n]
}

// sorted returns the n best, the best first; they are valid until the next reset.
func (s *selection) sorted() []neighbour {
	s.cut()
	slices.SortFunc(s.list, better)
	return s.list
}

// place puts the neighbour there that a sort would put at k, with the better ones before it (Hoare 1961). Where pivots
// keep dividing badly it sorts, so that the time stays below n log n.
func place(list []neighbour, k int) {
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
	slices.SortFunc(list, better)
}

// partition divides neighbours into those better than one of them, which it returns the place of, and the others.
func partition(list []neighbour) int {
	last := len(list) - 1
	a, b, c := 0, last/2, last
	if better(list[b], list[a]) < 0 {
		a, b = b, a
	}
	if better(list[c], list[b]) < 0 {
		if b = c; better(list[b], list[a]) < 0 {
			b = a
		}
	}
	list[b], list[last] = list[last], list[b]
	pivot, at := list[last], 0
	for i, x := range list[:last] {
		if x.score > pivot.score || x.score == pivot.score && x.word < pivot.word {
			list[i], list[at] = list[at], x
			at++
		}
	}
	list[at], list[last] = list[last], list[at]
	return at
}
