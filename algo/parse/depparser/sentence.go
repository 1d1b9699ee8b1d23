package depparser

import (
	"unicode/utf8"

	"parlance/algo/text"
)

// atom is a property of a token that features are made of.
type atom uint8

const (
	form     atom = iota
	fine          // the finer tag
	coarse        // the coarser tag
	prefix        // the first characters of the form
	suffix        // the last characters
	frequent      // the form, if it is frequent
	cluster       // path of the form's cluster; its prefixes follow
	atoms    = cluster + 1 + maxPrefixes
)

// How many characters prefix and suffix have.
const (
	prefixLength = 5
	suffixLength = 3
)

// Positions around the tokens: tokens 1..n stand at 2..n+1, the root at 1.
const (
	shift  = 1
	before = 0 // of the root, and what stands for a token that there is not
)

// sentence holds the atoms of the tokens as hashes, by position: before, root, tokens, after.
type sentence struct {
	n     int
	value [atoms][]uint64
	tag   []uint8 // number of the coarse tag within the sentence, by token
	tags  []uint64
	fines []uint8 // the same of the fine tag
	finer []uint64
	facts
}

// Values of what is no token.
var (
	hashBefore = hashString("\x00before")
	hashAfter  = hashString("\x00after")
	hashRoot   = hashString("\x00root")
)

// hashString is FNV-1a, mixed.
func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// mix is the finalizer of splitmix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// load takes rows [from, to) of the tokens of a document.
func (s *sentence) load(toks *text.Layer, tags tagColumns, from, to int) {
	s.n = to - from
	forms := toks.Strs("form")
	fines, coarses := toks.Strs(tags.fine), toks.Strs(tags.coarse)
	for a := range s.value {
		s.value[a] = append(s.value[a][:0], hashBefore, hashRoot)
	}
	for i := from; i < to; i++ {
		f := at(forms, i)
		s.value[form] = append(s.value[form], hashString(f))
		s.value[prefix] = append(s.value[prefix], hashString(beginning(f)))
		s.value[suffix] = append(s.value[suffix], hashString(ending(f)))
		s.value[fine] = append(s.value[fine], hashString(at(fines, i)))
		s.value[coarse] = append(s.value[coarse], hashString(at(coarses, i)))
	}
	for a := range frequent {
		s.value[a] = append(s.value[a], hashAfter)
	}
	s.tag, s.tags = number(s.tag, s.tags, s.value[coarse][2:s.n+2])
	s.fines, s.finer = number(s.fines, s.finer, s.value[fine][2:s.n+2])
}

// slice is tokens (from, to] as a sentence.
func (s *sentence) slice(from, to int) *sentence {
	out := &sentence{n: to - from, facts: s.facts.slice(from, to)}
	for a, v := range s.value {
		if len(v) < s.n+3 {
			continue // not used
		}
		out.value[a] = append([]uint64{hashBefore, hashRoot}, v[from+2:to+2]...)
		out.value[a] = append(out.value[a], hashAfter)
	}
	out.tag, out.tags = number(nil, nil, out.value[coarse][2:out.n+2])
	out.fines, out.finer = number(nil, nil, out.value[fine][2:out.n+2])
	return out
}

// number numbers the values from 0 in the order in which they first come; token 0 gets 0.
func number(dst []uint8, known []uint64, values []uint64) ([]uint8, []uint64) {
	dst, known = append(dst[:0], 0), known[:0]
	for _, v := range values {
		k := 0
		for k < len(known) && known[k] != v {
			k++
		}
		if k == len(known) && k < 255 {
			known = append(known, v)
		}
		dst = append(dst, uint8(min(k, 255)))
	}
	return dst, known
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// beginning returns the first prefixLength characters.
func beginning(s string) string {
	k := 0
	for i := range s {
		if k == prefixLength {
			return s[:i]
		}
		k++
	}
	return s
}

// ending returns the last suffixLength characters.
func ending(s string) string {
	k := len(s)
	for range suffixLength {
		_, size := utf8.DecodeLastRuneInString(s[:k])
		k -= size
	}
	return s[k:]
}

// tagColumns are the columns of tokens that tags come from.
type tagColumns struct{ fine, coarse string }
