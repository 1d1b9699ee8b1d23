// Package transition is shift-reduce parsing of dependencies: states, systems of actions with
// their oracles, trees, and features of states by templates that are data.
//
// Tokens are numbered from 1. A head of 0 is the root.
package transition

import "parlance/algo/numeric/buffer"

// Move is what an action does, without its label.
type Move uint8

// The moves that systems know.
const (
	Shift  Move = iota // the next token of the buffer goes onto the stack; of ArcEager, see there
	Left               // an arc to a dependent on the left of its head
	Right              // an arc to a dependent on the right of its head
	Reduce             // the top of the stack is done
)

// Moves is the number of moves.
const Moves = 4

// Action is a move with the label of the arc that it makes, 0 for those that make none.
type Action uint16

// MaxLabels is the largest number of labels of arcs.
const MaxLabels = 1 << 14

// NewAction returns the action of a move and a label.
func NewAction(m Move, label uint16) Action { return Action(label)*Moves + Action(m) }

// Move returns what the action does.
func (a Action) Move() Move { return Move(a % Moves) }

// Label returns the label of the arc.
func (a Action) Label() uint16 { return uint16(a / Moves) }

// Unattached is the head of a token that has none yet.
const Unattached = -1

// State is a partial analysis of a sentence of N tokens. Systems change it and take changes back,
// each in O(1). It belongs to one goroutine.
type State struct {
	n        int
	next     int32 // first token of the buffer, n+1 if that is empty
	back     int32 // token that went from the stack back into the empty buffer, 0 for none
	stack    []int32
	heads    []int32 // by token; entry 0 is unused, as in the slices below
	labels   []uint16
	left     []int32 // leftmost dependent on the left, 0 for none
	right    []int32 // rightmost dependent on the right, 0 for none
	inner    []int32 // the dependent next to it on the same side of its head, nearer to that; 0 for none
	children []int32 // number of dependents
	lefts    []int32 // number of them on the left
	trail    []change
	losses   losses
}

// change is what undoing an action needs.
type change struct {
	action    Action
	dependent int32 // of the arc made, or the token that was reduced, 0 if none
	again     bool  // the buffer held a token taken back
}

// Init makes the state that of n tokens in the buffer, with an empty stack.
func (s *State) Init(n int) {
	s.n, s.next, s.back = n, 1, 0
	s.stack, s.trail = s.stack[:0], s.trail[:0]
	s.losses.gold = nil
	s.heads, s.labels = buffer.Resize(s.heads, n+1), buffer.Resize(s.labels, n+1)
	s.left, s.right, s.inner = buffer.Resize(s.left, n+1), buffer.Resize(s.right, n+1), buffer.Resize(s.inner, n+1)
	s.children, s.lefts = buffer.Resize(s.children, n+1), buffer.Resize(s.lefts, n+1)
	for t := range s.heads {
		s.heads[t] = Unattached
	}
	clear(s.labels)
	clear(s.left)
	clear(s.right)
	clear(s.inner)
	clear(s.children)
	clear(s.lefts)
}

// Load makes the state that of a finished tree, with empty stack and buffer. Heads must be tokens or 0.
func (s *State) Load(t *Tree) {
	s.Init(t.Len())
	s.next = int32(s.n) + 1
	for d := 1; d <= s.n; d++ { // the last one on the right is the outermost
		if h := t.Heads[d]; int(h) < d {
			s.load(h, int32(d))
		}
	}
	for d := s.n; d > 0; d-- {
		if h := t.Heads[d]; int(h) > d {
			s.load(h, int32(d))
		}
	}
	copy(s.labels, t.Labels)
}

func (s *State) load(head, dependent int32) {
	if head > 0 {
		s.attach(head, dependent, 0)
		return
	}
	s.heads[dependent] = 0
}

// Len returns the number of tokens.
func (s *State) Len() int { return s.n }

// Depth returns the number of tokens on the stack.
func (s *State) Depth() int { return len(s.stack) }

// Waiting returns the number of tokens in the buffer.
func (s *State) Waiting() int {
	if s.back != 0 {
		return 1
	}
	return s.n + 1 - int(s.next)
}

// Steps returns the number of actions done.
func (s *State) Steps() int { return len(s.trail) }

// Stack returns the token at a place of the stack, 0 being the top; 0 if there is none.
func (s *State) Stack(i int) int32 {
	if i >= len(s.stack) {
		return 0
	}
	return s.stack[len(s.stack)-1-i]
}

// Buffer returns the token at a place of the buffer, 0 being the next; 0 if there is none.
func (s *State) Buffer(i int) int32 {
	if t := int(s.next) + i; t <= s.n {
		return int32(t)
	}
	if i == 0 {
		return s.back
	}
	return 0
}

// Head returns the head of a token, 0 for the root and Unattached for none yet.
func (s *State) Head(t int32) int32 { return s.heads[t] }

// Label returns the label of the arc to a token.
func (s *State) Label(t int32) uint16 { return s.labels[t] }

// Leftmost returns the leftmost dependent of a token on its left, 0 for none; of token 0 there is
// none.
func (s *State) Leftmost(t int32) int32 { return s.left[t] }

// Rightmost returns the rightmost dependent of a token on its right, 0 for none; of token 0 there is
// none.
func (s *State) Rightmost(t int32) int32 { return s.right[t] }

// Inner returns the dependent next to a dependent on the same side of their head and nearer to that,
// 0 for none: Inner(Leftmost(t)) is the second from the left.
func (s *State) Inner(t int32) int32 { return s.inner[t] }

// Children returns the number of dependents of a token, Lefts of those on its left.
func (s *State) Children(t int32) int32 { return s.children[t] }
func (s *State) Lefts(t int32) int32    { return s.lefts[t] }

// Relabel sets the label of the arc to a token.
func (s *State) Relabel(t int32, label uint16) { s.labels[t] = label }

// push, pop and shift change stack and buffer.
func (s *State) push(t int32) { s.stack = append(s.stack, t) }

func (s *State) pop() int32 {
	top := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return top
}

func (s *State) shift() {
	s.push(s.next)
	s.next++
}

// attach makes an arc and returns the change to note. Arcs of a head come from the inner dependents
// to the outer ones on each side.
func (s *State) attach(head, dependent int32, a Action) change {
	s.heads[dependent], s.labels[dependent] = head, a.Label()
	side := s.right
	if dependent < head {
		side = s.left
		s.lefts[head]++
	}
	s.inner[dependent] = side[head]
	side[head] = dependent
	s.children[head]++
	return change{action: a, dependent: dependent}
}

// detach takes an arc back.
func (s *State) detach(c change) (head, dependent int32) {
	head, dependent = s.heads[c.dependent], c.dependent
	s.heads[dependent], s.labels[dependent] = Unattached, 0
	if dependent < head {
		s.left[head] = s.inner[dependent]
		s.lefts[head]--
	} else {
		s.right[head] = s.inner[dependent]
	}
	s.inner[dependent] = 0
	s.children[head]--
	return head, dependent
}

// Tree copies heads and labels of what is attached; tokens without a head become roots with the
// label given.
func (s *State) Tree(root uint16) Tree {
	t := Tree{Heads: append([]int32{}, s.heads...), Labels: append([]uint16{}, s.labels...)}
	t.Heads[0], t.Labels[0] = 0, 0
	for i, h := range t.Heads {
		if h == Unattached {
			t.Heads[i], t.Labels[i] = 0, root
		}
	}
	return t
}
