package hypernym

import (
	"cmp"
	"math"
	"slices"
)

// room is the memory of one worker.
type room struct {
	search
	votes   []float64
	voters  []int
	touched []uint32
	power   []float64 // d^(r−1)
}

func (m *model) room() *room {
	r := &room{votes: make([]float64, len(m.Nodes)), voters: make([]int, len(m.Nodes))}
	for k := range m.opt.maxDepth {
		r.power = append(r.power, math.Pow(m.opt.d, float64(k))) // 0⁰ is 1: parents always vote
	}
	return r
}

// self is the place of a word among the hyponyms, -1 if it is none; it does not vote for itself.
func (m *model) self(word int) int {
	node, ok := m.find(m.Words[word])
	if !ok {
		return -1
	}
	k, ok := slices.BinarySearch(m.hyponyms, node)
	if !ok {
		return -1
	}
	return k
}

// attach finds the best n hypernyms of a word; of nearest, all parents.
func (m *model) attach(word, n int, r *room) []answer {
	switch p := m.Profiles[word]; m.opt.method {
	case byNearest:
		return m.parentsOfNearest(word, r)
	case byHypernym, byChildren:
		return m.alike(p, n, word, r)
	}
	return m.vote(word, n, r)
}

// vote lets the k most similar hyponyms vote.
func (m *model) vote(word, n int, r *room) []answer {
	for _, x := range m.byWord.nearest(m.Profiles[word], m.opt.k, m.opt.least, m.self(word), &r.search) {
		for _, a := range m.up[x.ID] {
			v := r.power[a.steps-1] * x.Score
			if v == 0 {
				continue
			}
			if r.voters[a.node] == 0 {
				r.touched = append(r.touched, a.node)
			}
			r.votes[a.node] += v
			r.voters[a.node]++
		}
	}
	var out []answer
	for _, node := range r.touched {
		if m.Nodes[node] != m.Words[word] {
			out = append(out, answer{node, r.votes[node], r.voters[node]})
		}
		r.votes[node], r.voters[node] = 0, 0
	}
	r.touched = r.touched[:0]
	slices.SortFunc(out, m.better)
	return slices.Clone(out[:min(n, len(out))])
}

// better orders answers: by falling score, then those with fewer descendants, then by number.
func (m *model) better(a, b answer) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(m.descendants[a.Node], m.descendants[b.Node]),
		cmp.Compare(a.Node, b.Node))
}

// parentsOfNearest are the parents of the most similar hyponym that has some that may be answers.
func (m *model) parentsOfNearest(word int, r *room) (out []answer) {
	for _, x := range m.byWord.nearest(m.Profiles[word], 1, m.opt.least, m.self(word), &r.search) {
		for _, a := range m.up[x.ID] {
			if a.steps == 1 {
				out = append(out, answer{a.node, x.Score, 1})
			}
		}
	}
	slices.SortFunc(out, m.better)
	return out
}

// alike are the hypernyms with the most similar distribution, each once.
func (m *model) alike(p profile, n, word int, r *room) (out []answer) {
	seen := map[uint32]bool{}
	for _, x := range m.other.nearest(p, len(m.otherNode), m.opt.least, -1, &r.search) {
		if node := m.otherNode[x.ID]; !seen[node] && m.Nodes[node] != m.Words[word] {
			seen[node] = true
			out = append(out, answer{node, x.Score, 0})
		}
	}
	slices.SortFunc(out, m.better)
	return slices.Clone(out[:min(n, len(out))])
}

// voter is a hyponym that votes for a hypernym.
type voter struct {
	word             uint32
	similarity, vote float64
	steps            int
}

// votersOf are the similar words that vote for a hypernym of a word, by falling vote. Of hypernym_sim these are the
// words of the hypernym, of children_avg its children, which have no vote by themselves.
func (m *model) votersOf(word int, node uint32, r *room) (out []voter) {
	k := m.opt.k
	switch m.opt.method {
	case byHypernym:
		return m.witnesses(word, m.wordsOf.of(node), 0)
	case byChildren:
		return m.witnesses(word, m.childWords(node), 1)
	case byNearest:
		k = 1
	}
	for _, x := range m.byWord.nearest(m.Profiles[word], k, m.opt.least, m.self(word), &r.search) {
		for _, a := range m.up[x.ID] {
			if a.node != node {
				continue
			}
			if v := r.power[a.steps-1] * x.Score; v > 0 && (m.opt.method == byVotes || a.steps == 1) {
				out = append(out, voter{m.hyponymWord[x.ID], x.Score, v, a.steps})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b voter) int { return cmp.Compare(b.vote, a.vote) })
	return out
}

// witnesses are words with their similarity, the most similar first.
func (m *model) witnesses(word int, list []uint32, steps int) (out []voter) {
	for _, w := range list {
		if s := similarity(m.Profiles[word], m.Profiles[w]); s > 0 {
			out = append(out, voter{w, s, math.NaN(), steps})
		}
	}
	slices.SortStableFunc(out, func(a, b voter) int { return cmp.Compare(b.similarity, a.similarity) })
	return out
}

// keep sorts the answers of all words by the score of the best one.
func (m *model) keep(found []answers) {
	found = slices.DeleteFunc(found, func(a answers) bool { return len(a.List) == 0 })
	slices.SortStableFunc(found, func(a, b answers) int { return cmp.Compare(b.List[0].Score, a.List[0].Score) })
	m.Answers = found
}
