package definition

import (
	"parlance/algo/answer/sentences"
)

// Representations of a word in a pattern. A pattern uses one throughout.
const (
	surface = iota
	base
	tags
	reps
)

var (
	repNames = [reps]string{"surface", "base", "tags"}
	repDocs  = [reps]string{"words", "base forms", "tags"}
)

// Symbols that are the same in all representations.
const (
	startName = "^"
	termName  = "[term]"
)

// marked is a sentence with its term as one token: a symbol a token in each representation, ^ before the first one.
// Symbols are hashes, the same in every process.
type marked struct {
	symbols   [reps][]uint64
	term      int      // place of [term]
	root      int      // place of the root, -1 without a tree
	heads     []int32  // place of the head, -1 for the root and ^; nil without a tree
	relations []uint64 // to the head
}

// hash is FNV-1a of 64 bits.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// mix joins a hash with another one; the order counts.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// Hashes of the symbols that all representations share, and what hashes of patterns of each type begin with.
var (
	startHash    = hash(startName)
	termHash     = hash(termName)
	ngramSeed    = hash("n-gram")
	sequenceSeed = hash("subsequence")
	subtreeSeed  = hash("subtree")
)

// names are the texts of symbols by hash; nil where nobody asks.
type names map[uint64]string

func (n names) add(s string) uint64 {
	h := hash(s)
	if n != nil {
		if _, ok := n[h]; !ok {
			n[h] = s
		}
	}
	return h
}

// mark makes words [from, to) of a sentence the term. Words that hang on a word of the term hang on the term; its head
// is that of the first of its words whose head is outside.
func mark(s *sentences.Sentence, from, to int, n names) *marked {
	size := len(s.Words) - (to - from) + 2
	m := &marked{term: from + 1, root: -1}
	flat := make([]uint64, reps*size)
	for r := range m.symbols {
		m.symbols[r] = flat[r*size : (r+1)*size : (r+1)*size]
		m.symbols[r][0], m.symbols[r][from+1] = startHash, termHash
	}
	for i := range s.Words {
		if i >= from && i < to {
			continue
		}
		w, at := &s.Words[i], place(i, from, to)
		m.symbols[surface][at] = n.add(w.Lower)
		m.symbols[base][at] = n.add(w.Base)
		m.symbols[tags][at] = n.add(w.Tag)
	}
	if s.Root >= 0 {
		m.tree(s, from, to, n)
	}
	return m
}

// place is that of a word after words [from, to) became one token; ^ is at 0.
func place(i, from, to int) int {
	switch {
	case i < from:
		return i + 1
	case i < to:
		return from + 1
	}
	return i - (to - from) + 2
}

func (m *marked) tree(s *sentences.Sentence, from, to int, n names) {
	size := len(m.symbols[0])
	m.heads, m.relations = make([]int32, size), make([]uint64, size)
	m.heads[0] = -1
	m.root = place(s.Root, from, to)
	headed := false
	for i := range s.Words {
		w, at := &s.Words[i], place(i, from, to)
		inside := i >= from && i < to
		if inside && (headed || w.Head >= from && w.Head < to) {
			continue
		}
		headed = headed || inside
		m.relations[at] = n.add(w.Relation)
		if m.heads[at] = -1; at != m.root && w.Head >= 0 {
			m.heads[at] = int32(place(w.Head, from, to))
		}
	}
	m.heads[m.root] = -1
	m.sever()
}

// sever breaks the circle that a term whose words hang on different words may make: what leads nowhere hangs on the
// root.
func (m *marked) sever() {
	for i := 1; i < len(m.heads); i++ {
		k, steps := int32(i), 0
		for k != int32(m.root) && k >= 0 && steps <= len(m.heads) {
			k = m.heads[k]
			steps++
		}
		if k != int32(m.root) {
			m.heads[i] = int32(m.root)
		}
	}
}
