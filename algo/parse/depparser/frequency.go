package depparser

import "parlance/algo/lexical"

// Names of the pairs and triples whose sets are features of arcs and of siblings.
const (
	nearPairs = 5 // head and modifier; one of both and a neighbour of the other
	triples   = 2 // with the head, and with any
)

// frequencyKeys are the keys of sets by name.
var frequencyKeys = func() (k [nearPairs + triples][lexical.Sets]uint64) {
	for i := range k {
		for j := range k[i] {
			k[i][j] = mix(uint64(i*lexical.Sets+j) + 0x5b7ee)
		}
	}
	return k
}()

// pairSet looks up the set of a head with a dependent.
func (s *sentence) pairSet(h, d int) lexical.Set {
	p := &s.pairs[h*(s.n+1)+d]
	if *p == 0 {
		*p = 1 + uint8(s.subtrees.Lookup2(s.words[h], s.words[d], d > h))
	}
	return lexical.Set(*p - 1)
}

// pairKeys appends the keys of an arc: the sets of the pairs around it, each bare, with the tag of the
// head, and with its form if that is frequent (Chen et al. 2009, sec. 4.2). The root has none.
func (s *sentence) pairKeys(dst []uint64, h, m int) []uint64 {
	if h == 0 {
		return dst
	}
	for i, p := range [nearPairs][2]int{{h, m}, {h, m - 1}, {h, m + 1}, {h - 1, m}, {h + 1, m}} {
		if a, b := p[0], p[1]; a != b && min(a, b) >= 1 && max(a, b) <= s.n {
			dst = s.setKeys(dst, frequencyKeys[i][s.pairSet(a, b)], h)
		}
	}
	return dst
}

// setKeys appends a key bare and with the head.
func (s *sentence) setKeys(dst []uint64, k uint64, h int) []uint64 {
	dst = append(dst, k, mix(k+s.value[fine][h+shift]))
	if s.often == nil || s.often[h] {
		dst = append(dst, mix(k^s.value[form][h+shift]))
	}
	return dst
}

// tripleKeys appends those of a head with two adjacent modifiers.
func (s *sentence) tripleKeys(dst []uint64, h, m, sib int) []uint64 {
	if h == 0 {
		return dst
	}
	a, b := s.words[min(m, sib)], s.words[max(m, sib)]
	dst = s.setKeys(dst, frequencyKeys[nearPairs][s.subtrees.Lookup3(s.words[h], a, b, m > h)], h)
	return s.setKeys(dst, frequencyKeys[nearPairs+1][s.subtrees.Siblings(a, b, m > h)], h)
}
