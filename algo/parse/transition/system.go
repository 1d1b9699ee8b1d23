package transition

// System is a set of moves with the rules for them.
type System interface {
	// Name is what options call it.
	Name() string
	// Moves lists the moves in a fixed order.
	Moves() []Move
	// Legal reports whether a move is possible.
	Legal(s *State, m Move) bool
	// Do does a legal action, Undo takes the last one back.
	Do(s *State, a Action)
	Undo(s *State)
	// Terminal reports whether the analysis is complete: no move is possible then.
	Terminal(s *State) bool
	// Oracle returns the right action on the way to a projective tree with one root, from a state
	// that right actions led to.
	Oracle(s *State, gold *Tree) Action
}

// Dynamic is a system that knows what a move costs from any state.
type Dynamic interface {
	System
	// Cost returns how many right arcs a legal move loses: those of the gold tree that actions could
	// still make before it and cannot after it. Gold heads must be tokens or 0; the tree need not be
	// projective, then the number is one from below (Goldberg and Nivre 2013).
	Cost(s *State, gold *Tree, m Move) int
}

// Systems lists the systems.
func Systems() []System { return []System{ArcStandard{}, ArcEager{}, ArcHybrid{}} }
