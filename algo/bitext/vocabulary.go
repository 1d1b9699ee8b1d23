package bitext

import "strings"

// Vocabulary is the words of a side, with ids from 0.
type Vocabulary struct {
	Words []string
	ids   map[string]uint32
}

// Unseen is the id of a word that a vocabulary lacks.
const Unseen = 1<<32 - 1

// NewVocabulary gives different words the ids of their places.
func NewVocabulary(words []string) *Vocabulary {
	v := &Vocabulary{Words: words, ids: make(map[string]uint32, len(words))}
	for i, w := range words {
		v.ids[w] = uint32(i)
	}
	return v
}

// Add is the id of a word, which gets the next one if it is new. The word is copied then.
func (v *Vocabulary) Add(w string) uint32 {
	id, ok := v.ids[w]
	if !ok {
		id = uint32(len(v.Words))
		w = strings.Clone(w)
		v.ids[w], v.Words = id, append(v.Words, w)
	}
	return id
}

// Find is the id of a word, or Unseen.
func (v *Vocabulary) Find(w string) uint32 {
	if id, ok := v.ids[w]; ok {
		return id
	}
	return Unseen
}
