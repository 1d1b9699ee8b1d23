package segmenter

import (
	"math"

	spans "parlance/algo/engine/lattice"
	"parlance/algo/numeric/buffer"
)

// marginals sums over the paths of a lattice, where a path has probability exp(score) / Z:
//
//	p(word, tag, [i, j)) = p(its node) + p(B-tag, I-tag …, E-tag over i to j)
//
// Labels are positions and tags of characters, then entries. Their classes are the codes of nodes.
type marginals struct {
	w     *weights
	scale float64 // what scores are multiplied by
	class []int32
	sums  *spans.Lattice
	lat   *lattice
	list  []spans.Span
	chars []int32 // span of each node of a character, −1 where there is none
	nodes []int32 // span of each word node
	chain []int32
	ids   []nodeID
}

func newMarginals(w *weights, scale float64) (*marginals, error) {
	m := &marginals{w: w, scale: scale}
	width := positions * w.plain
	m.class = make([]int32, width+len(w.dict.entries))
	for y := range m.class {
		if y < width {
			m.class[y] = int32(w.charCode(y))
		} else {
			m.class[y] = int32(w.dict.entries[y-width].tag)
		}
	}
	return m, m.refresh()
}

// refresh takes the weights of pairs as they are now.
func (m *marginals) refresh() error {
	w := m.w
	s := spans.Scores{Labels: len(m.class), Classes: w.codes, Start: make([]float64, w.codes),
		End: make([]float64, w.codes), Pair: make([]float64, w.codes*w.codes), TableOnly: make([]bool, w.codes),
		Class: m.class, More: m.more}
	begin, end := w.plain, w.plain+1
	for a := range w.codes {
		s.TableOnly[a] = a >= w.all
		s.Start[a], s.End[a] = m.scale*w.allowed(begin, a), m.scale*w.allowed(a, end)
		for b := range w.codes {
			s.Pair[a*w.codes+b] = m.scale * w.allowed(a, b)
		}
	}
	t, err := spans.NewTransitions(s)
	if err != nil {
		return err
	}
	m.sums = spans.New(t)
	return nil
}

// allowed is the weight of a pair of codes: 0 of words, which pairs of nodes score, −Inf of what cannot follow.
func (w *weights) allowed(a, b int) float64 {
	if a < w.all && b < w.all {
		return 0
	}
	open := a >= w.all+posI*w.plain && a < w.all+posE*w.plain || a >= w.all && a < w.all+posS*w.plain // B and I
	inside := b >= w.all+posI*w.plain                                                                 // I and E
	if open != inside || open && (a-w.all)%w.plain != (b-w.all)%w.plain {
		return math.Inf(-1)
	}
	return w.transition(a)[b]
}

// more adds the scores of pairs of word nodes.
func (m *marginals) more(at int, from []int32, to int32, scores []float64) {
	l, width := m.lat, int32(positions*m.w.plain)
	first, past := l.startsAt(at)
	k := past - 1 // the end of the sentence, where at is its last place
	if to >= 0 {
		for k = first; l.nodes[k].entry != to-width; k++ {
		}
	}
	pairs := l.pairs[l.pairAt[k]:l.pairAt[k+1]]
	for i, y := range from {
		if y >= 0 && y < width {
			continue // a character
		}
		for e, j := range l.endsAt(at) {
			if y < 0 && j == 0 || y >= 0 && l.nodes[j].entry == y-width {
				scores[i] += m.scale * pairs[e]
				break
			}
		}
	}
}

// load takes a lattice that is scored.
func (m *marginals) load(l *lattice) error {
	m.lat, m.list = l, m.list[:0]
	width := l.width()
	m.chars, m.nodes = buffer.Resize(m.chars, len(l.char)), buffer.Resize(m.nodes, len(l.nodes))
	for id, s := range l.char {
		m.chars[id] = -1
		if !math.IsInf(s, -1) {
			m.chars[id] = int32(len(m.list))
			i := int32(id / width)
			m.list = append(m.list, spans.Span{Start: i, End: i + 1, Label: int32(id % width), Score: m.scale * s})
		}
	}
	for k := 1; k < len(l.nodes)-1; k++ {
		n := &l.nodes[k]
		m.nodes[k] = int32(len(m.list))
		label := int32(width) + n.entry
		m.list = append(m.list, spans.Span{Start: n.start, End: n.end, Label: label, Score: m.scale * n.score})
	}
	return m.sums.Load(l.n, m.list, nil)
}

// share is the probability of a path by its score.
func (m *marginals) share(score float64) float64 {
	return math.Min(1, math.Exp(m.scale*score-m.sums.LogZ()))
}

// prob is the probability of a word with its tag.
func (m *marginals) prob(x span) float64 {
	p, l := 0.0, m.lat
	first, past := l.startsAt(int(x.from))
	for k := first; k < past; k++ {
		if n := &l.nodes[k]; n.end == x.to && n.tag == x.tag {
			p += m.sums.Prob(int(m.nodes[k]))
		}
	}
	m.chain, m.ids = m.chain[:0], l.spell(m.ids[:0], x.from, x.to, x.tag)
	for _, id := range m.ids {
		if m.chars[id] < 0 {
			return min(1, p)
		}
		m.chain = append(m.chain, m.chars[id])
	}
	return min(1, p+m.sums.ProbOf(m.chain))
}
