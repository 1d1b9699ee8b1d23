package ngrams

import (
	"strings"

	"parlance/algo/correct"
)

// ID is the number of a word, that of <unk> for an unknown one. <s> and </s> are the ends of sentences.
func (m *model) ID(word string) uint32 {
	if id, ok := m.vocabulary.ids[word]; ok && (!m.opt.lower || id < firstWord || word == strings.ToLower(word)) {
		return id
	}
	if id, ok := m.vocabulary.ids[plain(word, m.opt.lower)]; ok {
		return id
	}
	return unknown
}

// CountIDs is how often words follow each other, given by their numbers; 0 for none and for more than Order.
func (m *model) CountIDs(ids []uint32) uint64 { return m.trie.count(ids) }

// Start is the state at the beginning of a sentence.
func (m *model) Start() (s correct.State) {
	if m.opt.orders > 1 {
		s.Nodes[0], s.N = begin, 1
	}
	return s
}

// Next is the log10 of the probability of a word after a state, which moves on. Words that are not followed by the same
// words any more leave equal states.
func (m *model) Next(s *correct.State, word uint32) float64 {
	st := state{s.Nodes, s.N}
	out := m.next(&st, word)
	*s = correct.State{N: st.n}
	copy(s.Nodes[:st.n], st.nodes[:st.n])
	return out.log
}
