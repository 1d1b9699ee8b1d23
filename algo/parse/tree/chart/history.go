package chart

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// History is what a chart has decided when it joins the tokens S < T by an arc: the modifiers of both
// in the spans between them and, as far as the chart can tell, outside them. Each list has the
// outermost modifier first.
type History struct {
	S, T int
	SHI  []int32 // modifiers of S between S and T
	THI  []int32 // of T between S and T
	SHO  []int32 // of S before S
	THO  []int32 // of T behind T
}

// Hook scores arcs by their history and knows the tokens of the sentence.
type Hook interface {
	// Score returns what the history adds to the score of an arc. It must not keep the history.
	Score(arc int, h *History) float64
	// Punct tells whether a token of 1..n is punctuation, which ends a clause.
	Punct(token int) bool
	// Governs tells whether the token h in 0..n can be the head of m, by their tags.
	Governs(h, m int) bool
}

// HistoryOptions say which arcs have a history and where it reaches.
type HistoryOptions struct {
	Distance int  // arcs over fewer tokens than this have none
	Clauses  bool // arcs within one clause have none
	Outside  bool // SHO and THO are looked for
	// the outer bounds are those where the loops of algorithm 1 stop, be it at punctuation or beyond the sentence
	Literal  bool
	Boundary bool // a token at an outer bound is a modifier where it is taken for one
}

// HistoryChart is the chart of Carreras 2007 that scores each arc O(h,m), once what is best within it
// is fixed, by its decision history (Chen et al. 2010). The score of the tree that it finds is exact if
// histories are inside ones, but there may be better trees. Spans are filled by rising width, since
// what is outside an arc must be shorter than it.
type HistoryChart struct {
	carreras
	hook    Hook
	options HistoryOptions

	sib, in []int32 // by arc, what O is made of
	clause  []int32 // by token, the punctuation before it
	history History
}

// NewHistory returns a decoder for the parts of Carreras. single says that the root has one modifier.
func NewHistory(single bool, hook Hook, o HistoryOptions) *HistoryChart {
	return &HistoryChart{carreras: carreras{single: single}, hook: hook, options: o}
}

// Best implements tree.Decoder but for being exact.
func (c *HistoryChart) Best(p *tree.Parts, score []float64, heads []int32) (float64, bool) {
	c.reset(p, score)
	c.sib, c.in = buffer.Resize(c.sib, p.Arcs.Len()), buffer.Resize(c.in, p.Arcs.Len())
	c.clause = buffer.Resize(c.clause, c.w+1)
	c.clause[0], c.clause[1] = 0, 0
	for i := 1; i <= c.n; i++ {
		c.clause[i+1] = c.clause[i]
		if c.hook.Punct(i) {
			c.clause[i+1]++
		}
	}
	fill(c.open, none)
	for width := 1; width <= c.n; width++ {
		if p.Ended() {
			return none, false
		}
		for s := 0; s+width <= c.n; s++ {
			c.span(s, s+width)
		}
	}
	if c.n == 0 {
		return 0, true
	}
	best, _ := c.goal()
	if math.IsInf(best, -1) {
		return best, false
	}
	c.trace(heads)
	return best, true
}

// span fills what begins at s and ends at t.
func (c *HistoryChart) span(s, t int) {
	c.arc(s, t)
	c.arc(t, s)
	for a, to := c.p.Of(s, tree.Right); a < to && int(c.p.Mod[a]) <= t; a++ {
		c.close(a, t)
	}
	for a, to := c.p.Of(t, tree.Left); a < to && int(c.p.Mod[a]) >= s; a++ {
		c.close(a, s)
	}
}

// arc fills O of the arc from h to m, if it is a candidate.
func (c *HistoryChart) arc(h, m int) {
	a := c.p.Find(h, m)
	if a < 0 {
		return
	}
	at, x := c.split(a, h, m)
	if x > none {
		sib, in, _ := c.found(a, at)
		c.sib[a], c.in[a] = int32(sib), int32(in)
		if c.Active(h, m) {
			x += c.hook.Score(a, c.Of(a))
		}
	}
	c.open[a] = x
}

// close fills K of an arc up to e.
func (c *HistoryChart) close(a, e int) {
	m, x := int(c.p.Mod[a]), c.open[a]
	if x > none && e == m {
		x += c.score[c.p.Leaf(a, tree.Outside)]
	} else if x > none {
		best, j, d := none, c.p.Rank(a), tree.Right
		if e < m {
			d = tree.Left
		}
		for y, to := c.p.Of(m, d); y < to && reaches(m, int(c.p.Mod[y]), e); y++ {
			best = max(best, c.closed[y*c.w+e]+c.score[c.p.Grand(y, j)])
		}
		x += best
	}
	c.closed[a*c.w+e] = x
}

// Active tells whether the arc between two tokens has a history in the present sentence.
func (c *HistoryChart) Active(h, m int) bool {
	s, t := min(h, m), max(h, m)
	return t-s >= c.options.Distance && (!c.options.Clauses || c.clause[s] != c.clause[t])
}

// Of returns the history of a candidate arc in the chart of the last sentence, of which Best has found
// a tree. It is valid until the next call of any method.
func (c *HistoryChart) Of(arc int) *History {
	h := &c.history
	h.S, h.T = int(min(c.p.Head[arc], c.p.Mod[arc])), int(max(c.p.Head[arc], c.p.Mod[arc]))
	h.SHI, h.THI = h.SHI[:0], h.THI[:0]
	head, mod := &h.SHI, &h.THI
	if c.p.Direction(arc) == tree.Left {
		head, mod = mod, head
	}
	*head = c.children(*head, c.sib[arc])
	*mod = c.children(*mod, c.in[arc])
	c.outside(h)
	return h
}

// OfTree returns the history of any arc of a tree: inside it the modifiers of the tree, outside what
// the chart of the last sentence has. It is valid until the next call of any method.
func (c *HistoryChart) OfTree(heads []int32, h, m int) *History {
	x := &c.history
	x.S, x.T = min(h, m), max(h, m)
	x.SHI, x.THI = x.SHI[:0], x.THI[:0]
	for i := x.S + 1; i < x.T; i++ {
		if back := x.T - i + x.S; int(heads[back]) == x.S {
			x.SHI = append(x.SHI, int32(back))
		}
		if int(heads[i]) == x.T {
			x.THI = append(x.THI, int32(i))
		}
	}
	c.outside(x)
	return x
}

// children appends the modifiers of a head whose outermost one has the arc, −1 for none.
func (c *HistoryChart) children(dst []int32, arc int32) []int32 {
	for ; arc >= 0; arc = c.sib[arc] {
		dst = append(dst, c.p.Mod[arc])
	}
	return dst
}

// outside fills the lists of what is outside: the modifiers that the tokens have in the best spans that
// join them with those at the bounds.
func (c *HistoryChart) outside(h *History) {
	h.SHO, h.THO = h.SHO[:0], h.THO[:0]
	if !c.options.Outside {
		return
	}
	bs, bt := c.bounds(h.S, h.T)
	h.SHO = c.beyond(h.SHO, h.S, bs)
	h.THO = c.beyond(h.THO, h.T, bt)
}

// beyond appends the modifiers of a token on the side of a bound. The token is the head where it can
// govern the one at the bound, or neither can the other.
func (c *HistoryChart) beyond(dst []int32, token, bound int) []int32 {
	if bound < 0 || bound > c.n || bound == token {
		return dst
	}
	a := c.p.Find(token, bound)
	head := c.hook.Governs(token, bound) || !c.hook.Governs(bound, token)
	if !head {
		a = c.p.Find(bound, token)
	}
	if a < 0 || math.IsInf(c.open[a], -1) {
		return dst
	}
	if !head {
		return c.children(dst, c.in[a])
	}
	if c.options.Boundary {
		dst = append(dst, int32(bound))
	}
	return c.children(dst, c.sib[a])
}

// bounds returns how far the history outside of s and t reaches (algorithm 1 of Chen et al.): up to
// punctuation and less far than s and t are apart. Where nothing is left, a bound is the token itself.
func (c *HistoryChart) bounds(s, t int) (int, int) {
	reach := t - s - 1
	bs := s - 1
	for bs >= 1 && !c.hook.Punct(bs) && s-bs < reach {
		bs--
	}
	bt := t + 1
	for bt <= c.n && !c.hook.Punct(bt) && bt-t < reach {
		bt++
	}
	if c.options.Literal {
		return bs, bt
	}
	if reach == 0 {
		return s, t
	}
	if bs < 1 || c.hook.Punct(bs) {
		bs = min(bs+1, s)
	}
	if bt > c.n || c.hook.Punct(bt) {
		bt = max(bt-1, t)
	}
	return bs, bt
}
