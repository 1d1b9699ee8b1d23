package transition

// ArcStandard builds trees from the bottom up on the stack (Nivre 2004): Left makes the token below
// the top of the stack a dependent of the top, Right the top a dependent of the token below it. A
// sentence of n tokens takes 2n−1 actions and ends with its root alone on the stack.
type ArcStandard struct{}

// Name returns arc_standard.
func (ArcStandard) Name() string { return "arc_standard" }

// Moves are Shift, Left and Right.
func (ArcStandard) Moves() []Move { return []Move{Shift, Left, Right} }

// Legal reports whether a move is possible: arcs need two tokens on the stack.
func (ArcStandard) Legal(s *State, m Move) bool {
	switch m {
	case Shift:
		return s.Waiting() > 0
	case Left, Right:
		return len(s.stack) > 1
	}
	return false
}

// Do does a legal action.
func (ArcStandard) Do(s *State, a Action) {
	c := change{action: a}
	s.losses.gold = nil
	switch a.Move() {
	case Shift:
		s.shift()
	case Left:
		top, below := s.pop(), s.pop()
		c = s.attach(top, below, a)
		s.push(top)
	case Right:
		top := s.pop()
		c = s.attach(s.Stack(0), top, a)
	}
	s.trail = append(s.trail, c)
}

// Undo takes the last action back.
func (ArcStandard) Undo(s *State) {
	c := s.trail[len(s.trail)-1]
	s.trail = s.trail[:len(s.trail)-1]
	s.losses.gold = nil
	switch c.action.Move() {
	case Shift:
		s.pop()
		s.next--
	case Left:
		head, dependent := s.detach(c)
		s.pop()
		s.push(dependent)
		s.push(head)
	case Right:
		_, dependent := s.detach(c)
		s.push(dependent)
	}
}

// Terminal reports whether the buffer is empty and at most one token is on the stack.
func (ArcStandard) Terminal(s *State) bool { return s.Waiting() == 0 && len(s.stack) <= 1 }

// Oracle attaches as soon as it may: the token below the top has all its dependents, the top needs
// them before it goes.
func (ArcStandard) Oracle(s *State, gold *Tree) Action {
	if len(s.stack) > 1 {
		top, below := s.Stack(0), s.Stack(1)
		switch {
		case gold.Heads[below] == top:
			return NewAction(Left, gold.Labels[below])
		case gold.Heads[top] == below && s.children[top] == gold.children(top):
			return NewAction(Right, gold.Labels[top])
		}
	}
	return NewAction(Shift, 0)
}

// Cost finds the best trees before and after the move, crossing gold arcs among them: it is exact while
// stack and buffer have at most 32 tokens each, which are looked at from where they meet.
func (ArcStandard) Cost(s *State, gold *Tree, m Move) (cost int) {
	x := &s.losses
	if x.gold != gold {
		x.loss, x.gold = x.after(gold, s.stack, s.next), gold
	}
	x.stack = append(x.stack[:0], s.stack...)
	end, next := len(s.stack)-1, s.next
	switch m {
	case Left:
		if gold.Heads[s.stack[end-1]] != s.stack[end] {
			cost++
		}
		x.stack[end-1] = s.stack[end]
		x.stack = x.stack[:end]
	case Right:
		if gold.Heads[s.stack[end]] != s.stack[end-1] {
			cost++
		}
		x.stack = x.stack[:end]
	default:
		x.stack = append(x.stack, next)
		next++
	}
	return cost + x.after(gold, x.stack, next) - x.loss
}
