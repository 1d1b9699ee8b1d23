package transition

// ArcHybrid builds trees with the Left of arc-eager and the Right of arc-standard (Kuhlmann,
// Gómez-Rodríguez and Satta 2011): Left makes the top of the stack a dependent of the next token of
// the buffer, Right makes it one of the token below it. A sentence of n tokens takes 2n−1 actions and
// ends with its root alone on the stack.
type ArcHybrid struct{}

// Name returns arc_hybrid.
func (ArcHybrid) Name() string { return "arc_hybrid" }

// Moves are Shift, Left and Right.
func (ArcHybrid) Moves() []Move { return []Move{Shift, Left, Right} }

// Legal reports whether a move is possible.
func (ArcHybrid) Legal(s *State, m Move) bool {
	switch m {
	case Shift:
		return s.Waiting() > 0
	case Left:
		return s.Waiting() > 0 && len(s.stack) > 0
	case Right:
		return len(s.stack) > 1
	}
	return false
}

// Do does a legal action.
func (ArcHybrid) Do(s *State, a Action) {
	c := change{action: a}
	switch a.Move() {
	case Shift:
		s.shift()
	case Left:
		c = s.attach(s.next, s.pop(), a)
	case Right:
		top := s.pop()
		c = s.attach(s.Stack(0), top, a)
	}
	s.trail = append(s.trail, c)
}

// Undo takes the last action back.
func (ArcHybrid) Undo(s *State) {
	c := s.trail[len(s.trail)-1]
	s.trail = s.trail[:len(s.trail)-1]
	if c.action.Move() == Shift {
		s.pop()
		s.next--
		return
	}
	_, dependent := s.detach(c)
	s.push(dependent)
}

// Terminal reports whether the buffer is empty and at most one token is on the stack.
func (ArcHybrid) Terminal(s *State) bool { return s.Waiting() == 0 && len(s.stack) <= 1 }

// Oracle attaches as soon as it may.
func (ArcHybrid) Oracle(s *State, gold *Tree) Action {
	if len(s.stack) > 0 {
		top, next := s.Stack(0), s.Buffer(0)
		switch {
		case next != 0 && gold.Heads[top] == next:
			return NewAction(Left, gold.Labels[top])
		case len(s.stack) > 1 && gold.Heads[top] == s.Stack(1) && s.children[top] == gold.children(top):
			return NewAction(Right, gold.Labels[top])
		}
	}
	return NewAction(Shift, 0)
}

// Cost counts arcs as Goldberg and Nivre 2013, section 5.1, with the root of the sentence below the
// stack. σ is the stack below its top s0, β the buffer behind its first token b:
//
//	Left:  heads of s0 in β and the token below it, dependents of s0 in b and β
//	Right: heads and dependents of s0 in b and β
//	Shift: heads of b in σ, dependents of b in s0 and σ
func (ArcHybrid) Cost(s *State, gold *Tree, m Move) (cost int) {
	top, next := s.Stack(0), s.Buffer(0)
	switch m {
	case Left:
		if h := gold.Heads[top]; h > s.next || h == s.Stack(1) {
			cost++
		}
		return cost + s.waitingFor(gold, top)
	case Right:
		if gold.Heads[top] >= s.next {
			cost++
		}
		return cost + s.waitingFor(gold, top)
	}
	if h := gold.Heads[next]; h != top && h < next && (h == 0 || s.heads[h] == Unattached) {
		cost++
	}
	return cost + s.open(gold, next)
}

// waitingFor counts the gold dependents of a token in the buffer.
func (s *State) waitingFor(gold *Tree, token int32) (count int) {
	list := gold.Dependents(token)
	for i := len(list) - 1; i >= 0 && list[i] >= s.next; i-- {
		count++
	}
	if s.back != 0 && gold.Heads[s.back] == token {
		count++
	}
	return count
}

// open counts the gold dependents of the first token of the buffer on the stack that have no head.
func (s *State) open(gold *Tree, token int32) (count int) {
	for _, d := range gold.Dependents(token) {
		if d >= s.next {
			break
		}
		if s.heads[d] == Unattached && d != token {
			count++
		}
	}
	return count
}
