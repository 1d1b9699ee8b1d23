package lookahead

import "math"

// problem is a state that actions change and undo.
type problem interface {
	// choices appends the actions that are possible, in a fixed order, with the scores of taking
	// them: none in a terminal state. A score of −∞ rules one out.
	choices(dst []choice) []choice
	do(action int)
	undo()
}

type choice struct {
	action int
	score  float64
}

// searcher tries every sequence of actions (Tsuruoka, Miyao and Kazama 2011, figure 2). Of equal
// leaves it takes the first. It belongs to one goroutine.
type searcher struct {
	p      problem
	levels []level // by actions left
	roots  []root
}

type level struct {
	choices []choice
	path    []int
}

// root is an action of the present state and what is best after it.
type root struct {
	choice
	tail float64 // sum of the actions after it
	path []int   // those actions
}

// search returns the actions of the present state, each with the best sequence of up to depth
// actions after it. What it returns holds until the next call.
func (s *searcher) search(depth int) []root {
	for len(s.levels) <= depth+1 {
		s.levels = append(s.levels, level{})
	}
	l := &s.levels[depth+1]
	l.choices = s.p.choices(l.choices[:0])
	for len(s.roots) < len(l.choices) {
		s.roots = append(s.roots, root{})
	}
	for i, c := range l.choices {
		r := &s.roots[i]
		r.choice, r.tail, r.path = c, 0, r.path[:0]
		if math.IsInf(c.score, -1) {
			continue
		}
		s.p.do(c.action)
		r.tail = s.below(depth)
		s.p.undo()
		r.path = append(r.path, s.levels[depth].path...)
	}
	return s.roots[:len(l.choices)]
}

// below returns the sum of the best sequence of up to depth actions and leaves it in the path of
// its level.
func (s *searcher) below(depth int) float64 {
	l := &s.levels[depth]
	l.path = l.path[:0]
	if depth == 0 {
		return 0
	}
	l.choices = s.p.choices(l.choices[:0])
	if len(l.choices) == 0 {
		return 0
	}
	top := math.Inf(-1)
	for _, c := range l.choices {
		if math.IsInf(c.score, -1) {
			continue
		}
		s.p.do(c.action)
		sum := c.score + s.below(depth-1)
		s.p.undo()
		if sum > top {
			top = sum
			l.path = append(append(l.path[:0], c.action), s.levels[depth-1].path...)
		}
	}
	return top
}

// labelling is the labelling of a sentence as a problem.
type labelling struct {
	w      *window
	t      int
	labels []int // of the tokens before t, two starts first
}

func newLabelling(w *window) *labelling {
	return &labelling{w: w, labels: []int{start, start}}
}

// at places the problem at token t after two labels.
func (p *labelling) at(t, last, second int) {
	p.t, p.labels = t, append(p.labels[:0], second, last)
}

func (p *labelling) choices(dst []choice) []choice {
	w, l := p.w, p.w.labels
	if p.t >= w.n {
		return dst
	}
	second, last := p.labels[len(p.labels)-2], p.labels[len(p.labels)-1]
	for y, s := range w.row(p.t) {
		if last != start {
			s += w.pair[last*l+y]
		}
		if second != start && w.triple != nil {
			s += w.triple[(second*l+last)*l+y]
		}
		dst = append(dst, choice{y, s})
	}
	return dst
}

func (p *labelling) do(y int) { p.t, p.labels = p.t+1, append(p.labels, y) }

func (p *labelling) undo() { p.t, p.labels = p.t-1, p.labels[:len(p.labels)-1] }
