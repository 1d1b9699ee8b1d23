package gecmodule

import (
	"strings"

	"parlance/algo/correct/confusion"
)

// atom is a part of a feature with its hash.
type atom struct {
	hash uint64
	text string
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func hash(s string) uint64 {
	h := uint64(fnvOffset)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

func word(s string) atom { return atom{hash(s), s} }

// collector gathers the features of one slot, as hashes that are the same in every process, and their names where they
// are wanted.
type collector struct {
	s      *confusion.Sentence
	words  []atom // from pad before the sentence to pad behind it
	tags   []atom
	hashes []uint64
	names  []string
	named  bool
}

// pad is how far features look beyond the ends of a sentence.
const pad = 5

// bind goes to a sentence.
func (c *collector) bind(s *confusion.Sentence) {
	if c.s == s {
		return
	}
	c.s, c.words, c.tags = s, c.words[:0], c.tags[:0]
	for i := -pad; i < len(s.Forms)+pad; i++ {
		c.words, c.tags = append(c.words, word(s.Word(i))), append(c.tags, word(s.Tag(i)))
	}
}

// w and p are the word and the tag at a place.
func (c *collector) w(i int) atom {
	return c.words[min(max(i+pad, 0), len(c.words)-1)]
}

func (c *collector) p(i int) atom {
	return c.tags[min(max(i+pad, 0), len(c.tags)-1)]
}

func (c *collector) reset() { c.hashes, c.names = c.hashes[:0], c.names[:0] }

// add adds a feature of atoms.
func (c *collector) add(name string, atoms ...atom) {
	h := hash(name)
	for _, a := range atoms {
		h = (h ^ a.hash) * fnvPrime
		h ^= h >> 29
	}
	c.hashes = append(c.hashes, h)
	if c.named {
		parts := make([]string, len(atoms))
		for i, a := range atoms {
			parts[i] = a.text
		}
		c.names = append(c.names, name+"="+strings.Join(parts, " "))
	}
}

// joined is the words or tags of places [from, to) as one atom.
func (c *collector) joined(of func(int) atom, from, to int) atom {
	h := uint64(fnvOffset)
	var b []byte
	for i := from; i < to; i++ {
		a := of(i)
		h = (h ^ a.hash) * fnvPrime
		if c.named {
			b = append(append(b, a.text...), '_')
		}
	}
	return atom{h, strings.TrimSuffix(string(b), "_")}
}
