package transition

import "slices"

// ArcEager makes arcs to the right before their dependents are complete (Nivre 2003): Left makes the
// top of the stack a dependent of the next token of the buffer, Right makes that token a dependent of
// the top and puts it onto the stack, Reduce takes a token with a head off the stack.
//
// Where the buffer is empty and several tokens of the stack have no head, Shift takes the top back into
// the buffer, so that it gets a head, or the token below it does (Nivre and Fernández-González 2014).
// A sentence ends with its root alone on the stack. n tokens take at most 4n actions.
type ArcEager struct{}

// Name returns arc_eager.
func (ArcEager) Name() string { return "arc_eager" }

// Moves are all.
func (ArcEager) Moves() []Move { return []Move{Shift, Left, Right, Reduce} }

// Legal reports whether a move is possible.
func (ArcEager) Legal(s *State, m Move) bool {
	depth := len(s.stack)
	if depth == 0 {
		return m == Shift && s.Waiting() > 0
	}
	attached := s.heads[s.stack[depth-1]] != Unattached
	waiting := s.Waiting() > 0
	switch m {
	case Shift:
		return waiting && s.back == 0 || !waiting && !attached && depth > 1
	case Left:
		return waiting && !attached
	case Right:
		return waiting
	case Reduce:
		return attached
	}
	return false
}

// Do does a legal action.
func (ArcEager) Do(s *State, a Action) {
	c, again := change{action: a}, s.back != 0
	switch a.Move() {
	case Shift:
		if s.Waiting() == 0 {
			s.back = s.pop()
		} else {
			s.take()
		}
	case Left:
		c = s.attach(s.Buffer(0), s.pop(), a)
	case Right:
		c = s.attach(s.Stack(0), s.Buffer(0), a)
		s.take()
	case Reduce:
		c.dependent = s.pop()
	}
	c.again = again
	s.trail = append(s.trail, c)
}

// take puts the first token of the buffer onto the stack.
func (s *State) take() {
	if s.back != 0 {
		s.push(s.back)
		s.back = 0
		return
	}
	s.shift()
}

// Undo takes the last action back.
func (ArcEager) Undo(s *State) {
	c := s.trail[len(s.trail)-1]
	s.trail = s.trail[:len(s.trail)-1]
	switch c.action.Move() {
	case Shift:
		if s.back != 0 {
			s.push(s.back)
			s.back = 0
		} else {
			s.giveBack(c)
		}
	case Left:
		_, dependent := s.detach(c)
		s.push(dependent)
	case Right:
		s.detach(c)
		s.giveBack(c)
	case Reduce:
		s.push(c.dependent)
	}
}

// giveBack takes back what take did.
func (s *State) giveBack(c change) {
	top := s.pop()
	if c.again {
		s.back = top
	} else {
		s.next--
	}
}

// Terminal reports whether the buffer is empty and at most one token is on the stack.
func (ArcEager) Terminal(s *State) bool { return s.Waiting() == 0 && len(s.stack) <= 1 }

// Oracle attaches as soon as it may, and reduces where the next token has a head or a dependent below
// the top of the stack.
func (ArcEager) Oracle(s *State, gold *Tree) Action {
	top, next := s.Stack(0), s.Buffer(0)
	switch {
	case top == 0:
	case next == 0:
		return NewAction(Reduce, 0)
	case gold.Heads[top] == next:
		return NewAction(Left, gold.Labels[top])
	case gold.Heads[next] == top:
		return NewAction(Right, gold.Labels[next])
	case s.heads[top] != Unattached && s.below(gold, next):
		return NewAction(Reduce, 0)
	}
	return NewAction(Shift, 0)
}

// below tells whether a token has its head or a dependent on the stack below the top.
func (s *State) below(gold *Tree, token int32) bool {
	top := s.Stack(0)
	if h := gold.Heads[token]; h < top && s.holds(h) {
		return true
	}
	for _, d := range gold.Dependents(token) {
		if d >= top {
			break
		}
		if s.holds(d) {
			return true
		}
	}
	return false
}

// Cost counts arcs as Goldberg and Nivre 2012, section 4.2, and the loss of the root. σ is the stack
// below its top s0, β the buffer behind its first token b; dependents on the stack count without a head:
//
//	Left:   head of s0 in β or the root, dependents of s0 in b and β
//	Right:  head of b in σ or β or the root, dependents of b in s0 and σ
//	Reduce: dependents of s0 in b and β
//	Shift:  head of b in s0 and σ, dependents of b there
//
// Arcs that taking tokens back into the empty buffer could make count as lost where nothing else makes them.
func (ArcEager) Cost(s *State, gold *Tree, m Move) (cost int) {
	top, next := s.Stack(0), s.Buffer(0)
	switch m {
	case Left:
		if h := gold.Heads[top]; h == 0 || h > s.next {
			cost++
		}
		return cost + s.waitingFor(gold, top)
	case Reduce:
		return s.waitingFor(gold, top)
	case Right:
		if h := gold.Heads[next]; h == 0 || h > s.next || h != top && s.holds(h) {
			cost++
		}
		return cost + s.open(gold, next)
	}
	if next == 0 {
		return 0
	}
	if s.holds(gold.Heads[next]) {
		cost++
	}
	return cost + s.open(gold, next)
}

// holds tells whether a token is on the stack, which rises to the top.
func (s *State) holds(token int32) bool {
	_, ok := slices.BinarySearch(s.stack, token)
	return ok
}
