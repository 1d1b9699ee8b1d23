package spacy

import "strings"

// spaCy tells texts by the MurmurHash64A of their UTF-8 with the seed 1, but for the names that it knows itself: these
// have small numbers, also where they are words of a text. The runs below are those of attributes, of universal parts
// of speech, of labels of entities and of dependencies; a small number outside them is told, not guessed.
var spacyRuns = []struct {
	first uint64
	names string
}{
	{64, "ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD " +
		"SENT_START SPACY PROB LANG"},
	{84, "ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"},
	{103, "SPACE"},
	{380, "PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY " +
		"QUANTITY ORDINAL CARDINAL"},
	{398, "acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj csubjpass " +
		"dep det dobj expl"},
	{418, "hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num number oprd " +
		"obj obl parataxis"},
	{437, "partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod root xcomp acl " +
		"ENT_KB_ID MORPH ENT_ID"},
	{456, "_"},
}

var spacyNames, spacyNumbers = spacySymbols()

func spacySymbols() (map[uint64]string, map[string]uint64) {
	names, numbers := map[uint64]string{}, map[string]uint64{}
	for _, run := range spacyRuns {
		for i, name := range strings.Fields(run.names) {
			names[run.first+uint64(i)], numbers[name] = name, run.first+uint64(i)
		}
	}
	return names, numbers
}

// ownNumbers is above the numbers of all names that spaCy knows itself.
const ownNumbers = 1000

// spacyHash is the number of a text: 0 for none.
func spacyHash(s string) uint64 {
	if n, ok := spacyNumbers[s]; ok || s == "" {
		return n
	}
	return murmur64A(s, 1)
}

// murmur64A is MurmurHash64A: eight bytes at a time, little-endian, then the rest.
func murmur64A(s string, seed uint64) uint64 {
	const m, r = 0xc6a4a7935bd1e995, 47
	h := seed ^ uint64(len(s))*m
	for ; len(s) >= 8; s = s[8:] {
		k := uint64(0)
		for i := 7; i >= 0; i-- {
			k = k<<8 | uint64(s[i])
		}
		k *= m
		k ^= k >> r
		h = (h ^ k*m) * m
	}
	if len(s) > 0 {
		for i := len(s) - 1; i >= 0; i-- {
			h ^= uint64(s[i]) << (8 * i)
		}
		h *= m
	}
	h ^= h >> r
	h *= m
	return h ^ h>>r
}
