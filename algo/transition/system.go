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
