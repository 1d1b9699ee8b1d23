package ngrams

import (
	"math"
)

// maxOrder is the most words of an n-gram.
const maxOrder = 8

// state is the words before: of the last one, two, … words their nodes, −1 for none.
type state struct {
	nodes [maxOrder]int
	n     int
}

// scored is the score of one word.
type scored struct {
	log     float64 // log10 of its probability, or score
	order   int     // words of the longest n-gram that ends with it; 0 for an unknown word
	unknown bool
}

// next scores a word after a state and moves on.
//
//	kneser_ney:     p(w|h) = p of the longest n-gram g that ends hw, times the back-off weights of the longer contexts
//	stupid_backoff: s(w|h) = c(g) / c(g without w), times 0.4 for each longer context (Brants et al. 2007, eq. 5)
//
// A single word has c(w)/tokens there, and an unknown one the score of a word that occurs once.
func (m *model) next(s *state, word uint32) scored {
	t := m.trie
	var to state
	longest := 0
	to.nodes[0] = int(word)
	for n := s.n; n > 0; n-- {
		to.nodes[n] = -1
		if s.nodes[n-1] < 0 {
			continue
		}
		to.nodes[n] = t.child(n-1, s.nodes[n-1], word)
		if longest == 0 && to.nodes[n] >= 0 {
			longest = n
		}
	}
	out := scored{order: longest + 1}
	if word == unknown && t.levels[0].counts.get(unknown) == 0 {
		out.unknown, out.order = true, 0
	}
	if m.opt.smoothing == byKneserNey {
		out.log = t.levels[longest].prob.get(to.nodes[longest])
		for n := s.n; n > longest; n-- {
			if s.nodes[n-1] >= 0 {
				out.log += t.levels[n-1].back.get(s.nodes[n-1])
			}
		}
	} else {
		out.log = m.relative(s, &to, longest)
	}
	if !out.unknown || m.opt.smoothing == byKneserNey { // back-off models may have n-grams with <unk>
		if to.n = longest + 1; to.n >= m.opt.orders {
			to.n = m.opt.orders - 1
		}
	}
	*s = to
	return out
}

// relative is the log10 of the score of stupid back-off.
func (m *model) relative(s, to *state, longest int) float64 {
	t := m.trie
	of := m.tokens
	if longest > 0 {
		of = float64(t.levels[longest-1].counts.get(s.nodes[longest-1]))
	}
	n := max(1, float64(t.levels[longest].counts.get(to.nodes[longest])))
	return math.Log10(n/of) + float64(s.n-longest)*math.Log10(max(m.opt.backoff, math.SmallestNonzeroFloat64))
}

// sentence yields the score of each word of a sentence, and of its end.
func (m *model) sentence(words []string, yield func(i int, word uint32, s scored) bool) {
	var st state
	if m.opt.orders > 1 {
		st.nodes[0], st.n = begin, 1
	}
	i := 0
	for _, w := range words {
		if w = plain(w, m.opt.lower); w == "" {
			continue
		}
		id, ok := m.vocabulary.ids[w]
		if !ok {
			id = unknown
		}
		if !yield(i, id, m.next(&st, id)) {
			return
		}
		i++
	}
	if i > 0 {
		yield(i, end, m.next(&st, end))
	}
}

// LogProb is the log10 of the probability of a sentence with its end, or the score of stupid back-off, and how many
// words of it are unknown.
func (m *model) LogProb(words []string) (log float64, unknown int) {
	m.sentence(words, func(_ int, _ uint32, s scored) bool {
		log += s.log
		if s.unknown {
			unknown++
		}
		return true
	})
	return log, unknown
}
