package lookahead

import (
	"math"

	"parlance/algo/parse/transition"
)

// scorer has the weights of attributes of states.
type scorer interface {
	// score adds the weights of attributes to out, by action.
	score(attrs []uint32, out []float64)
}

// parsing is the analysis of a sentence as a problem. Scores of actions depend on the signature of
// a state alone, so they are computed once for each. It belongs to one goroutine.
//
// What follows an action depends on its move and not on its label, for templates read no labels. So
// the best label of each move stands for all.
type parsing struct {
	sys      transition.System
	state    transition.State
	set      *transition.Set
	alphabet *transition.Alphabet
	extract  *transition.Extractor
	weights  scorer
	size     int                     // 1 + the largest action
	possible [transition.Moves][]int // actions by move, rising
	find     *transition.Finder
	keys     []transition.Key
	attrs    []uint32
	memo     memo
}

// scored is the scores of the actions at states with one signature.
type scored struct {
	at  int // in memo.scores
	top [transition.Moves]choice
}

func newParsing(a *transition.Alphabet, e *transition.Extractor, w scorer, actions []uint32) *parsing {
	p := &parsing{sys: transition.ArcStandard{}, set: a.Set(), alphabet: a, extract: e, weights: w, find: a.NewFinder()}
	for _, x := range actions {
		m := transition.Action(x).Move()
		p.possible[m], p.size = append(p.possible[m], int(x)), max(p.size, int(x)+1)
	}
	return p
}

// init begins a sentence of n tokens.
func (p *parsing) init(n int) {
	p.state.Init(n)
	p.memo.clear()
}

// maxScores is how many scores are kept between decisions: sentences may be long.
const maxScores = 1 << 20

// trim forgets scores if there are many; nothing may hold any.
func (p *parsing) trim() {
	if len(p.memo.scores) > maxScores {
		p.memo.clear()
	}
}

// scores returns the scores of the actions at the present state.
func (p *parsing) scores() *scored {
	g := p.set.Signature(&p.state)
	x, found := p.memo.find(&g)
	if found {
		return x
	}
	x.at = len(p.memo.scores)
	p.memo.scores = append(p.memo.scores, make([]float64, p.size)...)
	out := p.memo.scores[x.at:]
	p.keys = p.extract.Keys(&g, p.keys[:0])
	p.attrs = p.find.Find(p.keys, p.attrs[:0])
	p.weights.score(p.attrs, out)
	for _, m := range p.sys.Moves() {
		c := choice{action: -1, score: math.Inf(-1)}
		for _, a := range p.possible[m] {
			if out[a] > c.score {
				c = choice{a, out[a]}
			}
		}
		x.top[m] = c
	}
	return x
}

// byAction returns the scores by action; they hold until the next state is scored.
func (p *parsing) byAction(x *scored) []float64 { return p.memo.scores[x.at:][:p.size] }

// other returns the best other action with the move of one, action −1 if there is none.
func (p *parsing) other(scores []float64, action int) choice {
	out := choice{action: -1}
	for _, a := range p.possible[transition.Action(action).Move()] {
		if a != action && (out.action < 0 || scores[a] > out.score) {
			out = choice{a, scores[a]}
		}
	}
	return out
}

func (p *parsing) choices(dst []choice) []choice {
	if p.sys.Terminal(&p.state) {
		return dst
	}
	x := p.scores()
	for _, m := range p.sys.Moves() {
		if p.sys.Legal(&p.state, m) {
			dst = append(dst, x.top[m])
		}
	}
	return dst
}

func (p *parsing) do(action int) { p.sys.Do(&p.state, transition.Action(action)) }

func (p *parsing) undo() { p.sys.Undo(&p.state) }

// memo keeps what was computed for signatures, by open addressing.
type memo struct {
	slots  []slot
	stamp  uint32 // of the entries that count
	n      int
	scores []float64
}

type slot struct {
	stamp uint32
	key   transition.Signature
	scored
}

func (m *memo) clear() {
	if m.stamp++; m.stamp == 0 {
		clear(m.slots)
		m.stamp = 1
	}
	m.n, m.scores = 0, m.scores[:0]
}

// find returns the entry of a signature, a new one if there is none. It holds until the next call.
func (m *memo) find(g *transition.Signature) (*scored, bool) {
	if 2*(m.n+1) > len(m.slots) {
		m.grow()
	}
	s := m.slot(g)
	if s.stamp == m.stamp {
		return &s.scored, true
	}
	s.stamp, s.key = m.stamp, *g
	m.n++
	return &s.scored, false
}

func (m *memo) slot(g *transition.Signature) *slot {
	mask := uint64(len(m.slots) - 1)
	for i := g.Hash() & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; s.stamp != m.stamp || s.key == *g {
			return s
		}
	}
}

func (m *memo) grow() {
	old := m.slots
	m.slots = make([]slot, max(64, 2*len(old)))
	m.stamp = max(1, m.stamp)
	for i := range old {
		if old[i].stamp == m.stamp {
			*m.slot(&old[i].key) = old[i]
		}
	}
}
