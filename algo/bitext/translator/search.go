package translator

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"parlance/algo/correct"
)

// longest is the most words that are translated at once; longer sentences are cut.
const longest = 192

// set is source words that are covered.
type set [longest / 64]uint64

func (s *set) has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

func (s *set) free(from, to int) bool {
	for i := from; i < to; i++ {
		if s.has(i) {
			return false
		}
	}
	return true
}

func (s *set) with(from, to int) (out set) {
	out = *s
	for i := from; i < to; i++ {
		out[i>>6] |= 1 << (i & 63)
	}
	return out
}

func (s *set) size() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// gap is the first word that is not covered.
func (s *set) gap() int {
	for k, w := range s {
		if w != ^uint64(0) {
			return 64*k + bits.TrailingZeros64(^w)
		}
	}
	return longest
}

// choice is a translation of source words [from, to).
type choice struct {
	from, to int
	words    []uint32 // ids of the target side; of an unknown source word none
	lm       []uint32
	copied   string // an unknown source word, which stands for itself
	links    []uint32
	h        [features]float64 // without distortion and language model
	score    float64           // of these
	guess    float64           // score with the language model inside
}

// state is what partial translations are told apart by.
type state struct {
	covered set
	end     int
	lm      correct.State
}

// arc is a way to a partial translation.
type arc struct {
	back   int32 // partial translation before, −1 for none
	choice int32
	weight float64 // what it adds to the score
}

// partial is a partial translation; arcs has further ways to the same state.
type partial struct {
	state
	arc
	score, future float64
	arcs          []arc
}

// searcher translates one sentence.
type searcher struct {
	m       *model
	lm      correct.Ngrams // may be nil
	n       int
	choices []choice
	starts  [][]int32   // choices by their first word: by their last word, the best guess first
	future  [][]float64 // estimates of the words [i, j)
	all     []partial
	stacks  [][]int32
	floors  []float64 // of stacks: what is worse is not kept
	seen    map[state]int32
}

// natural turns log10 into log.
const natural = math.Ln10

// collect finds the choices of a sentence. A word without a translation of its own stands for itself.
func (m *model) collect(lm correct.Ngrams, forms []string) *searcher {
	s := &searcher{m: m, lm: lm, n: len(forms), seen: map[state]int32{}}
	ids := make([]uint32, len(forms))
	for i, w := range forms {
		ids[i] = m.vocabulary[0].Find(w)
	}
	s.starts = make([][]int32, s.n)
	for i := range ids {
		for j := i + 1; j <= min(s.n, i+m.opt.longest); j++ {
			pairs := m.table.of(ids[i:j])
			for _, p := range pairs {
				s.choose(choice{from: i, to: j, words: m.table.target.at(p.target), links: m.table.inner.at(p.links)}, p.h)
			}
			if j == i+1 && len(pairs) == 0 {
				s.choose(choice{from: i, to: j, copied: forms[i], links: []uint32{0}}, [own]float32{})
			}
		}
	}
	s.estimate()
	for _, list := range s.starts {
		slices.SortStableFunc(list, func(a, b int32) int {
			x, y := &s.choices[a], &s.choices[b]
			return cmp.Or(cmp.Compare(x.to, y.to), -cmp.Compare(x.guess, y.guess))
		})
	}
	return s
}

func (s *searcher) choose(c choice, h [own]float32) {
	n := max(1, len(c.words))
	for k, x := range h {
		c.h[k] = float64(x)
	}
	c.h[phrasePenalty], c.h[wordPenalty] = 1, -float64(n)
	c.score = s.m.weights.dot(&c.h)
	if s.lm != nil {
		c.lm = make([]uint32, n)
		for i := range c.lm {
			word := c.copied
			if c.copied == "" {
				word = s.m.vocabulary[1].Words[c.words[i]]
			}
			c.lm[i] = s.lm.ID(word)
		}
	}
	s.starts[c.from] = append(s.starts[c.from], int32(len(s.choices)))
	s.choices = append(s.choices, c)
}

// estimate fills what the words of each span may score at best, apart from distortion: the best choice with the
// language model inside, or the best of two parts.
func (s *searcher) estimate() {
	s.future = make([][]float64, s.n+1)
	for i := range s.future {
		s.future[i] = make([]float64, s.n+1)
		for j := range s.future[i] {
			if j > i {
				s.future[i][j] = math.Inf(-1)
			}
		}
	}
	for k := range s.choices {
		c := &s.choices[k]
		log, _ := s.speak(correct.State{}, c)
		c.guess = c.score + s.m.weights[language]*log
		s.future[c.from][c.to] = max(s.future[c.from][c.to], c.guess)
	}
	for w := 2; w <= s.n; w++ {
		for i := 0; i+w <= s.n; i++ {
			for k := i + 1; k < i+w; k++ {
				s.future[i][i+w] = max(s.future[i][i+w], s.future[i][k]+s.future[k][i+w])
			}
		}
	}
}

// speak is the log of the language model of a choice after a state.
func (s *searcher) speak(from correct.State, c *choice) (log float64, to correct.State) {
	to = from
	for _, id := range c.lm {
		log += natural * s.lm.Next(&to, id)
	}
	return log, to
}

// rest is the estimate of what is not covered.
func (s *searcher) rest(covered *set) (sum float64) {
	for i := 0; i < s.n; i++ {
		if covered.has(i) {
			continue
		}
		j := i + 1
		for j < s.n && !covered.has(j) {
			j++
		}
		sum += s.future[i][j]
		i = j
	}
	return sum
}

// search fills the stacks: those of partial translations with as many words covered.
func (s *searcher) search(ctx context.Context) error {
	s.stacks, s.floors = make([][]int32, s.n+1), make([]float64, s.n+1)
	for k := range s.floors {
		s.floors[k] = math.Inf(-1)
	}
	first := partial{arc: arc{back: -1, choice: -1}}
	if s.lm != nil {
		first.lm = s.lm.Start()
	}
	s.all, s.stacks[0] = append(s.all, first), []int32{0}
	for k := 0; k <= s.n; k++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.prune(k)
		if k == s.n {
			break
		}
		for _, at := range s.stacks[k] {
			s.expand(at)
		}
	}
	return nil
}

// prune keeps the best partial translations of a stack.
func (s *searcher) prune(k int) {
	list := s.stacks[k]
	slices.SortFunc(list, func(a, b int32) int {
		x, y := &s.all[a], &s.all[b]
		return cmp.Or(-cmp.Compare(x.score+x.future, y.score+y.future), cmp.Compare(a, b))
	})
	if most := s.m.opt.stack; len(list) >= most {
		list = list[:most]
		worst := &s.all[list[most-1]]
		s.floors[k] = worst.score + worst.future
	}
	for i, at := range list {
		if p := &s.all[at]; p.score+p.future < s.all[list[0]].score+s.all[list[0]].future-s.m.opt.beam {
			list = list[:i]
			break
		}
	}
	s.stacks[k] = list
}

// expand adds a choice to a partial translation in all ways. A phrase may begin as far from the end of the one before
// as the limit says, and leave a gap behind that can be reached from its own end. What is by its guess below the floor
// of its stack is not tried.
func (s *searcher) expand(at int32) {
	p := s.all[at] // s.all grows
	gap, limit := p.covered.gap(), s.m.opt.limit
	size := p.covered.size()
	for from := gap; from < s.n; from++ {
		jump := abs(from - p.end)
		if limit >= 0 && jump > limit {
			continue
		}
		base := p.score - s.m.weights[distortion]*float64(jump)
		to, open, rest := 0, false, 0.0
		for _, k := range s.starts[from] {
			c := &s.choices[k]
			if c.to != to {
				to = c.to
				if open = p.covered.free(from, to) && !(limit >= 0 && from > gap && to-gap > limit); open {
					covered := p.covered.with(from, to)
					rest = s.rest(&covered)
				}
			}
			if !open {
				continue
			}
			if base+c.guess+rest < s.floors[size+to-from] {
				open = false
				continue
			}
			s.extend(at, &p, k, c, rest)
		}
	}
}

func abs(n int) int { return max(n, -n) }

func (s *searcher) extend(at int32, p *partial, k int32, c *choice, rest float64) {
	log, lm := s.speak(p.lm, c)
	w := &s.m.weights
	next := partial{state: state{p.covered.with(c.from, c.to), c.to, lm}}
	next.arc = arc{at, k, c.score + w[language]*log - w[distortion]*float64(abs(c.from-p.end))}
	next.score = p.score + next.weight
	if next.covered.size() == s.n && s.lm != nil {
		// The end of the sentence is part of the last step.
		end := w[language] * natural * s.lm.Next(&lm, s.lm.ID("</s>"))
		next.weight += end
		next.score += end
		next.lm, next.end = correct.State{}, 0
	} else if next.covered.size() == s.n {
		next.end = 0
	}
	old, found := s.seen[next.state]
	if !found {
		next.future = rest
		s.seen[next.state] = int32(len(s.all))
		size := next.covered.size()
		s.stacks[size] = append(s.stacks[size], int32(len(s.all)))
		s.all = append(s.all, next)
		if len(s.stacks[size]) >= 2*s.m.opt.stack && s.m.opt.stack < math.MaxInt32/2 {
			s.prune(size)
		}
		return
	}
	q := &s.all[old]
	if next.score > q.score {
		q.arcs = append(q.arcs, q.arc)
		q.arc, q.score = next.arc, next.score
		return
	}
	q.arcs = append(q.arcs, next.arc)
}
